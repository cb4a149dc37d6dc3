// Event streams: what an object writes reaches the reader only after the output gate.

import type { Channel } from '../src/objects/host';
import { Handle } from './clone';
import type { Loop } from './loop';

/** The reader's end; takes texts while it listens. */
export class SimReader extends Handle {
  /** Takes a text; false: the reader has left. */
  onText: (text: string) => boolean = () => false;
  onEnd: () => void = () => {};
}

export class SimChannel implements Channel {
  readonly #loop: Loop;
  readonly #gate: (send: () => void) => void;
  readonly reader = new SimReader();
  #over = false;

  constructor(loop: Loop, gate: (send: () => void) => void) {
    this.#loop = loop;
    this.#gate = gate;
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.reader as unknown as ReadableStream<Uint8Array>;
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#gate(() => {
        this.#loop.after(0.1, () => {
          if (!this.#over && this.reader.onText(text)) {
            resolve();
          } else {
            this.#over = true;
            reject(new Error('gone: the reader left'));
          }
        });
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#gate(() => {
        this.#loop.after(0.2, () => {
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
      this.reader.onEnd();
    }
  }
}
