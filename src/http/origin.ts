// Protects against foreign pages in a browser (decision 42). A page of another origin may play, but never with a
// server key. A service that only listens on this machine only accepts names of this machine, so that no page can
// point its own name here (DNS rebinding).

import type { Env } from '../objects/placement/env';
import { refusal, type Refusal, type Reply } from '../lobby/refusals';
import { ok } from '../common/result';

type Names = Pick<Env, 'LISTENS_ON' | 'ALLOWED_HOSTS' | 'OPERATOR_ORIGINS' | 'PUBLIC_URL'>;

/** Whether the host is in 127.0.0.0/8, ::1 or localhost, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function listed(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((entry) => {
    const name = entry.trim().toLowerCase();
    return name === '' ? [] : [name];
  });
}

/** The host and port of a URL, without the scheme's default port. Null if it is no URL. */
function hostOf(url: string | undefined): string | null {
  return url === undefined ? null : (URL.parse(url)?.host ?? null);
}

function publicName({ PUBLIC_URL }: Names): string | null {
  return PUBLIC_URL === undefined ? null : (URL.parse(PUBLIC_URL)?.hostname ?? null);
}

/**
 * Refuses FORBIDDEN if the service is on a loopback address and the request's host name is neither a loopback
 * name, nor that of PUBLIC_URL, nor in ALLOWED_HOSTS. Other services accept any name.
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

/** The refusal for such a page with a server key, on every route (decision 42). */
export const FOREIGN: Refusal = {
  code: 'FORBIDDEN',
  detail: 'Origin: pages from other origins cannot use the server key',
};

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
  const host = hostOf(origin);
  const isOwn = host !== null && (host === url.host || host === hostOf(names.PUBLIC_URL));
  return !isOwn && !listed(names.OPERATOR_ORIGINS).includes(origin.toLowerCase());
}
