// Paths that a proxy and the service could read in two ways. Clients and test libraries tidy them up, so they go
// over a bare connection.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { askRaw } from '../support/raw-http.ts';

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-paths-'));
  service = await startService({ port: 0, dataDir, devKeys: true, env: { FLEET: 'simulated' } });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function ask(line: string): Promise<string> {
  return askRaw(service.port, line, { 'api-key': service.serverKey, 'x-player-id': 'ann' });
}

describe('a path with a backslash, a dot segment or an encoded slash', () => {
  it.each([
    String.raw`/v3\builds`,
    String.raw`/v3/lobbies/x\..\..\builds`,
    '/v3/x/../builds',
    '/v3/./builds',
    '/v3/lobbies/..',
    '/v3/%2e%2e/v3/builds',
    '/v3/lobbies/.%2E/builds',
    '/v3/%2E/builds',
    '/v3%2fbuilds',
    '/v3%5Cbuilds',
    '/v3/lobbies/arena%2Fme',
    '/v3/players/a/../../builds',
    String.raw`/v3/players/a\b`,
    '/metrics/..',
  ])('is refused: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await ask(`${method} ${path}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      if (method === 'GET') {
        expect(answer).toContain('backslash');
      }
    }
  });

  it('is refused again on a connection that was served before', async () => {
    expect(await ask('GET /v3/builds')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask(String.raw`GET /v3\builds`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('what only looks like one', () => {
  it('is served: dots in a name, anything in a query, and a player with a slash in the id', async () => {
    expect(await ask('GET /v3/lobbies/..a..?x=/../%2f\\')).toMatch(/^HTTP\/1\.1 200 /);
    const host = new Player(service.url, 'host');
    const { id } = await host.ok('POST', '/lobbies/arena', { name: 'den' });
    const odd = new Player(service.url, String.raw`steam/76\1`);
    await odd.ok('POST', '/lobbies/arena/join', { lobbyId: id });
    const kicked = await host.call(
      'DELETE',
      `/lobbies/arena/me/players/${encodeURIComponent(odd.id)}`,
    );
    expect(kicked.status).toBe(200);
  });
});
