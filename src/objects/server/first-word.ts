// A fleet takes a program before anybody knows whether it lives. Whoever asked for the launch is answered
// when the program is first heard of, or when that takes too long: one that ends at once is a failed
// launch. Nothing of the wait is saved; an object that dies meanwhile tells its owner by its debts.

import type { Host } from '../host';

/** A program that lives so long is taken for launched, though it may still be loading its map. */
const FIRST_MOMENTS_MS = 1_000;
/** An answer and a report go different ways: a report that leaves so much later comes after the answer. */
const ANSWER_FIRST_MS = 100;

export class FirstWord {
  readonly #host: Host;
  #said: Promise<void> | null = null;
  #answered: Promise<void> | null = null;
  #say: () => void = () => {};

  constructor(host: Host) {
    this.#host = host;
  }

  /** A fleet that tells how its programs begin has just taken one. */
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

  /** It runs, or it has ended. */
  say(): void {
    if (this.#said !== null) {
      this.#say();
    }
  }

  /** Resolves when it has been heard of; at once where nobody waits for that. */
  async said(): Promise<void> {
    await this.#said;
  }

  /** Resolves when whoever waited for the first word has the answer. */
  async answered(): Promise<void> {
    await this.#answered;
  }
}
