// HTTP that no client of ours writes, over a raw socket. What reaches the Worker is refused with a 4xx.
// CONNECT ends in workerd itself, by a 500 that no setting changes (record 0018): after it the same process
// serves on, and nobody else has noticed.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LobbyChange } from '../../packages/js/src/change-types.ts';
import { withOperations } from '../../packages/js/src/operations.ts';
import { Random } from '../../proof/sim/random.ts';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-malformed-'));
  service = await startService({ port: 0, dataDir, devKeys: true, env: { FLEET: 'simulated' } });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The status of the answer; null when the connection was closed without one. */
function statusOf(lines: readonly string[], body = ''): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
    socket.setEncoding('latin1').on('data', (text: string) => (seen += text));
    socket.on('error', reject);
    socket.on('close', () => {
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(seen)?.[1];
      resolve(status === undefined ? null : Number(status));
    });
  });
}

/** What the service has printed since the last time. */
let read = 0;
async function logged(): Promise<readonly string[]> {
  const text = await readFile(join(dataDir, 'service.log'), 'utf8');
  const lines = text.slice(read).split('\n');
  read = text.length;
  return lines.filter((line) => line !== '');
}

const HOST = 'Host: 127.0.0.1';
const DELETES = 'X-HTTP-Method-Override: DELETE';
const CREATE = [
  'POST /v3/lobbies/arena HTTP/1.1',
  HOST,
  'api-key: client_dev_key',
  'x-player-id: eve',
];
const CHUNKED = [...CREATE, 'Transfer-Encoding: chunked'];

describe('a body that lies about its size', () => {
  it('is refused: chunks of negative, unreadable or overflowing sizes', async () => {
    for (const size of ['-5', 'zz', '', '7fffffffffffffffff']) {
      expect(await statusOf(CHUNKED, `${size}\r\nhello\r\n0\r\n\r\n`), size).toBe(400);
    }
  });

  it('is ended by the time limit when a chunk announces more than ever comes', async () => {
    const sizes = ['7fffffffffffffff', 'ffffffffffffffff', '7f'];
    const statuses = await Promise.all(sizes.map((size) => statusOf(CHUNKED, `${size}\r\n{}`)));
    expect(statuses).toEqual([408, 408, 408]);
  });

  it('is refused: lengths that are negative, too large, or beside chunks', async () => {
    expect(await statusOf([...CREATE, 'Content-Length: -5'], 'hello')).toBe(400);
    expect(await statusOf([...CREATE, 'Content-Length: 9223372036854775807'], 'hello')).toBe(413);
    expect(await statusOf([...CHUNKED, 'Content-Length: 5'], '0\r\n\r\n')).toBe(400);
  });
});

describe('a body that nobody reads', () => {
  const asker = [HOST, 'api-key: client_dev_key', 'x-player-id: eve'];
  const lines = ['GET /v3/lobbies/arena', 'GET /health', 'DELETE /v3/lobbies/arena/me'];

  it('is refused when it announces more than a body may have', async () => {
    for (const line of lines) {
      const head = [`${line} HTTP/1.1`, ...asker, 'Content-Length: 1000000'];
      expect(await statusOf(head), line).toBe(413);
    }
    const meant = ['POST /v3/lobbies/arena/me HTTP/1.1', ...asker, DELETES];
    expect(await statusOf([...meant, 'Content-Length: 1000000'])).toBe(413);
    expect(await statusOf([...meant, 'Content-Length: 0'])).toBe(404);
    expect(await statusOf(['HEAD /health HTTP/1.1', HOST, 'Content-Length: 1000000'])).toBe(400);
  });

  it('is left unread when it does not end, and its connection is closed', async () => {
    const chunk = Buffer.from(`10000\r\n${'a'.repeat(65_536)}\r\n`);
    const meant = `POST /v3/lobbies/arena/me HTTP/1.1\r\n${DELETES}`;
    for (const line of [...lines, 'HEAD /health', meant]) {
      const socket = connect(service.port, '127.0.0.1');
      // It may be reset while it is written to.
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => socket.on('close', resolve));
      const first = line.includes(' HTTP') ? line : `${line} HTTP/1.1`;
      const head = [first, ...asker, 'Transfer-Encoding: chunked'];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.resume();
      // 64 MB: more than the buffers of a socket have room for.
      for (let at = 0; at < 1_000 && !socket.destroyed; at += 1) {
        if (!socket.write(chunk)) {
          await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
        }
      }
      await closed;
      expect(socket.bytesWritten, line).toBeLessThan(32_000_000);
    }
  });
});

