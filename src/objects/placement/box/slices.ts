// Work of a box that goes on in slices lets requests go first. A request takes the thread several times,
// and would wait for a slice each time. Slices run one at a time, and wait for a bounded while.

import type { Clock } from '../../../later';

/** A slice takes some 5 ms: while requests never cease, that is a quarter of the thread. */
const PATIENCE_MS = 15;
/**
 * On a machine with much other work a wait takes far longer. For each time as long that it took, the next slice does
 * not wait, and so many in a row at most: work that comes steadily must not pile up.
 */
const MOST_OWED = 4;

export class Slices {
  readonly #clock: Clock;
  /** In the order of their turns. */
  readonly #waiting = new Set<() => void>();
  #requests = 0;
  /** When the next may run whoever comes. */
  #dueAt = 0;
  /** Slices that need not wait. */
  #owed = 0;
  #isWaiting = false;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Serves a request, which goes before slices. */
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

  /** Runs a slice when it is its turn. Returns its cancellation. */
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
    // A clock that was set back makes nobody wait longer.
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
