// Browsers and WebGL games call from other origins (decision 6). Keys are sent in headers, never in cookies, so
// any origin is allowed unless the deployment limits them. Every page could use `client_dev_key`, so where that
// key is valid, only pages of this machine are allowed by default (decision 8).

import type { Env } from '../objects/placement/env';
import { acceptsDevKeys } from './access';
import { isForeign, isLoopback } from './origin';

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_HEADERS =
  'api-key, x-player-id, x-player-token, content-type, accept, authorization, if-match, last-event-id, cache-control';
const RESPONSE_HEADERS =
  'etag, retry-after, allow, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset';
const PREFLIGHT_SECONDS = 86_400;

let known: { readonly text: string; readonly listed: readonly string[] } | null = null;

function listedOrigins(env: Env): readonly string[] {
  const text = env.CORS_ORIGINS ?? (acceptsDevKeys(env) ? '' : '*');
  if (known === null || known.text !== text) {
    known = { text, listed: text.split(/[\s,]+/).filter((origin) => origin !== '') };
  }
  return known.listed;
}

/**
 * Whether the page of this request may play here. Browsers only hide the answer from other pages but still send
 * the request, because streams, WebSockets and images need no preflight. Programs other than browsers always may.
 */
export function originAllowed(request: Request, url: URL, env: Env): boolean {
  const listed = listedOrigins(env);
  if (listed.includes('*') || !isForeign(request, url, env)) {
    return true;
  }
  const origin = request.headers.get('origin') ?? '';
  const isHere = isLoopback(URL.parse(origin)?.hostname ?? '');
  return listed.includes(origin) || (isHere && acceptsDevKeys(env));
}

/**
 * Adds the headers that let the request's origin read the answer, if the origin is allowed. On routes of the server
 * key, an origin must be allowed by its name (decision 42).
 */
export function withCors(
  response: Response,
  request: Request,
  env: Env,
  isOfServer: boolean,
): Response {
  const { headers } = response;
  if (!isOfServer && listedOrigins(env).includes('*')) {
    headers.set('access-control-allow-origin', '*');
  } else {
    const origin = request.headers.get('origin');
    headers.append('vary', 'origin');
    if (origin === null) {
      return response;
    }
    const url = new URL(request.url);
    const isAllowed = isOfServer ? !isForeign(request, url, env) : originAllowed(request, url, env);
    if (!isAllowed) {
      return response;
    }
    headers.set('access-control-allow-origin', origin);
  }
  headers.set('access-control-expose-headers', RESPONSE_HEADERS);
  return response;
}

/** The answer to OPTIONS, preflight or not, on any path. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow: METHODS,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    },
  });
}
