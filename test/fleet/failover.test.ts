// One project on several fleets: which one is called, what is saved before, and when another is
// tried (objects/server-launch). The Server object is real; its host and fleets are not.

import { beforeEach, describe, expect, it } from 'vitest';

import type { BuildLaunch } from '../../src/fleet/port';
import type { FleetRoute } from '../../src/fleet/fleets';
import { simulatedFleet, type SimulatedFleet } from '../../proof/sim/simulated-fleet';
import type { InstanceId } from '../../src/common/ids';
import type { LaunchOrder } from '../../src/objects/contracts/server';
import type { ProjectDocument } from '../../src/objects/contracts/project';
import { fleetsAmong, type Fleets } from '../../src/fleet/fleets';
import { ServerActor } from '../../src/objects/server/actor';
import type { Instance } from '../../src/objects/server/state';
import { fakePorts, type FakePorts } from './ports.ts';

const order: LaunchOrder = {
  instanceId: 'server-1' as InstanceId,
  project: 'dev',
  owner: { kind: 'project' },
  name: 'server',
  region: 'eu-west',
  build: 'game',
  computeSize: 'small',
  customData: {},
  ttlSeconds: null,
  matchId: null,
};

function documentWith(launch: BuildLaunch): ProjectDocument {
  const build = {
    name: 'game',
    version: 7,
    label: null,
    status: 'ready',
    launch,
    ports: [],
  } as const;
  return { revision: 1, configs: {}, builds: { game: build } };
}

interface Rig extends FakePorts {
  readonly actor: ServerActor;
  saw(): Instance;
}

let clock: () => number;
let near: SimulatedFleet;
let far: SimulatedFleet;
let fleets: Fleets;

function rigOf(saved?: Map<string, unknown>, launch: BuildLaunch = {}): Rig {
  const project = { serverChanged: async () => undefined };
  const fake = fakePorts({
    name: order.instanceId,
    document: documentWith(launch),
    peers: { project: () => project as never },
    ...(saved === undefined ? {} : { saved }),
  });
  clock = () => fake.now();
  const actor = new ServerActor(fake.ports, { fleets, publicUrl: 'https://muster.test' });
  return { ...fake, actor, saw: () => fake.saved.get('instance') as Instance };
}

function route(name: string, patch: Partial<FleetRoute> = {}): FleetRoute {
  return { name, group: null, regions: [], projects: [], ...patch };
}

beforeEach(() => {
  clock = () => 0;
  near = simulatedFleet({ now: () => clock() });
  far = simulatedFleet({ now: () => clock() });
  fleets = fleetsAmong(
    [
      { route: route('far'), fleet: far },
      { route: route('near', { regions: ['eu-west'] }), fleet: near },
    ],
    () => clock(),
  );
});

/** What a launch answers, with all the time it may take. */
async function launched(rig: Rig, what = order): Promise<string> {
  const launching = rig.actor.launch(what);
  await rig.pass(60_000);
  const reply = await launching;
  return reply.ok ? 'ok' : reply.refusal.detail;
}

describe('the first fleet', () => {
  it('is the one that names the region, and is saved before it is called', async () => {
    const held = near.holdNext();
    const rig = rigOf();
    const launching = rig.actor.launch(order);
    await rig.pass(0);
    expect(near.started()).toBe(0);
    expect(rig.saw()).toMatchObject({ fleet: 'near', accepted: false, version: 7 });
    held.release();
    await rig.pass(0);
    expect(await launching).toMatchObject({ ok: true });
    expect([near.alive(), far.alive()]).toEqual([['server-1'], []]);
  });

  it('after a crash in the middle of the launch is called again, whoever came to be first', async () => {
    near.holdNext();
    const before = rigOf();
    void before.actor.launch(order);
    await before.pass(0);
    // The new deployment has the fleets the other way round, and the region is served by another.
    fleets = fleetsAmong(
      [
        { route: route('far', { regions: ['eu-west'] }), fleet: far },
        { route: route('near'), fleet: near },
      ],
      () => clock(),
    );
    const after = rigOf(before.saved);
    await after.actor.alarm();
    await after.pass(1_000);
    expect(after.saw()).toMatchObject({ fleet: 'near', accepted: true });
    expect(far.started()).toBe(0);
  });

  it('is told to stop, and asked after the server, whatever has become first since', async () => {
    const rig = rigOf();
    expect(await launched(rig)).toBe('ok');
    fleets.silent('near');
    await rig.actor.stop();
    await rig.pass(0);
    expect(near.alive()).toEqual([]);
  });

  it('is the one the build names, or none', async () => {
    expect(await launched(rigOf(undefined, { fleet: 'far' }))).toBe('ok');
    expect([near.started(), far.started()]).toEqual([0, 1]);
    const other = { ...order, instanceId: 'server-2' as InstanceId };
    expect(await launched(rigOf(undefined, { fleet: 'moon' }), other)).toBe(
      'No fleet named moon serves the region eu-west',
    );
  });
});

