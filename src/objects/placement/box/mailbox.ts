// A line of a box. Relay and actor run in one object, so messages stay in memory and are not copied.

import type { Heard } from '../../../common/line';
import type { Post } from './ground';

export class Mailbox implements Post {
  readonly #hungUp: () => void;
  /** Messages that arrived before the relay listened. */
  #early: Heard[] = [];
  #hear: ((heard: Heard) => void) | null = null;
  #broken: () => void = () => {};
  #isBroken = false;
  #isOver = false;

  /** `hungUp` is called when the relay hangs up. */
  constructor(hungUp: () => void) {
    this.#hungUp = hungUp;
  }

  post(heard: Heard): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = typeof heard === 'string';
    if (this.#hear === null) {
      this.#early.push(heard);
    } else {
      this.#hear(heard);
    }
  }

  break(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#isBroken = true;
      this.#broken();
    }
  }

  listen(hear: (heard: Heard) => void, broken: () => void): void {
    this.#hear = hear;
    this.#broken = broken;
    const early = this.#early;
    this.#early = [];
    early.forEach(hear);
    if (this.#isBroken) {
      broken();
    }
  }

  async hangUp(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#hungUp();
    }
  }
}
