// Protects against foreign pages in a browser (decision 42). A page of another origin may play, but never with a
// server key. A service that only listens on this machine only accepts names of this machine, so that no page can
// point its own name here (DNS rebinding).

import type { Env } from '../objects/placement/env';
import { refuseWith } from './refused';

type Names = Pick<Env, 'LISTENS_ON' | 'ALLOWED_HOSTS' | 'OPERATOR_ORIGINS' | 'PUBLIC_URL'>;

/** Whether the host is in 127.0.0.0/8, ::1 or localhost, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function listed(text = ''): readonly string[] {
  const names = text.split(',').map((entry) => entry.trim().toLowerCase());
  return names.filter((name) => name !== '');
}

/** The URL in that text, or null. */
function parsed(text = ''): URL | null {
  return URL.parse(text);
}

/**
 * Refuses FORBIDDEN if the service is on a loopback address and the request's host name is neither a loopback
 * name, nor that of PUBLIC_URL, nor in ALLOWED_HOSTS. Other services accept any name.
 */
export function checkHost(url: URL, names: Names): void {
  const { hostname } = url;
  const isOurs =
    names.LISTENS_ON === undefined ||
    !isLoopback(names.LISTENS_ON) ||
    isLoopback(hostname) ||
    hostname === parsed(names.PUBLIC_URL)?.hostname ||
    listed(names.ALLOWED_HOSTS).includes(hostname);
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
  const { host } = parsed(origin) ?? {};
  const isOwn =
    host !== undefined && (host === url.host || host === parsed(names.PUBLIC_URL)?.host);
  return !isOwn && !listed(names.OPERATOR_ORIGINS).includes(origin.toLowerCase());
}
