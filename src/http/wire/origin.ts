// Pages of other origins, such as WebGL games. They may play (decision 6), but never with a server key (decision 42). Keys
// are in headers, never in cookies, so any origin is allowed unless the deployment limits them. Every page could use
// `client_dev_key`, so where it is valid, only pages of this machine are allowed by default (decision 8). A service that
// only listens on this machine only accepts its names, so that no page can point its own name here (DNS rebinding).

import type { Env } from '../../objects/placement/env';
import { acceptsDevKeys, isLoopback } from './access';
import { refuseWith } from './answer';

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';

type Names = Pick<Env, 'LISTENS_ON' | 'ALLOWED_HOSTS' | 'OPERATOR_ORIGINS' | 'PUBLIC_URL'>;

/** The parts of a setting between commas. */
export function commaList(text = ''): readonly string[] {
  const names = text.split(',').map((entry) => entry.trim());
  return names.filter((name) => name !== '');
}

/** On a loopback address, refuses FORBIDDEN for host names other than a loopback name, PUBLIC_URL's and ALLOWED_HOSTS. */
export function checkHost(url: URL, names: Names): void {
  const { hostname } = url;
  const isOurs =
    names.LISTENS_ON === undefined ||
    !isLoopback(names.LISTENS_ON) ||
    isLoopback(hostname) ||
    hostname === URL.parse(names.PUBLIC_URL ?? '')?.hostname ||
    commaList(names.ALLOWED_HOSTS?.toLowerCase()).includes(hostname);
  if (!isOurs) {
    refuseWith('FORBIDDEN', 'Host: is not a name of this service; add it to ALLOWED_HOSTS');
  }
}

/** Refuses FORBIDDEN for a page of another origin, which may never use a server key (decision 42). */
export function checkForeign(request: Request, url: URL, names: Names): void {
  if (isForeign(request, url, names)) {
    refuseWith('FORBIDDEN', 'Origin: pages from other origins cannot use the server key');
  }
}

/**
 * Whether the request comes from a browser's page of another origin. A page is of our origin if its host is that
 * of the request or of PUBLIC_URL. The scheme does not count, because a proxy may terminate TLS. Without an
 * `Origin`, the browser's `Sec-Fetch-Site` counts. Other programs send neither.
 */
export function isForeign(request: Request, url: URL, names: Names): boolean {
  const origin = request.headers.get('origin');
  if (origin === null) {
    const site = request.headers.get('sec-fetch-site');
    return site === 'cross-site' || site === 'same-site';
  }
  const host = URL.parse(origin)?.host;
  const isOwn =
    host !== undefined && (host === url.host || host === URL.parse(names.PUBLIC_URL ?? '')?.host);
  return !isOwn && !commaList(names.OPERATOR_ORIGINS?.toLowerCase()).includes(origin.toLowerCase());
}

let known: { readonly text: string; readonly listed: readonly string[] } | null = null;

function listedOrigins(env: Env): readonly string[] {
  const text = env.CORS_ORIGINS ?? (acceptsDevKeys(env) ? '' : '*');
  if (known === null || known.text !== text) {
    known = { text, listed: text.split(/[\s,]+/).filter((origin) => origin !== '') };
  }
  return known.listed;
}

/** Browsers only hide the answer and still send the request: streams, WebSockets and images need no preflight. */
export function originAllowed(request: Request, url: URL, env: Env): boolean {
  const allowed = listedOrigins(env);
  if (allowed.includes('*') || !isForeign(request, url, env)) {
    return true;
  }
  const origin = request.headers.get('origin') ?? '';
  const isHere = isLoopback(URL.parse(origin)?.hostname ?? '');
  return allowed.includes(origin) || (isHere && acceptsDevKeys(env));
}

/** Lets an allowed origin read the answer. On routes of the server key it must be allowed by its name (decision 42). */
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
    const allows = (url: URL): boolean =>
      isOfServer ? !isForeign(request, url, env) : originAllowed(request, url, env);
    if (origin === null || !allows(new URL(request.url))) {
      return response;
    }
    headers.set('access-control-allow-origin', origin);
  }
  headers.set(
    'access-control-expose-headers',
    'etag, retry-after, allow, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
  );
  return response;
}

/** The answer to OPTIONS, preflight or not, on any path. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow: METHODS,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers':
        'api-key, x-player-id, x-player-token, content-type, accept, authorization, if-match, last-event-id, prefer, cache-control, x-http-method-override',
      'access-control-max-age': '86400',
    },
  });
}
