// The fault table of the fleet port (docs/internals/fleet-faults.md): what players see, and what is left running,
// with real objects and a simulated fleet that misbehaves on command.

import { abortAllDurableObjects } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { controlled } from '../support/simulated';
import { ONLY } from '../../src/fleet/fleets';
import type { InstanceId } from '../../src/common/ids';
import type { LobbyView } from '../../src/lobby/view';
import { peersUnderTest } from '../support/peers';
import { ask, createLobby, freshConfig, mine, saveConfig, until } from '../http/support';
import { listen } from '../http/stream';
import { alarmAfter, report, rewriteServer, savedServer } from './servers';

const fleet = controlled;

afterEach(() => {
  vi.useRealTimers();
});

/** Two lobbies, ann's and bob's, that match each other as soon as both queue. */
async function duel(): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
  await createLobby(config, 'ann');
  await createLobby(config, 'bob');
  return config;
}

async function queueBoth(config: string): Promise<void> {
  for (const player of ['ann', 'bob']) {
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  }
}

async function both(config: string): Promise<readonly LobbyView[]> {
  return Promise.all(['ann', 'bob'].map((player) => mine(config, player)));
}

function areAll(status: string): (lobbies: readonly LobbyView[]) => boolean {
  return (lobbies) => lobbies.every((lobby) => lobby.status === status);
}

function play(lobbies: readonly LobbyView[]): boolean {
  return lobbies.every(({ server }) => server?.status === 'running');
}

/** Both in a running game; its instance. */
async function playing(): Promise<{ readonly config: string; readonly id: string }> {
  const config = await duel();
  await queueBoth(config);
  const [ann] = await until(() => both(config), play);
  return { config, id: ann?.server?.instance_id ?? '' };
}

describe('a fleet that is slow', () => {
  it('leaves both lobbies matched until it answers; then both play on one server', async () => {
    const config = await duel();
    const launches = fleet.started();
    const held = fleet.holdNext();
    await queueBoth(config);
    const waiting = await until(() => both(config), areAll('matched'));
    expect(waiting.map(({ server }) => server)).toEqual([null, null]);
    held.release();
    const [ann, bob] = await until(() => both(config), play);
    expect(ann?.server?.instance_id).toBe(bob?.server?.instance_id);
    expect(fleet.started()).toBe(launches + 1);
  });
});

describe('a fleet whose answer is lost after it has started the server', () => {
  // shows: S16, D37a
  it('is asked again for the same id: both play, on one server', async () => {
    const launches = fleet.started();
    fleet.failNext('unreachable', { started: true });
    fleet.failNext('unreachable', { started: true });
    const { id } = await playing();
    expect(fleet.started()).toBe(launches + 1);
    expect(fleet.alive()).toContain(id);
  });

  // shows: D37b
  it('and that stays silent fails the launch, and what it started is stopped, twice over', async () => {
    const config = await duel();
    const events = await listen(config, 'ann');
    const held = fleet.holdNext();
    fleet.failNext('unreachable', { started: true });
    await queueBoth(config);
    await until(() => both(config), areAll('matched'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21_000 });
    const before = new Set(fleet.alive());
    held.release();
    await until(() => both(config), areAll('waiting'));
    const timeout = await events.next('matchmaking_timeout');
    expect(timeout).toMatchObject({ mode: 'duel', reason: 'launch_failed' });
    await until(
      async () => fleet.alive().filter((id) => !before.has(id)),
      (left) => left.length === 0,
    );
    await events.leave();
  });

  it('has a call that arrives after all stopped a minute later', async () => {
    const id = crypto.randomUUID() as InstanceId;
    const server = peersUnderTest().server(id);
    const held = fleet.holdNext();
    const launching = server.launch({
      instanceId: id,
      project: 'dev',
      owner: { kind: 'project' },
      name: 'late',
      region: 'us-east',
      build: 'default',
      computeSize: 'small',
      customData: {},
      ttlSeconds: null,
      matchId: null,
    });
    await until(
      () => savedServer(id),
      (instance) => instance?.fleet === ONLY,
    );
    await server.stop();
    expect(await savedServer(id)).toMatchObject({ fleet: ONLY, accepted: false, settled: false });
    await alarmAfter(61, id);
    await until(
      () => savedServer(id),
      (instance) => instance?.settled === true,
    );
    held.release();
    expect(await launching).toMatchObject({ value: { block: { status: 'stopped' } } });
    expect(fleet.alive()).not.toContain(id);
  });
});

