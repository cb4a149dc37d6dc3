// Any other fleet: we send signed webhooks to an address of the operator. The calls and their answers are those of
// rest.ts. Every call carries these headers:
//   muster-timestamp   the time of signing, seconds since 1970
//   muster-nonce       a new value for each call
//   muster-signature   v1=hex(HMAC-SHA256(secret, timestamp \n nonce \n METHOD \n path \n body))
// with `path` below the fleet's url. The receiver refuses a wrong signature, a timestamp that is off by more than
// five minutes, and a nonce that it has seen, so nobody can replay a call.

import { bytesToHex } from '@noble/hashes/utils.js';
import { hmacOf } from '../common/signed';
import type { Fleet } from './port';
import { restFleet, type Question, type SecretFleetOptions } from './rest';

export interface Signed extends Question {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** The value of `muster-signature` for a call. */
export async function signature(secret: string, signed: Signed): Promise<string> {
  const { timestamp, nonce, method, path, body } = signed;
  const text = [timestamp, nonce, method, path, body].join('\n');
  return `v1=${bytesToHex(await hmacOf('SHA-256', secret, text))}`;
}

export async function signedHeaders(secret: string, question: Question) {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = crypto.randomUUID();
  return {
    'muster-timestamp': String(timestamp),
    'muster-nonce': nonce,
    'muster-signature': await signature(secret, { ...question, timestamp, nonce }),
  };
}

/** decision 37; docs/internals/design.md: A game server. Idempotent by instance id as long as the receiver is. */
export function httpFleet({ url, secret, timeLimits }: SecretFleetOptions): Fleet {
  const credentials = (question: Question) => signedHeaders(secret, question);
  return restFleet({ url, who: 'fleet', timeLimits, credentials });
}
