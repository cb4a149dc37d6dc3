// Finds the caller's lobby. The Seat knows it, but this isolate first asks the lobby where it last found the player. That
// hint may be wrong at any time: only the lobby itself says whether the caller is a member.

import type { LobbyId } from '../../common/ids';
import { refusal, type Reply } from '../../lobby/refusals';
import { Lru } from '../../common/lru';
import { retrying } from '../wire/answer';
import type { PlayerCall } from '../wire/call';

/** A player within a project's config. */
export type ConfigPlayer = Pick<PlayerCall, 'peers' | 'project' | 'config' | 'player'>;

/** The lobby is of another config by now: the request is one under that config (src/objects/lobby/move.ts). */
export class Moved extends Error {
  readonly config: string;

  constructor(config: string) {
    super(`The lobby is in ${config}`);
    this.config = config;
  }
}

const NO_LOBBY = refusal('LOBBY_NOT_FOUND', 'The player is not in a lobby of this config');

const hints = new Lru<LobbyId>(20_000);

/** No part can have a line break, so no two callers share a key. */
export function callerKey({ project, config, player }: ConfigPlayer): string {
  return `${project}\n${config}\n${player}`;
}

export function rememberLobby(caller: ConfigPlayer, id: LobbyId): void {
  hints.set(callerKey(caller), id);
}

export function forgetLobby(caller: ConfigPlayer): void {
  hints.delete(callerKey(caller));
}

export function rememberedLobby(caller: ConfigPlayer): LobbyId | null {
  return hints.get(callerKey(caller)) ?? null;
}

/** The player's lobby according to the Seat. The lobby may not know the player (any more). `orKept`: or that keeps a place. */
export function seatedAt(caller: ConfigPlayer, orKept = false): Promise<LobbyId | null> {
  const { peers, project, config, player } = caller;
  return retrying(() => peers.seat(project, config, player).where(player, orKept));
}

/**
 * Refuses LOBBY_NOT_FOUND. So does a lobby that does not know the caller, or is of another config: `ask` uses it for nothing
 * else. Throws Moved.
 */
export async function inLobby<T>(
  caller: ConfigPlayer,
  ask: (id: LobbyId) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const hint = rememberedLobby(caller);
  if (hint !== null) {
    const reply = await ask(hint);
    if (reply.ok || reply.refusal.code !== 'LOBBY_NOT_FOUND') {
      return reply;
    }
    forgetLobby(caller);
  }
  const id = await seatedAt(caller);
  if (id === null) {
    return NO_LOBBY;
  }
  // The hint's lobby just said no, and a player returns to it only by a join.
  const reply = id === hint ? NO_LOBBY : await ask(id);
  if (!reply.ok && reply.refusal.code === 'LOBBY_NOT_FOUND') {
    const { peers, project, config, player } = caller;
    const moved = await retrying(() => peers.lobby(id).movedTo({ project, config }, player));
    if (moved !== null) {
      throw new Moved(moved);
    }
    return NO_LOBBY;
  }
  rememberLobby(caller, id);
  return reply;
}
