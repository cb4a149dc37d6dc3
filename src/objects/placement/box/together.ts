// A write batcher: requests that write share commits. They begin together at the end of a turn of the event loop,
// and the writes of that one stretch are one commit. Requests that arrive meanwhile begin when the commit is
// durable. A commit waits for the disk, and the only thread of a box waits with it.

/** How many begin at once. All other work waits for them. */
const MOST = 32;

export class Together {
  /** Resolves, in an event of its own, once all writes so far are durable. */
  readonly #durable: () => Promise<void>;
  readonly #waiting: (() => void)[] = [];
  #isGoing = false;

  constructor(durable: () => Promise<void>) {
    this.#durable = durable;
  }

  /** Resolves when work that writes may begin. */
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
      // Nothing is being saved, so this only waits for requests that arrive in the same turn.
      await this.#durable();
      while (this.#waiting.length > 0) {
        this.#waiting.splice(0, MOST).forEach((begin) => begin());
        // The first event comes at the end of their stretch, the second when their writes are durable.
        await this.#durable();
        await this.#durable();
      }
    } catch {
      // The object has ended. The waiting requests learn that from their next call.
      this.#waiting.splice(0).forEach((begin) => begin());
    } finally {
      this.#isGoing = false;
    }
  }
}
