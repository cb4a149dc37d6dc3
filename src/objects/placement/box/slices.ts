// Runs long work of a box in slices, and lets requests go first. A request needs the thread several times, and
// would wait for a slice each time. Slices run one at a time, and wait for a bounded time.

import type { Clock } from '../../../common/later';

/** How long a slice waits for requests. A slice takes some 5 ms: a quarter of the thread under constant load. */
const PATIENCE_MS = 15;
/**
 * On a busy machine a wait takes far longer than PATIENCE_MS. For each PATIENCE_MS that it took longer, one of the
 * next slices does not wait, up to this many in a row, so that steady work does not pile up.
 */
const MOST_OWED = 4;

export class Slices {
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
