// A box is lost under traffic and comes back from its newest backup: with its keys, its configs, and every lobby
// that was acknowledged before the backup was begun.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Target } from '../../proof/bench/latency/http.ts';
import { offer, saveBenchConfig } from '../../proof/bench/latency/trial.ts';
import { backUp } from '../../scripts/backup.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { isNewer, ownVersion, VERSION_FILE } from '../../scripts/data-version.ts';
import { DATABASE, setAside } from '../../scripts/database.ts';
import { Player, type Lobby } from '../../scripts/player.ts';
import { restore } from '../../scripts/restore.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';

let folder = '';
const running = new Set<Service>();

async function serviceIn(dataDir: string): Promise<Service> {
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  const service = await startService({ port: 0, dataDir, devKeys: true, env });
  running.add(service);
  return service;
}

async function lose(service: Service, dataDir: string): Promise<void> {
  await service.kill();
  running.delete(service);
  await rm(dataDir, { recursive: true });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-backup-'));
});

afterEach(async () => {
  await Promise.all([...running].map((service) => service.stop()));
  running.clear();
  await rm(folder, { recursive: true, force: true });
});

it('comes back from a backup that was made under 20 pairs a second', async () => {
  const dataDir = join(folder, 'data');
  const service = await serviceIn(dataDir);
  await saveBenchConfig(service);
  const lobbies = new Map<string, Lobby>();
  for (let n = 0; n < 40; n += 1) {
    const player = new Player(service.url, `kept${n}`);
    lobbies.set(player.id, await player.ok('POST', '/lobbies/arena', { name: `den ${n}` }));
  }
  const target = new Target(service.url, 'client_dev_key');
  const pairs = offer(target, { rate: 20, seconds: 4, name: 'pair' });
  const backups = join(folder, 'backups');
  const made = [await backUp(dataDir, backups, 2)];
  await pairs;
  made.push(await backUp(dataDir, backups, 2), await backUp(dataDir, backups, 2));
  // One more than is kept, and none that was given up half way.
  const [, , newest] = made.map(({ file }) => file);
  expect((await readdir(backups)).map((name) => join(backups, name))).toEqual(
    made.slice(1).map(({ file }) => file),
  );
  expect(made[0]?.files.toSorted()).toEqual(['id-key', 'muster-version', 'server-key']);
  expect(made[0]?.version).toBe(await ownVersion());

  const { serverKey } = service;
  await lose(service, dataDir);
  await restore(newest ?? '', dataDir);
  for (const name of ['id-key', 'server-key', DATABASE]) {
    expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  }
  const restored = await serviceIn(dataDir);
  expect(restored.serverKey).toBe(serverKey);
  const operator = new Player(restored.url, 'operator', serverKey);
  expect(await operator.ok('GET', '/lobby-configs/bench')).toMatchObject({ name: 'bench' });
  for (const [id, lobby] of lobbies) {
    const player = new Player(restored.url, id);
    expect(await player.ok('GET', '/lobbies/arena/me')).toEqual(lobby);
    // Its id is signed: with another key nobody could join by it.
    const guest = new Player(restored.url, `guest of ${id}`);
    expect((await guest.ok('POST', '/lobbies/arena/join', { lobbyId: lobby.id })).id).toBe(
      lobby.id,
    );
  }
  const again = new Target(restored.url, 'client_dev_key');
  expect((await offer(again, { rate: 20, seconds: 1, name: 'after' })).failures).toEqual([]);
});

it('has in it what was acknowledged before it was begun, and no half of anything', async () => {
  const dataDir = join(folder, 'data');
  const service = await serviceIn(dataDir);
  const acknowledged: string[] = [];
  const stop = new AbortController();
  const traffic = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const player = new Player(service.url, `p${lane}-${n}`);
      await player.ok('POST', '/lobbies/arena', { name: 'den' });
      acknowledged.push(player.id);
    }
  });
  await eventually('a hundred lobbies', () => acknowledged.length > 100);
  const before = [...acknowledged];
  const { file } = await backUp(dataDir, join(folder, 'backups'), 7);
  stop.abort();
  await Promise.all(traffic);
  await lose(service, dataDir);
  await restore(file, dataDir);
  const restored = await serviceIn(dataDir);
  for (const id of before) {
    const { players } = await new Player(restored.url, id).ok('GET', '/lobbies/arena/me');
    expect(players.map((each) => each.id)).toEqual([id]);
  }
});

