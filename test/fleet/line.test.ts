// Matches in line for a real agent whose places are full (record 0068). The project, the servers and the agent's processes
// are real; the match is not.

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Build } from '../../src/fleet/build';
import { onlyFleet } from '../../src/fleet/fleets';
import type { InstanceId, MatchId } from '../../src/common/ids';
import type { LaunchOrder, ServerReport } from '../../src/objects/contracts/server';
import { ProjectActor } from '../../src/objects/project/actor';
import { ServerActor } from '../../src/objects/server/actor';
import { eventually } from '../support/eventually.ts';
import { fakePorts, type FakePorts } from './ports.ts';
import { startRig, type Rig } from './harness.ts';

const launch = { command: 'sleep', args: ['1000'], capacitySeconds: 60 };
const build = {
  name: 'game',
  version: 1,
  label: null,
  status: 'ready',
  launch,
  ports: [],
} as const satisfies Build;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ AGENT_MAX_SERVERS: '2' });
});
afterAll(() => rig.end());

interface Server {
  readonly id: InstanceId;
  readonly actor: ServerActor;
  readonly ports: FakePorts;
  last(): ServerReport | undefined;
}

/** Servers of one project on the agent, with clocks that go when told to. */
function servers(of: Build = build, on = rig) {
  const document = { revision: 1, configs: {}, builds: { game: of } };
  const all = new Map<string, Server>();
  const peers = {
    server: (id: InstanceId) => (all.get(id) as Server).actor,
    project: (): ProjectActor => project,
  };
  const { ports } = fakePorts({ name: 'dev', document, peers });
  const project = new ProjectActor(ports);
  const start = async (name: string): Promise<Server> => {
    const id = `line-${process.pid}-${name}` as InstanceId;
    const told: ServerReport[] = [];
    const match = { serverReport: async (report: ServerReport) => told.push(report) > 0 };
    const fake = fakePorts({
      name: id,
      document,
      peers: { ...peers, match: () => match } as never,
    });
    const around = { fleets: onlyFleet(on.fleet), publicUrl: on.service.url };
    const actor = new ServerActor(fake.ports, around);
    const server: Server = { id, actor, ports: fake, last: () => told.at(-1) };
    all.set(id, server);
    const order: LaunchOrder = {
      instanceId: id,
      project: 'dev',
      owner: { kind: 'match', id: name as MatchId },
      name,
      region: 'eu',
      build: 'game',
      computeSize: 'small',
      customData: {},
      ttlSeconds: null,
      matchId: name,
    };
    const reply = await actor.launch(order);
    if (reply.ok) {
      told.push(reply.value);
    }
    return server;
  };
  return { start };
}

it('are served in the order in which they came, as places come free', async () => {
  const { start } = servers();
  const [a, b] = [await start('a'), await start('b')];
  const [c, d, e] = [await start('c'), await start('d'), await start('e')];
  expect([a, b, c, d, e].map((each) => each.last()?.waiting?.position ?? null)).toEqual([
    null,
    null,
    1,
    2,
    3,
  ]);
  for (const [ends, next, later] of [
    [b, c, d],
    [a, d, e],
  ] as const) {
    await ends.actor.stop();
    await eventually(`${next.id} is launched`, async () => {
      await Promise.all([ends, next].map(({ ports }) => ports.pass(600)));
      await next.actor.alarm();
      return next.last()?.waiting === undefined;
    });
    expect(await rig.fleet.inspect(next.id)).toMatchObject({ state: 'launching' });
    expect(later.last()?.waiting).toBeDefined();
    expect(await rig.fleet.inspect(later.id)).toMatchObject({ state: 'unknown' });
  }
  expect((await start('f')).last()?.waiting?.position).toBe(2);
});

it.each<[string, Build]>([
  ['a folder that it keeps', { ...build, launch: { ...launch, keep: 'world' } }],
  ['a fixed port', { ...build, ports: [{ name: 'game', protocol: 'udp', fixed: 21_985 }] }],
])('wait for the one server of a machine that has %s', async (_, of) => {
  const roomy = await startRig();
  try {
    const { start } = servers(of, roomy);
    const [first, second] = [await start('one'), await start('two')];
    expect(first.last()?.waiting).toBeUndefined();
    expect(second.last()?.waiting?.position).toBe(1);
    await first.actor.stop();
    await eventually('the second is launched', async () => {
      await Promise.all([first, second].map(({ ports }) => ports.pass(600)));
      await second.actor.alarm();
      return second.last()?.waiting === undefined;
    });
    expect(await roomy.fleet.inspect(second.id)).toMatchObject({ state: 'launching' });
  } finally {
    await roomy.end();
  }
});
