// Rate limits: a bucket of tokens for each key, which refills as time passes. The number of buckets is bounded. If
// there are more keys, the least recently used bucket is dropped, so its key starts over with a full bucket.

import { Lru } from './lru';

/** `most` at once, and as many again in each `perMs`. */
export interface Limit {
  readonly most: number;
  readonly perMs: number;
}

/** The state of a bucket, as the rate limit headers show it. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

export class Buckets {
  readonly #buckets: Lru<{ readonly tokens: number; readonly at: number }>;

  constructor(size: number) {
    this.#buckets = new Lru(size);
  }

  /** How many tokens are left, as a fraction. */
  left(key: string, { most, perMs }: Limit, now: number): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      return most;
    }
    // If the clock was set back, the bucket does not refill.
    const gained = (Math.max(0, now - bucket.at) * most) / perMs;
    return Math.min(most, bucket.tokens + gained);
  }

  /** Takes tokens even if too few are left, so check first. A bucket owes at most its full size. */
  take(key: string, limit: Limit, now: number, count = 1): void {
    const tokens = Math.max(-limit.most, this.left(key, limit, now) - count);
    this.#buckets.set(key, { tokens, at: now });
  }
}

/** Milliseconds until the bucket has `wanted` tokens. */
export function waitMs({ most, perMs }: Limit, tokens: number, wanted = 1): number {
  return (Math.max(0, wanted - tokens) * perMs) / most;
}

export function rateOf(limit: Limit, tokens: number): Rate {
  return {
    limit: limit.most,
    remaining: Math.max(0, Math.floor(tokens)),
    resetSeconds: Math.ceil(waitMs(limit, tokens, limit.most) / 1000),
  };
}
