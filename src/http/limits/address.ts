// Where a request comes from, as far as anybody can be sure: the other end of the socket, or what a proxy says in
// the header that the operator named (at the edge the platform in its own). Only a socket of this machine or of a
// private network can be a proxy's, and so can one that the platform does not tell: any other sender could make the
// header up. One household has many addresses of IPv6 and one prefix, so it counts as that.

import { Lru } from '../../lru';
import type { Env } from '../../objects/placement/env';

type Settings = Pick<Env, 'CLIENT_ADDRESS_HEADER' | 'BOX'>;

const EDGE_HEADER = 'cf-connecting-ip';

/** Null: nobody knows, or it is an address that says nothing about who asks. */
export function addressOf(request: Request, env: Settings): string | null {
  const seen = request.cf?.['clientIp'];
  const direct = typeof seen === 'string' ? ofSocket(seen) : null;
  const { CLIENT_ADDRESS_HEADER: named = '', BOX } = env;
  const header = named === '' && BOX === undefined ? EDGE_HEADER : named;
  if (direct !== null || header === '') {
    return direct;
  }
  // Of a list the last is what the nearest proxy saw; those before it anybody can make up.
  const text = request.headers.get(header)?.split(',').at(-1)?.trim() ?? '';
  return normal(withoutPort(text));
}

/** A connection asks more than once. */
const sockets = new Lru<{ readonly address: string | null }>(10_000);

function ofSocket(seen: string): string | null {
  const known = sockets.get(seen);
  if (known !== undefined) {
    return known.address;
  }
  const address = publicOnly(normal(withoutPort(seen)));
  sockets.set(seen, { address });
  return address;
}

function withoutPort(text: string): string {
  return text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
}

/** An IPv4 address, or the /64 of an IPv6 one; null for this machine, and for what is no address. */
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

/** Within a network of one's own the other end is a proxy, which speaks for all players. */
const PRIVATE =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.|f[cd]|fe[89ab])/;

function publicOnly(address: string | null): string | null {
  return address === null || PRIVATE.test(address) ? null : address;
}
