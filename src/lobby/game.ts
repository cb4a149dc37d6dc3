// A lobby and its game: a direct start, the part in a match, the reports of the server, the end, the result (spec:
// Start and end-match; docs/internals/design.md: Forming a match; decisions 19, 31 and 47).

import type { Result } from '../../packages/js/src/result-types';
import type { ServerBlock } from '../fleet/port';
import type { InstanceId, TicketId } from '../common/ids';
import { sortedJson } from '../common/json';
import {
  become,
  leaving,
  refreshed,
  returnedNews,
  touch,
  toWaiting,
  unseen,
  updated,
} from './change';
import type { Change, Debt, MatchUpdate } from './command';
import { goneFrom } from './gone';
import {
  IDLE,
  playerHosts,
  bookingOf,
  type AskedBy,
  type Booking,
  type Game,
  type LastResult,
  type Lobby,
  type Part,
} from './lobby';
import { settled } from './bookings';
import { facing, queued, ticketsOf } from './tickets';
import { searchingOn } from './queueing';
import { isSetback, whenStopped } from './reasons';
import { refusal, type Reply } from './refusals';
import { present } from '../common/named';
import { must, ok } from '../common/result';

/** What a start makes: a server of the lobby's own, or a match (decision 81), which has the server. */
export type Made = { readonly instanceId: InstanceId } | Pick<Part, 'matchId' | 'ticketId'>;

/** spec: POST /me/start. The instance id is saved before any fleet is called (decision 37), and so is the match's. */
export function start(lobby: Lobby, made: Made, now: number, asked: AskedBy = {}): Reply<Change> {
  if (lobby.status === 'starting' || lobby.status === 'in_game') {
    return refusal('GAME_ALREADY_RUNNING');
  }
  if (lobby.status !== 'waiting') {
    return refusal('INVALID_STATE', `A game cannot start while the lobby is ${lobby.status}`);
  }
  const { requestId, trace } = asked;
  const begun = { startedAt: now, requestId, ...(trace && { trace }) };
  const does =
    'matchId' in made
      ? { part: partAlone(lobby, { ...made, ...begun }) }
      : { game: { ...made, ...begun, own: true, block: null, seq: 0 } };
  return ok(
    updated(become(lobby, { ...IDLE, status: 'starting', ...does }, now, { activeAt: now })),
  );
}

/** The part in a match that has not been opened yet: all who are there take a place, until the match says more. */
function partAlone(
  { players }: Lobby,
  begun: Pick<Part, 'matchId' | 'ticketId' | 'startedAt' | keyof AskedBy>,
): Part {
  const members = players.map(({ id }) => id);
  const places = { team: 0, teamName: null, roles: null, members, aside: [] };
  const open = { backfills: false, lateJoin: true, confirmation: null, places };
  return { ...begun, ...open, mode: '', giveUpAt: begun.startedAt, step: 0 };
}

/** The match refused to open, so the lobby waits again. Null: it does not wait for that match. */
export function notOpened(lobby: Lobby, matchId: Part['matchId'], now: number): Change | null {
  const isIts = lobby.status === 'starting' && lobby.part?.matchId === matchId;
  return isIts ? gameOver(lobby, { reason: 'launch_failed' }, now) : null;
}

export interface Report {
  readonly instanceId: InstanceId;
  readonly seq: number;
  readonly block: ServerBlock;
  /** The server stopped before it ever ran (decision 40). */
  readonly failed?: boolean | undefined;
  /** It ended in the middle of the game (decision 79). */
  readonly crashed?: true | undefined;
}

/** Takes a report of the lobby's own server. Null: it is not this lobby's server, or the report is not new. */
export function serverReported(lobby: Lobby, report: Report, now: number): Change | null {
  const { game } = lobby;
  if (game?.own !== true || game.instanceId !== report.instanceId || report.seq <= game.seq) {
    return null;
  }
  if (report.block.status === 'stopped') {
    return gameOver(lobby, { reason: whenStopped(report) }, now);
  }
  const next = { ...game, block: report.block, seq: report.seq };
  return updated(become(lobby, { ...IDLE, status: 'in_game', game: next }, now));
}

/** The fleet refused the launch, so the lobby waits again (decision 19). Null: this lobby made no such launch. */
export function launchFailed(
  lobby: Lobby,
  instanceId: InstanceId,
  now: number,
  retryAfter?: number,
): Change | null {
  if (lobby.status !== 'starting' || lobby.game?.instanceId !== instanceId) {
    return null;
  }
  const over = gameOver(lobby, { reason: 'launch_failed', retryAfter }, now);
  return { ...over, debts: [{ to: 'server', act: 'stop', instanceId }] };
}

