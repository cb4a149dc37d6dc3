// A player as a real game client would be, with real HTTP requests and a real event stream. The demo uses it, and so
// do tests and load runs that need many players.

import { setTimeout as sleep } from 'node:timers/promises';

import { createParser } from 'eventsource-parser';

export interface Lobby {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly config: string;
  readonly status: string;
  readonly host: string;
  readonly maxPlayers: number;
  readonly isPrivate: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly matchId: string | null;
  readonly revision: number;
  readonly updatedAt: string;
  readonly players: readonly {
    readonly id: string;
    readonly isHost: boolean;
    readonly state: Readonly<Record<string, unknown>> | null;
  }[];
  readonly server: {
    readonly instance_id: string;
    readonly status: string;
    readonly network_ports: readonly { readonly host: string; readonly external_port: number }[];
  } | null;
  readonly matchmaking: {
    readonly mode: string;
    readonly startedAt: string;
    readonly confirmation?: { readonly deadline: string; readonly confirmed: boolean };
  } | null;
}

export interface Seen {
  readonly event: string;
  readonly id: string | undefined;
  /** Null for events without data. */
  readonly data: unknown;
  /** `performance.now()` when the event arrived. */
  readonly at: number;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

export interface Stream {
  readonly seen: readonly Seen[];
  /** The first event after `from` that fits. Rejects at the deadline or when the stream ends. */
  until(fits: (event: Seen) => boolean, withinMs?: number, from?: number): Promise<Seen>;
  /** Resolves when either side has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Only a fault, or a machine with much else to do, makes anybody wait so long. */
const UNTIL_MS = 120_000;
/** The least `Retry-After` that the service sends. */
const OVERLOADED_WAIT_MS = 1_000;

export class Player {
  readonly id: string;
  readonly #url: string;
  readonly #key: string;
  readonly #token: string | null;

  constructor(url: string, id: string, key = 'client_dev_key', token: string | null = null) {
    this.#url = url;
    this.id = id;
    this.#key = key;
    this.#token = token;
  }

  get #headers(): Record<string, string> {
    const token = this.#token === null ? {} : { 'x-player-token': this.#token };
    return { 'api-key': this.#key, 'x-player-id': this.id, ...token };
  }

  /** `path` follows `/v3`. Rejects if the network fails, and resolves with every HTTP status. */
  async call<T = Lobby>(
    method: string,
    path: string,
    body?: unknown,
    signal: AbortSignal | null = null,
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.#url}/v3${path}`, {
      method,
      headers: this.#headers,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  /**
   * Like `call`, but rejects with the answer for any status other than 2xx. While the service is overloaded, it
   * waits.
   */
  async ok<T = Lobby>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: answer } = await this.call<T & { code?: string }>(method, path, body);
    if (status === 503 && answer.code === 'OVERLOADED') {
      await sleep(OVERLOADED_WAIT_MS);
      return this.ok(method, path, body);
    }
    if (status >= 300) {
      throw new Error(`${this.id}: ${method} ${path} -> ${status} ${JSON.stringify(answer)}`);
    }
    return answer;
  }

  /** Opens the player's event stream. Resolves when the headers have arrived. `tell` is called for each event. */
  async events(
    config: string,
    lastEventId?: string,
    tell: (event: Seen) => void = () => undefined,
  ): Promise<Stream> {
    const abort = new AbortController();
    const response = await fetch(`${this.#url}/v3/lobbies/${config}/me/events`, {
      headers: {
        ...this.#headers,
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal: abort.signal,
    });
    if (!response.ok || response.body === null) {
      throw new Error(`${this.id}: event stream -> ${response.status} ${await response.text()}`);
    }
    return follow(response.body, abort, tell);
  }
}

/** A waiter for an event: it looks at all events so far, and again whenever one arrives. */
type Waiter = (ended: boolean) => void;

function follow(
  body: ReadableStream<Uint8Array>,
  abort: AbortController,
  tell: (event: Seen) => void,
): Stream {
  const seen: Seen[] = [];
  const waiters = new Set<Waiter>();
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => {
      const parsed: unknown = JSON.parse(data);
      const one: Seen = { event, id, data: parsed, at: performance.now() };
      seen.push(one);
      tell(one);
      waiters.forEach((look) => look(false));
    },
  });
  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        parser.feed(decoder.decode(chunk, { stream: true }));
      }
    } catch {
      // We closed it, or the service was killed. Either way the reader sees the end of the stream.
    }
    waiters.forEach((look) => look(true));
  }
  const ended = read();
  return {
    seen,
    ended,
    close: () => abort.abort(),
    until: (fits, withinMs = UNTIL_MS, from = 0) =>
      new Promise<Seen>((resolve, reject) => {
        const names = (): string => seen.map(({ event }) => event).join(', ');
        const stop = (): void => {
          clearTimeout(timer);
          waiters.delete(look);
        };
        const look: Waiter = (over) => {
          const found = seen.slice(from).find(fits);
          if (found !== undefined) {
            stop();
            resolve(found);
          } else if (over) {
            stop();
            reject(new Error(`the stream ended; seen: ${names()}`));
          }
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`no such event within ${withinMs} ms; seen: ${names()}`));
        }, withinMs);
        waiters.add(look);
        look(false);
      }),
  };
}

/** Whether an event shows the lobby in one status and its server in the other. */
export function shows(status: string, server?: string): (event: Seen) => boolean {
  return ({ event, data }) => {
    const lobby = data as Lobby | null;
    const isUpdate = event === 'lobby_updated' || event === 'connected';
    return (
      isUpdate &&
      lobby?.status === status &&
      (server === undefined || lobby.server?.status === server)
    );
  };
}
