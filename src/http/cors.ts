// Browsers and WebGL games call from other origins (decision 6). Keys travel in headers, never in
// cookies, so any origin may ask unless the deployment says which.

import type { Env } from '../objects/placement/env';
import { isForeign } from './origin';

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_HEADERS =
  'api-key, x-player-id, x-player-token, content-type, accept, authorization, if-match, last-event-id, cache-control';
const RESPONSE_HEADERS =
  'etag, retry-after, allow, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset';
const PREFLIGHT_SECONDS = 86_400;

let known: { readonly text: string | undefined; readonly listed: readonly string[] } | null = null;

function listedOrigins({ CORS_ORIGINS: text }: Env): readonly string[] {
  if (known === null || known.text !== text) {
    known = { text, listed: text?.split(',').map((origin) => origin.trim()) ?? ['*'] };
  }
  return known.listed;
}

/**
 * Whether a page of the origin that the request names may have its answer. Browsers see to it
 * themselves, but not for WebSockets. Other programs name none, and may.
 */
export function originAllowed(request: Request, env: Env): boolean {
  const origin = request.headers.get('origin');
  const listed = listedOrigins(env);
  const own = origin === null ? null : URL.parse(origin)?.host;
  return (
    origin === null ||
    own === new URL(request.url).host ||
    listed.includes('*') ||
    listed.includes(origin)
  );
}

/** Adds what lets the asking origin read the answer; an origin not allowed gets nothing. */
export function withCors(response: Response, request: Request, env: Env): Response {
  const { headers } = response;
  const listed = listedOrigins(env);
  if (listed.includes('*')) {
    headers.set('access-control-allow-origin', '*');
  } else {
    const origin = request.headers.get('origin');
    headers.append('vary', 'origin');
    if (origin === null || !listed.includes(origin)) {
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
