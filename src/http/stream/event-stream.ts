// A client's stream as server-sent events. JavaScript feeds it, because such a stream needs half the memory of the
// platform's own and reports at once when its reader has left (docs/internals/gotchas.md: Streams).

import { MOVED, REPLACED, type Message } from '../../common/line';
import { SSE_COMMENT, SSE_EXPIRED, SSE_REPLACED, sseParts } from '../../common/sse';
import type { Carrier, Over } from './client';

const encoder = new TextEncoder();

/** Short messages as they go out, because a change is the same for a hundred streams. */
const encoded = new WeakMap<Message, Uint8Array>();

function bytesOf(said: Message): Uint8Array {
  const { event, data, id } = said;
  const bytes = encoded.get(said) ?? encoder.encode(sseParts(event, data, id).join(''));
  encoded.set(said, bytes);
  return bytes;
}

/** Size of a chunk. For a client that stalls, the runtime takes up to 16 chunks and keeps a copy of each (measured). */
const CHUNK_CHARACTERS = 4 * 1024;

export class EventStream implements Carrier {
  readonly response: Response;
  readonly #isSdk: boolean;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #wanted: () => void = () => {};
  #gone: () => void = () => {};
  #isPulled = false;
  /** The texts that the client has not taken yet, and how far it is in the first. */
  #texts: readonly string[] = [];
  #at = 0;
  #taken: () => void = () => {};
  #isCut = false;
  readonly #ended = Promise.withResolvers<void>();
  readonly over = this.#ended.promise;

  /** `isSdk`: the client is the hosted service's SDK, which needs the name of an event last. */
  constructor(isSdk = false) {
    this.#isSdk = isSdk;
    const readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () =>
          new Promise<void>((resolve) => {
            this.#taken = resolve;
            this.#isPulled = true;
            if (this.#isCut) {
              this.#fail();
            } else if (this.#texts.length > 0) {
              this.#enqueue();
            } else {
              this.#wanted();
            }
          }),
        cancel: () => {
          this.#ended.resolve();
          this.#gone();
        },
      },
      { highWaterMark: 0 },
    );
    this.response = new Response(readable, {
      headers: {
        'content-type': 'text/event-stream',
        // A proxy that compresses or buffers would hold events back.
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
    const [only] = messages?.length === 1 && !this.#isSdk ? messages : [];
    if (only !== undefined && only.data.length < CHUNK_CHARACTERS) {
      this.#send(bytesOf(only));
      return;
    }
    this.#texts = messages === null ? [SSE_COMMENT] : messages.flatMap((each) => this.#parts(each));
    this.#at = 0;
    this.#enqueue();
  }

  #parts({ event, data, id }: Message): readonly string[] {
    return sseParts(event, data, id, this.#isSdk);
  }

  /** Sends the next chunk. Many streams share large texts, so the texts are cut here and never joined. */
  #enqueue(): void {
    let chunk = '';
    while (chunk.length < CHUNK_CHARACTERS && this.#texts.length > 0) {
      const [text = '', ...rest] = this.#texts;
      const end = this.#at + CHUNK_CHARACTERS - chunk.length;
      chunk += text.slice(this.#at, end);
      this.#at = end;
      if (end >= text.length) {
        this.#texts = rest;
        this.#at = 0;
      }
    }
    this.#send(encoder.encode(chunk));
  }

  #send(bytes: Uint8Array): void {
    this.#isPulled = false;
    this.#controller?.enqueue(bytes);
    this.#taken();
  }

  end(why: Over): void {
    if (why === 'moved' && this.#isSdk) {
      // The hosted service's SDK never opens a stream again that ended cleanly (decision 23).
      this.cut();
      return;
    }
    const replaced = [...this.#parts(REPLACED), SSE_REPLACED].join('');
    const moved = this.#parts(MOVED).join('');
    const farewell = { replaced, moved, expired: SSE_EXPIRED, over: '' }[why];
    const rest = this.#texts.join('').slice(this.#at) + farewell;
    this.#texts = [];
    if (rest !== '') {
      this.#controller?.enqueue(encoder.encode(rest));
    }
    this.#controller?.close();
    this.#taken();
    this.#ended.resolve();
  }

  drop(): void {
    this.#texts = [];
    this.#isCut = true;
  }

  /**
   * While a client takes nothing, the runtime does not notice an error, and keeps the connection (measured). So the
   * stream fails when the client reads again, and until then only the texts are dropped.
   */
  cut(): void {
    this.drop();
    if (this.#isPulled) {
      this.#fail();
    }
  }

  #fail(): void {
    this.#controller?.error(new Error('the client does not read'));
    this.#taken();
    this.#ended.resolve();
  }
}
