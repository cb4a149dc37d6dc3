// Lets out what a box's actors say once all they wrote before it is durable, in the order in which
// it was said. Answers, calls and streams are held back by the platform; memory is not.

interface Held {
  readonly send: () => void;
  readonly fail: () => void;
}

export class Gate {
  /** Resolves once all that was written so far is durable. */
  readonly #durable: () => Promise<void>;
  readonly #batches: { held: Held[]; isDurable: boolean }[] = [];
  #gathering: Held[] | null = null;

  constructor(durable: () => Promise<void>) {
    this.#durable = durable;
  }

  /** `fail`: the writes were lost, and with them the reason for saying it. */
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
