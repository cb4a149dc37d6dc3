// The lines of a box. Relay and actor run in one object, so messages stay in memory and are not copied.

import type { Heard } from '../../../common/line';
import type { Post } from './ground';

interface HeldMessage {
  readonly send: () => void;
  readonly fail: () => void;
}

/** Holds back messages within memory, in order, until the writes before them are durable, as the platform does elsewhere. */
export class Gate {
  /** Resolves once all writes so far are durable. */
  readonly #durable: () => Promise<void>;
  readonly #batches: { held: HeldMessage[]; isDurable: boolean }[] = [];
  #gathering: HeldMessage[] | null = null;

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
    const batch = { held: this.#gathering ?? [], isDurable: false };
    this.#gathering = null;
    this.#batches.push(batch);
    const sent = (): void => {
      batch.isDurable = true;
      while (this.#batches[0]?.isDurable === true) {
        this.#batches.shift()?.held.forEach(({ send }) => send());
      }
    };
    const lost = (): void =>
      this.#batches.splice(0).forEach((each) => each.held.forEach(({ fail }) => fail()));
    this.#durable().then(sent, lost);
  }
}

export class Mailbox implements Post {
  readonly #hungUp: () => void;
  /** Messages that arrived before the relay listened. */
  readonly #early: Heard[] = [];
  #hear = (heard: Heard): void => void this.#early.push(heard);
  #broken: () => void = () => {};
  #isBroken = false;
  #isOver = false;

  /** `hungUp` is called when the relay hangs up. */
  constructor(hungUp: () => void) {
    this.#hungUp = hungUp;
  }

  post(heard: Heard): void {
    if (!this.#isOver) {
      this.#isOver = typeof heard === 'string';
      this.#hear(heard);
    }
  }

  break(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#isBroken = true;
      this.#broken();
    }
  }

  listen(hear: (heard: Heard) => void, broken: () => void): void {
    this.#hear = hear;
    this.#broken = broken;
    this.#early.splice(0).forEach(hear);
    if (this.#isBroken) {
      broken();
    }
  }

  async hangUp(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#hungUp();
    }
  }
}
