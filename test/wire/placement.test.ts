// Where actors live is not to be seen: the same way with an object each, and with one for all.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Player, type Lobby, type Seen } from '../../scripts/player.ts';
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

const isIn = (config: string, id?: string) => (seen: Seen) => {
  const lobby = seen.data as Lobby | null;
  return seen.event === 'connected' && lobby?.config === config && lobby.id === (id ?? lobby.id);
};

/** Its lobby moves to another config; then the player has another lobby under the first. */
async function streamOfMoved(): Promise<void> {
  const [ann, bob] = [new Player(service.url, 'ann'), new Player(service.url, 'bob')];
  const { id: lobbyId } = await ann.ok('POST', '/lobbies/arena', { name: 'party' });
  await bob.ok('POST', '/lobbies/arena/join', { lobbyId });
  const stream = await bob.events('arena');
  await stream.until(isIn('arena', lobbyId));
  await ann.ok('POST', '/lobbies/arena/me/move', { config: 'yard' });
  await stream.until(isIn('yard', lobbyId));
  const { id } = await bob.ok('POST', '/lobbies/arena', { name: 'alone' });
  await stream.until(isIn('arena', id));
  stream.close();
}

it.each<Placement>(['objects', 'box'])('a match is played, placed as %s', async (placement) => {
  service = await start(placement);
  const operator = new Player(service.url, 'operator', service.serverKey);
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 120 } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  await match();
  await operator.ok('PUT', '/lobby-configs/yard', {});
  await streamOfMoved();
  const names = await readdir(join(dataDir, 'storage'), { recursive: true });
  const databases = names.filter((name) => /[0-9a-f]{64}\.sqlite$/.test(name));
  // A box has one for all actors, whatever their number, beside workerd's own.
  expect(databases.length > 1).toBe(placement === 'objects');
});
