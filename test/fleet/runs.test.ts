// A server that is started again, fails, or is told of twice: one actor, a fleet and a clock in
// our hands.

import { beforeEach, describe, expect, it } from 'vitest';
import { onlyFleet } from '../../src/fleet/fleets';
import type { Inspection, Port } from '../../src/fleet/port';
import { simulatedFleet, type SimulatedFleet } from '../../proof/sim/simulated-fleet';
import type { InstanceId, LobbyId } from '../../src/common/ids';
import type { LaunchOrder, ServerReport } from '../../src/objects/contracts/server';
import type { LobbyRpc } from '../../src/objects/contracts/lobby';
import type { Roster } from '../../src/objects/contracts/match';
import { formed, served } from '../../src/objects/match/state';
import type { ProjectRpc } from '../../src/objects/contracts/project';
import { ServerActor } from '../../src/objects/server/actor';
import type { Instance } from '../../src/objects/server/state';
import { block } from '../support/lobbies';
import { fakePorts, type FakePorts } from './ports';

const BUILD = {
  name: 'game',
  version: 1,
  label: null,
  status: 'ready',
  launch: {},
  ports: [],
} as const;
const DOCUMENT = { revision: 1, configs: {}, builds: { game: BUILD } };
const ORDER: LaunchOrder = {
  instanceId: 'server-1' as InstanceId,
  project: 'dev',
  owner: { kind: 'lobby', id: 'lobby-1' as LobbyId },
  name: 'server',
  region: 'us-east',
  build: 'game',
  computeSize: 'small',
  customData: {},
  ttlSeconds: null,
  matchId: null,
};
const NOTHING = { order: {}, options: {} };
const PORT: Port = {
  name: 'game_udp',
  host: '198.51.100.7',
  external_port: 30_001,
  internal_port: 7777,
  protocol: 'udp',
  tls_enabled: false,
};

let clock: () => number;
let fleet: SimulatedFleet;
let reports: ServerReport[];
let keptMs: number | undefined;
let isOwned: boolean;

function rigOf(saved?: Map<string, unknown>) {
  const lobby = { serverReport: async (told: ServerReport) => (reports.push(told), isOwned) };
  const peers = {
    lobby: () => lobby as unknown as LobbyRpc,
    project: () => ({ serverChanged: async () => keptMs }) as unknown as ProjectRpc,
  };
  const fake: FakePorts = fakePorts({
    name: 'server-1',
    document: DOCUMENT,
    peers,
    ...(saved === undefined ? {} : { saved }),
  });
  clock = () => fake.now();
  const actor = new ServerActor(fake.ports, { fleets: onlyFleet(fleet), publicUrl: 'https://m' });
  return { ...fake, actor, saw: () => fake.saved.get('instance') as Instance };
}

beforeEach(() => {
  reports = [];
  keptMs = undefined;
  isOwned = true;
  fleet = simulatedFleet({ now: () => clock() });
});

async function running(order: Partial<LaunchOrder> = {}) {
  const rig = rigOf();
  await rig.actor.launch({ ...ORDER, ...order });
  await rig.pass(1_000);
  expect(rig.saw().status).toBe('running');
  return rig;
}

describe('a server whose owner does not know it', () => {
  it('is stopped as soon as it is told to the owner', async () => {
    isOwned = false;
    const rig = rigOf();
    await rig.actor.launch(ORDER);
    await rig.pass(1_000);
    expect(rig.saw().status).toBe('stopped');
    expect(fleet.alive()).toEqual([]);
  });
});

describe('a report that is played back', () => {
  it('leaves the ports of a running server as they are', async () => {
    const rig = rigOf();
    await rig.actor.launch(ORDER);
    const { token } = rig.saw();
    await rig.actor.report(token, { status: 'running', network_ports: [PORT] });
    expect(rig.saw().ports).toEqual([PORT]);
    const old = { ...PORT, external_port: 29_999 };
    await rig.actor.report(token, { status: 'running', network_ports: [old] });
    expect(rig.saw().ports).toEqual([PORT]);
  });

  it('after a restart changes nothing, whatever it says', async () => {
    const rig = await running();
    const { token } = rig.saw();
    await rig.actor.restart('dev', NOTHING);
    for (const status of ['running', 'stopped', 'launching'] as const) {
      const reply = await rig.actor.report(token, { status, network_ports: [PORT] });
      expect(reply).toMatchObject({ ok: false, refusal: { code: 'SERVER_NOT_FOUND' } });
    }
    expect(rig.saw()).toMatchObject({ status: 'launching', ports: [] });
  });
});