describe.each(['refused', 'no_capacity'] as const)('a fleet that answers %s', (reason) => {
  // shows: D25g
  it('returns both lobbies to waiting and says launch_failed; nothing runs', async () => {
    const config = await duel();
    const events = await listen(config, 'bob');
    const launches = fleet.started();
    fleet.failNext(reason);
    await queueBoth(config);
    const timeout = await events.next('matchmaking_timeout');
    expect(timeout).toMatchObject({ mode: 'duel', reason: 'launch_failed' });
    await until(() => both(config), areAll('waiting'));
    expect(fleet.started()).toBe(launches);
    await events.leave();
  });

  // shows: D19c
  it('answers a direct start with 503, and the lobby waits', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    fleet.failNext(reason);
    const answer = await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect([answer.status, answer.body.code]).toEqual([503, 'LAUNCH_FAILED']);
    expect(await mine(config, 'ann')).toMatchObject({ status: 'waiting', server: null });
  });
});

describe('reports', () => {
  it('that come twice are seen once', async () => {
    const { config, id } = await playing();
    const [before] = await both(config);
    for (let time = 0; time < 2; time += 1) {
      expect((await report(id, { status: 'running' })).status).toBe(200);
    }
    expect((await both(config))[0]).toEqual(before);
    const ends = [await report(id, { status: 'stopped' }), await report(id, { status: 'stopped' })];
    expect(ends.map(({ status }) => status)).toEqual([200, 200]);
    const waiting = await until(() => both(config), areAll('waiting'));
    expect(waiting.map(({ revision }) => revision)).toEqual([
      (before?.revision ?? 0) + 1,
      expect.any(Number),
    ]);
  });

  it('that come out of order turn nothing back', async () => {
    const { config, id } = await playing();
    const launching = await report(id, { status: 'launching' });
    expect([launching.status, launching.body.status]).toEqual([200, 'running']);
    expect((await both(config)).map(({ server }) => server?.status)).toEqual([
      'running',
      'running',
    ]);
    await report(id, { status: 'stopped' });
    await until(() => both(config), areAll('waiting'));
    expect((await report(id, { status: 'running' })).status).toBe(404);
    expect((await both(config)).map(({ status }) => status)).toEqual(['waiting', 'waiting']);
  });
});

describe('a fleet that denies a server it runs', () => {
  it('once, ends no game', async () => {
    const { config, id } = await playing();
    fleet.deny(id, 1);
    await alarmAfter(31, id);
    expect((await savedServer(id))?.missingAt).toEqual(expect.any(Number));
    await alarmAfter(3, id);
    expect(await savedServer(id)).toMatchObject({ status: 'running', missingAt: null });
    expect((await both(config)).map(({ status }) => status)).toEqual(['in_game', 'in_game']);
  });

  it('again, ends the game, and the server is told to stop', async () => {
    const { config, id } = await playing();
    fleet.deny(id, 2);
    await alarmAfter(31, id);
    expect((await both(config)).map(({ status }) => status)).toEqual(['in_game', 'in_game']);
    await alarmAfter(3, id);
    await until(() => both(config), areAll('waiting'));
    await until(
      async () => fleet.alive(),
      (alive) => !alive.includes(id),
    );
  });
});

describe('a server that ends by itself', () => {
  // shows: S123
  it('by a crash that nobody reports: the lobbies wait when the fleet is asked', async () => {
    const { config, id } = await playing();
    fleet.crash(id);
    await alarmAfter(31, id);
    const lobbies = await until(() => both(config), areAll('waiting'));
    expect(
      lobbies.map(({ players, matchId, server }) => [players.length, matchId, server]),
    ).toEqual([
      [1, null, null],
      [1, null, null],
    ]);
  });

  it('by a clean exit that it reports: the lobbies wait at once', async () => {
    const { config, id } = await playing();
    await report(id, { status: 'stopped', exit_code: 0 });
    await until(() => both(config), areAll('waiting'));
  });

  it('when its time to live is over: the lobbies wait, and the fleet is told to stop it', async () => {
    const { config, id } = await playing();
    const order = (await savedServer(id))?.order;
    expect(order).toBeDefined();
    await rewriteServer(id, order === undefined ? {} : { order: { ...order, ttlSeconds: 60 } });
    await abortAllDurableObjects();
    await alarmAfter(50, id);
    expect((await both(config)).map(({ status }) => status)).toEqual(['in_game', 'in_game']);
    await alarmAfter(15, id);
    await until(() => both(config), areAll('waiting'));
    await until(
      async () => fleet.alive(),
      (alive) => !alive.includes(id),
    );
  });
});
