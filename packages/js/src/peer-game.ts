// What a lobby says of the game whose players connect with each other: which one it is, and who hosts it.

import type { AnyLobby } from './types.ts';

/** Of a lobby's server, where a player hosts the game. */
export interface Hosting {
  readonly service_type?: string;
  readonly host_player?: string | null;
  readonly term?: number;
  /** Only for the player who hosts. */
  readonly host_token?: string;
}

export interface GameOptions {
  /** `star`: everybody connects to the host alone. By default where a player hosts the game; else `mesh`: all to all. */
  readonly topology?: 'star' | 'mesh' | undefined;
  /** Who hosts, for a star in a game that Muster does not know to be hosted by a player. */
  readonly host?: ((lobby: AnyLobby) => string | null) | undefined;
  /** Connects the players of a lobby that plays no game, too. */
  readonly inLobby?: boolean | undefined;
}

const PLAYING: ReadonlySet<string> = new Set(['matched', 'starting', 'in_game']);

export function isPlaying(lobby: AnyLobby | null): boolean {
  return lobby !== null && PLAYING.has(lobby.status);
}

/** Names the game. Null: nobody is to be connected. */
export function gameOf(lobby: AnyLobby | null, { inLobby = false }: GameOptions): string | null {
  if (isPlaying(lobby)) {
    return lobby?.matchId ?? lobby?.server?.instance_id ?? null;
  }
  return inLobby ? (lobby?.id ?? null) : null;
}

/** Who hosts, and its term. Null: it is a mesh. */
export function hostingOf(lobby: AnyLobby | null, options: GameOptions): Hosting | null {
  const { topology, host } = options;
  const hosting: Hosting = { ...(lobby?.server as object | null | undefined) };
  const isStar = topology === 'star' || host !== undefined;
  if (lobby === null || topology === 'mesh') {
    return null;
  }
  if (!isStar && hosting.service_type !== 'player_hosted') {
    return null;
  }
  return host === undefined ? hosting : { ...hosting, host_player: host(lobby) };
}
