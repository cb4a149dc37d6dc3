// How a game may follow its lobby.

import type { MusterError } from './errors.ts';
import type { CallOptions, Service } from './http.ts';
import type { Newest } from './newest.ts';
import type { Tokens } from './token.ts';
import type { AnyLobby } from './types.ts';

/** `waiting`: before the next attempt after a failure. */
export type StreamState = 'connecting' | 'streaming' | 'waiting' | 'polling';

export interface FollowOptions extends CallOptions {
  /**
   * `auto` by default: a stream, a WebSocket if no stream gets through, and polling if neither does. In a browser
   * over plain http, the WebSocket comes first.
   */
  readonly transport?: 'auto' | 'stream' | 'socket' | 'poll' | undefined;
  /**
   * Called when the way that events arrive changes. With `waiting` comes why the last attempt failed;
   * null if the connection just ended, and with every other state.
   */
  readonly onState?: ((state: StreamState, error: MusterError | null) => void) | undefined;
  /** Milliseconds between two polls; 3,000 by default. */
  readonly pollMs?: number | undefined;
  /** Milliseconds between two heartbeats while polling; 10,000 by default. */
  readonly heartbeatMs?: number | undefined;
  /** Milliseconds of polling before a stream is tried again; 60,000 by default. */
  readonly retryStreamMs?: number | undefined;
  /** Milliseconds that a stream has for its first event; 10,000 by default. */
  readonly connectMs?: number | undefined;
  /** Milliseconds without a byte after which a stream counts as dead; 45,000 by default. */
  readonly silenceMs?: number | undefined;
  /** The first and the longest wait before reconnecting; 500 and 30,000 by default. */
  readonly backoff?: { readonly firstMs: number; readonly maxMs: number } | undefined;
}

/** What following needs of the player's client. */
export interface Followed<L extends AnyLobby> {
  readonly service: Service;
  readonly player: string;
  /** Path of the stream. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tokens: Tokens;
  findMyLobby(options: CallOptions): Promise<L | null>;
  sendHeartbeat(options: CallOptions): Promise<unknown>;
  readonly newest: Newest<L>;
}
