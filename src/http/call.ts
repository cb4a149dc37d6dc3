// What a handler is given: a request that has passed every check its route names.

import type { PlayerId } from '../ids';
import type { Reply } from '../lobby/refusals';
import type { ProjectDocument } from '../objects/project/contract';
import type { Place } from '../objects/placement/at';
import type { Asking } from '../quotas';

/** A request, before anything is known of its sender. */
export interface Call extends Place {
  readonly request: Request;
  readonly url: URL;
  /** Decoded parts of the path, by the names the route gives them. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * The caller is a client of the hosted service's SDK, by the prefix it hard-codes. It escapes
   * names in form style, and applies answers without a look at `revision` (decision 39).
   */
  readonly isSdk: boolean;
}

/** With a key: the project is the key's, and nothing of another project can be named. */
export interface KeyedCall<Body = undefined, Query = undefined> extends Call {
  readonly project: string;
  /** Who asks, as limits count. */
  readonly asking: Asking;
  readonly keyKind: 'client' | 'server';
  /** The config's name, also when the path gave its id; empty on paths without `:config`. */
  readonly config: string;
  readonly body: Body;
  readonly query: Query;
}

/** With a player: whoever the request says it is (spec: Authentication 1), or its token. */
export interface PlayerCall<Body = undefined> extends KeyedCall<Body> {
  readonly player: PlayerId;
  /** Epoch ms: the token is over then; null: there is no end. */
  readonly playerUntil: number | null;
  /** Whom the request would be from if the project's document were this one, or why it would be refused. */
  readonly identify: (
    document: ProjectDocument,
  ) => Promise<Reply<{ readonly player: PlayerId | null }>>;
}
