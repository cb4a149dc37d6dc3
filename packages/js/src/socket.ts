// One connection of the event stream as a WebSocket, for platforms that cannot read an answer as it
// arrives.

import { late, type Service, unreached } from './http.ts';
import type { Connecting, Piece } from './stream.ts';
import { linked, reasonOf } from './wait.ts';

/** Close codes: a newer stream replaced this one, the token expired, or another machine takes over. */
const FAREWELLS: Readonly<Record<number, string>> = {
  4000: 'replaced',
  4002: 'token expired',
  4003: 'moved',
};

/** With a `fetch` of its own, the game transports all requests itself. */
export function hasSockets(service: Service): boolean {
  return typeof WebSocket === 'function' && service.isPlain;
}

/**
 * Over plain http a browser opens at most six connections to a host, for all its tabs together, and a
 * stream keeps one of them. Sockets are counted apart. Over https, HTTP/2 carries all streams in one.
 */
export function prefersSockets(service: Service): boolean {
  const isPage = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
  return isPage && service.isInsecure && hasSockets(service);
}

/**
 * As `connect` of an event stream. Credentials and the last event are sent in the address: sockets
 * of browsers send no headers. Why one was refused nobody learns: `UNREACHABLE`.
 */
export async function* connectSocket(
  service: Service,
  { path, headers, query, signal, connectMs, silenceMs }: Connecting,
): AsyncGenerator<Piece, void, undefined> {
  const link = linked(signal);
  const pieces: Piece[] = [];
  let isOver = false;
  let stir = (): void => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allow = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => link.abort(late(ms)), ms);
  };
  link.signal.addEventListener('abort', () => stir());
  const { turn } = service;
  const socket = new WebSocket(service.socketAddress(path, { ...headers, ...query }));
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    allow(silenceMs);
    const { event, id, data: told } = JSON.parse(String(data)) as Told;
    if (event === 'ping') {
      // The service only sends a limited amount that is not acknowledged.
      socket.send('here');
    }
    const text = told === null ? 'null' : JSON.stringify(told);
    pieces.push({
      kind: 'event',
      event: { event, id: id === null ? null : String(id), data: text },
    });
    stir();
  });
  socket.addEventListener('close', ({ code }) => {
    isOver = true;
    const text = FAREWELLS[code];
    if (text !== undefined) {
      pieces.push({ kind: 'comment', text });
    }
    stir();
  });
  try {
    allow(connectMs);
    let isOpen = false;
    for (;;) {
      isOpen ||= pieces.length > 0;
      yield* pieces.splice(0);
      if (link.signal.aborted) {
        throw reasonOf(link.signal);
      }
      if (isOver) {
        if (!isOpen) {
          service.failedAt(turn);
          throw unreached(new Error('the socket was not opened'));
        }
        return;
      }
      if (pieces.length === 0) {
        await new Promise<void>((resolve) => {
          stir = resolve;
        });
      }
    }
  } finally {
    clearTimeout(timer);
    link.free();
    socket.close();
  }
}

interface Told {
  readonly event: string;
  readonly id: number | null;
  readonly data: unknown;
}
