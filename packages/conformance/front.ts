// The line between the programs under test and Muster: it passes everything on, and does to each player's streams and calls
// what networks and proxies do.

import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer that something before the service gives. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly retryAfter?: number;
  /** Done before it is given. */
  readonly first?: () => Promise<unknown>;
}

interface Opened {
  readonly at: number;
  readonly lastEventId: string | undefined;
  readonly lobby: string | null;
  readonly changes: string | null;
  readonly token: string | undefined;
}

interface Going {
  readonly answer: ServerResponse;
  readonly from: IncomingMessage;
  /** The last bytes ended an event. */
  isBetween: boolean;
}

const COMMENT_MS = 1_000;

/** What one player's program gets to see. */
export class PlayersLine {
  /** Streams are accepted and never answered. */
  isMute = false;
  /** Nothing passes on open streams. */
  isSilent = false;
  /** One byte at a time. */
  isSlow = false;
  /** Refuses the next streams, in order. */
  readonly refusals: Refusal[] = [];
  /** Answers instead of the service, once each: `METHOD /path`, as the request has it behind `/v3`. */
  readonly instead = new Map<string, Refusal | 'html'>();
  readonly opened: Opened[] = [];
  readonly calls: string[] = [];
  /** All that streams brought. */
  brought = '';
  refusedAt = 0;
  calledAt = 0;
  readonly #going = new Set<Going>();

  add(going: Going): void {
    this.#going.add(going);
    going.answer.once('close', () => {
      this.#going.delete(going);
      going.from.destroy();
    });
  }

  /** Breaks the streams, as a network does. */
  cut(): void {
    this.#going.forEach(({ answer }) => answer.destroy());
  }

  /** Says this, and ends the streams well. */
  end(last = ''): void {
    this.#going.forEach(({ answer }) => answer.end(last));
  }

  /** Says this on all streams. */
  say(text: string): void {
    this.#going.forEach(({ answer }) => answer.write(text));
  }

  breathe(): void {
    this.#going.forEach(({ answer, isBetween }) => {
      if (isBetween && !this.isSilent) {
        answer.write(':\n\n');
      }
    });
  }
}

export interface Front {
  readonly url: string;
  readonly line: (player: string) => PlayersLine;
  readonly close: () => void;
}

/** `service`: the address of Muster, which stays the same when it restarts. */
export async function openFront(service: string): Promise<Front> {
  const lines = new Map<string, PlayersLine>();
  const lineOf = (player: string): PlayersLine => {
    const line = lines.get(player) ?? new PlayersLine();
    lines.set(player, line);
    return line;
  };
  const server = createServer((request, answer) => {
    const { 'x-player-id': player, 'x-player-token': token, ...headers } = request.headers;
    const line = lineOf(String(player));
    const url = new URL(request.url ?? '/', service);
    const isStream = url.pathname.endsWith('/me/events');
    if (isStream) {
      line.opened.push({
        at: performance.now(),
        lastEventId: headers['last-event-id'] as string | undefined,
        lobby: url.searchParams.get('lobby'),
        changes: url.searchParams.get('changes'),
        token: token as string | undefined,
      });
    } else {
      line.calledAt = performance.now();
      line.calls.push(`${request.method} ${url.pathname} ${String(token)}`);
    }
    if (isStream && line.isMute) {
      return;
    }
    const key = `${request.method} ${url.pathname.replace(/^\/v3/, '')}`;
    const instead = isStream ? line.refusals.shift() : line.instead.get(key);
    if (instead !== undefined) {
      line.instead.delete(key);
      line.refusedAt = performance.now();
      void refuse(request, answer, instead);
      return;
    }
    const sent = { ...headers, ...(player === undefined ? {} : { 'x-player-id': player }) };
    const passed = ask(url, { method: request.method, headers: sent }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      if (isStream) {
        void passStream(line, from, answer);
      } else {
        from.pipe(answer);
      }
    });
    passed.on('error', () => answer.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => lines.forEach((line) => line.breathe()), COMMENT_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    line: lineOf,
    close: () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}

async function refuse(
  request: IncomingMessage,
  answer: ServerResponse,
  how: Refusal | 'html',
): Promise<void> {
  request.resume();
  if (how === 'html') {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>a proxy</html>');
    return;
  }
  const { status, code, retryAfter, first } = how;
  await first?.();
  const after = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  answer.writeHead(status, { 'content-type': 'application/json', ...after });
  answer.end(JSON.stringify({ error: 'Refused', detail: 'by the line between', status, code }));
}

async function passStream(
  line: PlayersLine,
  from: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  answer.socket?.setNoDelay(true);
  const going: Going = { answer, from, isBetween: false };
  line.add(going);
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (line.isSilent) {
        continue;
      }
      line.brought += chunk.toString();
      going.isBetween = false;
      for (const piece of line.isSlow ? [...chunk].map((byte) => Buffer.of(byte)) : [chunk]) {
        answer.write(piece);
        if (line.isSlow) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      going.isBetween = chunk.toString('latin1').endsWith('\n\n');
    }
    answer.end();
  } catch {
    answer.destroy();
  }
}
