// HTTP that no client of ours writes, over a raw socket. What reaches the Worker is refused with a 4xx.
// Three kinds end in workerd itself, by a 500 that no setting changes (record 0018): after them the
// same process serves on.

import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../../scripts/service.ts';

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-malformed-'));
  service = await startService({ port: 0, dataDir, env: { DEV_KEYS: 'true', FLEET: 'simulated' } });
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

const HOST = 'Host: 127.0.0.1';
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
    const begun = performance.now();
    const statuses = await Promise.all(sizes.map((size) => statusOf(CHUNKED, `${size}\r\n{}`)));
    expect(statuses).toEqual([408, 408, 408]);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('is refused: lengths that are negative, too large, or beside chunks', async () => {
    expect(await statusOf([...CREATE, 'Content-Length: -5'], 'hello')).toBe(400);
    expect(await statusOf([...CREATE, 'Content-Length: 9223372036854775807'], 'hello')).toBe(413);
    expect(await statusOf([...CHUNKED, 'Content-Length: 5'], '0\r\n\r\n')).toBe(400);
  });
});

describe('a request that workerd cannot make a request of', () => {
  it('harms nobody: HEAD with a body, names that are none, CONNECT', async () => {
    const { pid } = service;
    const requests: readonly (readonly [readonly string[], string])[] = [
      [['HEAD /health HTTP/1.1', HOST, 'Content-Length: 5'], 'hello'],
      [['HEAD /health HTTP/1.1', HOST, 'Transfer-Encoding: chunked'], '5\r\nhello\r\n0\r\n\r\n'],
      ...['a b', '%', '[', '127.0.0.1:99999', ''].map(
        (name) => [['GET /health HTTP/1.1', `Host: ${name}`], ''] as const,
      ),
      [['CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'], ''],
    ];
    const seen = new Set<number | null>();
    for (const [lines, body] of requests) {
      seen.add(await statusOf(lines, body));
    }
    expect(seen).toEqual(new Set([400, 500]));
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect([service.pid, process.kill(service.pid, 0)]).toEqual([pid, true]);
  });

  it('is told from what it can: other methods and garbage', async () => {
    expect(await statusOf(['FOO /health HTTP/1.1', HOST])).toBe(501);
    expect(await statusOf(['\u0016\u0003\u0001\u0002'])).toBe(400);
    expect(await statusOf(['OPTIONS * HTTP/1.1', HOST])).toBeGreaterThanOrEqual(400);
  });
});
