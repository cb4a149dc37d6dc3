// Builds from the operator's side, end to end: what of one reaches the fleet, and when.

import { describe, expect, it } from 'vitest';
import type { LaunchSpec, ServerBlock } from '../../src/fleet/port';
import { controlled } from '../support/simulated';
import type { Build } from '../../src/fleet/build';
import type { BuildRevision } from '../../packages/js/src/admin-types.ts';
import { MAX_BUILDS } from '../../src/common/limits';
import type { ServerPage } from '../../packages/js/src/admin-types.ts';
import { matchmade, party, playing, statuses } from './parties';
import { listen } from './stream';
import {
  ask,
  askUnder,
  createLobby,
  freshConfig,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

const fleet = controlled;
const RULES = [{ type: 'equals', field: 'version' }];
const DUEL = { rules: RULES, useVersionFromState: 'version' };

async function put(name: string, body: object): Promise<object> {
  const saved = await ask<object>(`PUT builds/${name}`, { key: SERVER, body });
  expect(saved.status).toBe(200);
  return saved.body;
}

async function remove(name: string): Promise<void> {
  expect((await ask(`DELETE builds/${name}`, { key: SERVER })).status).toBe(200);
}

/** Two players who ask for that build, matched and playing. */
async function matchOn(config: string, version: string, names: readonly string[]) {
  for (const name of names) {
    await party(config, 'duel', { [name]: { version } });
  }
  const lobbies = await Promise.all(names.map((name) => playing(config, name)));
  return lobbies[0]?.server?.instance_id ?? '';
}

function specOf(instanceId: string): LaunchSpec | null {
  return fleet.specOf(instanceId);
}

async function blockOf(instanceId: string): Promise<ServerBlock> {
  return (await ask<ServerBlock>(`GET servers/${instanceId}`, { key: SERVER })).body;
}

describe('builds', () => {
  it('are so many at most, and one that is there may still change', async () => {
    const key = 'a key of its own';
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
    const sha256 = new Uint8Array(bytes).toHex();
    const API_KEYS = JSON.stringify([{ project: freshConfig(), kind: 'server', sha256 }]);
    const save = (name: string): Promise<{ status: number; body: unknown }> =>
      askUnder({ API_KEYS }, `PUT builds/${name}`, { key, body: {} });
    for (let count = 1; count < MAX_BUILDS; count += 1) {
      expect((await save(`b${count}`)).status).toBe(200);
    }
    expect(await save('more')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', detail: `A project has at most ${MAX_BUILDS} builds` },
    });
    expect((await save('b1')).status).toBe(200);
  });
});

