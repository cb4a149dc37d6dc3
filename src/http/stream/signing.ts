// Messages of a stream that wait for a seat ticket, and those behind them, in the order in which they came.

import type { Message } from '../../common/line';

export class Signing {
  #last: Promise<void> | null = null;

  get isBusy(): boolean {
    return this.#last !== null;
  }

  /** Resolves when everything that waits has been said, or has failed. */
  get done(): Promise<void> {
    return this.#last ?? Promise.resolve();
  }

  /** Says what `sign` gives, unless that is null, once everything before it has been said. */
  add(
    sign: () => Promise<Message | null>,
    say: (signed: Message) => void,
    failed: (error: unknown) => void,
  ): void {
    const last = this.done
      .then(sign)
      .then((signed) => (signed === null ? undefined : say(signed)))
      // A promise that stays rejected would silence the stream for good.
      .catch(failed)
      .finally(() => {
        this.#last = this.#last === last ? null : this.#last;
      });
    this.#last = last;
  }
}
