// A client's stream as server-sent events. A stream that JavaScript feeds: it costs half the memory
// of the platform's own, and tells at once when its reader has left (docs/internals/gotchas.md: Streams).

import type { Message } from '../../line';
import { SSE_COMMENT, SSE_EXPIRED, SSE_REPLACED, sseBlock } from '../../sse';
import type { Carrier, Over } from './client';

const encoder = new TextEncoder();

export class EventStream implements Carrier {
  readonly readable: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #wanted: () => void = () => {};
  #gone: () => void = () => {};
  #isPulled = false;
  #taken: () => void = () => {};

  constructor() {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () =>
          new Promise<void>((resolve) => {
            this.#taken = resolve;
            this.#isPulled = true;
            this.#wanted();
          }),
        cancel: () => this.#gone(),
      },
      { highWaterMark: 0 },
    );
  }

  /** The answer to the request for it. */
  get response(): Response {
    return new Response(this.readable, {
      headers: {
        'content-type': 'text/event-stream',
        // A proxy that compresses or gathers would hold events back.
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  }

  open(wanted: () => void, gone: () => void): void {
    this.#wanted = wanted;
    this.#gone = gone;
    if (this.#isPulled) {
      wanted();
    }
  }

  put(messages: readonly Message[] | null): void {
    this.#enqueue(
      messages === null
        ? SSE_COMMENT
        : messages.map(({ event, data, id }) => sseBlock(event, data, id)).join(''),
    );
  }

  #enqueue(text: string): void {
    this.#isPulled = false;
    this.#controller?.enqueue(encoder.encode(text));
    this.#taken();
  }

  end(why: Over): void {
    if (why !== 'over') {
      this.#enqueue(why === 'replaced' ? SSE_REPLACED : SSE_EXPIRED);
    }
    this.#controller?.close();
    this.#taken();
  }

  cut(): void {
    this.#controller?.error(new Error('the client does not read'));
    this.#taken();
  }
}