describe('another fleet', () => {
  it.each(['no_capacity', 'refused'] as const)('is tried after %s', async (reason) => {
    near.failNext(reason);
    const rig = rigOf();
    expect(await launched(rig)).toBe('ok');
    expect([near.alive(), far.alive()]).toEqual([[], ['server-1']]);
    expect(rig.saw()).toMatchObject({ fleet: 'far', passed: [{ by: 'near' }] });
    await rig.actor.stop();
    await rig.pass(0);
    expect(far.alive()).toEqual([]);
  });

  it('is not tried after one that may have started it: that one is asked again', async () => {
    near.failNext('unreachable', { started: true });
    near.failNext('unreachable', { started: true });
    expect(await launched(rigOf())).toBe('ok');
    expect([near.alive(), far.started()]).toEqual([['server-1'], 0]);
  });

  it('is not tried when that one stays silent: the launch fails, and its stop is owed', async () => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      near.failNext('unreachable', { started: true });
    }
    const rig = rigOf();
    expect(await launched(rig)).toMatch(/^The fleet could not be reached/);
    expect([near.alive(), far.started()]).toEqual([[], 0]);
    expect(near.started()).toBe(1);
  });

  it('is not tried when that one says no after a silence: what it did not answer may yet arrive', async () => {
    near.failNext('unreachable', { started: true });
    near.failNext('no_capacity');
    expect(await launched(rigOf())).toBe('simulated failure');
    expect([near.started(), near.alive(), far.started()]).toEqual([1, [], 0]);
  });

  it('is tried first by the launches that come after such a silence', async () => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      near.failNext('unreachable');
    }
    await launched(rigOf());
    const second = { ...order, instanceId: 'server-2' as InstanceId };
    const rig = rigOf();
    await rig.actor.launch(second);
    expect(rig.saw().fleet).toBe('far');
  });

  it('is not tried after one where the instance has ended', async () => {
    await near.stop('server-1');
    const rig = rigOf();
    expect(await launched(rig)).toBe('this instance has already stopped');
    expect([near.started(), far.started()]).toEqual([0, 0]);
  });

  it('that says no as well: the launch fails with what each said', async () => {
    near.failNext('no_capacity');
    far.failNext('refused');
    expect(await launched(rigOf())).toBe('near: simulated failure; far: simulated failure');
  });

  it('is where the alarm goes on, after a crash between the two', async () => {
    near.failNext('no_capacity');
    far.holdNext();
    const before = rigOf();
    void before.actor.launch(order);
    await before.pass(0);
    expect(before.saw()).toMatchObject({ fleet: 'far', passed: [{ by: 'near' }] });
    const after = rigOf(before.saved);
    await after.actor.alarm();
    await after.pass(1_000);
    expect([near.started(), far.alive()]).toEqual([0, ['server-1']]);
  });
});

/** A build that names both, `near` first. */
const IN_ORDER: BuildLaunch = { fleets: ['near', 'far'] };

