// Which names a service answers to, and for which pages: headers as a browser sends them, written
// by hand, against a service on a loopback address, alone and behind a proxy.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../../scripts/service.ts';

const KEY = 'a key of our own';
const CLIENT_KEY = 'a key of players';
const API_KEYS = JSON.stringify(
  [
    { kind: 'server', key: KEY },
    { kind: 'client', key: CLIENT_KEY },
  ].map(({ kind, key }) => ({
    project: 'p',
    kind,
    sha256: createHash('sha256').update(key).digest('hex'),
  })),
);

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-origin-'));
  service = await startService({
    port: 0,
    dataDir,
    env: {
      API_KEYS,
      PUBLIC_URL: 'https://muster.test',
      ALLOWED_HOSTS: 'other.test, Third.test',
      OPERATOR_ORIGINS: 'https://ops.test',
      CORS_ORIGINS: 'https://game.test',
    },
  });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answered {
  readonly status: number;
  readonly allowed: string | undefined;
}

function ask(
  line: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answered> {
  const [method, path] = line.split(' ');
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: service.port,
        method,
        path,
        headers: { 'api-key': KEY, ...headers },
      },
      (response) => {
        response.resume();
        const allowed = response.headers['access-control-allow-origin'];
        response.on('end', () => resolve({ status: response.statusCode ?? 0, allowed }));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

describe('a service on a loopback address', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    'LOCALHOST:8787',
    '[::1]:8787',
    'muster.test',
    'other.test:8443',
    'third.test',
  ])('answers to %s', async (host) => {
    expect((await ask('GET /health', { host })).status).toBe(200);
    expect((await ask('GET /v3/builds', { host })).status).toBe(200);
  });

  it.each([
    'evil.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'evil.test:8787',
    'muster.test.evil.test',
    '0.0.0.0',
    '10.0.0.1',
  ])('does not answer to %s, whatever is asked', async (host) => {
    for (const line of ['GET /health', 'GET /dashboard/', 'GET /v3/lobbies/a', 'GET /v3/builds']) {
      expect(await ask(line, { host })).toEqual({ status: 403, allowed: undefined });
    }
    const preflight = { host, 'access-control-request-method': 'GET', origin: `http://${host}` };
    expect((await ask('OPTIONS /v3/lobbies/a', preflight)).status).toBe(403);
  });
});

const OPERATORS = [
  'GET /v3/builds',
  'PUT /v3/builds/x',
  'POST /v3/servers/start',
  'POST /api/v3/servers/start',
  'POST /v3/projects/settings',
  'GET /v3/admin/events?view=overview',
  'DELETE /v3/lobbies/a/b',
  'HEAD /v3/servers',
] as const;

describe('routes of the server key', () => {
  // shows: D42
  it.each([
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'https://game.test' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'https://muster.test:444' },
    { origin: 'https://muster.test.evil.test' },
    { origin: 'file://' },
    { origin: 'no url' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('are closed to %j', async (headers: Readonly<Record<string, string>>) => {
    for (const line of OPERATORS) {
      const body = line.startsWith('P') ? '{}' : undefined;
      expect([line, await ask(line, headers, body)]).toEqual([
        line,
        { status: 403, allowed: undefined },
      ]);
      const [method = '', path = ''] = line.split(' ');
      const preflight = { origin: 'https://evil.test', ...headers };
      const asked = { ...preflight, 'access-control-request-method': method };
      expect(await ask(`OPTIONS ${path}`, asked)).toEqual({ status: 403, allowed: undefined });
    }
    expect((await ask('GET /v3/builds/x', {})).status).not.toBe(200);
  });

  it.each([
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://muster.test', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://muster.test', host: 'muster.test' },
    { origin: 'http://other.test', host: 'other.test' },
    { origin: 'https://ops.test', 'sec-fetch-site': 'cross-site' },
  ])('are open to %j', async (headers: Readonly<Record<string, string>>) => {
    const { status, allowed } = await ask('GET /v3/builds', headers);
    expect([status, allowed]).toEqual([200, headers['origin']]);
    const preflight = { ...headers, 'access-control-request-method': 'PUT' };
    expect((await ask('OPTIONS /v3/builds/x', preflight)).status).toBe(204);
  });

  // shows: D6a
  it('leave players their routes, from any listed origin', async () => {
    const page = { origin: 'https://game.test', 'sec-fetch-site': 'cross-site' };
    const headers = { ...page, 'api-key': CLIENT_KEY };
    expect(await ask('GET /v3/lobbies/a', headers)).toEqual({
      status: 200,
      allowed: 'https://game.test',
    });
    expect(await ask('GET /v3/lobbies/a', page)).toEqual({
      status: 403,
      allowed: 'https://game.test',
    });
    const preflight = { ...headers, 'access-control-request-method': 'DELETE' };
    expect((await ask('OPTIONS /v3/lobbies/a/me', preflight)).status).toBe(204);
    expect((await ask('OPTIONS /v3/lobbies/a/b', preflight)).status).toBe(403);
  });
});
