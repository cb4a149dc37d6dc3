// Ids and tokens that tell by themselves that Muster gave them (decision record 0017): a UUID whose
// last group is a keyed digest of the rest. The Worker checks them before it speaks to an object, so
// that no stranger makes one by naming it. Synchronous, since objects choose ids within a stretch.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** What an id is of: one of a lobby is none of a server. */
export type Kind = 'lobby' | 'server';

const DIGEST_HEX = 12;
const TOKEN_HALF_HEX = 32;

/** Version 8: a UUID whose other bits are the maker's own. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** In time that does not tell how much of it was right. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) {
    difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  }
  return difference === 0;
}

export class Signer {
  readonly #keyed: ReturnType<typeof hmac.create>;

  constructor(key: string) {
    this.#keyed = hmac.create(sha256, utf8ToBytes(key));
  }

  #digest(text: string, length: number): string {
    return bytesToHex(this.#keyed.clone().update(utf8ToBytes(text)).digest()).slice(0, length);
  }

  /** A fresh UUID of that kind: 74 random bits, 48 of digest. */
  id(kind: Kind): string {
    const random = bytesToHex(randomBytes(10));
    const variant = '89ab'.charAt(Number.parseInt(random.charAt(15), 16) % 4);
    const head = [
      random.slice(0, 8),
      random.slice(8, 12),
      `8${random.slice(12, 15)}`,
      `${variant}${random.slice(16, 19)}`,
    ].join('-');
    return `${head}-${this.#digest(`${kind} ${head}`, DIGEST_HEX)}`;
  }

  /** Whether this key made that id, as one of that kind. Lower case. */
  made(kind: Kind, id: string): boolean {
    const head = id.slice(0, -DIGEST_HEX - 1);
    return (
      UUID.test(id) && isSame(id.slice(-DIGEST_HEX), this.#digest(`${kind} ${head}`, DIGEST_HEX))
    );
  }

  /** What a server's reports are known by: 64 hex digits, of which half are a digest. */
  token(instanceId: string): string {
    const random = bytesToHex(randomBytes(TOKEN_HALF_HEX / 2));
    return random + this.#digest(`token ${instanceId} ${random}`, TOKEN_HALF_HEX);
  }

  /** Whether this key made that token for that server; the server itself knows which one is its. */
  madeToken(instanceId: string, token: string): boolean {
    const random = token.slice(0, TOKEN_HALF_HEX);
    const digest = this.#digest(`token ${instanceId} ${random}`, TOKEN_HALF_HEX);
    return isSame(token.slice(TOKEN_HALF_HEX), digest);
  }
}
