import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, copyEvents, endOfBlocks } from '../../src/http/stream/relay';
import { farewell, FAREWELLS, readFarewell, SSE_COMMENT, sseFrame } from '../../src/sse';

const encoder = new TextEncoder();

/** A source under the test's hand. */
function source(): {
  readonly stream: ReadableStream<Uint8Array>;
  readonly send: (text: string) => void;
  readonly end: () => void;
  readonly fail: () => void;
  readonly cancelled: () => boolean;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(given): void {
      controller = given;
    },
    cancel(): void {
      cancelled = true;
    },
  });
  return {
    stream,
    send: (text) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    fail: () => controller?.error(new Error('the object is gone')),
    cancelled: () => cancelled,
  };
}

/** A client that reads all, and what it read. */
function reader(): { readonly client: Client; readonly text: Promise<string> } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  return { client: new Client(writable), text: new Response(readable).text() };
}

describe('farewells', () => {
  it.each(FAREWELLS)('%s is read where it ends a text', (reason) => {
    expect(readFarewell(farewell(reason))).toBe(reason);
    expect(readFarewell(`data: x\n\n${farewell(reason)}`)).toBe(reason);
  });

  it('is never read from events and comments', () => {
    const data = sseFrame('lobby_updated', { name: ': bye left\n\n' });
    expect([data, SSE_COMMENT, ': bye\n\n', `data: ${farewell('left')}`].map(readFarewell)).toEqual(
      [null, null, null, null],
    );
  });

  it('is a comment to every client', () => {
    expect(farewell('left')).toMatch(/^: [^\n]+\n\n$/);
  });
});

describe('copying events', () => {
  it('finds the end of the last whole block', () => {
    const ends = ['', 'a', 'a\n', 'a\n\n', 'a\n\nb', 'a\n\nb\n\n'];
    expect(ends.map((text) => endOfBlocks(encoder.encode(text)))).toEqual([0, 0, 0, 3, 3, 6]);
  });

  it('passes whole events on, however they are cut, and keeps the farewell', async () => {
    const events = sseFrame('ping', undefined) + sseFrame('lobby_updated', { a: '\u20ac' });
    const whole = events + farewell('left');
    for (const size of [1, 2, 7, whole.length]) {
      const { stream, send } = source();
      const { client, text } = reader();
      for (let at = 0; at < whole.length; at += size) {
        send(whole.slice(at, at + size));
      }
      expect(await copyEvents(stream, client)).toBe('left');
      await client.close();
      expect(await text).toBe(events);
    }
  });

  it('takes an event of 8 MiB in 8192 chunks in its stride', async () => {
    const event = sseFrame('lobby_updated', { text: 'x'.repeat(8 * 1024 * 1024) });
    const { stream, send } = source();
    const { client, text } = reader();
    for (let at = 0; at < event.length; at += 1024) {
      send(event.slice(at, at + 1024));
    }
    send(farewell('left'));
    const begun = performance.now();
    expect(await copyEvents(stream, client)).toBe('left');
    // Copying all that is held for each chunk takes minutes.
    expect(performance.now() - begun).toBeLessThan(3_000);
    await client.close();
    expect((await text) === event).toBe(true);
  }, 120_000);

  it('drops half an event when the source breaks off or fails', async () => {
    for (const stop of ['end', 'fail'] as const) {
      const from = source();
      const { client, text } = reader();
      const copied = copyEvents(from.stream, client);
      from.send('event: ping\ndata: \n\nevent: lobby_up');
      await vi.waitFor(() => expect(from.stream.locked).toBe(true));
      from[stop]();
      expect(await copied).toBe('broken');
      await client.close();
      expect(await text).toMatch(/^(event: ping\ndata: \n\n)?$/);
    }
  });

  it('lets go of the source when the client is gone', async () => {
    const from = source();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const client = new Client(writable);
    const copied = copyEvents(from.stream, client);
    await readable.cancel();
    from.send('data: 1\n\n');
    expect(await copied).toBe('gone');
    expect([client.gone, from.cancelled()]).toEqual([true, true]);
    expect(await copyEvents(source().stream, client)).toBe('gone');
  });
});

describe('a client that does not read', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is given up after a minute, and its source let go', async () => {
    const from = source();
    const { writable } = new TransformStream<Uint8Array, Uint8Array>();
    const client = new Client(writable);
    const copied = copyEvents(from.stream, client);
    from.send('data: 1\n\n');
    await vi.advanceTimersByTimeAsync(50_000);
    expect(client.gone).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await copied).toBe('gone');
    expect(from.cancelled()).toBe(true);
  });

  it('gets comments while nothing is said', async () => {
    const { client, text } = reader();
    await vi.advanceTimersByTimeAsync(20_000);
    await client.close();
    expect(await text).toBe(SSE_COMMENT + SSE_COMMENT);
  });
});
