// Logins of the whole service, with stand-ins for the providers: a ticket logs in once, also across a SIGKILL;
// nobody reads a secret back; a provider that is slow, huge or gone logs nobody in and stops nobody.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { API_KEYS } from './tenant.ts';

const PUBLISHER_KEY = 'publisher-key-canary';
const STEAM_ID = '76561197960287930';

let service: Service;
let dataDir: string;
let url: string;
/** How the stand-in of Steam answers next. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[] = [];

const steam = createServer((request, response) => {
  asked.push(request.url ?? '');
  answer(request, response);
});

function accepts(_: IncomingMessage, response: ServerResponse): void {
  const params = { result: 'OK', steamid: STEAM_ID, vacbanned: false, publisherbanned: false };
  response.end(JSON.stringify({ response: { params } }));
}

const operator = (): Player => new Player(service.url, 'operator', 'the server key');
const guest = (): Player => new Player(service.url, 'guest', 'the client key');

interface LoggedIn {
  readonly token: string;
  readonly player: string;
}

async function start(): Promise<void> {
  const env = { API_KEYS, FLEET: 'simulated', PRIVATE_PROVIDERS: '1' };
  service = await startService({ port: 0, dataDir, env });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-logins-'));
  steam.listen(0, '127.0.0.1');
  await once(steam, 'listening');
  url = `http://127.0.0.1:${(steam.address() as AddressInfo).port}`;
  answer = accepts;
  await start();
  await operator().ok('PUT', '/projects/logins/steam', {
    publisherKey: PUBLISHER_KEY,
    appId: 480,
    url,
  });
  await operator().ok('PUT', '/projects/logins/anonymous', {});
  await operator().ok('POST', '/projects/settings', { playerAuth: 'token' });
});

afterAll(async () => {
  await service.stop();
  steam.closeAllConnections();
  steam.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('logins', () => {
  it('give a token that plays as the player whom the provider names', async () => {
    answer = accepts;
    const { token, player } = await guest().ok<LoggedIn>('POST', '/login/steam', { token: 'a1' });
    expect(player).toBe(`steam:${STEAM_ID}`);
    const ann = new Player(service.url, player, 'the client key', token);
    const lobby = await ann.ok<{ host: string }>('POST', '/lobbies/arena', { name: 'Den' });
    expect(lobby.host).toBe(player);
    const other = new Player(service.url, 'steam:1', 'the client key', token);
    expect((await other.call('GET', '/lobbies/arena/me')).status).toBe(401);
  });

  it('take a ticket once, also after the service was killed', async () => {
    answer = accepts;
    await guest().ok('POST', '/login/steam', { token: 'b2' });
    const again = await guest().call('POST', '/login/steam', { token: 'b2' });
    expect([again.status, again.body]).toMatchObject([401, { code: 'LOGIN_REFUSED' }]);
    // Hexadecimal digits have two forms, and the ticket is the same.
    expect((await guest().call('POST', '/login/steam', { token: 'B2' })).status).toBe(401);
    await service.kill();
    await start();
    expect((await guest().call('POST', '/login/steam', { token: 'b2' })).status).toBe(401);
    await guest().ok('POST', '/login/steam', { token: 'b3' });
  });

  it('of one ticket at the same time are one', async () => {
    answer = accepts;
    const all = await Promise.all(
      Array.from({ length: 8 }, () => guest().call('POST', '/login/steam', { token: 'c4' })),
    );
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(7).fill(401),
    ]);
  });

  it('are set by the server key alone, and no secret is read back', async () => {
    const forbidden = await guest().call('PUT', '/projects/logins/anonymous', {});
    expect(forbidden.status).toBe(403);
    const settings = await operator().ok<{ logins: { provider: string }[] }>(
      'GET',
      '/projects/settings',
    );
    expect(settings.logins.map(({ provider }) => provider).toSorted()).toEqual([
      'anonymous',
      'steam',
    ]);
    expect(JSON.stringify(settings)).not.toContain(PUBLISHER_KEY);
  });

  it('with a provider that nobody set, or that is none, are 404', async () => {
    for (const provider of ['epic', 'toString', 'myspace']) {
      const { status } = await guest().call('POST', `/login/${provider}`, { token: 'x' });
      expect([provider, status]).toEqual([provider, 404]);
    }
    await operator().ok('DELETE', '/projects/logins/anonymous');
    const { status } = await guest().call('POST', '/login/anonymous', { token: 'x'.repeat(40) });
    expect(status).toBe(404);
    expect((await operator().call('DELETE', '/projects/logins/anonymous')).status).toBe(404);
  });

  const wrong: readonly (readonly [string, typeof answer])[] = [
    ['breaks off', (_, response) => response.destroy()],
    ['is huge', (_, response) => response.end(`{"a":"${'x'.repeat(1_000_000)}"}`)],
    ['fails', (_, response) => response.writeHead(500).end('{}')],
    ['redirects', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ];
  it.each(wrong)('are 503 while the provider %s', async (_, badly) => {
    answer = badly;
    asked = [];
    const { status, body } = await guest().call('POST', '/login/steam', { token: 'd5' });
    expect([status, body]).toMatchObject([503, { code: 'UNAVAILABLE' }]);
    expect(JSON.stringify(body)).not.toContain(PUBLISHER_KEY);
    expect(asked).toHaveLength(1);
    // The ticket was not spent.
    answer = accepts;
  });

  it('wait 5 s at most, 64 at a time, and other providers and requests are served meanwhile', async () => {
    answer = () => undefined;
    await operator().ok('PUT', '/projects/logins/anonymous', {});
    let over = 0;
    const all = Array.from({ length: 70 }, async () => {
      const answered = await guest().call('POST', '/login/steam', { token: 'e6' });
      over += 1;
      return answered;
    });
    const early = await Promise.race(all);
    expect([early.status, early.body]).toMatchObject([503, { code: 'OVERLOADED' }]);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    const other = await guest().call('POST', '/login/anonymous', { token: 'x'.repeat(40) });
    expect(other.status).toBe(200);
    expect(over).toBeLessThan(70);
    const codes = (await Promise.all(all)).map(({ body }) => (body as { code: string }).code);
    expect(codes.filter((code) => code === 'UNAVAILABLE')).toHaveLength(64);
    answer = accepts;
    await guest().ok('POST', '/login/steam', { token: 'e6' });
  });
});
