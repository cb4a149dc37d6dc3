// A match's server for which there is no room (record 0068): it waits in line by its alarm, and is served, or gives up in
// time, whatever crashes. The Server object is real; the project answers as the test says.

import { beforeEach, describe, expect, it } from 'vitest';
import type { BuildLaunch, Fleet } from '../../../../src/fleet/port';
import { onlyFleet } from '../../../../src/fleet/fleets';
import type { InstanceId } from '../../../../src/common/ids';
import type { InLine, TurnInLine } from '../../../../src/objects/contracts/project';
import type { ServerReport } from '../../../../src/objects/contracts/server';
import { ServerActor } from '../../../../src/objects/server/actor';
import type { Instance } from '../../../../src/objects/server/state';
import { simulatedFleet, type SimulatedFleet } from '../../../../proof/sim/simulated-fleet';
import { matchOrder as order } from '../../../support/match-order.ts';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';

const NOW: TurnInLine = { position: 0, since: 0, isTurn: true, againMs: 0 };
let fleet: SimulatedFleet;
let clock: () => number;
/** What the project answers. */
let standing: (asked: InLine, isFull: boolean) => TurnInLine;
let asks: (InLine & { readonly isFull: boolean })[];
let told: ServerReport[];

interface Rig extends FakePorts {
  readonly actor: ServerActor;
  saw(): Instance;
}

function rig(
  launch: BuildLaunch = { capacitySeconds: 60 },
  before?: FakePorts,
  called: Fleet = fleet,
): Rig {
  const builds = {
    game: { name: 'game', version: 7, label: null, status: 'ready', launch, ports: [] },
  } as const;
  const project = {
    serverChanged: async () => undefined,
    standInLine: async (asked: InLine, isFull: boolean) => {
      asks.push({ ...asked, isFull });
      return standing(asked, isFull);
    },
  };
  const match = {
    serverReport: async (report: ServerReport) => {
      told.push(report);
      return true;
    },
  };
  const fake = fakePorts({
    name: order.instanceId,
    document: { revision: 1, configs: {}, builds },
    peers: { project: () => project as never, match: () => match as never },
    ...(before === undefined ? {} : { saved: before.saved }),
  });
  clock = () => fake.now();
  const around = { fleets: onlyFleet(called), publicUrl: 'https://muster.test' };
  const actor = new ServerActor(fake.ports, around);
  return { ...fake, actor, saw: () => fake.saved.get('instance') as Instance };
}

/** Lets the time pass in steps, with the alarms that are due. */
async function pass({ actor, ...fake }: Rig, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    await fake.pass(100);
    if ((fake.alarmAt() ?? Infinity) <= fake.now()) {
      await actor.alarm();
      await fake.pass(0);
    }
  }
}

/** The place in line of a server that came at `since`. */
function at(position: number, since: number, isTurn = false): TurnInLine {
  return { position, since, isTurn, againMs: 1_000 };
}

beforeEach(() => {
  clock = () => 0;
  fleet = simulatedFleet({ now: () => clock(), capacity: 1 });
  asks = [];
  told = [];
  standing = () => NOW;
});

describe('a build without capacitySeconds', () => {
  it.each([{}, { capacitySeconds: 0 }])(
    'asks nobody, and fails if there is no room: %j',
    async (launch) => {
      fleet.failNext('no_capacity');
      const there = rig(launch);
      expect(await there.actor.launch(order)).toMatchObject({ ok: false });
      expect(asks).toEqual([]);
      expect(there.saw()).not.toHaveProperty('waiting');
    },
  );
});

