// Values of an isolate that may be a little old. Shortly before one is too old, a single caller
// fetches it anew while the others still take it, so that a busy key is never asked for by all at
// once. Results are shared between requests, never promises: no request may wait on another's I/O.

import { Lru } from './lru';

export interface FreshOptions<V> {
  /** Keys at most; the least recently used go first. */
  readonly size: number;
  /** No value is given out at this age or beyond. */
  readonly maxAgeMs: number;
  /** From this age on one caller fetches. */
  readonly refreshAfterMs: number;
  /** Whether a value set while a fetch was under way outranks what that fetch brought. */
  readonly outranks?: (set: V, fetched: V) => boolean;
}

interface Entry<V> {
  readonly value: V;
  readonly at: number;
  isRefreshing: boolean;
}

export class Fresh<V> {
  readonly #options: FreshOptions<V>;
  readonly #entries: Lru<Entry<V>>;

  constructor(options: FreshOptions<V>) {
    this.#options = options;
    this.#entries = new Lru(options.size);
  }

  /** The value, as old as allowed, else as `load` answers; what `load` throws is thrown. */
  async get(key: string, now: number, load: () => Promise<V>): Promise<V> {
    const { maxAgeMs, refreshAfterMs, outranks } = this.#options;
    const before = this.#entries.get(key);
    if (before !== undefined) {
      // A clock that went back makes a value no younger.
      const age = Math.abs(now - before.at);
      if (age < refreshAfterMs || (age < maxAgeMs && before.isRefreshing)) {
        return before.value;
      }
      before.isRefreshing = true;
    }
    const value = await load();
    const current = this.#entries.get(key);
    if (current !== undefined && current !== before && outranks?.(current.value, value) === true) {
      return current.value;
    }
    this.set(key, value, now);
    return value;
  }

  set(key: string, value: V, now: number): void {
    this.#entries.set(key, { value, at: now, isRefreshing: false });
  }
}
