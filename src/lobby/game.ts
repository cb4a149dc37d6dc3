// A lobby and its game: a direct start, the part in a match, the reports of the server, the end
// (spec: Start and end-match; docs/internals/design.md: Forming a match; decisions 19 and 31).

import type { ServerBlock } from '../fleet/port';
import type { InstanceId, TicketId } from '../common/ids';
import { entering, returnedNews, updated } from './change';
import type { Change, Debt, MatchUpdate } from './command';
import { IDLE, type Game, type Lobby, type Part, type Search } from './lobby';
import { GIVE_UP_GRACE_MS } from './queueing';
import { isSetback, whenStopped, type ReturnReason } from './reasons';
import { refusal, type Reply } from './refusals';
import { must, ok } from '../common/result';
import { become, toWaiting } from './transitions';

/** spec: POST /me/start. The instance id is saved before any fleet is called (decision 37). */
export function start(
  lobby: Lobby,
  instanceId: InstanceId,
  now: number,
  requestId?: string,
): Reply<Change> {
  if (lobby.status === 'starting' || lobby.status === 'in_game') {
    return refusal('GAME_ALREADY_RUNNING');
  }
  if (lobby.status !== 'waiting') {
    return refusal('INVALID_STATE', `A game cannot start while the lobby is ${lobby.status}`);
  }
  const game: Game = { instanceId, own: true, block: null, seq: 0, startedAt: now, requestId };
  const next = become(lobby, { ...IDLE, status: 'starting', game }, now, { activeAt: now });
  return ok(updated(next));
}

export interface Report {
  readonly instanceId: InstanceId;
  readonly seq: number;
  readonly block: ServerBlock;
  /** The server stopped before it ever ran (decision 40). */
  readonly failed?: boolean | undefined;
}

/** Takes a report of the lobby's own server. Null: it is not this lobby's server, or the report is not new. */
export function serverReported(lobby: Lobby, report: Report, now: number): Change | null {
  const { game } = lobby;
  if (game?.own !== true || game.instanceId !== report.instanceId || report.seq <= game.seq) {
    return null;
  }
  if (report.block.status === 'stopped') {
    return gameOver(lobby, whenStopped(report.failed), now);
  }
  const next = { ...game, block: report.block, seq: report.seq };
  return updated(become(lobby, { ...IDLE, status: 'in_game', game: next }, now));
}

/** The fleet refused the launch, so the lobby waits again (decision 19). Null: this lobby made no such launch. */
export function launchFailed(lobby: Lobby, instanceId: InstanceId, now: number): Change | null {
  if (lobby.status !== 'starting' || lobby.game?.instanceId !== instanceId) {
    return null;
  }
  const over = gameOver(lobby, 'launch_failed', now);
  return { ...over, debts: [{ to: 'server', act: 'stop', instanceId }] };
}

/** The lobby's own server is gone. If it never ran, players are told why there was no game. */
function gameOver(lobby: Lobby, reason: ReturnReason, now: number): Change {
  const after = toWaiting(lobby, now, { activeAt: now }, reason);
  const news = isSetback(reason) ? returnedNews(lobby, after, reason) : updated(after).news;
  return { lobby: after, debts: [], news };
}

/** spec: POST /me/end-match. The server stops; players, code and settings stay. */
export function endMatch(lobby: Lobby, now: number): Reply<Change> {
  if (lobby.status !== 'in_game' || lobby.game === null) {
    return refusal('INVALID_STATE', `There is no game to end: the lobby is ${lobby.status}`);
  }
  const debt: Debt =
    lobby.part === null
      ? { to: 'server', act: 'stop', instanceId: lobby.game.instanceId }
      : {
          to: 'match',
          act: 'end',
          matchId: lobby.part.matchId,
          ticketId: lobby.part.ticketId,
          by: lobby.host,
        };
  return ok(updated(toWaiting(lobby, now, { activeAt: now }), [debt]));
}

/** Whether the lobby has yet to apply this update, has applied it already, or is not in that match. */
export type Standing = 'apply' | 'known' | 'stranger';

export function standing(lobby: Lobby, update: MatchUpdate): Standing {
  const { part, search } = lobby;
  if (part?.matchId === update.matchId && part.ticketId === update.ticketId) {
    return update.step > part.step ? 'apply' : 'known';
  }
  const held = search?.ticketId === update.ticketId && search.hold?.matchId === update.matchId;
  return held ? 'apply' : 'stranger';
}

function queuedOf(lobby: Lobby): Pick<Search, 'startedAt' | 'giveUpAt' | 'requestId'> {
  return must(lobby.search ?? lobby.part, 'the search or match of an update that applies');
}

function partOf(lobby: Lobby, update: MatchUpdate): Part {
  const { matchId, ticketId, mode, step, deadline, confirmed, backfills, lateJoin, places } =
    update;
  const { startedAt, giveUpAt, requestId } = queuedOf(lobby);
  const confirmation = deadline === null ? null : { deadline, confirmed };
  const told = { matchId, ticketId, mode, step, backfills, lateJoin, places };
  return { ...told, startedAt, giveUpAt, requestId, confirmation };
}

/**
 * Applies an update of the match. Call it only when `standing` says so. Players always see `matched` as an
 * update of its own before `in_game` (decision 25), even if one update of the match brings both.
 */
export function matchUpdated(
  lobby: Lobby,
  update: MatchUpdate,
  now: number,
  requeueAs: TicketId,
): Change {
  const part = partOf(lobby, update);
  if (update.phase === 'returned') {
    return sentBack(lobby, update, now, requeueAs);
  }
  if (update.phase !== 'in_game') {
    return updated(become(lobby, { ...IDLE, status: update.phase, part }, now));
  }
  const before =
    lobby.status === 'matched' || lobby.status === 'in_game'
      ? null
      : become(lobby, { ...IDLE, status: 'matched', part }, now);
  const game: Game = {
    instanceId: update.instanceId,
    own: false,
    block: update.server,
    seq: update.step,
    startedAt: lobby.game?.startedAt ?? now,
  };
  const after = become(before ?? lobby, { ...IDLE, status: 'in_game', part, game }, now);
  const seen = before === null ? [after] : [before, after];
  return { lobby: after, debts: [], news: seen.map((each) => ({ kind: 'updated', lobby: each })) };
}

function sentBack(lobby: Lobby, update: MatchUpdate, now: number, requeueAs: TicketId): Change {
  const { reason, mode } = update;
  if (update.requeue && lobby.status === 'match_found') {
    const { startedAt, giveUpAt: planned, requestId } = queuedOf(lobby);
    const giveUpAt = Math.max(planned, now + GIVE_UP_GRACE_MS);
    const kept = { mode, startedAt, giveUpAt, requestId };
    const search = { ticketId: requeueAs, ...kept, holdSeq: 0, hold: null };
    const after = become(lobby, { ...IDLE, status: 'in_queue', search }, now);
    return updated(after, [entering(search)]);
  }
  // A launch can fail before its lobbies were told of the match. Players see `matched` all the same, because
  // a game client reads a search that goes straight back to waiting as a timeout.
  const part = partOf(lobby, update);
  const found =
    reason === 'launch_failed' && lobby.status === 'in_queue'
      ? become(lobby, { ...IDLE, status: 'matched', part }, now)
      : null;
  const after = toWaiting(found ?? lobby, now, { activeAt: now }, reason);
  if (!isSetback(reason)) {
    return updated(after);
  }
  const seen = found === null ? [] : updated(found).news;
  return { lobby: after, debts: [], news: [...seen, ...returnedNews(lobby, after, reason)] };
}
