// A line of the route table: the schemas, the caller and the handler of a route. Each builder is named after its
// caller, and gives the handler exactly the call that such a caller makes.

import type * as z from 'zod';
import type { Call, KeyedCall, PlayerCall } from './call';

/**
 * `open`: anybody, or a credential that the handler checks itself. `anyone`: either key, without a player.
 * `player`: either key and a player id. `server`: the server key.
 */
export type Caller = 'open' | 'anyone' | 'player' | 'server';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Schemas<Body = unknown, Query = unknown> {
  readonly body?: z.ZodType<Body>;
  /** The body is JSON lines, and `body` the schema of the list of them. */
  readonly isLines?: true;
  readonly query?: z.ZodType<Query>;
}

export interface Route {
  readonly method: Method;
  /** The path after the version: `/lobbies/:config`. */
  readonly path: string;
  /** Method and path: `GET /lobbies/:config`. */
  readonly line: string;
  readonly caller: Caller;
  readonly schemas: Schemas;
  /** Whether keys may be in the query. Only the players' stream allows that (decision 7). */
  readonly isStream: boolean;
  readonly handle: Handler;
}

/** A handler as the server calls it, after the checks for `caller` and `schemas` have completed the call. */
export type Handler = (call: PlayerCall<never> & KeyedCall<never, never>) => Promise<Response>;

/** The function that adds a line for callers of that kind, who make a call `C` beside its body and query. */
function lineOf<C>(caller: Caller) {
  return <B = undefined, Q = undefined>(
    spaced: string,
    handle: (call: C & { readonly body: B; readonly query: Q }) => Promise<Response>,
    schemas: Schemas<B, Q> = {},
  ): Route => {
    const line = spaced.replace(/ +/, ' ');
    const [method, path = ''] = line.split(' ');
    const isStream = path.endsWith('/me/events');
    const told = { method: method as Method, path, line, caller, schemas, isStream };
    // The one cast: the server builds the call from the same caller and schemas as the types.
    return { ...told, handle: handle as unknown as Handler };
  };
}

export const open = lineOf<Call>('open');
export const anyone = lineOf<KeyedCall>('anyone');
export const player = lineOf<PlayerCall>('player');
export const server = lineOf<KeyedCall>('server');
