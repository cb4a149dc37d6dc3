// The event stream as a WebSocket, over real sockets: with the client package, past a proxy that
// holds streams back, and in a real browser.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { connect as connectTo, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MusterPlayer, type LobbyEvent, type StreamState } from '../../packages/js/src/index.ts';
import { Player } from '../../scripts/player.ts';
import type { Lobby } from '../../scripts/player.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-sockets-'));
  service = await startService({ port: 0, dataDir, devKeys: true, env: { FLEET: 'simulated' } });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Listening {
  readonly events: LobbyEvent[];
  readonly states: StreamState[];
  readonly over: Promise<void>;
  stop(): void;
}

function listen(url: string, player: string, options = {}): Listening {
  const events: LobbyEvent[] = [];
  const states: StreamState[] = [];
  const ends = new AbortController();
  const muster = new MusterPlayer({ url, key: 'client_dev_key', config: 'arena', player });
  const over = (async () => {
    const onState = (state: StreamState): void => void states.push(state);
    const told = muster.streamEvents({ signal: ends.signal, onState, ...options });
    for await (const event of told) {
      events.push(event);
    }
  })();
  return { events, states, over, stop: () => ends.abort() };
}

describe('the client by a WebSocket', () => {
  it('hears of the lobby, goes on where it stopped after a break, and gives way to a newer one', async () => {
    const ann = new Player(service.url, 'ann');
    await ann.ok('POST', '/lobbies/arena', { name: 'den' });
    const heard = listen(service.url, 'ann', { transport: 'socket' });
    await eventually('connected', () => heard.events[0]?.type === 'connected');
    await ann.ok('PATCH', '/lobbies/arena/me', { state: { round: 1 } });
    await eventually('the update', () => heard.events.at(-1)?.type === 'lobby_updated');
    const newer = listen(service.url, 'ann', { transport: 'socket' });
    await heard.over;
    expect(heard.events.at(-1)).toEqual({ type: 'closed', reason: 'replaced' });
    newer.stop();
    await newer.over;
  });

  it('is taken by itself where a proxy holds streams back', async () => {
    const proxy = await holdingBack();
    const { port } = proxy.address() as AddressInfo;
    const bob = new Player(service.url, 'bob');
    await bob.ok('POST', '/lobbies/arena', { name: 'den' });
    const heard = listen(`http://127.0.0.1:${port}`, 'bob', {
      connectMs: 3_000,
      backoff: { firstMs: 1, maxMs: 1 },
    });
    await eventually('connected', () => heard.events[0]?.type === 'connected');
    await bob.ok('PATCH', '/lobbies/arena/me', { state: { round: 1 } });
    await eventually('the update', () => heard.events.at(-1)?.type === 'lobby_updated');
    expect(heard.states.at(-1)).toBe('streaming');
    expect(heard.states).not.toContain('polling');
    heard.stop();
    await heard.over;
    proxy.closeAllConnections();
    proxy.close();
  });
});

/** A proxy that gives answers on when they are whole: never, of a stream. Sockets pass. */
async function holdingBack(): Promise<Server> {
  const proxy = createServer((asked, answer) => {
    const { method = 'GET', url = '/', headers } = asked;
    const there = request(`${service.url}${url}`, { method, headers }, (came) => {
      const chunks: Buffer[] = [];
      came.on('data', (chunk: Buffer) => chunks.push(chunk));
      came.on('error', () => undefined);
      came.on('end', () => answer.end(Buffer.concat(chunks)));
    });
    there.on('error', () => undefined);
    answer.on('close', () => there.destroy());
    asked.pipe(there);
  });
  proxy.on('upgrade', ({ method, url, headers }, socket, head) => {
    const there = connectTo(service.port, '127.0.0.1', () => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
      there.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      there.write(head);
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return proxy;
}

describe.runIf(needs('chromium'))('a browser', () => {
  it('holds a WebSocket through create, update and deletion', async () => {
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${service.url}/health`);
      await page.evaluate(() => {
        const scope = globalThis as unknown as { told: unknown[] };
        scope.told = [];
        const query = 'api-key=client_dev_key&x-player-id=browser';
        const address = `${location.origin.replace('http', 'ws')}/v3/lobbies/web/me/events?${query}`;
        const socket = new WebSocket(address);
        socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
          const told = JSON.parse(data) as { event: string };
          scope.told.push(told);
          if (told.event === 'ping') {
            socket.send('here');
          }
        });
      });
      const told = (): Promise<readonly { event: string; id: number | null; data: unknown }[]> =>
        page.evaluate(() => (globalThis as unknown as { told: [] }).told);
      const heard = (event: string) =>
        eventually(event, async () => (await told()).find((each) => each.event === event));
      expect(await heard('connected')).toEqual({ event: 'connected', id: null, data: null });
      const host = new Player(service.url, 'browser');
      await host.ok('POST', '/lobbies/web', { name: 'Gr\u00fc\u00dfe \u2602' });
      await host.ok('PATCH', '/lobbies/web/me', { state: { ready: true } });
      const { data } = await heard('lobby_updated');
      expect((data as Lobby).name).toBe('Gr\u00fc\u00dfe \u2602');
      await host.ok('DELETE', '/lobbies/web/me');
      await heard('lobby_deleted');
    } finally {
      await browser.close();
    }
  });
});