/** The status of the answer, and its body up to the end of the first event. */
function openingOf(lines: readonly string[]): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const socket = connect(service.port, '127.0.0.1');
    const done = (): void => {
      socket.destroy();
      const [head = '', ...rest] = seen.split('\r\n\r\n');
      // Without the sizes of its chunks.
      const body = rest.join('').replaceAll(/(^|\r\n)[0-9a-f]+\r\n/gi, '');
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), body });
    };
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    socket.setEncoding('latin1').on('data', (text: string) => {
      seen += text;
      if (/\ndata: .*\n\n/.test(seen)) {
        done();
      }
    });
    socket.on('error', reject);
    socket.on('end', done);
  });
}

/** What a client says that it saw of a lobby: its query, and its `Last-Event-ID`, in the query or not. */
function nonsense(random: Random, id: string, newest: number) {
  const pick = <T>(of: readonly T[]): T => of[random.below(of.length)] as T;
  const letters = (): string[] =>
    Array.from({ length: 1 + random.below(30) }, () => String.fromCharCode(33 + random.below(94)));
  const noise = letters().join('');
  const back = newest - random.below(40) + random.below(2);
  const numbers = ['', '-1', '1e9', '0x10', '9'.repeat(15), '9'.repeat(16), '5, 6', `+${back}`];
  const last = random.chance(0.7) ? String(back) : pick([...numbers, noise]);
  const lobbies = ['', id.toUpperCase(), `${id}%00`, '%ff%fe', 'x'.repeat(3_000), '%F0%9F%8E%B2'];
  const of = random.chance(0.6) ? id : pick([...lobbies, encodeURIComponent(noise), noise]);
  const others = ['0', '', 'true', '1%00', '1&changes=0', letters().join('')];
  const query = `changes=${random.chance(0.7) ? '1' : pick(others)}&lobby=${of}`;
  const inQuery = random.chance(0.3);
  const line = inQuery ? `${query}&last-event-id=${encodeURIComponent(last)}` : query;
  return { of, last, line, inQuery };
}

