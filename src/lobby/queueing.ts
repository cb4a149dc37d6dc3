// A lobby in the queue: its ticket, how it enters, gives up, is held for a match, and comes back
// (spec: Matchmaking start and cancel; docs/internals/design.md: Forming a match).

import type { MatchId, TicketId } from '../common/ids';
import { ok } from '../common/result';
import type { Mode } from '../match/rules/mode';
import { ticketOf } from '../match/ticket/aggregate';
import type { Ticket } from '../match/ticket/ticket';
import { become, entering, leaving, refreshed, returnedNews, toWaiting, unseen } from './change';
import type { Change } from './command';
import { IDLE, type Lobby, type Search } from './lobby';
import type { ReturnReason } from './reasons';
import { refusal, type Reply } from './refusals';

/** How long after the mode's timeout a lobby waits for the queue's answer before it leaves by itself. */
export const GIVE_UP_GRACE_MS = 10_000;

/** The lobby's ticket for the mode, or why it cannot have one. */
export function ticketFor(
  lobby: Lobby,
  mode: Mode,
  ticket: Pick<Search, 'startedAt'> & { readonly id: TicketId },
): Reply<Ticket> {
  const players = lobby.players.map(({ id, state }) => ({ id, state, isHost: id === lobby.host }));
  const { region, settings } = lobby;
  return ticketOf({ ...ticket, lobbyId: lobby.id, players, region, settings }, mode);
}

export interface Entry {
  readonly ticketId: TicketId;
  readonly mode: string;
  readonly timeoutSeconds: number;
  readonly aloneSince: Search['aloneSince'];
  readonly now: number;
  readonly requestId?: string | undefined;
}

/** spec: ALREADY_IN_QUEUE while queued, INVALID_STATE in every other status but waiting. */
export function searchRefusal(lobby: Lobby): Reply<never> | null {
  if (lobby.status === 'in_queue') {
    return refusal('ALREADY_IN_QUEUE');
  }
  return lobby.status === 'waiting'
    ? null
    : refusal('INVALID_STATE', `Matchmaking cannot start while the lobby is ${lobby.status}`);
}

/** The search, with a fresh ticket. It is saved before the queue is called, because the queue may call back at once. */
export function enter(lobby: Lobby, entry: Entry): Change {
  const { ticketId, mode, aloneSince, now, requestId } = entry;
  const search: Search = {
    ticketId,
    mode,
    startedAt: now,
    giveUpAt: now + entry.timeoutSeconds * 1000 + GIVE_UP_GRACE_MS,
    aloneSince,
    holdSeq: 0,
    hold: null,
    ...(requestId === undefined ? {} : { requestId }),
  };
  const doing = { ...IDLE, status: 'in_queue', search } as const;
  return refreshed(become(lobby, doing, now, { activeAt: now }));
}

/** spec: DELETE /me/matchmaking. INVALID_STATE when not queued. */
export function cancel(lobby: Lobby, now: number): Reply<Change> {
  if (lobby.search === null) {
    return refusal('INVALID_STATE', `The lobby is ${lobby.status}, not in the queue`);
  }
  return ok(giveBack(lobby, lobby.search, { reason: 'cancelled', now }));
}

interface Return {
  readonly reason: ReturnReason;
  readonly now: number;
}

function giveBack(lobby: Lobby, search: Search, back: Return): Change {
  // The idle timeout starts anew, because waiting in the queue is not idleness.
  const after = toWaiting(lobby, back.now, { activeAt: back.now }, back.reason);
  return {
    lobby: after,
    debts: [leaving(search, back.reason)],
    news: returnedNews(lobby, after, back.reason),
  };
}

/** The queue, or the lobby's own timeout, ends the search. For another ticket nothing happens. */
export function comeBack(lobby: Lobby, ticketId: TicketId, back: Return): Change | null {
  const { search } = lobby;
  return search?.ticketId === ticketId ? giveBack(lobby, search, back) : null;
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
 * The fence: a lobby holds only while it searches with that very ticket, and only for a proposal that is newer
 * than any it has seen. A hold stays binding unless the queue says that it gave the proposal up: that match may
 * have been decided, so only its outcome frees the lobby. A lobby past its own timeout holds for no new match
 * (decision 44). Null: refused. The same hold again, or one whose match the lobby is already in, is held
 * and changes nothing.
 */
export function hold(lobby: Lobby, request: Hold, now: number): Change | null {
  if (lobby.part?.matchId === request.matchId && lobby.part.ticketId === request.ticketId) {
    return unseen(lobby);
  }
  if (lobby.status !== 'in_queue' || lobby.search.ticketId !== request.ticketId) {
    return null;
  }
  const { search } = lobby;
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
 * Lets go of a hold. Players do not see that. Every other hold stays, even a newer one for the same match,
 * because several proposals may lead a lobby into one running match. The lobby enters again with its ticket: a queue that
 * proposed another match meanwhile was told that the lobby does not search, and forgot the ticket.
 */
export function release(lobby: Lobby, held: Pick<Hold, 'matchId' | 'seq'>): Change | null {
  if (lobby.status !== 'in_queue') {
    return null;
  }
  const { search } = lobby;
  return search.hold?.matchId !== held.matchId || search.hold.seq > held.seq
    ? null
    : unseen({ ...lobby, search: { ...search, hold: null } }, [entering(search)]);
}