describe('a build', () => {
  it('reaches the fleet with all it carries, by the name in the state of the players', async () => {
    const [one, other] = [freshConfig(), freshConfig()];
    const launch = {
      image: 'registry.example/game:1.2',
      args: ['--port', '{port}'],
      memory: 256,
      cpus: 1.5,
      fleetName: 'arena',
      env: { LOG: 'debug' },
    };
    await put(one, { label: '1.2', launch });
    await put(other, {});
    const config = await matchmade({ duel: DUEL });
    const id = await matchOn(config, one, ['ann', 'bob']);
    expect(specOf(id)?.build).toEqual({ name: one, version: 1, label: '1.2', launch, ports: [] });
    expect(await blockOf(id)).toMatchObject({
      version_tag: one,
      version: 1,
      startup_args: '--port {port}',
    });
    const second = await matchOn(config, other, ['cat', 'dan']);
    expect(specOf(second)?.build).toEqual({
      name: other,
      version: 1,
      label: null,
      launch: {},
      ports: [],
    });
  });

  it('that is replaced is what the next match runs; the running one keeps its own', async () => {
    const name = freshConfig();
    const config = await matchmade({ duel: DUEL });
    await put(name, {});
    const first = await matchOn(config, name, ['ann', 'bob']);
    await put(name, {});
    const second = await matchOn(config, name, ['cat', 'dan']);
    expect([specOf(first)?.build.version, specOf(second)?.build.version]).toEqual([1, 2]);
    expect([(await blockOf(first)).version, (await blockOf(second)).version]).toEqual([1, 2]);
  });

  it('that is not ready runs nothing until it is', async () => {
    const name = freshConfig();
    const config = await matchmade({ duel: DUEL });
    await put(name, { status: 'not ready' });
    const events = await listenIn(config, 'ann');
    const launches = fleet.started();
    await party(config, 'duel', { bob: { version: name } });
    await queueAgain(config, 'ann', name);
    expect(await events.next('matchmaking_timeout')).toMatchObject({ reason: 'launch_failed' });
    await until(
      () => statuses(config, 'ann', 'bob'),
      (both) => both.every((status) => status === 'waiting'),
    );
    expect(fleet.started()).toBe(launches);
    await put(name, { status: 'ready' });
    await queueAgain(config, 'ann', name);
    await queueAgain(config, 'bob', name);
    expect((await playing(config, 'ann')).server?.version_tag).toBe(name);
    await events.leave();
  });

  it('that is removed fails the matches that resolve to it, and stops no game', async () => {
    const name = freshConfig();
    const config = await matchmade({ duel: DUEL });
    await put(name, {});
    const first = await matchOn(config, name, ['ann', 'bob']);
    await remove(name);
    const events = await listenIn(config, 'cat');
    await party(config, 'duel', { dan: { version: name } });
    await queueAgain(config, 'cat', name);
    expect(await events.next('matchmaking_timeout')).toMatchObject({
      mode: 'duel',
      reason: 'launch_failed',
    });
    expect(await statuses(config, 'ann', 'bob')).toEqual(['in_game', 'in_game']);
    expect((await blockOf(first)).status).toBe('running');
    await events.leave();
  });

  it('that is removed or not ready fails a direct start, and a server by name', async () => {
    const name = freshConfig();
    const config = freshConfig();
    await put(name, {});
    await saveConfig(config, { serverSettings: { gameBuild: name } });
    await createLobby(config, 'ann');
    for (const change of [() => put(name, { status: 'not_ready' }), () => remove(name)]) {
      await change();
      const started = await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
      expect([started.status, started.body.code]).toEqual([503, 'LAUNCH_FAILED']);
      expect((await mine(config, 'ann')).status).toBe('waiting');
      const body = { version_tag: name };
      const server = await ask('POST servers/start', { key: SERVER, body });
      expect([server.status, server.body.code]).toEqual([404, 'BUILD_NOT_FOUND']);
    }
  });

  it('for a fleet that is not there launches nowhere else', async () => {
    const name = freshConfig();
    const config = freshConfig();
    const saved = await put(name, { launch: { fleet: 'moon' } });
    expect(saved).toMatchObject({
      warnings: [{ path: 'launch', message: 'There is no fleet moon', didYouMean: null }],
    });
    await saveConfig(config, { serverSettings: { gameBuild: name } });
    await createLobby(config, 'ann');
    const launches = fleet.started();
    const started = await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect([started.status, started.body.detail]).toEqual([
      503,
      'The game server could not be started; launch_failed in the log of the service says why',
    ]);
    const { body } = await ask<ServerPage>('GET servers?include_stopped=true', { key: SERVER });
    const failed = body.servers.find(({ version_tag: build }) => build === name);
    expect(failed?.detail).toBe('No fleet named moon serves the region us-east');
    expect(fleet.started()).toBe(launches);
  });

  it('runs where the players voted: the region goes to the fleet', async () => {
    const config = await matchmade({ duel: {} });
    await party(config, 'duel', { ann: { regions: ['us-east', 'eu-west'] } });
    await party(config, 'duel', { bob: { regions: ['eu-west', 'asia-east'] } });
    const { server } = await playing(config, 'ann');
    expect(specOf(server?.instance_id ?? '')?.region).toBe('eu-west');
    expect(server?.region).toBe('eu-west');
  });
});

/** The stream of a player with a lobby of its own. */
async function listenIn(config: string, player: string): ReturnType<typeof listen> {
  await createLobby(config, player);
  return listen(config, player);
}

async function queueAgain(config: string, player: string, version: string): Promise<void> {
  await ask(`PATCH lobbies/${config}/me`, { player, body: { state: { version } } });
  const body = { mode: 'duel' };
  expect((await ask(`POST lobbies/${config}/me/matchmaking`, { player, body })).status).toBe(200);
}

it('a build is had back as it was, and its history says who saved what', async () => {
  const name = freshConfig();
  const path = `builds/${name}/history`;
  type Items = { readonly items: readonly BuildRevision[] };
  const history = async () => (await ask<Items>(`GET ${path}`, { key: SERVER })).body.items;
  expect((await ask(`GET ${path}`, { key: SERVER })).body.code).toBe('BUILD_NOT_FOUND');
  await put(name, { label: 'good', launch: { command: 'game' } });
  await put(name, { label: 'bad' });
  await remove(name);
  const before = await history();
  expect(before.map(({ build }) => build?.label ?? null)).toEqual([null, 'bad', 'good']);
  expect(before[0]?.key).toMatch(/^[0-9a-f]{8}$/);
  const good = before[2]?.revision;
  const restored = await ask<Build>(`POST ${path}/${good}/restore`, { key: SERVER });
  expect(restored.body).toMatchObject({ label: 'good', launch: { command: 'game' }, warnings: [] });
  expect(await history()).toHaveLength(4);
  expect((await ask(`POST ${path}/0/restore`, { key: SERVER })).status).toBe(404);
  await remove(name);
});
