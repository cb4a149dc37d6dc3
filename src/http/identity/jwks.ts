// The public keys of an identity provider, from a URL that the project sets and the service fetches. So its form is
// restricted, and the answer is limited in time, size and number of keys, and never shown. On a box the network of the
// fetch reaches no private address (record 0033). An isolate fetches again if the keys are old or a token names an unknown
// key, but not within 30 s. While the provider is silent, the old keys are valid for an hour (record 0040).

import { importJWK, type CryptoKey, type JWK } from 'jose';
import * as z from 'zod';
import { Fresh, type Worth } from '../../common/fresh';
import { Lru } from '../../common/lru';
import { logEvent } from '../../common/log';
import { present } from '../../common/named';
import { messageOf } from '../../common/result';
import type { Place } from '../../objects/placement/at';
import { fetcherOf, type Env } from '../../objects/placement/env';
import { isLoopback } from '../wire/access';
import { askOutside, LIMIT_MS } from './outside';

export const ASYMMETRIC = ['EdDSA', 'ES256', 'RS256'] as const;
type Asymmetric = (typeof ASYMMETRIC)[number];

export interface ProviderKey {
  readonly kid: string | null;
  readonly alg: Asymmetric;
  readonly key: CryptoKey;
}

/** No keys are available now: the provider does not answer, or not with keys. */
export class NoKeys extends Error {}

const MAX_URL_LENGTH = 512;
const MAX_KEYS = 32;
export const FRESH_MS = 10 * 60_000;
const STALE_MS = 60 * 60_000;
export const COOLDOWN_MS = 30_000;
/** The cooldown while there are no keys at all. */
const COLD_COOLDOWN_MS = 5_000;
const NONE = 'the keys of the identity provider cannot be had';

/** It has `https:` and a host name, so that it reaches no address within a network, and `http:` only for this machine. */
export function jwksUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_URL_LENGTH) {
    return `must be a URL of at most ${MAX_URL_LENGTH} characters`;
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return 'must have no user, password or fragment';
  }
  const { protocol, hostname } = url;
  const isHere = isLoopback(hostname);
  if (protocol !== 'https:' && !(isHere && protocol === 'http:')) {
    return 'must be https';
  }
  // The parser normalizes every form of an IPv4 address, and puts IPv6 in brackets.
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return isAddress && !isHere ? 'must have a host name, not an address' : null;
}

/** A URL that a project chooses and the service asks. */
export const outsideUrl = z.string('must be a string').superRefine((url, context) => {
  const message = jwksUrlProblem(url);
  if (message !== null) {
    context.addIssue({ code: 'custom', message });
  }
});

function algorithmOf({ kty, crv, alg, use }: JWK): Asymmetric | null {
  const fits =
    kty === 'OKP' && crv === 'Ed25519'
      ? 'EdDSA'
      : kty === 'EC' && crv === 'P-256'
        ? 'ES256'
        : kty === 'RSA'
          ? 'RS256'
          : null;
  const isMeant = alg === undefined || alg === fits || (alg === 'Ed25519' && fits === 'EdDSA');
  return isMeant && (use === undefined || use === 'sig') ? fits : null;
}

/** The usable keys of a set. Other keys and malformed keys are skipped. */
export async function providerKeys(set: unknown): Promise<readonly ProviderKey[]> {
  const listed = typeof set === 'object' && set !== null ? Reflect.get(set, 'keys') : null;
  if (!Array.isArray(listed) || listed.length > MAX_KEYS) {
    throw new NoKeys('not a set of at most 32 keys');
  }
  const keys: ProviderKey[] = [];
  for (const jwk of listed as readonly JWK[]) {
    const alg = typeof jwk === 'object' && jwk !== null ? algorithmOf(jwk) : null;
    if (alg !== null) {
      // Only the public half, whatever else the set holds.
      const { kty, crv, x, y, n, e } = jwk;
      try {
        const key = await importJWK(present({ kty, crv, x, y, n, e }), alg);
        const kid = typeof jwk.kid === 'string' ? jwk.kid : null;
        keys.push({ kid, alg, key: key as CryptoKey });
      } catch {
        // Not a key.
      }
    }
  }
  return keys;
}

type Keys = readonly ProviderKey[];

const known = new Fresh<Keys>({ size: 100, deadlineMs: LIMIT_MS + 1_000 });
/** When the keys of a URL were last asked for, epoch ms, and whether that failed. */
const asked = new Lru<{ readonly at: number; readonly hasFailed: boolean }>(100);

/** The request that asks: how it reaches the provider, and what keeps its fetch alive. */
export interface Asks extends Pick<Place, 'background'> {
  readonly env: Pick<Env, 'PROVIDERS'>;
}

/** The keys of that URL, including the one with that id if the provider has it. Throws NoKeys. */
export async function keysAt(
  url: string,
  kid: string | null,
  now: number,
  { env, background }: Asks,
): Promise<Keys> {
  const isRecent = Math.abs(now - (asked.get(url)?.at ?? -Infinity)) < COOLDOWN_MS;
  const old = known.peek(url);
  const isCold = old === undefined || Math.abs(now - old.at) >= STALE_MS;
  if (isCold && isDown(url, now)) {
    // While a provider is down, only the request that tries again waits: thousands that look would delay all others.
    throw new NoKeys(NONE);
  }
  const worth = (keys: Keys, ageMs: number): Worth => {
    const isKnown = kid === null || keys.some((key) => key.kid === kid);
    const isGood = (ageMs < FRESH_MS && isKnown) || isRecent;
    return ageMs >= STALE_MS ? 'useless' : isGood ? 'good' : 'old';
  };
  const read = async (): Promise<Keys> => {
    if (isDown(url, now)) {
      // Another request, for which this one has waited, was told so.
      throw new NoKeys(NONE);
    }
    const keys = keysFrom(url, env, now);
    // Others wait for the keys too, so the fetch goes on if the client of this request leaves.
    background(keys.catch(() => {}));
    return keys;
  };
  const keys = await known.within(LIMIT_MS, url, { now, worth, read }).catch(() => null);
  if (keys === null && isCold) {
    throw new NoKeys(NONE);
  }
  return keys ?? old?.value ?? [];
}

function isDown(url: string, now: number): boolean {
  const last = asked.get(url);
  return last?.hasFailed === true && Math.abs(now - last.at) < COLD_COOLDOWN_MS;
}

async function keysFrom(url: string, env: Asks['env'], now: number): Promise<Keys> {
  // Until it has answered, it is as silent as it was.
  asked.set(url, { at: now, hasFailed: asked.get(url)?.hasFailed ?? false });
  try {
    const { status, body } = await askOutside(fetcherOf(env), url);
    if (status !== 200) {
      throw new NoKeys(`status ${status}`);
    }
    const keys = await providerKeys(body);
    asked.set(url, { at: now, hasFailed: false });
    return keys;
  } catch (error) {
    asked.set(url, { at: now, hasFailed: true });
    logEvent('jwks_unread', { host: new URL(url).host, error: messageOf(error) });
    throw error;
  }
}
