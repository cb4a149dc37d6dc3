// A lobby in the queue: how it enters, gives up, is held for a match, and comes back (spec: Matchmaking start and
// cancel; docs/internals/design.md: Forming a match).

import type { MatchId, TicketId } from '../common/ids';
import { ok } from '../common/result';
import type { Mode } from '../match/rules/mode';
import { ticketOf } from '../match/ticket/aggregate';
import type { Ticket } from '../match/ticket/ticket';
import {
  become,
  entering,
  leaving,
  refreshed,
  returnedNews,
  toWaiting,
  unseen,
  updated,
} from './change';
import type { Change, Debt } from './command';
import {
  IDLE,
  isPromised,
  bookingOf,
  type AskedBy,
  type Lobby,
  type Part,
  type Search,
  type SearchTicket,
} from './lobby';
import type { ReturnReason } from './reasons';
import { refusal, type Reply } from './refusals';
import {
  dropping,
  facing,
  furtherTicket,
  shifted,
  queued,
  ticketIn,
  ticketsOf,
  ticketChanged,
} from './tickets';

/** How long after the mode's timeout a lobby waits for the queue's answer before it leaves by itself. */
const GIVE_UP_GRACE_MS = 10_000;
/** The least time that a lobby has left when it goes back to the queue. */
const LEAST_LEFT_MS = 10_000;
/** Longer than a queue takes to ask the lobbies of a proposal, as a rule. */
const BETWEEN_QUEUES_MS = 100;
/** These end a search of several modes at once. Others come from one queue, and end the search in it. */
const FOR_ALL: ReadonlySet<ReturnReason> = new Set(['cancelled', 'away']);

export function ticketFor(
  lobby: Lobby,
  mode: Mode,
  ticket: Pick<Search, 'startedAt'> & { readonly id: TicketId },
): Reply<Ticket> {
  const players = lobby.players.map(({ id, state }) => ({ id, state, isHost: id === lobby.host }));
  const { region, settings } = lobby;
  return ticketOf({ ...ticket, lobbyId: lobby.id, players, region, settings }, mode);
}

export interface SearchEntry extends AskedBy, Pick<Search, 'ticketId' | 'mode' | 'aloneSince'> {
  readonly timeoutSeconds: number;
  /** The modes after the first, of a search that was begun with `modes`. */
  readonly others?: readonly (Pick<SearchEntry, 'mode' | 'timeoutSeconds'> & {
    readonly afterSeconds: number;
  })[];
  readonly now: number;
}

function severalOf({ ticketId, mode, now, others = [] }: SearchEntry) {
  const also = others.map(({ timeoutSeconds, afterSeconds, ...its }, index): SearchTicket => {
    const from = now + afterSeconds * 1000;
    const giveUpAt = from + timeoutSeconds * 1000 + GIVE_UP_GRACE_MS;
    const entersAt = afterSeconds > 0 ? from : undefined;
    const id = furtherTicket(ticketId, index);
    return { ...its, ticketId: id, waitsFrom: from, giveUpAt, holdSeq: 0, entersAt };
  });
  return { waitsFrom: now, modes: [mode, ...others.map((other) => other.mode)], also };
}

/** The search, with a fresh ticket for each mode. It is saved before the queue is called, because the queue may call back at once. */
export function enter(lobby: Lobby, entry: SearchEntry): Change {
  const { ticketId, mode, aloneSince, now, requestId, trace } = entry;
  const search: Search = {
    ticketId,
    mode,
    startedAt: now,
    giveUpAt: now + entry.timeoutSeconds * 1000 + GIVE_UP_GRACE_MS,
    aloneSince,
    holdSeq: 0,
    hold: null,
    ...(requestId === undefined ? {} : { requestId }),
    ...(trace && { trace }),
    ...(entry.others && severalOf(entry)),
  };
  const doing = { ...IDLE, status: 'in_queue', search } as const;
  return refreshed(become(lobby, doing, now, { activeAt: now }));
}

export function waitsFrom(search: Pick<Search, 'startedAt' | 'waitsFrom'>): number {
  return search.waitsFrom ?? search.startedAt;
}

