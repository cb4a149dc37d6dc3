// Holds back the messages of a box's actors until the writes before them are durable, and keeps their order. The
// platform does that for answers, calls and streams, but not for messages within memory.

interface Held {
  readonly send: () => void;
  readonly fail: () => void;
}

export class Gate {
  /** Resolves once all writes so far are durable. */
  readonly #durable: () => Promise<void>;
  readonly #batches: { held: Held[]; isDurable: boolean }[] = [];
  #gathering: Held[] | null = null;

  constructor(durable: () => Promise<void>) {
    this.#durable = durable;
  }

  /** Runs `send` once the writes so far are durable, or `fail` if they were lost and the message must not be sent. */
  pass(send: () => void, fail: () => void): void {
    if (this.#gathering === null) {
      this.#gathering = [];
      queueMicrotask(() => this.#close());
    }
    this.#gathering.push({ send, fail });
  }

  #close(): void {
    const held = this.#gathering ?? [];
    this.#gathering = null;
    const batch = { held, isDurable: false };
    this.#batches.push(batch);
    this.#durable().then(
      () => {
        batch.isDurable = true;
        this.#open();
      },
      () => {
        this.#batches.splice(0).forEach((each) => each.held.forEach(({ fail }) => fail()));
      },
    );
  }

  #open(): void {
    while (this.#batches[0]?.isDurable === true) {
      this.#batches.shift()?.held.forEach(({ send }) => send());
    }
  }
}
