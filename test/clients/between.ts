// What may stand between a game and Muster: a proxy that passes everything on, unless the test says otherwise for a player.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Instead of passing a call on: answers never, sends the headers of a stream alone, refuses, or passes nothing that comes back. */
type Fault = 'hold' | 'headers' | 'refuse 502' | 'refuse 503' | 'redirect';

export interface Between {
  readonly url: string;
  /** Calls that a fault applies to, by what their method, path and player must match. */
  readonly faults: Map<RegExp, Fault>;
  /** Each call as `METHOD /path PLAYER`, the oldest first. */
  readonly calls: readonly string[];
  /** How many streams of the player are open. */
  open(player: string): number;
  /** Breaks the open streams of the player. */
  cut(player: string): void;
  /** Says this on the open streams of the player. */
  say(player: string, text: string): void;
  /** Lets calls that were held go on. */
  release(): void;
  to(url: string): void;
  close(): void;
}

export async function between(target: string): Promise<Between> {
  let url = target;
  const faults = new Map<RegExp, Fault>();
  const calls: string[] = [];
  const streams = new Map<ServerResponse, string>();
  const held: (() => void)[] = [];

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, headers } = asked;
    const onward = request(`${url}${asked.url ?? ''}`, { method, headers }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers);
      told.pipe(answer);
      told.on('error', () => answer.destroy());
      told.on('close', () => (told.complete ? undefined : answer.destroy()));
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  }

  const server = createServer((asked, answer) => {
    const player = decodeURIComponent(String(asked.headers['x-player-id']).replace("utf-8''", ''));
    const call = `${asked.method} ${asked.url} ${player}`;
    calls.push(call);
    if (call.includes('/me/events')) {
      streams.set(answer, player);
      answer.on('close', () => streams.delete(answer));
    }
    const fault = [...faults].find(([pattern]) => pattern.test(call))?.[1];
    switch (fault) {
      case 'hold':
        held.push(() => pass(asked, answer));
        break;
      case 'headers':
        answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        break;
      case 'refuse 502':
        answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
        break;
      case 'refuse 503':
        answer.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
        answer.end('{"error":"Overloaded","detail":"","status":503,"code":"OVERLOADED"}');
        break;
      case 'redirect':
        answer.writeHead(302, { location: `${url}/elsewhere` }).end();
        break;
      case undefined:
        pass(asked, answer);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    calls,
    open: (player) => [...streams.values()].filter((each) => each === player).length,
    cut: (player) => streams.forEach((each, answer) => each === player && answer.destroy()),
    say: (player, text) => streams.forEach((each, answer) => each === player && answer.write(text)),
    release: () => held.splice(0).forEach((go) => go()),
    to: (next) => (url = next),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