/** The lobby waits again. If there was no game, players are told why. */
function gameOver(
  lobby: Lobby,
  { reason, retryAfter, detail }: Pick<MatchUpdate, 'reason' | 'retryAfter' | 'detail'>,
  now: number,
): Change {
  const back = toWaiting(lobby, now, { activeAt: now }, reason);
  const isTold = back.status === 'waiting' && back.returned !== undefined;
  const more = present({ retryAfter, detail });
  const after = isTold ? { ...back, returned: { ...back.returned, ...more } } : back;
  const news = isSetback(reason) ? returnedNews(lobby, after, reason) : updated(after).news;
  return { lobby: after, debts: [], news };
}

/** spec: POST /me/end-match. The server stops; players, code and settings stay. */
export function endMatch(lobby: Lobby, now: number): Reply<Change> {
  if (lobby.status !== 'in_game') {
    return refusal('INVALID_STATE', `There is no game to end: the lobby is ${lobby.status}`);
  }
  const { part, game, host: by } = lobby;
  const debt: Debt =
    part === null
      ? { to: 'server', act: 'stop', instanceId: game.instanceId }
      : { to: 'match', act: 'end', matchId: part.matchId, ticketId: part.ticketId, by };
  return ok(updated(toWaiting(lobby, now, { activeAt: now }), [debt]));
}

/** Whether the lobby has yet to apply this update, has applied it already, or is not in that match. */
export function standing(lobby: Lobby, update: MatchUpdate): 'apply' | 'known' | 'stranger' {
  const { part, search } = lobby;
  if (part?.matchId === update.matchId && part.ticketId === update.ticketId) {
    return update.step > part.step ? 'apply' : 'known';
  }
  const isHeld = search?.ticketId === update.ticketId && search.hold?.matchId === update.matchId;
  return isHeld || isBookedFor(lobby, update) ? 'apply' : 'stranger';
}

function isBookedFor(lobby: Lobby, { matchId, ticketId }: MatchUpdate): boolean {
  const promise = bookingOf(lobby);
  return promise?.matchId === matchId && promise.ticketId === ticketId;
}

/** What a lobby brings into a match that was made of named lobbies: its search in that mode, or none that could go on. */
function bookedAs({ search }: Lobby, { at, mode }: Booking) {
  const its = queued(ticketsOf(search)).find((each) => each.mode === mode);
  const searched = its && search && facing(search, its.ticketId);
  return searched ?? { startedAt: search?.startedAt ?? at, waitsFrom: undefined, giveUpAt: at };
}

function partOf(lobby: Lobby, update: MatchUpdate): Part {
  const { matchId, ticketId, mode, step, deadline, confirmed } = update;
  const { backfills, lateJoin, places, waiting } = update;
  const promise = bookingOf(lobby);
  const queued: Pick<
    Part,
    'startedAt' | 'waitsFrom' | 'giveUpAt' | keyof AskedBy | 'modes' | 'also'
  > =
    promise === null
      ? must(lobby.search ?? lobby.part, 'the search or match of an update that applies')
      : bookedAs(lobby, promise);
  const { startedAt, waitsFrom, giveUpAt, requestId, trace, modes, also } = queued;
  const foundAt = promise?.at ?? lobby.search?.hold?.at ?? lobby.part?.foundAt;
  const { accepted, needed, acceptedBy, refill } = update;
  const counts = accepted === undefined || needed === undefined ? {} : { accepted, needed };
  const more = { ...counts, ...(acceptedBy && { acceptedBy }), ...(refill && { refill }) };
  const confirmation = deadline === null ? null : { deadline, confirmed, ...more };
  const part = { matchId, ticketId, mode, step, backfills, lateJoin, places };
  const searched = { startedAt, waitsFrom, giveUpAt, foundAt, requestId, ...(trace && { trace }) };
  const several = also && { modes, also };
  return { ...part, ...searched, ...several, confirmation, ...(waiting && { waiting }) };
}

/**
 * Applies a match's update; call if `standing` says so. It ends the search in all other modes too (record 0065), and in all if
 * the lobby was booked.
 */
export function matchUpdated(
  lobby: Lobby,
  update: MatchUpdate,
  now: number,
  requeueAs: TicketId,
): Change {
  const change = applied(lobby, update, now, requeueAs);
  const isBooked = bookingOf(lobby) !== null;
  const left = isBooked ? ticketsOf(lobby.search) : (lobby.search?.also ?? []);
  const others = leaving(left, 'matched_elsewhere');
  return others.length === 0 ? change : { ...change, debts: [...change.debts, ...others] };
}