describe('a build with capacitySeconds', () => {
  it('asks once while there is room, and saves what it saves without', async () => {
    const there = rig();
    expect(await there.actor.launch(order)).toMatchObject({ ok: true, value: { seq: 2 } });
    const { id, ...asked } = asks[0] ?? {};
    expect([asks.length, id, asked]).toEqual([
      1,
      'server-1',
      { build: 'game', region: 'eu', patienceMs: 60_000, since: null, isFull: false },
    ]);
    const plain = rig({});
    await plain.actor.launch({ ...order, instanceId: 'server-1' as InstanceId });
    expect(Object.keys(there.saw())).toEqual(Object.keys(plain.saw()));
  });

  it.each([{ kind: 'project' } as const, { kind: 'lobby', id: 'l' as never } as const])(
    'answers at once who starts a server directly: %j',
    async (owner) => {
      fleet.failNext('no_capacity');
      const { actor } = rig();
      expect(await actor.launch({ ...order, owner })).toMatchObject({ ok: false });
      expect(asks).toEqual([]);
    },
  );

  it('waits, shows its place as it moves, and is launched when its turn comes', async () => {
    fleet.failNext('no_capacity');
    const there = rig();
    const since = there.now();
    standing = (_, isFull) => (isFull ? at(3, since) : NOW);
    const launched = await there.actor.launch(order);
    expect(launched).toMatchObject({ ok: true, value: { waiting: { position: 3, since } } });
    expect(there.saw()).toMatchObject({ fleet: null, waiting: { until: since + 60_000 } });
    standing = () => at(2, since);
    await pass(there, 1_200);
    expect(told.at(-1)).toMatchObject({ waiting: { position: 2, since } });
    const before = told.length;
    await pass(there, 3_000);
    expect(told.length).toBe(before);
    expect(fleet.started()).toBe(0);
    standing = () => at(1, since, true);
    await there.actor.turn();
    await there.pass(0);
    expect(told.at(-1)).toMatchObject({ block: { status: 'launching' } });
    expect(told.at(-1)).not.toHaveProperty('waiting');
    expect(there.saw()).toMatchObject({ accepted: true, fleet: 'fleet', waiting: null });
    await pass(there, 2_000);
    expect(told.at(-1)).toMatchObject({ block: { status: 'running' } });
    expect(fleet.alive()).toEqual(['server-1']);
  });

  it('gives up when its time is over, and says what the fleets said', async () => {
    const there = rig();
    const since = there.now();
    standing = (_, isFull) => at(1, since, !isFull);
    fleet.failNext('no_capacity');
    await there.actor.launch(order);
    for (let second = 0; second < 59; second += 1) {
      fleet.failNext('no_capacity');
      await pass(there, 1_000);
    }
    expect(there.saw().status).toBe('launching');
    await pass(there, 1_200);
    expect(told.at(-1)).toMatchObject({
      failed: true,
      detail: 'No room within 60 seconds: fleet: simulated failure',
    });
    // A lack of room is not the build's fault.
    expect(there.saw()).toMatchObject({ status: 'stopped', blamesBuild: false, waiting: null });
    expect(fleet.started()).toBe(0);
  });

  it('goes on in its place after a crash, and asks at once', async () => {
    const first = rig();
    const since = first.now();
    standing = () => at(2, since);
    await first.actor.launch(order);
    const woken = rig({ capacitySeconds: 60 }, first);
    asks = [];
    standing = () => at(1, since, true);
    await woken.actor.alarm();
    await woken.pass(0);
    expect(asks).toMatchObject([{ since }]);
    expect(fleet.alive()).toEqual(['server-1']);
  });

  it('asks as early as it is told to, and has more time if the build gives more', async () => {
    const launch = { capacitySeconds: 60 };
    const there = rig(launch);
    const since = there.now();
    standing = () => at(2, since);
    await there.actor.launch(order);
    await there.pass(10);
    expect(there.alarmAt()).toBe(since + 1_000);
    standing = () => ({ ...at(2, since), againMs: 100 });
    await there.actor.turn();
    await there.pass(0);
    expect(there.alarmAt()).toBe(there.now() + 100);
    launch.capacitySeconds = 90;
    await there.actor.turn();
    await there.pass(0);
    expect(there.saw().waiting).toEqual({ position: 2, since, until: since + 90_000 });
  });

  it('asks its fleet alone once that was called, also after a crash', async () => {
    const { release } = fleet.holdNext();
    const first = rig();
    void first.actor.launch(order);
    await first.pass(0);
    expect([first.saw().fleet, asks.length]).toEqual(['fleet', 1]);
    const woken = rig({ capacitySeconds: 60 }, first);
    release();
    await woken.actor.alarm();
    await woken.pass(0);
    expect([woken.saw().accepted, asks.length]).toEqual([true, 1]);
  });

  it('is not served any more once its match has ended', async () => {
    const there = rig();
    standing = () => at(1, there.now());
    await there.actor.launch(order);
    await there.actor.stop(true);
    standing = () => at(1, there.now(), true);
    await there.actor.turn();
    await pass(there, 5_000);
    expect(there.saw()).toMatchObject({ status: 'stopped', waiting: null });
    expect(fleet.started()).toBe(0);
  });

  it('comes again under another id where an earlier call may yet arrive, and the first is stopped there', async () => {
    const late = simulatedFleet({ now: () => clock(), capacity: 1 });
    late.failNext('unreachable');
    late.failNext('no_capacity');
    const there = rig({ capacitySeconds: 60 }, undefined, late);
    const since = there.now();
    standing = (_, isFull) => (isFull ? at(1, since) : NOW);
    const launching = there.actor.launch(order);
    await there.pass(1_000);
    expect(await launching).toMatchObject({ ok: true, value: { waiting: { position: 1 } } });
    await there.pass(0);
    // The lost call arrives: its id has ended there.
    const spec = { instanceId: 'server-1', build: { ports: [] } } as never;
    expect(await late.launch(spec)).toMatchObject({ ok: false, reason: 'ended' });
    standing = () => at(1, since, true);
    await there.actor.turn();
    await there.pass(0);
    expect(late.alive()).toEqual(['server-1.1']);
    expect(there.saw()).toMatchObject({ run: 1, tries: 1, strays: [{ id: 'server-1' }] });
    const report = { status: 'running' } as const;
    const [firstToken = ''] = there.saw().formerTokens;
    expect(await there.actor.report(firstToken, report)).toMatchObject({ ok: false });
    // A call that is later still is stopped a minute after the first was given up.
    const stops: string[] = [];
    const stop = late.stop.bind(late);
    late.stop = async (id) => {
      stops.push(id);
      return stop(id);
    };
    await pass(there, 61_000);
    expect(stops).toEqual(['server-1']);
  });
});
