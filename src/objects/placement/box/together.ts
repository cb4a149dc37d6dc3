// Requests that write share commits. They begin together at the end of a turn of the event loop, and what
// their one stretch writes is one commit; who comes meanwhile begins when that is durable. A commit
// waits for the disk, and the only thread of a box waits with it.

/** So many begin at once, since whatever else there is waits for all of them. */
const MOST = 32;

export class Together {
  /** Resolves, in an event of its own, once all that was written so far is durable. */
  readonly #durable: () => Promise<void>;
  readonly #waiting: (() => void)[] = [];
  #isGoing = false;

  constructor(durable: () => Promise<void>) {
    this.#durable = durable;
  }

  /** Resolves when work that writes is to begin. */
  begin(): Promise<void> {
    const begun = new Promise<void>((begin) => this.#waiting.push(begin));
    if (!this.#isGoing) {
      this.#isGoing = true;
      void this.#go();
    }
    return begun;
  }

  async #go(): Promise<void> {
    try {
      // Nothing is being saved: this lets those go on that came in the same turn.
      await this.#durable();
      while (this.#waiting.length > 0) {
        this.#waiting.splice(0, MOST).forEach((begin) => begin());
        // The first event comes when their stretch is at its end, the second when it is durable.
        await this.#durable();
        await this.#durable();
      }
    } catch {
      // The object has ended. Whoever waits learns that from what it asks next.
      this.#waiting.splice(0).forEach((begin) => begin());
    } finally {
      this.#isGoing = false;
    }
  }
}