/** The time of one of the modes has come: its ticket enters its queue. */
export function enterLater(lobby: Lobby, ticket: SearchTicket, now: number): Change | null {
  if (lobby.status !== 'in_queue') {
    return null;
  }
  const search = ticketChanged(lobby.search, ticket.ticketId, { entersAt: undefined });
  const next = become(lobby, { ...IDLE, status: 'in_queue', search }, now);
  return updated(next, [entering(ticket)]);
}

/**
 * The search that goes on after another lobby's no. It has fresh tickets, and the time that was left when the match was
 * found, at least LEAST_LEFT_MS. That follows from one instant, which the queue gets in the ticket (decision 59).
 */
export function searchingOn(part: Part, ticketId: TicketId, now: number): Search {
  const { mode, startedAt, requestId, trace, giveUpAt, modes, also, foundAt = now } = part;
  const laterMs = (ends: number): number =>
    Math.max(0, now - foundAt, now + LEAST_LEFT_MS - (ends - GIVE_UP_GRACE_MS));
  const kept = { mode, startedAt, requestId, ...(trace && { trace }), holdSeq: 0, hold: null };
  const ms = laterMs(giveUpAt);
  const times = { waitsFrom: waitsFrom(part) + ms, giveUpAt: giveUpAt + ms };
  const others = also?.map((each, index) => {
    const its = shifted(each, laterMs(each.giveUpAt));
    return { ...its, ticketId: furtherTicket(ticketId, index), holdSeq: 0 };
  });
  return { ticketId, ...kept, ...times, ...(others && { modes, also: others }) };
}

/** Searches a mode for as long as it says now, if that is longer than before (decision 32). */
export function prolonged(lobby: Lobby, mode: Mode, id = lobby.search?.ticketId): Change | null {
  const ticket = id && ticketIn(lobby.search, id);
  if (lobby.status !== 'in_queue' || !ticket) {
    return null;
  }
  const { search } = lobby;
  const from = ticket.waitsFrom ?? search.startedAt;
  const giveUpAt = from + mode.timeout * 1000 + GIVE_UP_GRACE_MS;
  return giveUpAt <= ticket.giveUpAt
    ? null
    : unseen({ ...lobby, search: ticketChanged(search, ticket.ticketId, { giveUpAt }) });
}

/** spec: DELETE /me/matchmaking. INVALID_STATE when not queued, nor in line for a server (record 0068). */
export function cancel(lobby: Lobby, now: number): Reply<Change> {
  const { search, status } = lobby;
  if (status === 'matched' && lobby.part.waiting) {
    const { matchId, ticketId } = lobby.part;
    const after = toWaiting(lobby, now, { activeAt: now }, 'cancelled');
    const debts = [{ to: 'match', act: 'left', matchId, ticketId, by: lobby.host }] as const;
    return ok({ lobby: after, debts, news: returnedNews(lobby, after, 'cancelled') });
  }
  const change = search && comeBack(lobby, search.ticketId, { reason: 'cancelled', now });
  return change === null
    ? refusal('INVALID_STATE', `The lobby is ${status}, not in the queue`)
    : ok(change);
}

export interface SearchEnding {
  readonly reason: ReturnReason;
  readonly detail?: string;
  readonly now: number;
}

/** Ends the search: all of it, or in one of its modes if that mode's queue ends it. Null: the ticket is another one. */
export function comeBack(lobby: Lobby, ticketId: TicketId, ending: SearchEnding): Change | null {
  const { reason, detail, now } = ending;
  const { search } = lobby;
  const ticket = ticketIn(search, ticketId);
  if (lobby.status !== 'in_queue' || ticket === undefined) {
    return null;
  }
  const left = FOR_ALL.has(reason) ? null : dropping(lobby.search, ticketId, now);
  if (left !== null) {
    const next = become(lobby, { ...IDLE, status: 'in_queue', search: left }, now);
    return updated(next, leaving([ticket], reason));
  }
  // The idle timeout starts anew, because waiting in the queue is not idleness.
  const waiting = toWaiting(lobby, now, { activeAt: now }, reason);
  const after =
    waiting.status === 'waiting' && waiting.returned !== undefined && detail !== undefined
      ? { ...waiting, returned: { ...waiting.returned, detail } }
      : waiting;
  const news = returnedNews(lobby, after, reason);
  return { lobby: after, debts: leaving(ticketsOf(search), reason), news };
}