/** Players see `matched` before `in_game` as an update of its own, even if the match sends one for both (decision 25). */
function applied(before: Lobby, update: MatchUpdate, now: number, requeueAs: TicketId): Change {
  const part = partOf(before, update);
  const lobby = settled(before);
  const hasSearched = part.giveUpAt > (part.foundAt ?? 0);
  const goesOn = update.requeue && hasSearched && lobby.status === 'match_found';
  if (update.phase === 'returned' && goesOn) {
    const search = searchingOn(part, requeueAs, now);
    return refreshed(become(lobby, { ...IDLE, status: 'in_queue', search }, now));
  }
  if (update.phase === 'returned') {
    return sentBack(lobby, part, update, now);
  }
  if (lobby.status === 'starting' && update.phase !== 'in_game') {
    return unseen({ ...lobby, ...IDLE, status: 'starting', part });
  }
  if (update.phase !== 'in_game') {
    return updated(become(lobby, { ...IDLE, status: update.phase, part }, now));
  }
  const hasMatch = ['starting', 'matched', 'in_game'].includes(lobby.status);
  const matched = hasMatch ? lobby : become(lobby, { ...IDLE, status: 'matched', part }, now);
  const { instanceId, server: block, step: seq } = update;
  const startedAt = lobby.game?.startedAt ?? now;
  const game: Game = { instanceId, own: false, block, seq, startedAt };
  const debts: readonly Debt[] = isToReport(lobby, part, game)
    ? [{ to: 'match', act: 'roster', matchId: part.matchId }]
    : [];
  const change = updated(become(matched, { ...IDLE, status: 'in_game', part, game }, now), debts);
  return hasMatch ? change : { ...change, news: [...updated(matched).news, ...change.news] };
}

/** A match that has begun to fill places, that a player hosts, or that just opened, has not heard who left before (decisions 56 and 71). */
function isToReport(lobby: Lobby, part: Part, game: Game): boolean {
  const { backfills = part.backfills, places } = lobby.part ?? {};
  const isNews = places !== undefined && places.isTold !== part.places.isTold;
  const isFirst = lobby.game === null && (lobby.status === 'starting' || playerHosts(game));
  const hasGone = isFirst && goneFrom(lobby).length > 0;
  return (part.backfills && !backfills) || isNews || hasGone;
}

function sentBack(lobby: Lobby, part: Part, update: MatchUpdate, now: number): Change {
  // Players see `matched` even if the launch failed before: clients take a search that ends at once for a timeout.
  const isNew = lobby.status === 'in_queue' || lobby.status === 'waiting';
  const shows = update.reason === 'launch_failed' && isNew;
  const found = shows ? become(lobby, { ...IDLE, status: 'matched', part }, now) : lobby;
  const over = gameOver(found, update, now);
  return shows ? { ...over, news: [...updated(found).news, ...over.news] } : over;
}

export interface Reported extends Result {
  /** Epoch ms. */
  readonly at: number;
}

/** The lobby shows the result, unless it shows a later one already. Null: nothing changes. */
export function withResult(lobby: Lobby, result: LastResult, now: number): Change | null {
  const isOld = result.at <= (lobby.lastResult?.at ?? -Infinity);
  return isOld ? null : updated(touch(lobby, { lastResult: result }, now));
}

/** The same text for whoever says the same, in whatever order. */
export function sameText({ teams, data }: Result): string {
  const each = teams.map(({ players = [], ...team }) => {
    const named = players.map(({ abandoned, ...who }) => (abandoned ? { ...who, abandoned } : who));
    return { ...team, players: named.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
  });
  return sortedJson({ teams: each.toSorted((a, b) => a.team - b.team), data: data ?? undefined });
}

type RosterTeams = readonly {
  readonly lobbies: readonly { readonly players: readonly { readonly id: string }[] }[];
}[];

/** Why this cannot be the result of a match with these teams, or null. */
export function resultProblem({ teams: ranked }: Result, teams: RosterTeams): string | null {
  const named = new Set(ranked.map(({ team }) => team));
  const isEachOnce = named.size === ranked.length && ranked.length === teams.length;
  if (!isEachOnce || ![...named].every((team) => team < teams.length)) {
    return `teams: must name each of the match's ${teams.length} teams once`;
  }
  const has = (key: 'rank' | 'score'): number =>
    ranked.filter((team) => (team[key] ?? null) !== null).length;
  const [ranks, scores] = [has('rank'), has('score')];
  const both = ranked.find(
    ({ rank, score }) => (rank ?? null) !== null && (score ?? null) !== null,
  );
  if (both !== undefined) {
    return `teams: team ${both.team} has both: a team has a rank or a score`;
  }
  const isOne = ranked.length === 1 && ranks + scores === 0;
  if (!isOne && (ranks + scores !== ranked.length || (ranks > 0 && scores > 0))) {
    return 'teams: must all have a rank, or all a score';
  }
  for (const { team, players = [] } of ranked) {
    const own = new Set(teams[team]?.lobbies.flatMap((lobby) => lobby.players.map(({ id }) => id)));
    const stranger = players.find(({ id }) => !own.delete(id));
    if (stranger !== undefined) {
      return `teams: team ${team} has no player ${stranger.id}, or lists the player twice`;
    }
  }
  return null;
}
