// The Agones adapter against a Kubernetes API of our own (kubernetes.ts), whose bodies are those
// of Agones 1.56.0 (agones-schema.ts).

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { agonesFleet, type AgonesFleetOptions } from '../../src/fleet/agones';
import type { Fleet } from '../../src/fleet/port';
import {
  changed,
  NAMESPACE,
  startFakeKubernetes,
  TOKEN,
  type FakeKubernetes,
} from './kubernetes.ts';
import { launchSpec } from './specs.ts';

let kubernetes: FakeKubernetes;
let fleet: Fleet;

function fleetOf(patch: Partial<AgonesFleetOptions> = {}): Fleet {
  return agonesFleet({
    url: kubernetes.url,
    token: TOKEN,
    namespace: NAMESPACE,
    fleetName: null,
    timeLimits: { launchMs: 20_000, askMs: 20_000 },
    ...patch,
  });
}

beforeEach(async () => {
  kubernetes = await startFakeKubernetes();
  fleet = fleetOf();
});
afterEach(() => kubernetes.close());

/** Of a game server's labels, the one by which it is found again. */
function instancesIn(): readonly (string | undefined)[] {
  return kubernetes.gameServers.map(({ metadata }) => metadata.labels?.['muster/instance']);
}

describe('a launch', () => {
  it('allocates a ready GameServer of the Fleet the build names, and tells it its match', async () => {
    kubernetes.ready('other');
    const one = kubernetes.ready('arena');
    const more = { customData: { match_id: 'm1' }, requestId: 'of-search' };
    const spec = launchSpec({ fleetName: 'arena' }, more);
    expect(await fleet.launch(spec)).toEqual({
      ok: true,
      ports: [
        {
          name: 'game',
          host: '203.0.113.7',
          external_port: one.status.ports?.[0]?.port,
          internal_port: 7654,
          protocol: 'udp',
          tls_enabled: false,
        },
      ],
    });
    expect(one.status.state).toBe('Allocated');
    const told: unknown = JSON.parse(one.metadata.annotations?.['muster/config'] ?? '');
    expect(told).toMatchObject({
      instance_id: spec.instanceId,
      token: spec.token,
      report_url: spec.reportUrl,
      custom_data: { match_id: 'm1' },
    });
    expect(one.metadata.annotations?.['muster/request-id']).toBe('of-search');
    expect(instancesIn()).toEqual([undefined, spec.instanceId]);
    expect((await fleet.inspect(spec.instanceId)).state).toBe('running');
  });

  it('of a GameServer that another request had before carries no id of that request', async () => {
    const one = kubernetes.ready('arena');
    one.metadata.annotations = { 'muster/request-id': 'of-before' };
    expect(await fleet.launch(launchSpec({ fleetName: 'arena' }))).toMatchObject({ ok: true });
    expect(one.metadata.annotations?.['muster/request-id']).toBe('');
  });

  it('that is repeated finds the first', async () => {
    kubernetes.ready('arena');
    kubernetes.ready('arena');
    const spec = launchSpec({ fleetName: 'arena' });
    const first = await fleet.launch(spec);
    expect(await fleet.launch(spec)).toEqual(first);
    expect(instancesIn()).toEqual([spec.instanceId, undefined]);
  });

  it('whose answer was lost finds what it had allocated', async () => {
    kubernetes.ready('arena');
    kubernetes.ready('arena');
    const spec = launchSpec({ fleetName: 'arena' });
    kubernetes.failAllocations([504], { started: true });
    expect(await fleet.launch(spec)).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(await fleet.launch(spec)).toMatchObject({ ok: true });
    expect(instancesIn()).toEqual([spec.instanceId, undefined]);
  });

  it('that comes late gets the same GameServer from the allocator itself', async () => {
    kubernetes.ready('arena');
    kubernetes.ready('arena');
    const spec = launchSpec({ fleetName: 'arena' });
    // Between the list and the allocation the first, given up, call is carried out.
    kubernetes.before('POST', () => {
      const [one] = kubernetes.gameServers;
      if (one !== undefined) {
        one.metadata.labels = { ...one.metadata.labels, 'muster/instance': spec.instanceId };
        changed(one, 'Allocated');
      }
    });
    expect(await fleet.launch(spec)).toMatchObject({ ok: true });
    expect(instancesIn()).toEqual([spec.instanceId, undefined]);
  });

  it('carried out twice all the same leaves one: the first that was allocated', async () => {
    const [one, two] = [kubernetes.ready('arena'), kubernetes.ready('arena')];
    const spec = launchSpec({ fleetName: 'arena' });
    const launched = await fleet.launch(spec);
    two.metadata.labels = { ...two.metadata.labels, 'muster/instance': spec.instanceId };
    two.metadata.annotations = { 'agones.dev/last-allocated': '2999-01-01T00:00:00Z' };
    changed(two, 'Allocated');
    const { state, ports } = await fleet.inspect(spec.instanceId);
    expect({ ok: true, ports }).toEqual(launched);
    expect(state).toBe('running');
    expect(kubernetes.gameServers).toEqual([one]);
  });

  it('without a ready GameServer says so, and takes none of another Fleet', async () => {
    kubernetes.ready('other');
    const launched = await fleet.launch(launchSpec({ fleetName: 'arena' }));
    expect(launched).toEqual({
      ok: false,
      reason: 'no_capacity',
      detail: 'Agones answered UnAllocated',
    });
  });

  it('tries again under contention, but not for ever', async () => {
    kubernetes.ready('arena');
    kubernetes.failAllocations(['Contention', 'Contention']);
    expect(await fleet.launch(launchSpec({ fleetName: 'arena' }))).toMatchObject({ ok: true });
    kubernetes.ready('arena');
    kubernetes.failAllocations(['Contention', 'Contention', 'Contention']);
    expect(await fleet.launch(launchSpec({ fleetName: 'arena' }))).toMatchObject({
      ok: false,
      reason: 'no_capacity',
    });
  });

  it.each([
    [400, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [422, 'refused'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('answered with %d is %s', async (status, reason) => {
    kubernetes.ready('arena');
    kubernetes.failAllocations([status]);
    expect(await fleet.launch(launchSpec({ fleetName: 'arena' }))).toEqual({
      ok: false,
      reason,
      detail: `told to answer ${status}`,
    });
  });

  it('is refused unasked without a Fleet, with an id that can be no label, or too much to tell', async () => {
    const bad = [
      launchSpec(),
      launchSpec({ fleetName: 'arena' }, { instanceId: 'a'.repeat(64) }),
      launchSpec({ fleetName: 'arena' }, { instanceId: 'a/b' }),
      launchSpec({ fleetName: 'arena' }, { customData: { much: 'x'.repeat(300 * 1024) } }),
    ];
    for (const spec of bad) {
      expect(await fleet.launch(spec)).toMatchObject({ ok: false, reason: 'refused' });
    }
    expect(kubernetes.calls).toEqual([]);
    kubernetes.ready('spare');
    const spec = launchSpec();
    expect(await fleetOf({ fleetName: 'spare' }).launch(spec)).toMatchObject({ ok: true });
  });

  it('with a wrong token, or with nobody there, is unreachable: whether it had started is unknown', async () => {
    const stranger = fleetOf({ token: 'wrong' });
    const nobody = fleetOf({ url: 'http://127.0.0.1:1' });
    for (const each of [stranger, nobody]) {
      expect(await each.launch(launchSpec({ fleetName: 'arena' }))).toMatchObject({
        ok: false,
        reason: 'unreachable',
      });
      await expect(each.inspect('a')).rejects.toThrow();
      await expect(each.stop('a')).rejects.toThrow();
    }
  });
});

describe('an allocated GameServer', () => {
  it.each([
    ['Allocated', 'running'],
    ['Reserved', 'running'],
    ['Shutdown', 'stopped'],
    ['Unhealthy', 'stopped'],
    ['Error', 'stopped'],
    // Back in the pool: its game called Ready() after the match.
    ['Ready', 'stopped'],
    ['RequestReady', 'stopped'],
  ] as const)('in the state %s is %s', async (state, expected) => {
    const one = kubernetes.ready('arena');
    const spec = launchSpec({ fleetName: 'arena' });
    await fleet.launch(spec);
    changed(one, state);
    expect((await fleet.inspect(spec.instanceId)).state).toBe(expected);
    const again = await fleet.launch(spec);
    expect(again).toMatchObject(expected === 'running' ? { ok: true } : { reason: 'ended' });
  });

  it('that is being deleted has stopped, and one that is gone is unknown', async () => {
    const one = kubernetes.ready('arena');
    const spec = launchSpec({ fleetName: 'arena' });
    await fleet.launch(spec);
    one.metadata.deletionTimestamp = new Date().toISOString();
    expect((await fleet.inspect(spec.instanceId)).state).toBe('stopped');
    kubernetes.gameServers.length = 0;
    expect(await fleet.inspect(spec.instanceId)).toEqual({ state: 'unknown', ports: [] });
  });

  it('tells TCP ports as such', async () => {
    const one = kubernetes.ready('arena');
    one.spec.ports = [
      { name: 'game', protocol: 'TCP', containerPort: 80, hostPort: 7001 },
      { name: 'voice', protocol: 'UDP', containerPort: 81, hostPort: 7002 },
    ];
    one.status.ports = [
      { name: 'game', port: 7001 },
      { name: 'voice', port: 7002 },
    ];
    expect(await fleet.launch(launchSpec({ fleetName: 'arena' }))).toMatchObject({
      ports: [
        { name: 'game', protocol: 'tcp', external_port: 7001, internal_port: 80 },
        { name: 'voice', protocol: 'udp', external_port: 7002, internal_port: 81 },
      ],
    });
  });
});

describe('a stop', () => {
  it('deletes the GameServer; again, or of what never was, it is no error', async () => {
    kubernetes.ready('arena');
    const other = kubernetes.ready('arena');
    const spec = launchSpec({ fleetName: 'arena' });
    await fleet.launch(spec);
    for (let time = 0; time < 2; time += 1) {
      await fleet.stop(spec.instanceId);
      expect(kubernetes.gameServers).toEqual([other]);
    }
    await fleet.stop('never-was');
  });

  it('never takes a GameServer that went back to the pool, and to others', async () => {
    const one = kubernetes.ready('arena');
    const [mine, next] = [launchSpec({ fleetName: 'arena' }), launchSpec({ fleetName: 'arena' })];
    await fleet.launch(mine);
    changed(one, 'Ready');
    await fleet.stop(mine.instanceId);
    expect(kubernetes.gameServers).toEqual([one]);
    // It changes hands just before the deletion.
    changed(one, 'Allocated');
    kubernetes.before('DELETE', () => {
      one.metadata.labels = { ...one.metadata.labels, 'muster/instance': next.instanceId };
      changed(one, 'Allocated');
    });
    await fleet.stop(mine.instanceId);
    expect(kubernetes.gameServers).toEqual([one]);
    expect((await fleet.inspect(next.instanceId)).state).toBe('running');
  });
});
