// The keys that `npm run keys` mints are the ones the service lets in, and then no others.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mintKeys } from '../../scripts/keys.ts';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';

// shows: D8c
it('lets minted keys in, each to its own, and development keys no longer', async () => {
  const [mine, other] = [mintKeys('my-game', 'alice'), mintKeys('other_game')];
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-keys-'));
  const API_KEYS = JSON.stringify([...mine.entries, ...other.entries]);
  const running = await startAll({ port: 0, dataDir, env: { API_KEYS } });
  const statusOf = async (key: string, path: string): Promise<number> =>
    (await new Player(running.url, 'ann', key).call('GET', path)).status;
  try {
    await new Player(running.url, 'ann', mine.client).ok('POST', '/lobbies/arena', {
      name: 'mine',
    });
    expect(await statusOf(mine.client, '/lobbies/arena/me')).toBe(200);
    expect(await statusOf(other.client, '/lobbies/arena/me')).toBe(404);
    expect(await statusOf(mine.server, '/lobby-configs')).toBe(200);
    const alice = new Player(running.url, 'alice', mine.server);
    await alice.ok('PUT', '/lobby-configs/arena', {});
    expect(await alice.ok('GET', '/audit')).toMatchObject({
      items: [{ kind: 'config_saved', on: 'arena', by: 'operator:alice' }],
    });
    expect(await statusOf(mine.client, '/lobby-configs')).toBe(403);
    for (const unknown of ['client_dev_key', 'server_dev_key', `${mine.server}x`, '']) {
      expect(await statusOf(unknown, '/lobbies/arena')).toBe(401);
    }
  } finally {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

// shows: D8c
it('mints no key twice, and none for what cannot be a project', () => {
  const keys = [mintKeys('main'), mintKeys('main')].flatMap(({ client, server }) => [
    client,
    server,
  ]);
  expect(new Set(keys).size).toBe(4);
  expect(() => mintKeys('my game')).toThrow('not "my game"');
  expect(() => mintKeys('main', 'al ice')).toThrow('not "al ice"');
});
