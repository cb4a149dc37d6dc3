// One connection of the event stream, from the request to its end.

import { errorOf } from './errors.ts';
import { badAnswer, late, type Service, unreached } from './http.ts';
import { SseParser, type ServerSentEvent } from './sse.ts';
import { linked, reasonOf } from './wait.ts';

export interface Connecting {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds that the stream has for its first event. */
  readonly connectMs: number;
  /** Milliseconds without a single byte after which the line counts as dead. */
  readonly silenceMs: number;
}

export type Piece =
  | { readonly kind: 'event'; readonly event: ServerSentEvent }
  | { readonly kind: 'comment'; readonly text: string };

/**
 * Yields what comes until the service ends the stream. Rejects with a MusterError when it is
 * refused, breaks off or falls silent; `BAD_ANSWER` when what answers is no event stream.
 * Closes the connection however it is left.
 */
export async function* connect(
  service: Service,
  { path, headers, query, signal, connectMs, silenceMs }: Connecting,
): AsyncGenerator<Piece, void, undefined> {
  const link = linked(signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allow = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => link.abort(late(ms)), ms);
  };
  try {
    allow(connectMs);
    const response = await service.raw('GET', path, { headers, query, signal: link.signal });
    if (!response.ok) {
      throw await errorOf(response);
    }
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream') || response.body === null) {
      throw badAnswer(response.status, `Not an event stream: ${type}`);
    }
    const pieces: Piece[] = [];
    const parser = new SseParser({
      onEvent: (event) => pieces.push({ kind: 'event', event }),
      onComment: (text) => pieces.push({ kind: 'comment', text }),
    });
    let isOpen = false;
    for await (const text of texts(response.body, link.signal)) {
      parser.feed(text);
      isOpen ||= pieces.some(({ kind }) => kind === 'event');
      if (isOpen) {
        allow(silenceMs);
      }
      yield* pieces.splice(0);
    }
  } finally {
    clearTimeout(timer);
    link.free();
    link.abort(new DOMException('The stream was closed', 'AbortError'));
  }
}

async function* texts(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    let piece: ReadableStreamReadResult<Uint8Array>;
    try {
      piece = await reader.read();
    } catch (error) {
      throw signal.aborted ? reasonOf(signal) : unreached(error);
    }
    if (piece.done) {
      return;
    }
    yield decoder.decode(piece.value, { stream: true });
  }
}

/** The JSON of an event; null for an event without data. */
export function dataOf(data: string): unknown {
  try {
    return data === '' ? null : JSON.parse(data);
  } catch (error) {
    throw badAnswer(200, 'An event is not JSON', error);
  }
}
