// A match as games ask for it and get it.

import type { FollowOptions } from './following.ts';
import type { AnyLobby, Lobby } from './types.ts';

/** Where to connect. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** Of a port with `tls: "proxy"`: what a page on https opens as a WebSocket. */
  readonly url?: string;
}

export interface Match<L extends AnyLobby = Lobby> extends Address {
  /** The lobby, in a game with a running server. */
  readonly lobby: L;
  /**
   * Send it to the game server, which identifies the player by it. Null if the service could not
   * sign one.
   */
  readonly ticket: string | null;
  /** Index of the player's team; null without a ticket, and for whoever has no place in a team. */
  readonly team: number | null;
  /**
   * Resolves with the newest lobby when the game is over for the player, however it ends. Until then the
   * player counts as present. Rejects with the signal's reason if aborted, which ends the presence, and with a
   * MusterError that waiting cannot fix.
   */
  readonly ended: Promise<L>;
  /** Leaves the lobby, and the game with it. Does nothing once the game is over. */
  readonly leave: () => Promise<void>;
}

export interface MatchOptions<L extends AnyLobby = Lobby> extends FollowOptions {
  /** Called once for each match that needs confirmation. By default every match is accepted. */
  readonly confirm?: ((lobby: L) => boolean | Promise<boolean>) | undefined;
  /** Called with every state of the lobby until the match is ready. */
  readonly onLobby?: ((lobby: L) => void) | undefined;
}

export interface PlayOptions<
  State extends object,
  L extends AnyLobby = Lobby,
> extends MatchOptions<L> {
  /** The player's state in a lobby that is made, which the mode's rules read. */
  readonly state?: State | undefined;
}
