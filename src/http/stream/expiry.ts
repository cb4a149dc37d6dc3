// The expiry of a token, for a stream that outlives the request that brought the token.

import type { Clock } from '../../common/later';

/** The longest wait that timers take. For a later end, the timer is set again. */
const LONGEST_MS = 2 ** 31 - 1;

export class Expiry {
  #at: number;
  readonly #clock: Clock;
  #over: () => void = () => {};
  #cancel: () => void = () => {};

  /** `at` is null if the token never expires. */
  constructor(at: number | null, clock: Clock) {
    this.#at = at ?? Infinity;
    this.#clock = clock;
    if (at !== null) {
      this.#wait();
    }
  }

  get isOver(): boolean {
    return this.#clock.now() >= this.#at;
  }

  /** Sets the callback for the expiry, and calls it at once if the token has expired. It replaces an older one. */
  whenOver(callback: () => void): void {
    this.#over = callback;
    if (this.isOver) {
      callback();
    }
  }

  /** Ends it now, whatever the token says. */
  end(): void {
    this.#at = -Infinity;
    this.#over();
  }

  /** Cancels the timer. */
  forget(): void {
    this.#cancel();
  }

  #wait(): void {
    const left = this.#at - this.#clock.now();
    this.#cancel = this.#clock.later(Math.min(Math.max(left, 0), LONGEST_MS), () =>
      this.isOver ? this.#over() : this.#wait(),
    );
  }
}
