// Bytes from an object's event stream to a client. What the client sees is whole events only: a
// stream that breaks off in the middle of one must not corrupt the next. A vanished or stalled
// client is found out here, and the object's side let go (docs/gotchas.md: Streams).

import { farewell, readFarewell, SSE_COMMENT, type Farewell } from '../../sse';

const BEAT_MS = 10_000;
/** Beats in a row with the same write pending, after which the client counts as gone. */
const MAX_STALLED_BEATS = 6;
const CLOSE_LIMIT_MS = 30_000;
/** Longer than any farewell. */
const TAIL_BYTES = 32;
const LINE_FEED = 10;

/** Why a source ended: what the object said, or that it broke off, or that the client left. */
export type End = Farewell | 'broken' | 'gone';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The client's end. Writes wait for the client, so that at most one chunk is ever held here. */
export class Client {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #beat: ReturnType<typeof setInterval>;
  #pending = 0;
  #stalledBeats = 0;
  #gone = false;
  readonly #left = Promise.withResolvers<void>();
  #onGone: () => void = () => {};

  constructor(writable: WritableStream<Uint8Array>) {
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => this.#leave());
    this.#beat = setInterval(() => this.#tick(), BEAT_MS);
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Called once the client is found gone; a newer callback replaces the older. */
  whenGone(callback: () => void): void {
    this.#onGone = callback;
  }

  /** False: the client is gone. */
  async write(data: Uint8Array | string): Promise<boolean> {
    if (this.#gone) {
      return false;
    }
    this.#pending += 1;
    try {
      const written = this.#writer.write(typeof data === 'string' ? encoder.encode(data) : data);
      // A write to a client that is given up may never settle.
      await Promise.race([written, this.#left.promise]);
      return !this.#gone;
    } catch {
      this.#leave();
      return false;
    } finally {
      this.#pending -= 1;
      this.#stalledBeats = 0;
    }
  }

  /** Ends the client's stream after all that was written; a client that does not read is cut. */
  async close(): Promise<void> {
    const closed = this.#writer.close().catch(() => {
      // The client left first: it needs no ending.
    });
    clearInterval(this.#beat);
    const limit = setTimeout(() => this.#cut(), CLOSE_LIMIT_MS);
    await Promise.race([closed, this.#left.promise]);
    clearTimeout(limit);
  }

  #tick(): void {
    if (this.#pending === 0) {
      void this.write(SSE_COMMENT);
      return;
    }
    this.#stalledBeats += 1;
    if (this.#stalledBeats >= MAX_STALLED_BEATS) {
      this.#cut();
    }
  }

  #cut(): void {
    this.#leave();
    this.#writer.abort().catch(() => {
      // Already broken: that is what was wanted.
    });
  }

  #leave(): void {
    if (!this.#gone) {
      this.#gone = true;
      clearInterval(this.#beat);
      this.#left.resolve();
      this.#onGone();
    }
  }
}

/** Where the last whole block ends: after the last blank line. */
export function endOfBlocks(bytes: Uint8Array): number {
  for (let index = bytes.byteLength - 1; index > 0; index -= 1) {
    if (bytes[index] === LINE_FEED && bytes[index - 1] === LINE_FEED) {
      return index + 1;
    }
  }
  return 0;
}

/**
 * Gathers chunks until a block is whole. Each byte is looked at once and copied once, so that a
 * large event costs no more for coming in many small chunks.
 */
class Blocks {
  #chunks: Uint8Array[] = [];
  #endsWithLineFeed = false;

  /** All blocks that are whole with this chunk; empty while there is none. */
  add(chunk: Uint8Array): Uint8Array {
    const splitBlank = this.#endsWithLineFeed && chunk[0] === LINE_FEED;
    const end = endOfBlocks(chunk) || (splitBlank ? 1 : 0);
    const whole = end === 0 ? [] : [...this.#chunks, chunk.subarray(0, end)];
    const rest = chunk.subarray(end);
    this.#chunks = end === 0 ? this.#chunks : [];
    if (rest.byteLength > 0) {
      this.#chunks.push(rest);
    }
    if (chunk.byteLength > 0) {
      this.#endsWithLineFeed = rest.at(-1) === LINE_FEED;
    }
    return joined(whole);
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = chunks;
  if (chunks.length <= 1) {
    return first;
  }
  const all = new Uint8Array(chunks.reduce((bytes, chunk) => bytes + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

/**
 * Copies whole events to the client until the source says farewell, breaks off, or the client is
 * gone. The farewell itself stays here. Does not close the client; always lets go of the source.
 */
export async function copyEvents(source: ReadableStream<Uint8Array>, client: Client): Promise<End> {
  const reader = source.getReader();
  const letGo = (): void => {
    reader.cancel().catch(() => {
      // The source ended first.
    });
  };
  client.whenGone(letGo);
  if (client.gone) {
    letGo();
    return 'gone';
  }
  const blocks = new Blocks();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || client.gone) {
        return client.gone ? 'gone' : 'broken';
      }
      const bytes = blocks.add(value);
      const reason = readFarewell(decoder.decode(bytes.subarray(-TAIL_BYTES)));
      const whole = reason === null ? bytes : bytes.subarray(0, -farewell(reason).length);
      if (whole.byteLength > 0 && !(await client.write(whole))) {
        return 'gone';
      }
      if (reason !== null) {
        return reason;
      }
    }
  } catch {
    return client.gone ? 'gone' : 'broken';
  } finally {
    client.whenGone(() => {});
    letGo();
  }
}
