// What runs next on the one thread of a box: slices of long work wait for requests, alarms for their turn, and requests share commits.

import type { Clock } from '../../../common/later';

/** How long a slice waits for requests. A slice takes some 5 ms: a quarter of the thread under constant load. */
const PATIENCE_MS = 15;
/**
 * On a busy machine a wait takes longer than PATIENCE_MS. For each PATIENCE_MS that it took longer, one of the next
 * slices does not wait, up to this many in a row, so that steady work does not pile up.
 */
const MOST_OWED = 4;

/** Runs long work in slices, one at a time. A slice lets requests go first, but waits only for a bounded time. */
export class SliceTurns {
  readonly #clock: Clock;
  /** The waiting slices, in the order of their turns. */
  readonly #waiting = new Set<() => void>();
  #requests = 0;
  /** When the next slice may run even if requests are under way. */
  #dueAt = 0;
  /** How many of the next slices need not wait. */
  #owed = 0;
  #isWaiting = false;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Serves a request. Slices wait for it. */
  async ahead<T>(serve: () => Promise<T>): Promise<T> {
    this.#requests += 1;
    try {
      return await serve();
    } finally {
      this.#requests -= 1;
      if (this.#requests === 0 && this.#waiting.size > 0) {
        this.#set(0);
      }
    }
  }

  /** Runs a slice when its turn comes. Returns a function that cancels it. */
  add(run: () => void): () => void {
    const slice = (): void => run();
    this.#waiting.add(slice);
    if (this.#waiting.size === 1) {
      this.#begin();
    }
    return () => this.#waiting.delete(slice);
  }

  #begin(): void {
    const isOwed = this.#owed > 0;
    this.#owed -= isOwed ? 1 : 0;
    this.#dueAt = this.#clock.now() + (isOwed ? 0 : PATIENCE_MS);
    this.#set(0);
  }

  #set(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#clock.later(ms, () => this.#turn());
  }

  #turn(): void {
    // If the clock was set back, nothing waits longer for it.
    const left = Math.min(PATIENCE_MS, this.#dueAt - this.#clock.now());
    const [slice] = this.#waiting;
    if (this.#requests > 0 && left > 0) {
      this.#isWaiting = true;
      this.#set(left);
    } else if (slice !== undefined) {
      this.#waiting.delete(slice);
      if (this.#isWaiting && left < 0) {
        this.#owed = Math.min(MOST_OWED, Math.floor(-left / PATIENCE_MS));
      }
      this.#isWaiting = false;
      if (this.#waiting.size > 0) {
        this.#begin();
      }
      slice();
    }
  }
}

/** The clock is read again after this long at most, because somebody may set it. */
const LONGEST_MS = 3_600_000;

/**
 * Sets the alarm of a box's object, epoch ms. It is a timer, because the platform would write alarms into a second database, and
 * nothing evicts a box. Alarms that are due, as after a start, run in slices, so that requests can run in between.
 */
export function ownAlarm({ now, later }: Clock, slices: Pick<SliceTurns, 'add'>, ring: () => void) {
  let cancel = (): void => {};
  return (at: number): void => {
    cancel();
    const ms = Math.min(LONGEST_MS, at - now());
    // An alarm that is due is armed for the next millisecond.
    cancel = ms <= 1 ? slices.add(ring) : later(ms, ring);
  };
}

/** How many requests that write begin at once. All other work waits for them. */
const MOST = 32;

/**
 * A write batcher: the only thread of a box waits for the disk with each commit. So requests that write begin together at the end
 * of a turn of the event loop, in one commit. Those that arrive meanwhile begin when that is durable.
 */
export class Together {
  /** Resolves, in an event of its own, once all writes so far are durable. */
  readonly #durable: () => Promise<void>;
  readonly #waiting: (() => void)[] = [];
  #isGoing = false;

  constructor(durable: () => Promise<void>) {
    this.#durable = durable;
  }

  /** Resolves when work that writes may begin. */
  begin(): Promise<void> {
    const begun = new Promise<void>((begin) => this.#waiting.push(begin));
    if (!this.#isGoing) {
      this.#isGoing = true;
      void this.#go();
    }
    return begun;
  }

  async #go(): Promise<void> {
    try {
      // Nothing is being saved, so this only waits for requests that arrive in the same turn.
      await this.#durable();
      while (this.#waiting.length > 0) {
        this.#waiting.splice(0, MOST).forEach((begin) => begin());
        // The first event comes at the end of their stretch, the second when their writes are durable.
        await this.#durable();
        await this.#durable();
      }
    } catch {
      // The object has ended. The waiting requests learn that from their next call.
      this.#waiting.splice(0).forEach((begin) => begin());
    } finally {
      this.#isGoing = false;
    }
  }
}
