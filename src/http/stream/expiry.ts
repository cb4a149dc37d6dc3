// The end of what a token grants, where something outlives the request that brought it.

import type { Clock } from '../../later';

/** Timers take no longer waits; a later end is looked for again. */
const LONGEST_MS = 2 ** 31 - 1;

export class Expiry {
  #at: number;
  readonly #clock: Clock;
  #over: () => void = () => {};
  #cancel: () => void = () => {};

  /** Null: it never ends. */
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

  /** Called once it is over, at once where it is; a newer callback replaces the older. */
  whenOver(callback: () => void): void {
    this.#over = callback;
    if (this.isOver) {
      callback();
    }
  }

  /** It ends now, whatever the token says. */
  end(): void {
    this.#at = -Infinity;
    this.#over();
  }

  /** Nobody waits for it any more. */
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
