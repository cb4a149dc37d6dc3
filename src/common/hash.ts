// Hashes of texts: a quick one, and a secure one.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of the text in UTF-8, in hex. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** FNV-1a over UTF-16 units: 32 bits, signed. It spreads keys evenly and is not secure. */
export function fnv1a(text: string): number {
  let sum = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  }
  return sum;
}
