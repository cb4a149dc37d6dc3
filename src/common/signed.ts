// Hashes of texts, and signed ids and tokens, which prove that Muster issued them (decision record 0017). An id is a
// UUID whose last group is a keyed digest of the rest. The Worker verifies an id before it calls an object, so that a
// stranger cannot create objects by inventing ids. It is synchronous, because objects choose ids within a stretch.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of the text in UTF-8, in hex. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

export async function hmacOf(hash: 'SHA-1' | 'SHA-256', secret: string, text: string) {
  const [encoder, algorithm] = [new TextEncoder(), { name: 'HMAC', hash }];
  const bytes = encoder.encode(secret);
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

/** FNV-1a over UTF-16 units: 32 bits, signed. It spreads keys evenly and is not secure. */
export function fnv1a(text: string): number {
  let sum = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  }
  return sum;
}

/** The kind of an id. A lobby's id is not valid as a server's. */
export type IdKind = 'lobby' | 'server';

const DIGEST_HEX = 12;
const TOKEN_HALF_HEX = 32;

/** A UUID of version 8, which leaves the other bits to its maker. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Compares in constant time, so that the time does not reveal how many characters agree. */
export function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) {
    difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  }
  return difference === 0;
}

/** All but the last group of a UUID of that version. `hex`: at least 19 digits. */
export function uuidHead(hex: string, version: number): string {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(15), 16) % 4);
  const [first, second] = [hex.slice(0, 8), hex.slice(8, 12)];
  return `${first}-${second}-${version}${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}`;
}

/** The UUID that stands for that text: the same for the same. */
export function uuidOf(text: string): string {
  const hex = sha256Hex(text);
  return `${uuidHead(hex, 8)}-${hex.slice(-12)}`;
}

export class Signer {
  readonly #keyed: ReturnType<typeof hmac.create>;

  constructor(key: string) {
    this.#keyed = hmac.create(sha256, utf8ToBytes(key));
  }

  #digest(text: string, length: number): string {
    return bytesToHex(this.#keyed.clone().update(utf8ToBytes(text)).digest()).slice(0, length);
  }

  /** 32 bytes in hex that depend only on the key and the purpose. */
  seed(purpose: string): string {
    return this.#digest(`seed ${purpose}`, 64);
  }

  /** A new UUID of that kind, with 74 random bits and 48 bits of digest. */
  id(kind: IdKind): string {
    const head = uuidHead(bytesToHex(randomBytes(10)), 8);
    return `${head}-${this.#digest(`${kind} ${head}`, DIGEST_HEX)}`;
  }

  /** Whether this key made that id for that kind. The id must be in lower case. */
  made(kind: IdKind, id: string): boolean {
    const head = id.slice(0, -DIGEST_HEX - 1);
    return (
      UUID.test(id) && isSame(id.slice(-DIGEST_HEX), this.#digest(`${kind} ${head}`, DIGEST_HEX))
    );
  }

  /** A token for a server's reports: 64 hex digits, half of them a digest. A new one, or the one of that name. */
  token(instanceId: string, of?: string): string {
    const random =
      of === undefined
        ? bytesToHex(randomBytes(TOKEN_HALF_HEX / 2))
        : this.#digest(`term ${instanceId} ${of}`, TOKEN_HALF_HEX);
    return random + this.#digest(`token ${instanceId} ${random}`, TOKEN_HALF_HEX);
  }

  /** Whether this key made that token for that server. Only the Server object knows which token is current. */
  madeToken(instanceId: string, token: string): boolean {
    const random = token.slice(0, TOKEN_HALF_HEX);
    const digest = this.#digest(`token ${instanceId} ${random}`, TOKEN_HALF_HEX);
    return isSame(token.slice(TOKEN_HALF_HEX), digest);
  }
}

let known: { readonly secret: string; readonly signer: Signer } | null = null;
/** The secret if none is configured. Nobody has a key to such a service, so its ids need not outlive the isolate. */
let passing: string | null = null;

/**
 * The signer with ID_KEY, or with API_KEYS without it. All isolates use the same key, and it survives a restart. Set
 * ID_KEY before changing API keys: without it, a change invalidates the ids of live lobbies and servers.
 */
export function signerOf({ ID_KEY, API_KEYS }: { ID_KEY?: string; API_KEYS?: string }): Signer {
  const set = [ID_KEY, API_KEYS].find((text) => text !== undefined && text !== '');
  passing ??= set === undefined ? crypto.randomUUID() : null;
  const secret = set ?? passing ?? '';
  if (known?.secret !== secret) {
    known = { secret, signer: new Signer(secret) };
  }
  return known.signer;
}
