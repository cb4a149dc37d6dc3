// The frames of a game. In each, the SDK handles the bytes of its stream first, then the answers that have arrived.

import { instant } from './arrivals.ts';

export class Frames {
  readonly #lengthMs: () => number;
  #chunks: (() => void)[] = [];
  #answers: (() => void)[] = [];
  /** When the frame after this one is due: epoch ms. */
  #dueAt = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `lengthMs`: of the next frame. */
  constructor(lengthMs: () => number) {
    this.#lengthMs = lengthMs;
    this.#next();
  }

  #next(): void {
    const ms = this.#lengthMs();
    this.#dueAt = instant() + ms;
    this.#timer = setTimeout(() => {
      this.#chunks.splice(0).forEach((handle) => handle());
      this.#answers.splice(0).forEach((handle) => handle());
      this.#next();
    }, ms);
  }

  /** Runs in the next frame, before its answers. */
  chunk(handle: () => void): void {
    this.#chunks.push(handle);
  }

  /** Resolves in the next frame with the instant at which it was due. */
  answer(): Promise<number> {
    const dueAt = this.#dueAt;
    return new Promise((resolve) => this.#answers.push(() => resolve(dueAt)));
  }

  end(): void {
    clearTimeout(this.#timer ?? undefined);
  }
}
