// Browsers and WebGL games call from other origins (decision 6). Keys travel in headers, never in
// cookies, so any origin may ask unless the deployment says which. Every page could use
// `client_dev_key`, so where it counts only pages of this machine may ask by default (decision 8).

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
 * Whether the page that asks may play here. Browsers keep the answer from a page that may not, but
 * not the request: streams, WebSockets and images need no preflight. Programs other than browsers
 * always may.
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

/** Adds what lets the asking origin read the answer; an origin not allowed gets nothing. */
export function withCors(response: Response, request: Request, env: Env): Response {
  const { headers } = response;
  if (listedOrigins(env).includes('*')) {
    headers.set('access-control-allow-origin', '*');
  } else {
    const origin = request.headers.get('origin');
    headers.append('vary', 'origin');
    if (origin === null || !originAllowed(request, new URL(request.url), env)) {
      return response;
    }
    headers.set('access-control-allow-origin', origin);
  }
  headers.set('access-control-expose-headers', RESPONSE_HEADERS);
  return response;
}

/** The same for routes of the server key: an origin is let in by its name, or not (decision 42). */
export function withOperatorCors(response: Response, request: Request, env: Env): Response {
  const { headers } = response;
  const origin = request.headers.get('origin');
  headers.append('vary', 'origin');
  if (origin !== null && !isForeign(request, new URL(request.url), env)) {
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-expose-headers', RESPONSE_HEADERS);
  }
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
