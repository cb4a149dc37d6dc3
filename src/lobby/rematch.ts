// What a lobby has to do with a rematch (decision 83; src/objects/match/rematch.ts): another match of the same sides, once all
// lobbies of a match that is over say yes. A search, a start, its end and its host's no are a no. Pure.

import { become, updated } from './change';
import type { Change, Debt, RematchUpdate } from './command';
import { IDLE, type Lobby, type Rematch } from './lobby';
import type { Refusal } from './refusals';

/** So long after its end, the lobbies of a match may say yes. */
export const REMATCH_MS = 30_000;
/** So much later the rematch is made, or there is none. */
export const MADE_WITHIN_MS = 10_000;

/** Why the lobby cannot ask for a rematch. Null: it can, or has got one already. */
export function rematchRefusal(lobby: Lobby, isClosed: boolean): Refusal | null {
  const { part, booking, rematch } = lobby;
  const isIts = part !== null && booking?.isRematch === true && booking.matchId === part.matchId;
  if (isIts || (rematch && !isClosed)) {
    return null;
  }
  return rematch
    ? { code: 'CLOSED', detail: `Config ${lobby.config} is disabled` }
    : { code: 'INVALID_STATE', detail: 'The lobby has not just come back from a match' };
}

/** The lobby wants no rematch. Null: nobody has asked it. */
export function withoutRematch(lobby: Lobby, now: number): Change | null {
  return changed(lobby, undefined, now);
}

function changed(lobby: Lobby, rematch: Rematch | undefined, now: number): Change | null {
  if (lobby.status !== 'waiting' || lobby.rematch === undefined) {
    return null;
  }
  const { returned } = lobby;
  return updated(become(lobby, { ...IDLE, status: 'waiting', returned, rematch }, now));
}

/** The lobby with what its last match says. Null: nothing changes. */
export function withVotes(lobby: Lobby, update: RematchUpdate, now: number): Change | null {
  const { matchId, ticketId, step, votes } = update;
  const { rematch } = lobby;
  const isNews = rematch?.ticketId === ticketId && step > rematch.step;
  return isNews ? changed(lobby, { matchId, ticketId, step, ...(votes && { votes }) }, now) : null;
}

/** Its time is over. */
export function rematchLapsed(lobby: Lobby, now: number): Change | null {
  if (!lobby.rematch?.votes) {
    return null;
  }
  const { votes: _, ...rematch } = lobby.rematch;
  return changed(lobby, rematch, now);
}

/** What a lobby owes a match of which a rematch was asked for, once it does something else than to wait for that. */
export function rematchGivenUp(before: Lobby | null, after: Lobby | null): readonly Debt[] {
  const { rematch } = before ?? {};
  const isIn = after?.part !== null && after?.status !== 'starting';
  if (!rematch?.votes || (after !== null && (isIn || after.rematch !== undefined))) {
    return [];
  }
  const { matchId, ticketId } = rematch;
  return [{ to: 'match', act: 'no_rematch', matchId, ticketId }];
}
