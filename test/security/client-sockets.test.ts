// What a client may send on the socket of events (decision 52). The tests write frames by hand, over bare
// connections.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startService, type Placement, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { memoryOf } from '../support/memory.ts';
import { BINARY, frame, PING, RawWebSocket, TEXT } from '../support/raw-websocket.ts';

const MB = 1024 * 1024;

function addressOf(service: Service, player: string): string {
  const query = `api-key=client_dev_key&x-player-id=${player}`;
  return `${service.url}/v3/lobbies/arena/me/events?${query}`;
}

async function closed(socket: RawWebSocket): Promise<number | null> {
  await eventually('the service closes the socket', () => socket.closedWith ?? socket.isOver);
  return socket.closedWith;
}

describe.each<Placement>(['box', 'objects'])('placed as %s, a client', (placement) => {
  let dataDir: string;
  let service: Service;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-client-sockets-'));
    const env = { FLEET: 'simulated' };
    service = await startService({ port: 0, dataDir, devKeys: true, env, placement });
  });

  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is offered no compression', async () => {
    const socket = await RawWebSocket.open(addressOf(service, 'zip'), [
      'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
    ]);
    expect(socket.head).toMatch(/^HTTP\/1\.1 101 /);
    expect(socket.head.toLowerCase()).not.toContain('sec-websocket-extensions');
    socket.send(frame(deflateRawSync('x'.repeat(1_000)), { compressed: true }));
    expect(await closed(socket)).toBe(1002);
  });

  it('may send 256 bytes at once: one more closes the socket with 1009', async () => {
    const socket = await RawWebSocket.open(addressOf(service, 'long'));
    socket.send(frame('x'.repeat(256)));
    socket.send(frame(Buffer.alloc(256), { opcode: BINARY }));
    socket.send(frame('x'.repeat(257)));
    expect(await closed(socket)).toBe(1009);
    const bytes = await RawWebSocket.open(addressOf(service, 'long-bytes'));
    bytes.send(frame(Buffer.alloc(257), { opcode: BINARY }));
    expect(await closed(bytes)).toBe(1009);
    // Two bytes each.
    const letters = await RawWebSocket.open(addressOf(service, 'long-letters'));
    letters.send(frame('\u00e4'.repeat(129)));
    expect(await closed(letters)).toBe(1009);
  });

  it('may send ten messages in ten seconds: one more closes the socket with 1008', async () => {
    const socket = await RawWebSocket.open(addressOf(service, 'often'));
    socket.send(Buffer.concat(Array.from({ length: 10 }, () => frame('x'))));
    const host = new Player(service.url, 'often');
    await host.ok('POST', '/lobbies/arena', { name: 'still told' });
    await eventually('it is told all the same', () =>
      socket.got.some(({ payload }) => payload.includes('still told')),
    );
    expect(socket.closedWith).toBeNull();
    socket.send(frame('x'));
    expect(await closed(socket)).toBe(1008);
  });

  it('that answers each ping as it is asked to may follow a busy lobby of any size', async () => {
    const blob = 'x'.repeat(16_000);
    const host = new Player(service.url, 'busy-0');
    const { id } = await host.ok('POST', '/lobbies/arena', {
      name: 'busy',
      maxPlayers: 8,
      state: { blob },
    });
    for (let index = 1; index < 8; index += 1) {
      const guest = new Player(service.url, `busy-${index}`);
      await guest.ok('POST', '/lobbies/arena/join', { lobbyId: id, state: { blob } });
    }
    const socket = await RawWebSocket.open(
      addressOf(service, 'busy-0'),
      [],
      ({ payload }, asked) => {
        if (payload.includes('"event":"ping"')) {
          asked.send(frame('here'));
        }
      },
    );
    let revision = 0;
    for (let round = 1; round <= 40; round += 1) {
      ({ revision } = await host.ok('PATCH', '/lobbies/arena/me', { state: { round } }));
    }
    await eventually('it has the newest', () =>
      socket.got.some(({ payload }) => payload.includes(`"revision":${revision},`)),
    );
    expect(socket.closedWith).toBeNull();
    socket.socket.destroy();
  });
});

describe('on a box', () => {
  let dataDir: string;
  let service: Service;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-client-sockets-'));
    const env = { FLEET: 'simulated' };
    service = await startService({ port: 0, dataDir, devKeys: true, env });
  });

  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function many(count: number, lines: readonly string[] = []): Promise<RawWebSocket[]> {
    return Promise.all(
      Array.from({ length: count }, (_, index) =>
        RawWebSocket.open(addressOf(service, `many-${index}`), lines),
      ),
    );
  }

  it('who may not listen is told why, and may ask again on the same connection', async () => {
    const socket = await RawWebSocket.open(`${service.url}/v3/lobbies/arena/me/events`);
    expect(socket.head).toMatch(/^HTTP\/1\.1 401 /);
    socket.socket.write('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await eventually('it is answered', () => socket.rest.includes('HTTP/1.1 200 ') || null);
    socket.socket.destroy();
    const next = await RawWebSocket.open(addressOf(service, 'next'));
    expect(next.head).toMatch(/^HTTP\/1\.1 101 /);
    next.socket.destroy();
  });

  it('a frame that is announced to be long is refused before it has come', async () => {
    const socket = await RawWebSocket.open(addressOf(service, 'announces'));
    socket.send(frame('x', { announced: 32 * MB }));
    expect(await closed(socket)).toBe(1009);
    await eventually('the connection is over', () => socket.isOver || null);
  });

  it('pings count as messages, and so do parts of one', async () => {
    for (const [name, sent] of [
      ['pings', frame('', { opcode: PING })],
      // Without the bit of the last part.
      ['parts', Buffer.from([TEXT, 0x80, 0, 0, 0, 0])],
    ] as const) {
      const socket = await RawWebSocket.open(addressOf(service, name));
      socket.send(sent);
      const next = name === 'parts' ? Buffer.from([0, 0x80, 0, 0, 0, 0]) : sent;
      socket.send(Buffer.concat(Array.from({ length: 10 }, () => next)));
      expect(await closed(socket)).toBe(1008);
    }
  });

  it.each([
    ['long messages', (socket: RawWebSocket) => socket.send(frame(Buffer.alloc(8 * MB)))],
    [
      'compressed bombs',
      (socket: RawWebSocket) => {
        const bomb = frame(deflateRawSync(Buffer.alloc(30 * MB)), { compressed: true });
        socket.send(bomb);
        socket.send(bomb);
      },
    ],
    [
      'floods of short messages',
      (socket: RawWebSocket) => {
        const flood = Buffer.concat(Array.from({ length: 20_000 }, () => frame('x')));
        for (let times = 0; times < 10; times += 1) {
          socket.send(flood);
        }
      },
    ],
  ] as const)('memory stays flat under %s of 30 sockets', async (_, attack) => {
    const before = await memoryOf(service.pid);
    const sockets = await many(30, ['Sec-WebSocket-Extensions: permessage-deflate']);
    sockets.forEach(attack);
    await eventually('all are closed', () => sockets.every(({ isOver }) => isOver) || null);
    const grown = (await memoryOf(service.pid)) - before;
    console.log(`grown by ${(grown / MB).toFixed(1)} MiB`);
    expect(grown).toBeLessThan(48 * MB);
    const host = new Player(service.url, 'after');
    expect((await host.call('GET', '/lobbies/arena/me')).status).toBe(404);
  });
});
