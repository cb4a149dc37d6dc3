// An isolate's caches of values that come from elsewhere. Requests share results, never promises: no request may wait
// for another request's I/O. So one caller reads, and the others look whether it has. The platform may end a request
// in the middle of its read, which then never settles: after a deadline, another caller reads.

import { backoff, later, type Clock, pause } from './later';
import { Lru } from './lru';

export interface Age {
  /** Values of this age or older are never returned. */
  readonly maxAgeMs: number;
  /** From this age on, one caller refreshes the value. */
  readonly refreshAfterMs: number;
}

/** What a known value is to a caller. `old`: it does while another caller reads. `useless`: it never does. */
export type Worth = 'good' | 'old' | 'useless';

export interface FreshOptions<V> {
  /** The most keys. The least recently used key is dropped first. */
  readonly size: number;
  /** A read that has taken this long counts as lost. */
  readonly deadlineMs?: number;
  /** The timers of those who wait. Default: the platform's. */
  readonly on?: Pick<Clock, 'later'>;
  /** Whether a value that came during a read outranks the value that was read. Default: if it is younger. */
  readonly outranks?: (set: V, read: V) => boolean;
}

export interface Getting<V> {
  /** Epoch ms. */
  readonly now: number;
  readonly worth: (value: V, ageMs: number) => Worth;
  readonly read: () => Promise<V>;
}

interface Known<V> {
  readonly value: V;
  /** When its read began, or when it was set, epoch ms. */
  readonly at: number;
}

const DEADLINE_MS = 2_000;
/** How soon a caller without a value looks whether another one has read it: not much later than it has. */
const LOOKS = { first: 10, last: 2_560 };

export class Fresh<V> {
  readonly #known: Lru<Known<V>>;
  /** When the read under way began. It is that read's mark, too: a read that another has taken over ends nothing. */
  readonly #reading: Lru<{ readonly since: number }>;
  readonly #deadlineMs: number;
  readonly #on: Pick<Clock, 'later'>;
  readonly #outranks: FreshOptions<V>['outranks'];

  constructor({ size, deadlineMs = DEADLINE_MS, on = { later }, outranks }: FreshOptions<V>) {
    this.#known = new Lru(size);
    this.#reading = new Lru(size);
    this.#deadlineMs = deadlineMs;
    this.#on = on;
    this.#outranks = outranks;
  }

  /**
   * The known value if it is good, or old while another caller reads. Else the value that this caller reads, or that
   * another one has read meanwhile. Throws what `read` throws.
   */
  async get(key: string, getting: Getting<V>): Promise<V> {
    const got = await this.within(this.#deadlineMs, key, getting);
    return got ?? this.#read(key, getting.read, getting.now + this.#deadlineMs);
  }

  /** The same. Null if another caller reads for that long, and what is known is useless. */
  async within(patienceMs: number, key: string, getting: Getting<V>): Promise<V | null> {
    for (let [looks, waited] = [0, 0]; ; looks += 1) {
      const got = await this.#got(key, getting, getting.now + waited);
      if (got !== null || waited >= patienceMs) {
        return got && got.value;
      }
      const wait = Math.min(backoff(looks, LOOKS), patienceMs - waited);
      await pause(wait, this.#on);
      waited += wait;
    }
  }

  /** The value of a key whose age alone counts. If it cannot be refreshed, it is returned until it is too old. */
  async young(key: string, { age, ...how }: Omit<Getting<V>, 'worth'> & { age: Age }): Promise<V> {
    const worth = (_: V, ageMs: number): Worth =>
      ageMs < age.refreshAfterMs ? 'good' : ageMs < age.maxAgeMs ? 'old' : 'useless';
    try {
      return await this.get(key, { ...how, worth });
    } catch (error) {
      const known = this.#known.get(key);
      if (known === undefined || Math.abs(how.now - known.at) >= age.maxAgeMs) {
        throw error;
      }
      return known.value;
    }
  }

  /** The known value. Makes no call. */
  peek(key: string): Known<V> | undefined {
    return this.#known.get(key);
  }

  set(key: string, value: V, now: number): void {
    this.#known.set(key, { value, at: now });
  }

  /** Null: another caller reads, and what is known is useless. */
  async #got(key: string, { worth, read }: Getting<V>, now: number): Promise<{ value: V } | null> {
    const known = this.#known.get(key);
    // If the clock was set back, the value does not get younger.
    const is = known === undefined ? 'useless' : worth(known.value, Math.abs(now - known.at));
    const { since } = this.#reading.get(key) ?? { since: -Infinity };
    const isRead = Math.abs(now - since) < this.#deadlineMs;
    if (known !== undefined && (is === 'good' || (is === 'old' && isRead))) {
      return known;
    }
    return isRead ? null : { value: await this.#read(key, read, now) };
  }

  async #read(key: string, read: () => Promise<V>, now: number): Promise<V> {
    const before = this.#known.get(key);
    const mine = { since: now };
    this.#reading.set(key, mine);
    try {
      const value = await read();
      const current = this.#known.get(key);
      const hasChanged = current !== undefined && current !== before;
      if (hasChanged && (this.#outranks?.(current.value, value) ?? current.at > now)) {
        return current.value;
      }
      this.set(key, value, now);
      return value;
    } finally {
      if (this.#reading.get(key) === mine) {
        this.#reading.delete(key);
      }
    }
  }
}

const MAX_PROJECTS = 200;

/** Secrets or bans of projects, each read once after a change, at the revision in the document or a newer one. */
export class ByRevision<V extends { readonly revision: number }> {
  readonly #values = new Fresh<V>({
    size: MAX_PROJECTS,
    outranks: (set, read) => set.revision > read.revision,
  });

  /** Throws what `read` throws. */
  get(project: string, revision: number, read: () => Promise<V>): Promise<V> {
    const worth = (value: V): Worth => (value.revision >= revision ? 'good' : 'useless');
    return this.#values.get(project, { now: Date.now(), worth, read });
  }
}