describe('a restart', () => {
  it('ends the run before it, then launches the same order under the same id', async () => {
    const rig = await running();
    expect(await rig.actor.restart('dev', NOTHING)).toMatchObject({
      ok: true,
      value: { instance_id: 'server-1', status: 'launching', network_ports: [] },
    });
    await rig.pass(2_000);
    expect(fleet.alive()).toEqual(['server-1.1']);
    expect(reports.map(({ block }) => block.status)).toEqual(['running', 'launching', 'running']);
    expect(reports.map(({ seq }) => seq)).toEqual(
      reports.map(({ seq }) => seq).toSorted((a, b) => a - b),
    );
  });

  it('that is asked for twice happens once', async () => {
    const rig = await running();
    await Promise.all([rig.actor.restart('dev', NOTHING), rig.actor.restart('dev', NOTHING)]);
    await rig.pass(2_000);
    expect([fleet.started(), fleet.alive()]).toEqual([2, ['server-1.1']]);
  });

  it('is finished after a crash at any step', async () => {
    const before = await running();
    await before.actor.restart('dev', NOTHING);
    const after = rigOf(before.saved);
    await after.pass(3_000);
    await after.actor.alarm();
    await after.pass(3_000);
    expect(after.saw()).toMatchObject({ status: 'running', run: 1, before: null });
    expect(fleet.alive()).toEqual(['server-1.1']);
  });

  it('of a server that is then stopped leaves neither run behind', async () => {
    const rig = await running();
    await rig.actor.restart('dev', NOTHING);
    await rig.actor.stop();
    await rig.pass(5_000);
    expect(fleet.alive()).toEqual([]);
  });

  it('that its fleet will not launch ends the server, and its owner hears of it', async () => {
    const rig = await running();
    fleet.failNext('refused');
    await rig.actor.restart('dev', NOTHING);
    await rig.pass(5_000);
    expect(reports.at(-1)).toMatchObject({ block: { status: 'stopped' }, failed: false });
  });

  it('is nothing for a stopped server, or for another project', async () => {
    const rig = await running();
    expect(await rig.actor.restart('other', NOTHING)).toMatchObject({ ok: false });
    await rig.actor.stop();
    const reply = await rig.actor.restart('dev', NOTHING);
    expect(reply).toMatchObject({ ok: false, refusal: { code: 'INVALID_STATE' } });
  });
});

describe('a server that is to be started again when it fails', () => {
  const owner = { kind: 'project' } as const;
  const options = { autoRestart: true };

  it('is, but not after a clean exit', async () => {
    const rig = await running({ owner, options });
    await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 139 });
    await rig.pass(2_000);
    expect(rig.saw()).toMatchObject({ status: 'running', run: 1 });
    await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 0 });
    expect(rig.saw().status).toBe('stopped');
  });

  it('is not, once it was stopped while its fleet was asked about it', async () => {
    const rig = await running({ owner, options });
    const { promise, resolve } = Promise.withResolvers<Inspection>();
    fleet.inspect = () => promise;
    rig.stall(60_000);
    const looked = rig.actor.alarm();
    await rig.actor.stop();
    resolve({ state: 'stopped', ports: [] });
    await looked;
    await rig.pass(2_000);
    expect(rig.saw()).toMatchObject({ status: 'stopped', run: 0 });
  });

  it('is given up when it keeps failing soon', async () => {
    const rig = await running({ owner, options });
    for (let crash = 0; crash < 10 && rig.saw().status !== 'stopped'; crash += 1) {
      await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 1 });
      await rig.pass(2_000);
    }
    expect(rig.saw()).toMatchObject({ status: 'stopped', run: 5 });
    expect(fleet.alive()).toEqual([]);
  });

  it('keeps its time to live: crashes do not prolong it, a restart does', async () => {
    const rig = await running({ owner, options, ttlSeconds: 600 });
    const { ttlFrom } = rig.saw();
    await rig.pass(100_000);
    await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 1 });
    await rig.pass(2_000);
    expect(rig.saw().ttlFrom).toBe(ttlFrom);
    expect(fleet.specOf('server-1.1')?.ttlSeconds).toBeLessThanOrEqual(499);
    await rig.actor.restart('dev', NOTHING);
    expect(rig.saw().ttlFrom).toBe(rig.now());
  });
});

describe('a server that ends before it ran', () => {
  it('is a launch that failed, for its owner', async () => {
    fleet = simulatedFleet({ now: () => clock(), startMs: 60_000 });
    const rig = rigOf();
    await rig.actor.launch(ORDER);
    await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 1 });
    await rig.pass(0);
    expect(reports.at(-1)).toMatchObject({ block: { status: 'stopped' }, failed: true });
  });

  it('is a launch that failed for its match, too', () => {
    const rules = { matchConfirmation: { enabled: false, timeoutSeconds: 30 } };
    const roster = { rules, parties: [], teams: [] } as unknown as Roster;
    const match = formed(roster, ORDER.instanceId, 0);
    const stopped = { instanceId: ORDER.instanceId, seq: 2, block: block('stopped') };
    expect(served(match, { ...stopped, failed: true }, 1).reason).toBe('launch_failed');
    expect(served(match, { ...stopped, failed: false }, 1).reason).toBe('game_ended');
    expect(served(match, stopped, 1).reason).toBe('game_ended');
  });

  it('is none when it was told to stop, or had run', async () => {
    const rig = await running();
    await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 1 });
    await rig.pass(0);
    expect(reports.at(-1)).toMatchObject({ block: { status: 'stopped' }, failed: false });
  });
});

describe('a server that has ended', () => {
  it.each([
    ['an hour', undefined, 60],
    ['as long as its project told', 10 * 60_000, 10],
  ])('is remembered for %s, and then not at all', async (_, told, minutes) => {
    keptMs = told;
    const rig = await running();
    await rig.actor.stop();
    await rig.pass(2_000);
    await rig.actor.alarm();
    const { stoppedAt } = rig.saw();
    expect(rig.alarmAt()).toBe((stoppedAt ?? 0) + minutes * 60_000);
    const woken = rigOf(rig.saved);
    await woken.pass(minutes * 60_000 + 2_000);
    await woken.actor.alarm();
    expect([...woken.saved.keys()]).toEqual([]);
  });
});
