// A line of the route table. The argument of a handler is a call: a request that has passed all checks of its route. Each
// builder of lines is named after its caller, and gives the handler exactly the call that such a caller makes.

import type * as z from 'zod';
import type { InstanceId, PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import type { ProjectDocument } from '../../objects/contracts/project';
import type { Place } from '../../objects/placement/at';
import type { Asking, CountedKind } from '../../common/quotas';
import type { KeyKind } from './access';

/** A request, before anything is known about its sender. */
export interface Call extends Place {
  readonly request: Request;
  readonly url: URL;
  /** Decoded parts of the path, by their names in the route. */
  readonly params: Readonly<Record<string, string>>;
  /** The hosted service's SDK escapes names in form style, and does not compare revisions of answers (decision 39). */
  readonly isSdk: boolean;
}

/** A request with a key. The key determines the project, so no other project can be reached. */
export interface KeyedCall<Body = undefined, Query = undefined> extends Call {
  readonly project: string;
  /** The caller, as limits count it. */
  readonly asking: Asking;
  readonly keyKind: KeyKind;
  /** The config's name, even if the path has its id. Empty on paths without `:config`. */
  readonly config: string;
  readonly body: Body;
  readonly query: Query;
}

export type BodyCall<S extends z.ZodType> = KeyedCall<z.infer<S>>;

export type QueryCall<S extends z.ZodType> = KeyedCall<undefined, z.infer<S>>;

/** A keyed request, for what needs neither its body nor its query. */
export type AnyCall = KeyedCall<unknown, unknown>;

/** A request of a player, as the request or its token names it (spec: Authentication 1). */
export interface PlayerCall<Body = undefined, Query = undefined> extends KeyedCall<Body, Query> {
  readonly player: PlayerId;
  /** When the player's token expires, epoch ms. Null: never. */
  readonly playerUntil: number | null;
  /** What the player's token says of the player (decision 46). */
  readonly claim?: JsonObject;
  /** The config in the path, where the player's lobby has moved from it to `config`. Absent: it has not. */
  readonly cameUnder?: string;
  /** The player of the request under this version of the project's document. Throws Refused. */
  readonly identify: (document: ProjectDocument) => Promise<{ readonly player: PlayerId | null }>;
}

/** A request of a game server with its own token. Only the Server object knows whether the token is of its current run. */
export interface OwnCall<Body = undefined, Query = undefined> extends Call {
  readonly own: { readonly id: InstanceId; readonly token: string };
  readonly asking: Asking;
  readonly body: Body;
  readonly query: Query;
}

/** A request of a game server, or with a key of its project. */
export type GameCall<Body = undefined, Query = undefined> =
  | OwnCall<Body, Query>
  | (KeyedCall<Body, Query> & { readonly own?: never });

/**
 * `open`: anybody. `anyone`: either key, without a player. `player`: either key and a player id. `server`: the server key.
 * `gameServer`: a game server with its own token. `game`: the server key, or without any key the same token. A viewer key may
 * only `GET`, and never as a player.
 */
export type Caller = 'open' | 'anyone' | 'player' | 'server' | 'gameServer' | 'game';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Schemas<Body = unknown, Query = unknown> {
  readonly body?: z.ZodType<Body>;
  /** The body is JSON lines, and `body` the schema of the list of them. */
  readonly isLines?: true;
  readonly query?: z.ZodType<Query>;
}

/** How soon a request is refused, compared with others (gate/ladder.ts). */
export type Rung = 'first' | 'next' | 'last';

export interface Admission {
  /** `first`: it starts new work. Absent: by its method. */
  readonly rung?: Rung;
  /** What it counts as in the limits, besides a request. */
  readonly counts?: CountedKind | readonly CountedKind[];
  /** Nobody can do this while the config or project is closed (decision 51). */
  readonly isClosable?: true;
  /** A banned player cannot do this. Everything else goes on, so that the player can leave. */
  readonly isBannable?: true;
  /** The SDK of PlayFlow's API never retries this, so its requests wait. */
  readonly isPatient?: true;
  /** The handler counts it, because its refusal is a page. */
  readonly countsItself?: true;
}

export interface Route {
  readonly method: Method;
  /** The path after the version: `/lobbies/:config`. */
  readonly path: string;
  /** Method and path: `GET /lobbies/:config`. */
  readonly line: string;
  readonly caller: Caller;
  readonly schemas: Schemas;
  readonly admission: Admission;
  /** Whether keys may be in the query. Only the players' stream allows that (decision 7). */
  readonly isStream: boolean;
  readonly handle: Handler;
}

/** A handler as the server calls it: with a call that the checks for `caller` and `schemas` have completed. */
type Handler = (call: Call) => Promise<Response>;

/** The function that adds a line for callers of that kind, who make a call `C` beside its body and query. */
function lineOf<C extends Call>(caller: Caller) {
  return <B = undefined, Q = undefined>(
    spaced: string,
    handle: (call: C & { readonly body: B; readonly query: Q }) => Promise<Response>,
    about: Schemas<B, Q> & Admission = {},
  ): Route => {
    const line = spaced.replace(/ +/, ' ');
    const [method, path = ''] = line.split(' ');
    return {
      method: method as Method,
      path,
      line,
      caller,
      schemas: about,
      admission: about,
      isStream: path.endsWith('/me/events'),
      // The one cast: the checks complete the call by the same caller and schemas as the types.
      handle: handle as Handler,
    };
  };
}

export const open = lineOf<Call>('open');
export const anyone = lineOf<KeyedCall>('anyone');
export const player = lineOf<PlayerCall>('player');
export const server = lineOf<KeyedCall>('server');
export const gameServer = lineOf<OwnCall>('gameServer');
export const game = lineOf<GameCall>('game');
