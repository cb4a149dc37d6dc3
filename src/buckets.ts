// How often something may happen: a bucket of tokens for each who does it, filled again as time
// passes. Bounded: of more keys than it holds, the one least lately counted is let off.

import { Lru } from './lru';

/** So many at once, and as many again each `perMs`. */
export interface Limit {
  readonly most: number;
  readonly perMs: number;
}

/** What somebody is told whose bucket is empty. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

export class Buckets {
  readonly #buckets: Lru<Bucket>;

  constructor(size: number) {
    this.#buckets = new Lru(size);
  }

  /** How many tokens there are, parts of one included. */
  left(key: string, { most, perMs }: Limit, now: number): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      return most;
    }
    // A clock that went back fills nothing.
    const gained = (Math.max(0, now - bucket.at) * most) / perMs;
    return Math.min(most, bucket.tokens + gained);
  }

  /** Takes tokens, whether or not there are so many: look first. A debt is at most a full bucket. */
  take(key: string, limit: Limit, now: number, count = 1): void {
    const tokens = Math.max(-limit.most, this.left(key, limit, now) - count);
    this.#buckets.set(key, { tokens, at: now });
  }
}

/** Milliseconds until `wanted` tokens are there. */
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