describe('a build that names fleets in order', () => {
  it.each([
    [
      ['near', 'far'],
      [1, 0],
    ],
    [
      ['far', 'near'],
      [0, 1],
    ],
    [
      ['moon', 'far'],
      [0, 1],
    ],
  ])('is launched in the first of %j that there is', async (names, started) => {
    expect(await launched(rigOf(undefined, { fleets: names }))).toBe('ok');
    expect([near.started(), far.started()]).toEqual(started);
  });

  it('by a group, and nowhere else', async () => {
    const group = { route: route('g', { group: 'cloud' }), fleet: far };
    fleets = fleetsAmong([{ route: route('n'), fleet: near }, group], () => clock());
    expect(await launched(rigOf(undefined, { fleets: ['cloud'] }))).toBe('ok');
    expect([near.started(), far.started()]).toEqual([0, 1]);
    expect(await launched(rigOf(undefined, { fleets: ['sun', 'moon'] }))).toBe(
      'No fleet named sun or moon serves the region eu-west',
    );
  });

  it.each(['no_capacity', 'refused'] as const)(
    'is launched in the next one after %s',
    async (reason) => {
      near.failNext(reason);
      expect(await launched(rigOf(undefined, IN_ORDER))).toBe('ok');
      expect([near.alive(), far.alive()]).toEqual([[], ['server-1']]);
    },
  );

  it('gives up an id that the first may have started, and stops it there', async () => {
    const silence = Array.from({ length: 9 }, () => 'unreachable' as const);
    silence.forEach((reason) => near.failNext(reason, { started: true }));
    const rig = rigOf(undefined, IN_ORDER);
    const launching = rig.actor.launch(order);
    await rig.pass(8_000);
    expect(await launching).toMatchObject({ ok: true });
    expect([near.started(), near.alive(), far.alive()]).toEqual([1, [], ['server-1.1']]);
    expect(rig.saw()).toMatchObject({ fleet: 'far', run: 1, tries: 1, passed: [{ by: 'near' }] });
    // Five seconds, and not the twenty of a fleet that is the only one.
    expect(rig.saw().launchedAt - rig.saw().createdAt).toBeLessThan(8_000);
    // The others ask the second first, until it closes by itself.
    expect([...fleets.resting().keys()]).toEqual(['near']);
    await rig.pass(30_000);
    expect([...fleets.resting().keys()]).toEqual([]);
  });

  it('does not wait for an answer that takes longer, and refuses what the given-up server reports', async () => {
    const held = near.holdNext();
    const rig = rigOf(undefined, IN_ORDER);
    const launching = rig.actor.launch(order);
    await rig.pass(5_100);
    expect(await launching).toMatchObject({ ok: true });
    expect(far.alive()).toEqual(['server-1.1']);
    // The call arrives after all: its id has been stopped there.
    held.release();
    await rig.pass(0);
    expect(near.alive()).toEqual([]);
    const [token = ''] = rig.saw().formerTokens;
    for (const status of ['running', 'stopped'] as const) {
      expect(await rig.actor.report(token, { status })).toMatchObject({ ok: false });
    }
    expect(rig.saw()).toMatchObject({ status: 'launching', accepted: true });
  });

  it('after a crash in between is stopped in the first, and launched in the second', async () => {
    near.failNext('unreachable', { started: true });
    near.stop = () => Promise.reject(new Error('away'));
    const before = rigOf(undefined, IN_ORDER);
    far.holdNext();
    near.holdNext();
    void before.actor.launch(order);
    await before.pass(10_600);
    expect(before.saw()).toMatchObject({ fleet: 'far', strays: [{ fleet: 'near' }] });
    const stopped: string[] = [];
    near.stop = async (id) => void stopped.push(id);
    const after = rigOf(before.saved, IN_ORDER);
    await after.actor.alarm();
    await after.pass(1_000);
    expect(stopped).toEqual(['server-1']);
    expect([far.alive(), after.saw().accepted]).toEqual([['server-1.1'], true]);
  });

  it('fails with what each said, if the last one is silent too', async () => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      near.failNext('unreachable');
      far.failNext('unreachable');
    }
    const rig = rigOf(undefined, IN_ORDER);
    expect(await launched(rig)).toMatch(/^The fleet could not be reached/);
    expect([near.started(), far.started()]).toEqual([0, 0]);
    expect(rig.saw().status).toBe('stopped');
  });
});

describe('a fleet that was taken out of the deployment', () => {
  it('holds nobody up: the stop of its servers is given up, and said', async () => {
    const rig = rigOf();
    await launched(rig);
    fleets = fleetsAmong([{ route: route('far'), fleet: far }], () => clock());
    const after = rigOf(rig.saved);
    await after.actor.stop();
    await after.pass(1_000);
    // Rows of paid debts go with it.
    await after.actor.alarm();
    expect([...after.saved.keys()].filter((key) => key.startsWith('debts:'))).toEqual([]);
    expect(after.saw().status).toBe('stopped');
  });
});
