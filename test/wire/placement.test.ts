// Where actors live is not to be seen: the same way with an object each, and a box that takes over
// what such a service had saved.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startService, type Placement, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';

let dataDir: string;
let service: Service;

const start = (placement: Placement): Promise<Service> =>
  startService({ port: 0, dataDir, placement, devKeys: true, env: { FLEET: 'simulated' } });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-placement-'));
});

afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function match(): Promise<void> {
  const players = [new Player(service.url, 'ann'), new Player(service.url, 'bob')];
  for (const player of players) {
    await player.ok('POST', '/lobbies/arena', { name: player.id });
    await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  await eventually('both play', async () => {
    const lobbies = await Promise.all(players.map((who) => who.ok('GET', '/lobbies/arena/me')));
    return lobbies.every(({ server }) => server?.status === 'running');
  });
  for (const player of players) {
    await player.ok('DELETE', '/lobbies/arena/me');
  }
}

it('a box plays what was saved when each actor had an object', async () => {
  service = await start('objects');
  const before = new Player(service.url, 'operator', service.serverKey);
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 120 } };
  await before.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  await match();
  await service.stop();

  service = await start('box');
  const after = new Player(service.url, 'operator', service.serverKey);
  const config = await after.ok<{ matchmaking: { modes: object } }>('GET', '/lobby-configs/arena');
  expect(config.matchmaking.modes).toMatchObject(modes);
  const history = await after.ok<{ items: object[] }>('GET', '/lobby-configs/arena/history');
  expect(history.items).toMatchObject([{ revision: 1, config: { name: 'arena' } }]);
  await match();
  // One database for all actors, whatever their number, beside workerd's own.
  const files = await readdir(join(dataDir, 'storage', 'muster-BoxObject'));
  expect(files.filter((file) => /^[0-9a-f]{64}\.sqlite$/.test(file))).toHaveLength(1);
});
