// A service that says what a test tells it to, in place of `fetch`: for what the real one would
// take minutes to do, or never does.

import type { Fetch } from '../../packages/js/src/http.ts';
import type { Lobby } from '../../packages/js/src/types.ts';

interface Request {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
}

/** One connection of the stream, from the service's side. */
export class Line {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly response: Response;
  /** The client has let go of it. */
  cancelled = false;

  constructor(signal: AbortSignal | null | undefined, type = 'text/event-stream') {
    let held: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        held = controller;
      },
      cancel: () => {
        this.cancelled = true;
      },
    });
    if (held === undefined) {
      throw new Error('a stream starts at once');
    }
    this.#controller = held;
    signal?.addEventListener('abort', () => {
      this.cancelled = true;
      this.break(signal.reason);
    });
    this.response = new Response(body, { headers: { 'content-type': type } });
  }

  say(text: string): void {
    this.#controller.enqueue(new TextEncoder().encode(text));
  }

  event(name: string, data: unknown, id?: number): void {
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    this.say(`event: ${name}\n${idLine}data: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#controller.close();
  }

  break(reason: unknown = new Error('reset')): void {
    this.#controller.error(reason);
  }
}

/** Answers a request: the answer itself, or an error as `fetch` rejects with. */
export type Script = (request: Request, signal: AbortSignal | null) => Response | Error;

export interface Scripted {
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
}

export function scripted(script: Script): Scripted {
  const requests: Request[] = [];
  return {
    requests,
    fetch: async (url, init) => {
      init.signal?.throwIfAborted();
      const { pathname, search } = new URL(url);
      const request = {
        method: init.method,
        path: `${pathname}${search}`,
        headers: new Headers(init.headers),
      };
      requests.push(request);
      const answer = script(request, init.signal ?? null);
      if (answer instanceof Error) {
        throw answer;
      }
      return answer;
    },
  };
}

export function refusalOf(status: number, code: string, headers: HeadersInit = {}): Response {
  const body = { error: code.toLowerCase(), detail: 'because', status, code };
  return Response.json(body, { status, headers });
}

export function lobbyOf(revision: number, more: Partial<Lobby> = {}): Lobby {
  return {
    id: '6f1c2f0e-58c1-4c3c-9a51-0d7f6f5a2b10',
    code: 'MEOW-7K2QXD',
    name: 'Den',
    config: 'arena',
    status: 'waiting',
    host: 'ann',
    maxPlayers: 2,
    currentPlayers: 1,
    region: 'us-east',
    isPrivate: false,
    allowLateJoin: true,
    settings: {},
    players: [{ id: 'ann', state: null, isHost: true }],
    server: null,
    matchmaking: null,
    matchId: null,
    customProperties: {},
    revision,
    createdAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
    ...more,
  };
}
