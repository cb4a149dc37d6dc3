// A fleet accepts a launch before anybody knows whether the program lives. The caller of the launch gets its
// answer when the program is first heard of, or after a limit, because a program that ends at once is a failed
// launch. The wait is not saved. If the object dies meanwhile, its debts tell the owner.

import { pause } from '../../common/later';
import type { Host } from '../host';
import { waitOf, type Wait } from '../kit/within';

/** A program that lives this long counts as launched, even if it is still loading its map. */
const FIRST_MOMENTS_MS = 1_000;
/** The answer and a report take different paths. A report that leaves this much later arrives after the answer. */
const ANSWER_FIRST_MS = 100;

export class FirstWord {
  readonly #host: Host;
  #said: Wait | null = null;
  #answered: Promise<void> | null = null;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Call when a fleet that reports how its programs start has just accepted one. */
  begin(): void {
    this.#said = waitOf(this.#host, FIRST_MOMENTS_MS);
    this.#answered = this.#said.over.then(() => pause(ANSWER_FIRST_MS, this.#host));
  }

  /** Call when the program runs or has ended. */
  say(): void {
    this.#said?.end();
  }

  /** Resolves when the program was heard of, or at once if there is no wait. */
  async said(): Promise<void> {
    await this.#said?.over;
  }

  /** Resolves when the caller of the launch has the answer. */
  async answered(): Promise<void> {
    await this.#answered;
  }
}
