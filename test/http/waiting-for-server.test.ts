// Matches for which no fleet has room, from the players' and the operator's side (record 0068).

import { afterEach, expect, it, vi } from 'vitest';
import type { Build } from '../../packages/js/src/admin-types';
import { ONLY } from '../../src/fleet/fleets';
import type { Launched, LaunchSpec } from '../../src/fleet/port';
import { peersUnderTest } from '../support/peers';
import { controlled } from '../support/simulated';
import { listen } from './stream';
import {
  ask,
  createLobby,
  fetchRaw,
  freshConfig,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

const FULL: Launched = { ok: false, reason: 'no_capacity', detail: 'no place is free' };

/** The fleet takes the servers of that build while it is told that there are so many places. */
function places(build: string): { left: number } {
  const room = { left: 0 };
  const launch = controlled.launch.bind(controlled);
  vi.spyOn(controlled, 'launch').mockImplementation(async (spec: LaunchSpec) => {
    if (spec.build.name === build && room.left === 0) {
      return FULL;
    }
    room.left -= spec.build.name === build ? 1 : 0;
    return launch(spec);
  });
  return room;
}

afterEach(() => {
  vi.restoreAllMocks();
});

async function setUp(capacitySeconds: number) {
  const config = freshConfig();
  const launch = { capacitySeconds };
  const saved = await ask(`PUT builds/${config}`, { key: SERVER, body: { launch } });
  expect(saved.status).toBe(200);
  const modes = { duel: {}, other: {} };
  const serverSettings = { gameBuild: config };
  await saveConfig(config, { serverSettings, matchmaking: { modes } });
  return { config, room: places(config) };
}

async function queue(config: string, mode: string, ...names: readonly string[]): Promise<void> {
  for (const player of names) {
    await createLobby(config, player);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode } });
  }
}

function inLine(config: string, player: string, position: number) {
  return until(
    () => mine(config, player),
    ({ matchmaking }) => matchmaking?.waiting_for_server?.position === position,
  );
}

it('wait as matched, in one line over all modes, and play in their order', async () => {
  const { config, room } = await setUp(120);
  await queue(config, 'duel', 'ann', 'bob');
  const { status, matchmaking, server } = await inLine(config, 'ann', 1);
  expect([status, server, matchmaking?.mode]).toEqual(['matched', null, 'duel']);
  const since = Date.parse(matchmaking?.waiting_for_server?.since ?? '');
  expect(Math.abs(Date.now() - since)).toBeLessThan(60_000);
  await queue(config, 'other', 'cid', 'dan');
  await inLine(config, 'dan', 2);
  const ofBuild = (await peersUnderTest().project('dev').serverGroups()).filter(
    ({ build }) => build === config,
  );
  expect(ofBuild).toMatchObject([{ state: 'waiting', count: 2, region: 'us-east' }]);
  expect(ofBuild[0]?.since).toBe(matchmaking?.waiting_for_server?.since);
  const metrics = await (await fetchRaw('GET /metrics', { key: SERVER })).text();
  expect(metrics).toContain(
    `muster_matches_without_room{project="dev",build="${config}",region="us-east"} 2`,
  );
  room.left = 1;
  const playing = await until(
    () => mine(config, 'bob'),
    (lobby) => lobby.status === 'in_game',
  );
  expect(playing.matchmaking).toBeNull();
  await inLine(config, 'cid', 1);
  room.left = 1;
  await until(
    () => mine(config, 'dan'),
    (lobby) => lobby.status === 'in_game',
  );
});

it.each([
  ['launch_failed when their time is over', false],
  ['player_left when nobody else is left', true],
])('go back with %s', async (said, hasLeft) => {
  const { config } = await setUp(hasLeft ? 600 : 2);
  await queue(config, 'duel', 'ann');
  const stream = await listen(config, 'ann');
  await queue(config, 'duel', 'bob');
  await inLine(config, 'bob', 1);
  if (hasLeft) {
    expect((await ask(`DELETE lobbies/${config}/me`, { player: 'bob' })).status).toBe(200);
  }
  const [reason] = said.split(' ');
  expect(await stream.next('matchmaking_timeout')).toMatchObject({ reason });
  await stream.leave();
  expect(await mine(config, 'ann')).toMatchObject({ status: 'waiting', matchmaking: null });
});

it('fail at once under a build that does not say how long they wait', async () => {
  const { config } = await setUp(0);
  await queue(config, 'duel', 'ann');
  const stream = await listen(config, 'ann');
  await queue(config, 'duel', 'bob');
  expect(await stream.next('matchmaking_timeout')).toMatchObject({ reason: 'launch_failed' });
  await stream.leave();
});

it.each([-1, 0.5, 3_601, '60'])(
  'cannot be told to wait for %j seconds',
  async (capacitySeconds) => {
    const body = { launch: { capacitySeconds } };
    const saved = await ask(`PUT builds/${freshConfig()}`, { key: SERVER, body });
    expect(saved).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(saved.body.detail).toContain('launch.capacitySeconds');
  },
);

it.each([
  [{ fleets: [] }, 'launch.fleets: must name at least one fleet'],
  [{ fleets: 'fleet' }, 'launch.fleets'],
  [{ fleet: 'fleet', fleets: ['fleet'] }, 'launch.fleets: must not be there with a fleet'],
])('are on one fleet, or on several in order: not %j', async (launch, detail) => {
  const saved = await ask(`PUT builds/${freshConfig()}`, { key: SERVER, body: { launch } });
  expect(saved).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  expect(saved.body.detail).toContain(detail);
});

it('play on the next of the fleets that their build names', async () => {
  const config = freshConfig();
  const body = { launch: { fleets: ['moon', ONLY] } };
  const saved = await ask<Build>(`PUT builds/${config}`, { key: SERVER, body });
  expect(saved.body.launch).toEqual(body.launch);
  await saveConfig(config, {
    serverSettings: { gameBuild: config },
    matchmaking: { modes: { duel: {} } },
  });
  await queue(config, 'duel', 'ann', 'bob');
  await until(
    () => mine(config, 'bob'),
    (lobby) => lobby.status === 'in_game',
  );
});
