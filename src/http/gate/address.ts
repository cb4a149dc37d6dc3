// The address of a request's sender: the other end of the socket, or the header that the operator's proxy or the edge sets.
// The header counts only if the other end can be a proxy, in this machine or a private network, or is not known: any other
// sender could forge it. A household has many IPv6 addresses but one prefix, so IPv6 counts by prefix.

import { Lru } from '../../common/lru';
import { isWithin } from '../../common/networks';
import type { Env } from '../../objects/placement/env';

/** Null: the address is not known, or does not identify the sender. */
export function addressOf(request: Request, env: Pick<Env, 'CLIENT_ADDRESS_HEADER' | 'BOX'>) {
  const seen = request.cf?.['clientIp'];
  const direct = typeof seen === 'string' ? ofSocket(seen) : null;
  const { CLIENT_ADDRESS_HEADER: named = '', BOX } = env;
  const header = named === '' && BOX === undefined ? 'cf-connecting-ip' : named;
  if (direct !== null || header === '') {
    return direct;
  }
  // The last entry of the list is from the nearest proxy. The sender can forge the others.
  const text = request.headers.get(header)?.split(',').at(-1)?.trim() ?? '';
  return normal(withoutPort(text));
}

/** A cache, because a connection sends more than one request. */
const sockets = new Lru<string | null>(10_000);

/** Null for a private network, where the other end of the socket is a proxy for all players. */
function ofSocket(seen: string): string | null {
  return sockets.getOr(seen, () => {
    const found = normal(withoutPort(seen));
    return found === null || isWithin(found) ? null : found;
  });
}

function withoutPort(text: string): string {
  return text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
}

/** An IPv4 address, or the /64 prefix of an IPv6 address. Null for this machine and for anything else. */
function normal(text: string): string | null {
  const mapped = text.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, '');
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(mapped)) {
    return mapped.startsWith('127.') ? null : mapped;
  }
  const host = URL.parse(`http://[${mapped}]/`)?.hostname;
  if (host === undefined || host === '[::1]') {
    return null;
  }
  const [head = '', tail] = host.slice(1, -1).split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = tail === undefined ? first : [...first, ...gap, ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
