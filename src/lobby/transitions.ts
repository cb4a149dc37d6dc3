// The spec's transition table as data (spec: States and transitions). Every change of status goes through
// `become`, which throws for a transition that the table does not have.

import { IDLE, type Doing, type Lobby, type LobbyFields, type Status } from './lobby';
import { isLasting, type ReturnReason } from './reasons';

type Moves = Readonly<Partial<Record<Status, string>>>;

/** From -> to -> trigger. A lobby can be deleted in every status, so deletion is not in the table. */
export const TRANSITIONS = {
  waiting: {
    in_queue: 'POST /me/matchmaking; or a requeue after a declined match',
    starting: 'POST /me/start',
  },
  in_queue: {
    waiting: 'cancel, timeout, a player left, config changed, launch failed',
    match_found: 'match formed, confirmation enabled',
    matched: 'match formed, confirmation not enabled; or joined a running match as backfill',
  },
  match_found: {
    matched: 'every lobby confirmed: the server is being created',
    waiting: 'declined, or the deadline passed',
    in_queue: 'another lobby declined, and the mode requeues those who accepted',
  },
  matched: {
    in_game: 'game server created',
    waiting: 'the launch failed, or the match ended',
  },
  starting: {
    in_game: 'server provisioned',
    waiting: 'server creation failed',
  },
  in_game: {
    waiting: 'POST /me/end-match, or the game server stopped',
  },
} as const satisfies Record<Status, Moves>;

export type Patch = Partial<Omit<LobbyFields, 'id' | 'revision' | 'updatedAt' | 'createdAt'>>;

/**
 * Makes one visible change: the patch, the next revision, and an `updatedAt` later than the last
 * (decisions 9 and 10).
 */
export function touch(lobby: Lobby, patch: Patch, now: number): Lobby {
  const { revision, updatedAt } = lobby;
  return { ...lobby, ...patch, revision: revision + 1, updatedAt: Math.max(now, updatedAt + 1) };
}

/** The same for a change of status, or of what the lobby is part of. Throws for a transition that the table does not have. */
export function become(lobby: Lobby, doing: Doing, now: number, patch: Patch = {}): Lobby {
  const { status: to } = doing;
  const moves: Moves = TRANSITIONS[lobby.status];
  if (to !== lobby.status && moves[to] === undefined) {
    throw new Error(`no transition from ${lobby.status} to ${to}`);
  }
  return { ...touch(lobby, patch, now), ...doing };
}

/**
 * The lobby is `waiting` again, and no longer part of anything (spec: waiting). While it waits it shows why
 * there was no game, because a client that polls hears no events.
 */
export function toWaiting(
  lobby: Lobby,
  now: number,
  patch: Patch = {},
  reason: ReturnReason | null = null,
): Lobby {
  const mode = lobby.search?.mode ?? lobby.part?.mode ?? '';
  const returned = isLasting(reason) ? { mode, reason, at: now } : undefined;
  return become(lobby, { ...IDLE, status: 'waiting', returned }, now, patch);
}