/** Why the lobby cannot search with its ticket in the mode. Null: it can. */
function misfit(lobby: Lobby, mode: Mode): string | null {
  const ticket = ticketFor(lobby, mode, { id: '' as TicketId, startedAt: 0 });
  return ticket.ok ? null : ticket.refusal.detail;
}

/**
 * The change, and the end of the search in each mode that the party no longer fits because of it, with the sentence of
 * the 400 that it would get (decision 60). If it did not fit before either, the config is to blame, and entering the
 * queue again finds that out.
 */
export function fitting(
  before: Lobby | null,
  change: Change,
  modeNamed: (name: string) => Mode | null,
  now: number,
): Change {
  return ticketsOf(change.lobby?.search).reduce((so, { ticketId, mode: name }) => {
    const { lobby, debts, news } = so;
    const mode = modeNamed(name);
    if (!lobby?.search || isPromised(lobby) || mode === null) {
      return so;
    }
    const isSame = before !== null && ticketIn(before.search, ticketId) !== undefined;
    const isAlike = before?.players === lobby.players && before.settings === lobby.settings;
    const detail = isAlike && isSame ? null : misfit(lobby, mode);
    if (detail === null || (isSame && misfit(before, mode) !== null)) {
      return so;
    }
    const back = comeBack(lobby, ticketId, { reason: 'unmatchable', detail, now });
    // The ticket leaves, so it need not enter first.
    const others = debts.filter((debt) => debt.to !== 'queue' || debt.ticketId !== ticketId);
    return back === null
      ? so
      : { ...back, debts: [...others, ...back.debts], news: [...news, ...back.news] };
  }, change);
}

export interface Hold {
  readonly ticketId: TicketId;
  readonly matchId: MatchId;
  /** Rises with every proposal of the queue. A lobby refuses a hold that is not above the last it saw. */
  readonly seq: number;
  /** The last proposal that this lobby told the queue it holds for, and that was given up. Absent: none was. */
  readonly gaveUp?: number;
}

/**
 * The fence: a lobby holds only while it searches with that very ticket, and only for a proposal newer than any it has
 * seen. A hold binds until the queue says that it gave the proposal up: that match may have been decided, so only its
 * outcome frees the lobby. Past its own timeout a lobby holds for no new match (decision 44). Null: refused. The same
 * hold again, or one whose match the lobby is already in, changes nothing.
 */
export function hold(lobby: Lobby, request: Hold, now: number): Change | null {
  if (lobby.part?.matchId === request.matchId && lobby.part.ticketId === request.ticketId) {
    return unseen(lobby);
  }
  const search = lobby.search && facing(lobby.search, request.ticketId);
  if (lobby.status !== 'in_queue' || search === null || bookingOf(lobby) !== null) {
    return null;
  }
  if (search.hold?.matchId === request.matchId && search.hold.seq === request.seq) {
    return unseen(lobby);
  }
  const { matchId, seq, gaveUp = 0 } = request;
  const isRefused = search.hold === null ? search.giveUpAt <= now : search.hold.seq > gaveUp;
  return isRefused || seq <= search.holdSeq
    ? null
    : unseen({ ...lobby, search: { ...search, holdSeq: seq, hold: { matchId, seq, at: now } } });
}

/**
 * Lets go of a hold. Players do not see that. Every other hold stays, even one for the same match: several proposals
 * may lead a lobby into one running match, which may have admitted it by an older one. The lobby enters again with its
 * tickets: a queue that proposed another match was told that the lobby does not search, and forgot its ticket.
 */
export function release(lobby: Lobby, held: Pick<Hold, 'matchId' | 'seq'>): Change | null {
  if (lobby.status !== 'in_queue') {
    return null;
  }
  const { search } = lobby;
  return search.hold?.matchId !== held.matchId || search.hold.seq !== held.seq
    ? null
    : unseen({ ...lobby, search: { ...search, hold: null } }, enteringAgain(search));
}

/**
 * All lobbies enter the other queues one after another in the same order. Else two lobbies, each held for a queue that wants
 * both, would be free again at the same instant, and two queues could propose them both again, without end (record 0065).
 */
export function enteringAgain({ also = [], ...front }: Search): readonly Debt[] {
  const order = [front.mode, ...also.map(({ mode }) => mode)].sort();
  const others = queued(also).map((ticket) =>
    entering(ticket, order.indexOf(ticket.mode) * BETWEEN_QUEUES_MS),
  );
  return [entering(front), ...others];
}
