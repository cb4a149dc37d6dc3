// An isolate's caches of values that come from elsewhere. Requests share results, never promises: no request may wait
// for another request's I/O.

import { pause } from './later';
import { Lru } from './lru';

/** How old a value may be. */
export interface Age {
  /** Values of this age or older are never returned. */
  readonly maxAgeMs: number;
  /** From this age on, one caller refreshes the value. */
  readonly refreshAfterMs: number;
}

/** The age applies to callers that do not give their own. */
export interface FreshOptions<V> extends Age {
  /** The most keys. The least recently used key is dropped first. */
  readonly size: number;
  /** Whether a value that was set during a fetch outranks the fetched value. */
  readonly outranks?: (set: V, fetched: V) => boolean;
}

interface Entry<V> {
  readonly value: V;
  readonly at: number;
  isRefreshing: boolean;
}

/**
 * Values that may be a little old. Shortly before a value is too old, one caller fetches it again while the others
 * still get the old value, so a busy key is never fetched by all callers at once.
 */
export class Fresh<V> {
  readonly #options: FreshOptions<V>;
  readonly #entries: Lru<Entry<V>>;

  constructor(options: FreshOptions<V>) {
    this.#options = options;
    this.#entries = new Lru(options.size);
  }

  /** The cached value if it is younger than `age`, or else the value from `load`. Throws what `load` throws. */
  async get(
    key: string,
    now: number,
    load: () => Promise<V>,
    { maxAgeMs, refreshAfterMs }: Age = this.#options,
  ): Promise<V> {
    const { outranks } = this.#options;
    const before = this.#entries.get(key);
    if (before !== undefined) {
      // If the clock was set back, the value does not get younger.
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

const MAX_PROJECTS = 200;
/** How often a request looks whether another one has read, and how long it relies on that one. */
const LOOK_MS = 10;
const MOST_MS = 2_000;

/**
 * What a project's document names only by its revision: secrets and bans. Each is read once after a change. A request
 * that finds another one reading looks for its result.
 */
export class ByRevision<V extends { readonly revision: number }> {
  readonly #known = new Lru<V>(MAX_PROJECTS);
  /** When the last read began, epoch ms, while it is under way. A request that is cancelled never ends its read. */
  readonly #reading = new Map<string, number>();

  /** The value of the project, at that revision or a newer one. Throws what `read` throws. */
  async get(project: string, revision: number, read: () => Promise<V>): Promise<V> {
    for (let waited = 0; ; waited += LOOK_MS) {
      const known = this.#known.get(project);
      if (known !== undefined && known.revision >= revision) {
        return known;
      }
      const since = this.#reading.get(project) ?? -Infinity;
      if (Date.now() - since >= MOST_MS || waited >= MOST_MS) {
        break;
      }
      await pause(LOOK_MS);
    }
    this.#reading.set(project, Date.now());
    try {
      const value = await read();
      this.#known.set(project, value);
      return value;
    } finally {
      this.#reading.delete(project);
    }
  }
}
