// The frames of a game. In each, the SDK handles the bytes of its stream first, then the answers that have arrived.

import { instant } from './arrivals.ts';

export class Frames {
  readonly #lengthMs: () => number;
  #chunks: (() => void)[] = [];
  #answers: (() => void)[] = [];
  /** When this frame began, and when it ends: epoch ms. */
  #begunAt = 0;
  #dueAt = 0;
  /** When the frame before it was to end. */
  #dueBefore = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `lengthMs`: of the next frame. */
  constructor(lengthMs: () => number) {
    this.#lengthMs = lengthMs;
    this.#next();
  }

  #next(): void {
    const ms = this.#lengthMs();
    this.#dueBefore = this.#dueAt;
    this.#begunAt = instant();
    this.#dueAt = this.#begunAt + ms;
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

  /**
   * Resolves at the end of the frame with the instant at which that was due. What arrived before the frame began is read
   * late, and was to be handled at the end of the one before.
   */
  answer(arrivedAt: number): Promise<number> {
    const dueAt = arrivedAt < this.#begunAt ? this.#dueBefore : this.#dueAt;
    return new Promise((resolve) => this.#answers.push(() => resolve(dueAt)));
  }

  end(): void {
    clearTimeout(this.#timer ?? undefined);
  }
}
