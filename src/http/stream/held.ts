// Counts the messages that wait for clients in this isolate, over all streams. Streams with the same message share
// its text, so it counts once. Beyond the limit, the client that has taken nothing for longest is cut off.

import type { Message } from '../../common/line';

const MAX_HELD_CHARACTERS = 16 * 1024 * 1024;

interface Holder {
  /** Ends the stream, which then releases what it holds. */
  cut(): void;
}

export class Held {
  readonly #most: number;
  readonly #holders = new Map<Message, number>();
  /** Clients that have not taken everything, longest first. */
  readonly #stalled = new Set<Holder>();
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get characters(): number {
    return this.#characters;
  }

  hold(holder: Holder, message: Message): void {
    const holders = this.#holders.get(message) ?? 0;
    this.#holders.set(message, holders + 1);
    this.#characters += holders === 0 ? message.data.length : 0;
    this.#stalled.add(holder);
    for (const slowest of this.#stalled) {
      if (this.#characters <= this.#most) {
        break;
      }
      this.#stalled.delete(slowest);
      slowest.cut();
    }
  }

  /** `holder` has taken these messages, or is gone. */
  release(holder: Holder, messages: readonly Message[]): void {
    this.#stalled.delete(holder);
    for (const message of messages) {
      const holders = (this.#holders.get(message) ?? 0) - 1;
      if (holders > 0) {
        this.#holders.set(message, holders);
      } else {
        this.#holders.delete(message);
        this.#characters -= message.data.length;
      }
    }
  }
}

export const held = new Held(MAX_HELD_CHARACTERS);
