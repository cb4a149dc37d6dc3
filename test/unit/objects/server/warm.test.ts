// A warm server and the matches that ask for it (record 0073). The Server object is real; the project and the matches answer
// as the test says.

import { beforeEach, describe, expect, it } from 'vitest';
import { onlyFleet } from '../../../../src/fleet/fleets';
import type { MatchId } from '../../../../src/common/ids';
import type { ServerRow } from '../../../../src/objects/contracts/project';
import type { LaunchOrder } from '../../../../src/objects/contracts/server';
import { ServerActor } from '../../../../src/objects/server/actor';
import type { Instance } from '../../../../src/objects/server/state';
import { simulatedFleet, type SimulatedFleet } from '../../../../proof/sim/simulated-fleet';
import { matchOrder } from '../../../support/match-order.ts';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';

const { instanceId: id } = matchOrder;
const warmOrder: LaunchOrder = { ...matchOrder, owner: { kind: 'warm' }, matchId: null };

let fleet: SimulatedFleet;
let clock: () => number;
let rows: ServerRow[];
let isOwned: boolean;

interface Rig extends FakePorts {
  readonly actor: ServerActor;
  saw(): Instance;
}

function rig(before?: FakePorts): Rig {
  const game = { name: 'game', version: 7, label: null, status: 'ready', ports: [] } as const;
  const project = {
    serverChanged: async (row: ServerRow) => void rows.push(row),
  };
  const fake = fakePorts({
    name: id,
    document: { revision: 1, configs: {}, builds: { game: { ...game, launch: {} } } },
    peers: {
      project: () => project as never,
      match: () => ({ serverReport: async () => isOwned }) as never,
    },
    ...(before === undefined ? {} : { saved: before.saved }),
  });
  clock = () => fake.now();
  const around = { fleets: onlyFleet(fleet), publicUrl: 'https://muster.test' };
  const actor = new ServerActor(fake.ports, around);
  return { ...fake, actor, saw: () => fake.saved.get('instance') as Instance };
}

/** A server that runs, and that no match has. */
async function warm(): Promise<Rig> {
  const server = rig();
  expect(await server.actor.launch(warmOrder)).toMatchObject({ ok: true });
  await server.actor.report(server.saw().token, { status: 'running' });
  await server.pass(2_000);
  expect(server.saw()).toMatchObject({ status: 'running', accepted: true });
  return server;
}

function orderOf(match: string): LaunchOrder {
  const owner = { kind: 'match', id: match as MatchId } as const;
  return { ...matchOrder, owner, matchId: match, customData: { match_id: match } };
}

beforeEach(() => {
  clock = () => 0;
  fleet = simulatedFleet({ now: () => clock() });
  rows = [];
  isOwned = true;
});

it('knows that it is one, and its project lists it so', async () => {
  await warm();
  const spec = fleet.specOf(id);
  expect([spec?.warm, spec?.matchId]).toEqual([true, null]);
  expect(rows.at(-1)?.block).toMatchObject({ is_pool_server: true, pool_claimed_at: null });
});

describe('a match that asks for it', () => {
  it('has it at once, under the order of the match, and its process is told by a second launch', async () => {
    const server = await warm();
    const launches: string[] = [];
    const launch = fleet.launch.bind(fleet);
    fleet.launch = async (spec) => {
      launches.push(`${spec.instanceId} ${spec.matchId}`);
      return launch(spec);
    };
    const reply = await server.actor.launch(orderOf('m1'));
    expect(reply).toMatchObject({
      ok: true,
      value: { block: { status: 'running', match_id: 'm1', is_pool_server: true } },
    });
    expect(launches).toEqual([`${id} m1`]);
    expect(fleet.started()).toBe(1);
    expect(server.saw()).toMatchObject({ accepted: true, order: { owner: { id: 'm1' } } });
    await server.pass(2_000);
    expect(rows.at(-1)?.block.pool_claimed_at).not.toBeNull();
  });

  it('has it alone: another one is refused, and the first may ask again', async () => {
    const server = await warm();
    await server.actor.launch(orderOf('m1'));
    const other = { ok: false, refusal: { code: 'LAUNCH_FAILED' } };
    expect(await server.actor.launch(orderOf('m2'))).toMatchObject(other);
    expect(await server.actor.launch(orderOf('m1'))).toMatchObject({ ok: true });
    expect(server.saw().order.owner).toEqual({ kind: 'match', id: 'm1' });
  });

  it('is refused once it has ended, and the fleet is owed its stop', async () => {
    const server = await warm();
    fleet.crash(id);
    const reply = await server.actor.launch(orderOf('m1'));
    expect(reply).toMatchObject({ ok: false, refusal: { code: 'LAUNCH_FAILED' } });
    expect(server.saw().status).toBe('stopped');
    expect(fleet.started()).toBe(1);
  });

  it('has it after a crash between its order and the word of the fleet', async () => {
    const server = await warm();
    const { release } = fleet.holdNext();
    void server.actor.launch(orderOf('m1'));
    await server.pass(0);
    expect(server.saw()).toMatchObject({ accepted: false, order: { owner: { id: 'm1' } } });
    const next = rig(server);
    release();
    expect(await next.actor.launch(orderOf('m2'))).toMatchObject({ ok: false });
    expect(await next.actor.launch(orderOf('m1'))).toMatchObject({ ok: true });
    expect(next.saw()).toMatchObject({ accepted: true, status: 'running' });
  });
});

it('answers its report as soon as it has a match', async () => {
  const server = await warm();
  const { token } = server.saw();
  const early = server.actor.report(token, { status: 'running' }, 20_000);
  await server.pass(5_000);
  await server.actor.launch(orderOf('m1'));
  expect(await early).toMatchObject({
    ok: true,
    value: { match_id: 'm1', custom_data: { match_id: 'm1' } },
  });
});

it('answers its report without a match when the wait is over', async () => {
  const server = await warm();
  const { token } = server.saw();
  const reply = server.actor.report(token, { status: 'running' }, 20_000);
  await server.pass(20_000);
  expect(await reply).toMatchObject({ ok: true, value: { match_id: null } });
});

it('is stopped by its project only while no match has it', async () => {
  const taken = await warm();
  await taken.actor.launch(orderOf('m1'));
  await taken.actor.stop('warm');
  expect(taken.saw().status).toBe('running');
  await taken.actor.stop(true);
  expect(taken.saw().status).toBe('stopped');
});

it('is stopped by its project while it waits, also before it was launched', async () => {
  const server = await warm();
  await server.actor.stop('warm');
  expect(server.saw().status).toBe('stopped');
  const early = rig();
  await early.actor.stop('warm');
  expect(await early.actor.launch(warmOrder)).toMatchObject({ ok: false });
});

it('is not started in a fleet that has servers ready by itself', async () => {
  Object.assign(fleet, { keepsReady: true });
  const server = rig();
  expect(await server.actor.launch(warmOrder)).toMatchObject({ ok: false });
  expect(server.saw().failure).toBe('No fleet serves the region eu');
  expect(fleet.started()).toBe(0);
});
