// Warm servers, from the operator's, the players' and the game server's side (record 0073).

import { describe, expect, it } from 'vitest';
import type { Build, ServerPage } from '../../packages/js/src/admin-types';
import { peersUnderTest } from '../support/peers';
import { controlled } from '../support/simulated';
import { report, savedServer } from '../objects/servers';
import { ask, createLobby, freshConfig, mine, saveConfig, SERVER, until } from './support';

const REGION = 'us-east';

function keep(name: string, warm: unknown) {
  return ask<Build>(`PUT builds/${name}`, { key: SERVER, body: { launch: { warm } } });
}

async function setUp(warm: number): Promise<string> {
  const config = freshConfig();
  expect((await keep(config, { [REGION]: warm })).status).toBe(200);
  const serverSettings = { gameBuild: config };
  await saveConfig(config, { serverSettings, matchmaking: { modes: { duel: {} } } });
  return config;
}

/** The ids of those that run and wait for a match. */
async function ready(build: string): Promise<readonly string[]> {
  const { body } = await ask<ServerPage>('GET servers?limit=100', { key: SERVER });
  return body.servers
    .filter(({ version_tag: tag, pool_claimed_at: at }) => tag === build && at === null)
    .map(({ instance_id: id }) => id);
}

/** One that waits for a match, and what its game server asks with. */
async function waiting(config: string) {
  const [id = ''] = await until(
    () => ready(config),
    (ids) => ids.length === 1,
  );
  const { token = '' } = (await savedServer(id)) ?? {};
  return { id, asking: { key: null, headers: { authorization: `Bearer ${token}` } } };
}

async function play(config: string, ...names: readonly string[]) {
  for (const player of names) {
    await createLobby(config, player);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  }
  return until(
    () => mine(config, names[0] ?? ''),
    ({ status }) => status === 'in_game',
  );
}

it.each([
  [{ [REGION]: -1 }, 'launch.warm.us-east'],
  [{ [REGION]: 51 }, 'launch.warm.us-east'],
  [{ [REGION]: 1.5 }, 'launch.warm.us-east'],
  [{ [REGION]: '2' }, 'launch.warm.us-east'],
  [{ 'US East': 1 }, 'launch.warm'],
  [3, 'launch.warm'],
  [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`r${at}`, 1])), 'launch.warm'],
])('refuses %j, and starts nothing', async (warm, path) => {
  const config = freshConfig();
  const { status, body } = await keep(config, warm);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(path);
  expect((await ask(`GET builds/${config}`, { key: SERVER })).status).toBe(404);
});

it('must not be there with a player who hosts', async () => {
  const body = { launch: { host: 'players', warm: { [REGION]: 1 } } };
  const { status } = await ask(`PUT builds/${freshConfig()}`, { key: SERVER, body });
  expect(status).toBe(400);
});

it('are there before the match, which has one at once, and are followed by others', async () => {
  const config = await setUp(2);
  const before = await until(
    () => ready(config),
    (ids) => ids.length === 2,
  );
  const groups = await peersUnderTest().project('dev').serverGroups();
  expect(groups).toContainEqual({
    state: 'warm',
    build: config,
    region: REGION,
    fleet: null,
    count: 2,
    warm: { starting: 0, wanted: 2, failed: 0 },
  });
  const { server } = await play(config, 'ann', 'bob');
  expect(before).toContain(server?.instance_id);
  expect(server).toMatchObject({ status: 'running', is_pool_server: true });
  const spec = controlled.specOf(server?.instance_id ?? '');
  expect([spec?.warm, spec?.matchId]).toEqual([true, null]);
  const after = await until(
    () => ready(config),
    (ids) => ids.length === 2,
  );
  expect(after).not.toContain(server?.instance_id);
  expect((await keep(config, {})).status).toBe(200);
  await until(
    () => ready(config),
    (ids) => ids.length === 0,
  );
  expect((await mine(config, 'ann')).status).toBe('in_game');
});

it('that died unnoticed costs the match nothing but another server', async () => {
  const config = await setUp(1);
  const [id = ''] = await until(
    () => ready(config),
    (ids) => ids.length === 1,
  );
  controlled.crash(id);
  const { server } = await play(config, 'ann', 'bob');
  expect(server?.instance_id).not.toBe(id);
  expect(server?.is_pool_server).toBe(false);
  expect((await savedServer(id))?.status).toBe('stopped');
});

it('hear of their match by the report that they run, as soon as they have it', async () => {
  const config = await setUp(1);
  const { id, asking } = await waiting(config);
  const heard = ask<{ match_id: string | null; custom_data: object }>(
    `POST servers/${id}/status?wait=20`,
    { ...asking, body: { status: 'running' } },
  );
  const { matchId } = await play(config, 'ann', 'bob');
  const { status, body } = await heard;
  expect([status, body.match_id]).toEqual([200, matchId]);
  expect(body.custom_data).toMatchObject({ match_id: matchId, all_players: ['ann', 'bob'] });
  expect((await report(id, { status: 'running' })).body).toMatchObject({ match_id: matchId });
});

describe('one that asks', () => {
  let asked: Awaited<ReturnType<typeof waiting>> | null = null;

  it.each(['26', '-1', 'long'])('cannot wait for %s seconds', async (wait) => {
    asked ??= await waiting(await setUp(1));
    const { id, asking } = asked;
    const body = { status: 'running' };
    expect((await ask(`POST servers/${id}/status?wait=${wait}`, { ...asking, body })).status).toBe(
      400,
    );
  });
});
