// Whom a browser may speak for (decision 42). A page of another origin may play, but never with a
// server key; and a service that listens on this machine alone answers to names of this
// machine alone, so that no page makes its own name lead here (DNS rebinding).

import type { Env } from '../objects/placement/env';
import { refusal, type Reply } from '../lobby/refusals';
import { ok } from '../result';

type Names = Pick<Env, 'LISTENS_ON' | 'ALLOWED_HOSTS' | 'OPERATOR_ORIGINS' | 'PUBLIC_URL'>;

/** 127.0.0.0/8, ::1 and localhost, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function listed(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((entry) => {
    const name = entry.trim().toLowerCase();
    return name === '' ? [] : [name];
  });
}

/** Host and port of a URL, the port left out where it is the scheme's own; null when it is none. */
function hostOf(url: string | undefined): string | null {
  return url === undefined ? null : (URL.parse(url)?.host ?? null);
}

function publicName({ PUBLIC_URL }: Names): string | null {
  return PUBLIC_URL === undefined ? null : (URL.parse(PUBLIC_URL)?.hostname ?? null);
}

/**
 * FORBIDDEN when a service on a loopback address is asked under a name that is neither of this
 * machine, nor that of PUBLIC_URL, nor in ALLOWED_HOSTS. Other services answer to any name.
 */
export function hostAllowed(url: URL, names: Names): Reply<null> {
  const { hostname } = url;
  const isOurs =
    names.LISTENS_ON === undefined ||
    !isLoopback(names.LISTENS_ON) ||
    isLoopback(hostname) ||
    hostname === publicName(names) ||
    listed(names.ALLOWED_HOSTS).includes(hostname);
  return isOurs
    ? ok(null)
    : refusal('FORBIDDEN', 'Host: is not a name of this service; add it to ALLOWED_HOSTS');
}

/** What such a page is told, whatever the route, where its key is a server key (decision 42). */
export const FOREIGN = refusal(
  'FORBIDDEN',
  'Origin: pages from other origins cannot use the server key',
);

/**
 * Whether a browser asks for a page of another origin. A page's own origin is the host it asked, as
 * the request or PUBLIC_URL has it; the scheme does not count, since a proxy may end TLS. Without an
 * `Origin`, what the browser says of the page's site counts; other programs send neither.
 */
export function isForeign(request: Request, url: URL, names: Names): boolean {
  const origin = request.headers.get('origin');
  if (origin === null) {
    const site = request.headers.get('sec-fetch-site');
    return site === 'cross-site' || site === 'same-site';
  }
  const host = hostOf(origin);
  const isOwn = host !== null && (host === url.host || host === hostOf(names.PUBLIC_URL));
  return !isOwn && !listed(names.OPERATOR_ORIGINS).includes(origin.toLowerCase());
}
