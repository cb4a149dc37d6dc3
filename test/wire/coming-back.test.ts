// What docs/coming-back.md promises: a player whose game, whose service, or both were ended by SIGKILL finds every lobby
// again, as far as it was.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { API_KEYS } from '../security/tenant.ts';
import { eventually } from '../support/eventually.ts';

const SITE = 'https://play.example.com';
const CLIENT = join(PROJECT, 'packages/js/src/index.ts');

/** The game of a player: it makes a lobby, searches if it shall, and listens until it is ended. */
const GAME = `
const [client, url, config, player, mode] = process.argv.slice(1);
const { MusterPlayer } = await import(client);
const muster = new MusterPlayer({ url, key: 'the client key', config, player });
await muster.createLobby({ name: player });
if (mode) await muster.startMatchmaking(mode);
for await (const { type, lobby } of muster.streamEvents()) {
  if (lobby) console.log(type, lobby.status, lobby.server?.status ?? '');
}
`;

let dataDir: string;
let service: Service;
let players = 0;
const games = new Set<ChildProcess>();

async function start(): Promise<void> {
  const env = { API_KEYS, FLEET: 'simulated', LIMITS: 'off', PUBLIC_URL: SITE };
  service = await startService({ port: 0, dataDir, env });
}

/** A game as a process of its own, which has reached that status. */
async function game(config: string, player: string, reached: string): Promise<ChildProcess> {
  const mode = reached === 'waiting' ? [] : [reached === 'in_queue' ? 'alone' : 'solo'];
  const words = [CLIENT, service.url, config, player, ...mode];
  const child = spawn(process.execPath, ['--input-type=module', '-e', GAME, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  games.add(child);
  let said = '';
  child.stdout?.on('data', (chunk) => (said += String(chunk)));
  await eventually(`${player} is ${reached}`, () =>
    said.includes(` ${reached} ${reached === 'in_game' ? 'running' : ''}\n`),
  );
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
  games.delete(child);
}

const back = (player: string): Promise<Awaited<ReturnType<MusterPlayer['whereAmI']>>> =>
  new MusterPlayer({ url: service.url, key: 'the client key', config: 'one', player }).whereAmI();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-back-'));
  await start();
  const operator = new Player(service.url, 'operator', 'the server key');
  const modes = { solo: { teams: 1 }, alone: { teams: 20, timeout: 600 } };
  await operator.ok('PUT', '/lobby-configs/one', { matchmaking: { modes } });
  const invite = { url: 'mygame://{code}' };
  await operator.ok('PUT', '/lobby-configs/two', { matchmaking: { modes }, invite });
});

afterEach(async () => {
  await Promise.all(Array.from(games, end));
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const KILLS: Readonly<Record<string, (child: ChildProcess) => Promise<void>>> = {
  'the game': end,
  'the service': async () => {
    await service.kill();
    await start();
  },
  'the game and the service': async (child) => {
    await Promise.all([end(child), service.kill()]);
    await start();
  },
};

describe.each(Object.entries(KILLS))('after SIGKILL of %s', (_, kill) => {
  it.each([
    ['waiting', null],
    ['in_queue', 'alone'],
    ['in_game', 'solo'],
  ])('a player finds the lobby that was %s', async (reached, mode) => {
    players += 1;
    const player = `p${players}`;
    const child = await game('two', player, reached);
    const [before] = await back(player);
    expect(before).toMatchObject({ config: 'two', status: reached, mode });
    expect(before?.invite_url).toMatch(new RegExp(`^${SITE}/join/two/[A-Z]+-[2-9B-Z]{6}$`));
    await kill(child);
    expect(await back(player)).toEqual([before]);
    const { url } = service;
    const muster = new MusterPlayer({ url, key: 'the client key', config: 'two', player });
    const lobby = await muster.getMyLobby();
    expect([lobby.id, lobby.status]).toEqual([before?.id, reached]);
    expect(lobby.server?.status).toBe(reached === 'in_game' ? 'running' : undefined);
  });
});

it('a player of two configs finds both lobbies, and none that was left', async () => {
  const of = (config: string): MusterPlayer =>
    new MusterPlayer({ url: service.url, key: 'the client key', config, player: 'both' });
  const [one, two] = [of('one'), of('two')];
  await one.createLobby({ name: 'One' });
  await two.createLobby({ name: 'Two' });
  await service.kill();
  await start();
  expect((await back('both')).map(({ config }) => config)).toEqual(['one', 'two']);
  await of('one').leaveLobby();
  await service.kill();
  await start();
  expect((await back('both')).map(({ config }) => config)).toEqual(['two']);
});
