// Event streams: what an object writes reaches the reader only after the output gate.

import type { ClosingChannel } from '../src/objects/placement/box/ground';
import { Handle } from './clone';
import type { Loop } from './loop';
import type { Caller } from './parts';

/** The reader's end; what comes before anybody listens waits in it. */
export class SimReader extends Handle {
  readonly #early: string[] = [];
  #onText: ((text: string) => boolean) | null = null;
  #onEnd: (() => void) | null = null;
  #isOver = false;

  /** `onText` takes a text; false: the reader has left. */
  listen(onText: (text: string) => boolean, onEnd: () => void): void {
    this.#onText = onText;
    this.#onEnd = onEnd;
    this.#early.forEach(onText);
    if (this.#isOver) {
      onEnd();
    }
  }

  take(text: string): boolean {
    if (this.#onText !== null) {
      return this.#onText(text);
    }
    this.#early.push(text);
    return true;
  }

  end(): void {
    this.#isOver = true;
    this.#onEnd?.();
  }
}

export class SimChannel implements ClosingChannel {
  readonly #loop: Loop;
  readonly #owner: Caller;
  readonly reader = new SimReader();
  readonly closed: Promise<void>;
  #ended: () => void = () => {};
  #over = false;
  /** When the last write arrives: they keep their order. */
  #lastAt = 0;

  constructor(loop: Loop, owner: Caller) {
    this.#loop = loop;
    this.#owner = owner;
    this.closed = new Promise((resolve) => {
      this.#ended = resolve;
    });
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.reader as unknown as ReadableStream<Uint8Array>;
  }

  #next(): number {
    this.#lastAt = Math.max(this.#lastAt + 0.001, this.#loop.now + 0.1);
    return this.#lastAt;
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#owner.gate(() => {
        this.#loop.at(this.#next(), () => {
          if (this.#owner.gone) {
            return;
          }
          if (!this.#over && this.reader.take(text)) {
            resolve();
          } else {
            this.#over = true;
            this.#ended();
            reject(new Error('gone: the reader left'));
          }
        });
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#owner.gate(() => {
        this.#loop.at(this.#next(), () => {
          this.breakOff();
          resolve();
        });
      });
    });
  }

  abort(): void {
    this.breakOff();
  }

  breakOff(): void {
    if (!this.#over) {
      this.#over = true;
      this.#ended();
      this.reader.end();
    }
  }
}
