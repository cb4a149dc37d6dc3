// A fleet accepts a launch before anybody knows whether the program lives. The caller of the launch gets its
// answer when the program is first heard of, or after a limit, because a program that ends at once is a failed
// launch. The wait is not saved. If the object dies meanwhile, its debts tell the owner.

import type { Host } from '../host';

/** A program that lives this long counts as launched, even if it is still loading its map. */
const FIRST_MOMENTS_MS = 1_000;
/** The answer and a report take different paths. A report that leaves this much later arrives after the answer. */
const ANSWER_FIRST_MS = 100;

export class FirstWord {
  readonly #host: Host;
  #said: Promise<void> | null = null;
  #answered: Promise<void> | null = null;
  #say: () => void = () => {};

  constructor(host: Host) {
    this.#host = host;
  }

  /** Call when a fleet that reports how its programs start has just accepted one. */
  begin(): void {
    const said = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const end = (): void => {
      stop();
      this.#said = null;
      said.resolve();
      this.#host.later(ANSWER_FIRST_MS, () => {
        this.#answered = null;
        answered.resolve();
      });
    };
    const stop = this.#host.later(FIRST_MOMENTS_MS, end);
    this.#say = end;
    this.#said = said.promise;
    this.#answered = answered.promise;
  }

  /** Call when the program runs or has ended. */
  say(): void {
    if (this.#said !== null) {
      this.#say();
    }
  }

  /** Resolves when the program was heard of, or at once if there is no wait. */
  async said(): Promise<void> {
    await this.#said;
  }

  /** Resolves when the caller of the launch has the answer. */
  async answered(): Promise<void> {
    await this.#answered;
  }
}