it('restores nothing over a service that runs, from a damaged file, or from something else', async () => {
  const dataDir = join(folder, 'data');
  const service = await serviceIn(dataDir);
  const ann = new Player(service.url, 'ann');
  await ann.ok('POST', '/lobbies/arena', { name: 'den' });
  const { file } = await backUp(dataDir, join(folder, 'backups'), 7);
  await expect(restore(file, dataDir)).rejects.toThrow(
    `is in use by a service (pid ${process.pid}): stop it first`,
  );
  expect((await ann.call('GET', '/lobbies/arena/me')).status).toBe(200);
  await service.stop();
  const whole = await readFile(file);
  const half = join(folder, 'half');
  await writeFile(half, whole.subarray(0, whole.length / 2));
  await expect(restore(half, dataDir)).rejects.toThrow('is damaged');
  await expect(restore(join(dataDir, DATABASE), dataDir)).rejects.toThrow('not a backup of Muster');
  await expect(restore(join(folder, 'none'), dataDir)).rejects.toThrow('there is no');
  await expect(restore(folder, dataDir)).rejects.toThrow(
    'is no file: name one of the backups in it',
  );
  const again = await serviceIn(dataDir);
  expect((await new Player(again.url, 'ann').call('GET', '/lobbies/arena/me')).status).toBe(200);
});

/** The shell blocks of that section of a page, in order. */
async function blocksOf(page: string, section: string): Promise<readonly string[]> {
  const text = await readFile(join(PROJECT, page), 'utf8');
  const [, body = ''] = text.split(`\n## ${section}\n`);
  const [own = ''] = body.split('\n## ');
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

it.runIf(needs('curl'))('keeps and restores configs and builds as the page says', async () => {
  const { url, serverKey } = await serviceIn(join(folder, 'one'));
  const operator = new Player(url, 'operator', serverKey);
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  const launch = { command: '/bin/game', args: ['--port={port}', 'back\\slash "and" quote'] };
  await operator.ok('PUT', '/builds/my%20game', { label: '1.4', launch });
  const other = await serviceIn(join(folder, 'two'));
  const [, , keep = '', back = ''] = await blocksOf('docs/backups.md', 'Backups');
  const run = (block: string, of: Service): void => {
    const env = { ...process.env, MUSTER: of.url, SERVER_KEY: of.serverKey };
    // The page's first line says whose settings they are: here those of two services.
    const script = block.replace(/^MUSTER=.*\n/, '');
    execFileSync('sh', ['-ec', script], { cwd: folder, env, stdio: 'pipe' });
  };
  run(keep, { ...other, url, serverKey });
  run(back, other);
  const restored = new Player(other.url, 'operator', other.serverKey);
  const config = await restored.ok<Record<string, unknown>>('GET', '/lobby-configs/arena');
  expect(config).toMatchObject({ matchmaking: { modes: { duel: { timeout: 60 } } } });
  type Builds = { builds: readonly { name: string }[] };
  const { builds } = await restored.ok<Builds>('GET', '/builds');
  expect(builds).toContainEqual(expect.objectContaining({ name: 'my game', label: '1.4', launch }));
});

it('says so where there is nothing to back up', async () => {
  await expect(backUp(join(folder, 'nowhere'), join(folder, 'x'), 7)).rejects.toThrow(
    'the service has not run there yet',
  );
});

it('neither starts on what a newer version wrote nor restores it, and changes nothing there', async () => {
  const dataDir = join(folder, 'data');
  const service = await serviceIn(dataDir);
  const ann = new Player(service.url, 'ann');
  await ann.ok('POST', '/lobbies/arena', { name: 'den' });
  await service.stop();
  const own = await ownVersion();
  await writeFile(join(dataDir, VERSION_FILE), '12.0.1\n');
  const { file, version } = await backUp(dataDir, join(folder, 'backups'), 7);
  expect(version).toBe('12.0.1');
  const names = (what: string): string =>
    `${what} was written by Muster 12.0.1, and this is Muster ${own}, which may not read it`;
  await expect(serviceIn(dataDir)).rejects.toThrow(names(dataDir));
  await expect(restore(file, dataDir)).rejects.toThrow(names(file));
  expect(await readFile(join(dataDir, VERSION_FILE), 'utf8')).toBe('12.0.1\n');

  // The sentence is about the data, which an earlier one or none may replace.
  await writeFile(join(dataDir, VERSION_FILE), '0.2.7');
  const again = await serviceIn(dataDir);
  expect((await new Player(again.url, 'ann').call('GET', '/lobbies/arena/me')).status).toBe(200);
  expect(await readFile(join(dataDir, VERSION_FILE), 'utf8')).toBe(`${own}\n`);
  await again.stop();
  await writeFile(join(dataDir, VERSION_FILE), '12.0.1');
  await setAside(dataDir);
  const empty = await serviceIn(dataDir);
  expect((await new Player(empty.url, 'ann').call('GET', '/lobbies/arena/me')).status).toBe(404);
});

it.each([
  ['0.3.0', '0.2.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '0.99.0', true],
  ['0.3.0', '0.3.0', false],
  ['0.3.0-rc.1', '0.3.0', false],
  ['0.2.9', '0.3.0', false],
  ['0.9.9', '0.10.0', false],
  ['', '0.3.0', false],
])('knows whether version %s comes after %s: %s', (one, other, says) => {
  expect(isNewer(one, other)).toBe(says);
});
