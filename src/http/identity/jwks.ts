// The public keys of an identity provider, from the URL that a project names. The URL comes from the
// server key and is asked by the service, so it is held to what such a URL can be, and the answer to
// bounds of time, size and number; nothing of it is ever shown. On a box the network by which it is asked reaches no
// private address (record 0033). An isolate keeps the keys, asks anew
// when they are old or a token names one it does not have, and then not again for 30 s. While the
// provider is silent the old ones count for an hour.

import { importJWK, type CryptoKey, type JWK } from 'jose';
import { Lru } from '../../lru';
import { pause } from '../ask';
import { isLoopback } from '../origin';

export const ASYMMETRIC = ['EdDSA', 'ES256', 'RS256'] as const;
export type Asymmetric = (typeof ASYMMETRIC)[number];

export interface ProviderKey {
  readonly kid: string | null;
  readonly alg: Asymmetric;
  readonly key: CryptoKey;
}

/** No keys can be had now: the provider does not answer, or not with keys. */
export class NoKeys extends Error {}

const MAX_URL_LENGTH = 512;
const MAX_BYTES = 64 * 1024;
const MAX_KEYS = 32;
const LIMIT_MS = 5_000;
export const FRESH_MS = 10 * 60_000;
const STALE_MS = 60 * 60_000;
export const COOLDOWN_MS = 30_000;
/** The same while there are no keys at all. */
const COLD_COOLDOWN_MS = 5_000;
/** So often a request without keys looks whether another one has brought them. */
const LOOK_MS = 50;
const MAX_URLS = 100;

/**
 * What is wrong with the URL, or null. `https:` and a name of a host, so that no address within a
 * network can be asked; `http:` for this machine alone.
 */
export function jwksUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_URL_LENGTH) {
    return `must be a URL of at most ${MAX_URL_LENGTH} characters`;
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return 'must have no user, password or fragment';
  }
  const { protocol, hostname } = url;
  if (isLoopback(hostname)) {
    return protocol === 'https:' || protocol === 'http:' ? null : 'must be https';
  }
  // The parser writes every form of an IPv4 address in its usual one, and IPv6 in brackets.
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return protocol !== 'https:'
    ? 'must be https'
    : isAddress
      ? 'must name its host, not give an address'
      : null;
}

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

/** Keys that are of use here; others, and malformed ones, are passed over. */
export async function providerKeys(set: unknown): Promise<readonly ProviderKey[]> {
  const listed = typeof set === 'object' && set !== null ? Reflect.get(set, 'keys') : null;
  if (!Array.isArray(listed) || listed.length > MAX_KEYS) {
    throw new NoKeys('not a set of at most 32 keys');
  }
  const keys: ProviderKey[] = [];
  for (const jwk of listed as readonly JWK[]) {
    const alg = typeof jwk === 'object' && jwk !== null ? algorithmOf(jwk) : null;
    if (alg !== null) {
      // The public half alone, whatever else the set may hold.
      const { kty, crv, x, y, n, e } = jwk;
      const half = Object.entries({ kty, crv, x, y, n, e }).filter(
        ([, part]) => part !== undefined,
      );
      try {
        const key = await importJWK(Object.fromEntries(half) as unknown as JWK, alg);
        const kid = typeof jwk.kid === 'string' ? jwk.kid : null;
        keys.push({ kid, alg, key: key as CryptoKey });
      } catch {
        // Not a key.
      }
    }
  }
  return keys;
}

async function textOf(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) {
      return text + decoder.decode();
    }
    length += piece.value.byteLength;
    if (length > MAX_BYTES) {
      await reader?.cancel();
      throw new NoKeys('more than 64 KiB');
    }
    text += decoder.decode(piece.value, { stream: true });
  }
}

export type Fetch = (
  url: string,
  init: { redirect: 'manual'; headers: Record<string, string>; signal: AbortSignal },
) => Promise<Response>;

interface Entry {
  keys: readonly ProviderKey[];
  /** When they came; epoch ms. */
  at: number;
  /** When they were last asked for. */
  triedAt: number;
  isReading: boolean;
}

export class JwksCache {
  readonly #fetch: Fetch;
  readonly #log: (host: string, error: string) => void;
  readonly #entries = new Lru<Entry>(MAX_URLS);

  constructor(fetcher: Fetch, log: (host: string, error: string) => void) {
    this.#fetch = fetcher;
    this.#log = log;
  }

  /**
   * The keys of that URL, with one of that id where the provider has it. Throws NoKeys. `fetcher`: who asks for them
   * here, if it is not that of all.
   */
  async keys(
    url: string,
    kid: string | null,
    now: number,
    fetcher = this.#fetch,
  ): Promise<readonly ProviderKey[]> {
    const entry = this.#entry(url);
    const isCold = now - entry.at >= STALE_MS;
    const isKnown = kid === null || entry.keys.some((key) => key.kid === kid);
    const isDue = now - entry.at >= FRESH_MS || !isKnown;
    const cooldown = isCold ? COLD_COOLDOWN_MS : COOLDOWN_MS;
    if (isDue && now - entry.triedAt >= cooldown) {
      await this.#refresh(url, entry, { now, fetcher });
    } else if (isCold) {
      // Requests share results, never promises: this one may not wait on the other's answer.
      for (let waited = 0; entry.isReading && waited < LIMIT_MS; waited += LOOK_MS) {
        await pause(LOOK_MS);
      }
    }
    if (now - entry.at >= STALE_MS) {
      throw new NoKeys('the keys of the identity provider cannot be had');
    }
    return entry.keys;
  }

  #entry(url: string): Entry {
    const known = this.#entries.get(url);
    if (known !== undefined) {
      return known;
    }
    const entry = { keys: [], at: -Infinity, triedAt: -Infinity, isReading: false };
    this.#entries.set(url, entry);
    return entry;
  }

  async #refresh(
    url: string,
    entry: Entry,
    { now, fetcher }: { readonly now: number; readonly fetcher: Fetch },
  ): Promise<void> {
    entry.triedAt = now;
    entry.isReading = true;
    const keys = await this.#read(url, fetcher);
    entry.isReading = false;
    if (keys !== null) {
      entry.keys = keys;
      entry.at = now;
    }
  }

  async #read(url: string, fetcher: Fetch): Promise<readonly ProviderKey[] | null> {
    try {
      const response = await fetcher(url, {
        // Followed, it could lead where the project's URL may not.
        redirect: 'manual',
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new NoKeys(`status ${response.status}`);
      }
      return await providerKeys(JSON.parse(await textOf(response)));
    } catch (error) {
      this.#log(new URL(url).host, error instanceof Error ? error.message : String(error));
      return null;
    }
  }
}
