// The launch of a Server object: what its fleet, its project, its owner and the log are told, and what it answers. The object
// is real; those around it are the test's.

import { describe, expect, it } from 'vitest';

import type { LobbyId } from '../../../../src/common/ids';
import type { Fleet, Launched } from '../../../../src/fleet/port';
import { onlyFleet } from '../../../../src/fleet/fleets';
import { matchOrder } from '../../../support/match-order.ts';
import { codeOf, linesOf, serverRig, type ServerRigOptions } from '../../../support/server-rig.ts';

const PLAIN = { owner: { kind: 'project' }, matchId: null } as const;
const LOBBY = { owner: { kind: 'lobby', id: 'l' as LobbyId } } as const;
const SLOWLY = { simulated: { startMs: 60_000 } } as const;

describe('a launch', () => {
  it('tells the fleet all that the program needs, with what the order changes of the build', async () => {
    const rig = serverRig({
      build: {
        label: 'new',
        launch: { command: 'game', args: ['-a'], env: { A: '1', B: '2' } },
        ports: [{ name: 'build', internal_port: 1, protocol: 'udp' }],
      },
    });
    const ports = [{ name: 'mine', internal_port: 2, protocol: 'tcp' }] as const;
    const customData = { map: 'x' };
    await rig.launch({
      customData,
      ttlSeconds: 90,
      requestId: 'r1',
      options: { startupArgs: '-x "y z"', env: { B: '3' }, ports },
    });
    const { token } = rig.saw();
    expect(rig.specs).toEqual([
      {
        instanceId: 'server-1',
        serverId: 'server-1',
        project: 'dev',
        name: 'server',
        region: 'eu',
        build: {
          name: 'game',
          version: 7,
          label: 'new',
          launch: { command: 'game', args: ['-a', '-x', 'y z'], env: { A: '1', B: '3' } },
          ports,
        },
        computeSize: 'small',
        matchId: 'match-1',
        startupArgs: '-x "y z"',
        customData,
        ttlSeconds: 90,
        token,
        reportUrl: 'https://muster.test/v3/servers/server-1/status',
        requestId: 'r1',
      },
    ]);
    expect(rig.saw()).toMatchObject({ version: 7, startupArgs: '-x "y z"', asked: ports });
  });

  it('without options is as the build says', async () => {
    const ports = [{ name: 'build', internal_port: 1, protocol: 'udp' }] as const;
    const rig = serverRig({ build: { launch: { args: ['-a', 'b'] }, ports } });
    await rig.launch();
    expect(rig.specs[0]).toMatchObject({
      startupArgs: '-a b',
      ttlSeconds: null,
      build: { launch: { args: ['-a', 'b'] }, ports },
    });
    expect(rig.specs[0]).not.toHaveProperty('requestId');
    expect(rig.specs[0]).not.toHaveProperty('seats');
    const bare = serverRig();
    await bare.launch();
    expect(bare.saw().startupArgs).toBeNull();
    expect(bare.specs[0]?.build.launch).toEqual({});
  });

  it('names the keys of the seats once the project has some', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k', alg: 'EdDSA', use: 'sig' };
    const keys = { revision: 1, seats: [{ kid: 'k', jwk, x: 'x' }] } as never;
    const rig = serverRig({ document: { keys } });
    await rig.launch({ project: 'a b' });
    expect(rig.specs[0]?.seats?.keys.length).toBe(1);
    expect(rig.specs[0]?.seats?.url).toBe(
      'https://muster.test/.well-known/jwks.json?project=a%20b',
    );
  });

  it('answers `launching`, though the program runs by then, and tells its owner later', async () => {
    const rig = serverRig();
    expect(await rig.launch(LOBBY)).toMatchObject({
      ok: true,
      value: { instanceId: 'server-1', failed: false, block: { status: 'launching' } },
    });
    expect(rig.told.map(({ block }) => block.status)).toEqual(['running']);
    expect(rig.rows.map(({ block, launch }) => [block.status, launch])).toEqual([
      ['running', 'ran'],
    ]);
    expect(linesOf(rig, 'build', 'version', 'fleet')).toEqual([
      ['server_started', 'game', 7, 'fleet'],
    ]);
    const block = await rig.launch(LOBBY);
    expect([rig.specs.length, block]).toMatchObject([
      1,
      { value: { block: { status: 'running' } } },
    ]);
  });

  it('that takes its time is listed as launching, and a start for the project at once', async () => {
    const late = serverRig(SLOWLY);
    void late.launch();
    await late.pass(900);
    expect(late.rows).toEqual([]);
    await late.pass(200);
    expect(late.rows.map(({ block }) => block.status)).toEqual(['launching']);
    const direct = serverRig(SLOWLY);
    void direct.launch(PLAIN);
    await direct.pass(100);
    expect(direct.rows.map(({ block }) => block.status)).toEqual(['launching']);
    expect(direct.told).toEqual([]);
  });

  it('of two calls at once is one', async () => {
    const rig = serverRig();
    const { release } = rig.simulated.holdNext();
    const both = [rig.actor.launch(matchOrder), rig.actor.launch(matchOrder)];
    await rig.pass(100);
    release();
    await rig.pass(100);
    expect((await Promise.all(both)).map(codeOf)).toEqual(['ok', 'ok']);
    expect(rig.specs.length).toBe(1);
  });

  it('waits for the first word of a fleet that tells, unless a match asks', async () => {
    const tells = { ...SLOWLY, fleet: { tells: true } } as const;
    for (const [order, waits] of [
      [LOBBY, true],
      [{}, false],
    ] as const) {
      const rig = serverRig(tells);
      let isAnswered = false;
      const launching = rig.actor.launch({ ...matchOrder, ...order });
      void launching.then(() => (isAnswered = true));
      await rig.pass(900);
      expect(isAnswered).toBe(!waits);
      // It ends at once: the answer says so, and comes before the report.
      await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 1 });
      await rig.pass(10);
      expect(isAnswered).toBe(true);
      expect(codeOf(await launching)).toBe(waits ? 'LAUNCH_FAILED' : 'ok');
      expect(rig.told.length).toBe(waits ? 0 : 1);
      await rig.pass(200);
      expect(rig.told.at(-1)).toMatchObject({ failed: true, block: { status: 'stopped' } });
    }
  });

  it.each([
    ['no build of the name', { document: { builds: {} } }, false],
    ['a build that is not ready', { build: { status: 'not_ready' } }, false],
    [
      'no fleet for the region',
      { around: { fleets: { ...onlyFleet({} as Fleet), candidates: () => [] } } },
      false,
    ],
    [
      'a fleet that says no',
      { fleet: { launch: async () => ({ ok: false, reason: 'refused', detail: 'no' }) } },
      true,
    ],
    [
      'a fleet that says no to the order',
      {
        fleet: {
          launch: async () => ({ ok: false, reason: 'refused', detail: 'no', ofOrder: true }),
        },
      },
      false,
    ],
    ['a full fleet', { simulated: { capacity: 0 } }, false],
    [
      'an id that has ended',
      { fleet: { launch: async () => ({ ok: false, reason: 'ended', detail: 'no' }) } },
      true,
    ],
  ] as const)('fails with %s, and says whose fault it is', async (_, options, blamesBuild) => {
    const rig = serverRig(options as ServerRigOptions);
    expect(codeOf(await rig.launch())).toBe('LAUNCH_FAILED');
    expect(rig.saw()).toMatchObject({ status: 'stopped', blamesBuild });
    // Whoever asked has the answer.
    expect(rig.told).toEqual([]);
    expect(rig.rows.map(({ launch }) => launch)).toEqual([blamesBuild ? 'failed' : 'unable']);
    expect(linesOf(rig)).toEqual([['launch_failed']]);
    expect(codeOf(await rig.launch())).toBe('LAUNCH_FAILED');
  });

  it('is tried again, ever later, while the only fleet is silent, and fails after twenty seconds', async () => {
    const calls: number[] = [];
    const silent: Launched = { ok: false, reason: 'unreachable', detail: 'silence' };
    const rig = serverRig({ fleet: { launch: async () => (calls.push(rig.now()), silent) } });
    const reply = await rig.launch();
    const [first = 0] = calls;
    const halves = calls.map((at) => (at - first) / 500);
    expect(halves).toEqual([0, 1, 3, 7, 15, 23, 31, 39, 47]);
    expect(reply).toMatchObject({ refusal: { detail: 'The fleet could not be reached: silence' } });
    expect(linesOf(rig)).toEqual([['fleet_silent'], ['launch_failed']]);
    // It may have started there: it is stopped now, and once more a minute later.
    expect(rig.stops).toEqual(['server-1']);
    await rig.live(60_000);
    expect(rig.stops).toEqual(['server-1', 'server-1']);
    expect(rig.saw().settled).toBe(true);
    await rig.live(120_000);
    expect(rig.stops.length).toBe(2);
  });

  it('that was stopped meanwhile is stopped again when its fleet has answered', async () => {
    const rig = serverRig();
    const { release } = rig.simulated.holdNext();
    const launching = rig.actor.launch(matchOrder);
    await rig.pass(100);
    await rig.actor.stop(true);
    await rig.pass(100);
    expect(rig.stops).toEqual(['server-1']);
    release();
    await rig.pass(100);
    await launching;
    expect(rig.stops).toEqual(['server-1', 'server-1']);
    expect(rig.told).toEqual([]);
  });

  it('asks the project first, where projects have a share of the servers', async () => {
    const asked: unknown[] = [];
    let reply: object = { ok: false, refusal: { code: 'SERVERS_EXHAUSTED', detail: 'full' } };
    const project = { admitServer: async (...of: unknown[]) => (asked.push(of), reply) };
    const rig = serverRig({ around: { share: 3 }, project });
    expect(codeOf(await rig.launch(LOBBY))).toBe('SERVERS_EXHAUSTED');
    expect(asked).toEqual([['server-1', 3]]);
    expect(linesOf(rig, 'config', 'lobbyId', 'build', 'reason')).toEqual([
      ['launch_failed', 'none', 'l', 'game', 'full'],
    ]);
    expect([rig.specs, rig.saw()]).toEqual([[], undefined]);
    reply = { ok: true, value: null };
    expect(codeOf(await rig.launch({ config: 'arena' }))).toBe('ok');
    await rig.launch();
    // One that is known is admitted already.
    expect(asked.length).toBe(2);
    const buried = serverRig({ around: { share: 3 }, project });
    await buried.actor.stop();
    expect(codeOf(await buried.launch())).toBe('LAUNCH_FAILED');
    expect(asked.length).toBe(2);
  });
});
