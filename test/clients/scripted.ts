// A service that does to each player's streams, one after the other, what can happen to a stream: it refuses the first,
// ends the second, breaks the third, and replaces the fourth. Each shows a lobby in a line longer than most buffers.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { message, REPLACED, type Message } from '../../src/common/line.ts';
import { SSE_COMMENT, SSE_REPLACED, sseParts } from '../../src/common/sse.ts';

const LOBBY = message('connected', { id: 'l', settings: { text: 'x'.repeat(200_000) } }, { id: 7 });

function frame({ event, data, id }: Message): string {
  return sseParts(event, data, id).join('');
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const TURNS: readonly ((answer: ServerResponse) => Promise<unknown>)[] = [
  async (answer) => {
    answer.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
    answer.end('{"error":"Overloaded","detail":"","status":503,"code":"OVERLOADED"}');
  },
  async (answer) => {
    open(answer);
    answer.write(SSE_COMMENT);
    await pause(100);
    answer.end();
  },
  async (answer) => {
    open(answer);
    await pause(300);
    answer.destroy();
  },
  async (answer) => {
    open(answer);
    answer.write(frame(message('ping', null)));
    await pause(300);
    answer.end(`${frame(REPLACED)}${SSE_REPLACED}`);
  },
];

function open(answer: ServerResponse): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  answer.write(frame(LOBBY));
}

export interface Scripted {
  readonly url: string;
  /** How many streams the player has opened. */
  readonly opened: (player: string) => number;
  readonly close: () => void;
}

export async function scripted(): Promise<Scripted> {
  const opened = new Map<string, number>();
  const server = createServer((request, answer) => {
    const player = request.headers['x-player-id'];
    if (typeof player !== 'string') {
      answer.end('a page');
      return;
    }
    const turn = opened.get(player) ?? 0;
    opened.set(player, turn + 1);
    void (TURNS[turn] ?? TURNS[3])?.(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    opened: (player) => opened.get(player) ?? 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