describe('a stream whose client says nonsense about what it has seen', () => {
  it('begins with the whole lobby, or with changes that lead to it, or is refused with a 4xx', async () => {
    const random = new Random(1, 68);
    const host = new Player(service.url, 'nonsense');
    const guests = Array.from({ length: 19 }, (_, at) => new Player(service.url, `none-${at}`));
    const { id, code } = await host.ok('POST', '/lobbies/nonsense', { name: 'N', maxPlayers: 20 });
    const states = new Map<number, object>();
    for (const guest of guests) {
      await guest.ok('POST', '/lobbies/nonsense/join', { code });
    }
    // What a stream was shown is what others can go on from.
    const stream = await host.events('nonsense');
    for (const [n, guest] of [...guests, ...guests].entries()) {
      const lobby = await guest.ok('PATCH', '/lobbies/nonsense/me', { state: { n } });
      states.set(lobby.revision, lobby);
    }
    const newest = Math.max(...states.keys());
    await stream.until(({ id: shown }) => shown === String(newest));
    const counts = new Map<string, number>();
    for (let at = 0; at < 300; at += 1) {
      const { of, last, line, inQuery } = nonsense(random, id, newest);
      const about = `${line}, ${last}`;
      const { status, body } = await openingOf([
        `GET /v3/lobbies/nonsense/me/events?${line} HTTP/1.1`,
        HOST,
        'api-key: client_dev_key',
        `x-player-id: ${guests[at % guests.length]?.id}`,
        ...(inQuery ? [] : [`Last-Event-ID: ${last}`]),
      ]);
      const event = /^event: (\w+)\n/.exec(body)?.[1] ?? '';
      const name = status === 200 ? event : String(status);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (status !== 200) {
        expect([400, 414, 431], about).toContain(status);
        continue;
      }
      const data = JSON.parse(/\ndata: (.*)\n\n/.exec(body)?.[1] ?? 'null') as LobbyChange & Lobby;
      if (event === 'lobby_changed') {
        expect([of, String(data.from)], about).toEqual([id, last]);
        expect(withOperations(states.get(data.from), data.ops), about).toEqual(states.get(newest));
      } else {
        expect(['connected', 'lobby_updated'], about).toContain(event);
        expect(data, about).toEqual(states.get(data.revision));
        expect(data.revision, about).toBe(event === 'connected' ? newest : Number(last) + 1);
      }
    }
    stream.close();
    console.log(`300 openings: ${JSON.stringify(Object.fromEntries(counts))}`);
    for (const name of ['lobby_changed', 'connected', 'lobby_updated']) {
      expect(counts.get(name), name).toBeGreaterThan(10);
    }
    expect(await logged()).toEqual([]);
  });
});

describe('a request that is none', () => {
  it('is refused: HEAD with a body, and names that no URL can have', async () => {
    const head = ['HEAD /health HTTP/1.1', HOST];
    expect(await statusOf([...head, 'Content-Length: 5'], 'hello')).toBe(400);
    const chunks = '5\r\nhello\r\n0\r\n\r\n';
    expect(await statusOf([...head, 'Transfer-Encoding: chunked'], chunks)).toBe(400);
    for (const name of [
      'a b',
      '%',
      '[',
      '127.0.0.1:99999',
      '127.0.0.1`1',
      '127.0.0.1:\\1',
      'a@b',
      '',
    ]) {
      for (const path of ['/health', '/v3/lobbies/arena/me', '/nowhere']) {
        expect(await statusOf([`GET ${path} HTTP/1.1`, `Host: ${name}`]), name).toBe(400);
        const meant = [`POST ${path} HTTP/1.1`, `Host: ${name}`, DELETES, 'Content-Length: 0'];
        expect(await statusOf(meant), name).toBe(400);
      }
    }
    expect(await statusOf(head)).toBe(200);
    expect(await logged()).toEqual([]);
  });

  it('is refused by workerd itself where it asks for a tunnel: a 500, two lines in the log, and no more', async () => {
    const tunnel = ['CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'];
    const bystander = fetch(`${service.url}/v3/lobbies/arena/me/events`, {
      headers: { 'api-key': 'client_dev_key', 'x-player-id': 'ann' },
    });
    const stream = (await bystander).body?.getReader();
    for (let time = 0; time < 20; time += 1) {
      expect(await statusOf(tunnel)).toBe(500);
    }
    const lines = await logged();
    expect(lines.filter((line) => line.includes('Uncaught exception'))).toHaveLength(20);
    expect(lines.filter((line) => line.includes('connect'))).toHaveLength(lines.length);
    expect(lines.length).toBeLessThanOrEqual(40);
    // The same process serves on, and has ended nobody's connection.
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    process.kill(service.pid, 0);
    expect((await stream?.read())?.done).toBe(false);
    await stream?.cancel();
  });

  it('is told from what it can: other methods and garbage', async () => {
    expect(await statusOf(['FOO /health HTTP/1.1', HOST])).toBe(501);
    expect(await statusOf(['\u0016\u0003\u0001\u0002'])).toBe(400);
    expect(await statusOf(['OPTIONS * HTTP/1.1', HOST])).toBeGreaterThanOrEqual(400);
  });
});
