// What a stream with `changes=1` says instead of whole lobbies.

import type { Json } from './types.ts';

/** An operation of RFC 6902 on a lobby. */
export type LobbyOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** The data of `lobby_changed`: the operations that make the lobby of revision `from` the one of `revision`. */
export interface LobbyChange {
  readonly revision: number;
  readonly from: number;
  readonly ops: readonly LobbyOperation[];
}
