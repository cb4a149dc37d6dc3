// The argument of a handler: a request that has passed all checks of its route.

import type * as z from 'zod';
import type { PlayerId } from '../common/ids';
import type { JsonObject } from '../common/json';
import type { ProjectDocument } from '../objects/project/contract';
import type { Place } from '../objects/placement/at';
import type { Asking } from '../common/quotas';

/** A request, before anything is known about its sender. */
export interface Call extends Place {
  readonly request: Request;
  readonly url: URL;
  /** Decoded parts of the path, by their names in the route. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * Whether the caller uses the hosted service's SDK, which hard-codes a path prefix. The SDK escapes names in
   * form style, and applies answers without comparing `revision` (decision 39).
   */
  readonly isSdk: boolean;
}

/** A request with a key. The key determines the project, so no other project can be reached. */
export interface KeyedCall<Body = undefined, Query = undefined> extends Call {
  readonly project: string;
  /** The caller, as limits count it. */
  readonly asking: Asking;
  readonly keyKind: 'client' | 'server';
  /** The config's name, even if the path has its id. Empty on paths without `:config`. */
  readonly config: string;
  readonly body: Body;
  readonly query: Query;
}

/** A keyed request whose body that schema has read. */
export type BodyCall<S extends z.ZodType> = KeyedCall<z.infer<S>>;

/** A keyed request whose query that schema has read. */
export type QueryCall<S extends z.ZodType> = KeyedCall<undefined, z.infer<S>>;

/** A keyed request, for what needs neither its body nor its query. */
export type AnyCall = KeyedCall<unknown, unknown>;

/** A request of a player, as the request or its token names it (spec: Authentication 1). */
export interface PlayerCall<Body = undefined> extends KeyedCall<Body> {
  readonly player: PlayerId;
  /** When the player's token expires, epoch ms. Null: never. */
  readonly playerUntil: number | null;
  /** What the player's token says of the player (decision 46). */
  readonly claim?: JsonObject;
  /** The player of the request under this version of the project's document. Throws Refused. */
  readonly identify: (document: ProjectDocument) => Promise<{ readonly player: PlayerId | null }>;
}
