// The adapters of the fleet port: what the local one makes of answers and silence, and that the
// simulated one keeps the port's promises.

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { localFleet } from '../../src/fleet/rest';
import type { LaunchSpec } from '../../src/fleet/port';
import { simulatedFleet } from '../../proof/sim/simulated-fleet';

function specOf(instanceId: string): LaunchSpec {
  return {
    instanceId,
    serverId: instanceId,
    project: 'dev',
    name: instanceId,
    region: 'us-east',
    build: { name: 'default', version: 1, label: null, launch: {}, ports: [] },
    computeSize: null,
    matchId: null,
    startupArgs: null,
    customData: {},
    ttlSeconds: null,
    token: 'token',
    reportUrl: 'http://127.0.0.1:1/v3/servers/x/status',
  };
}

describe('the local fleet', () => {
  let agent: Server | null = null;
  afterEach(() => {
    agent?.close();
    agent?.closeAllConnections();
  });

  /** Null: the agent takes the request and never answers. */
  async function fleetThatHears(answer: { status: number; body: string } | null) {
    agent = createServer((_request, response) => {
      if (answer !== null) {
        response.writeHead(answer.status).end(answer.body);
      }
    });
    const listening = agent;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
    const ms = answer === null ? 100 : 60_000;
    return localFleet({ url, secret: 's', timeLimits: { launchMs: ms, askMs: ms } });
  }

  it.each([
    [503, '{"error":"no_capacity","detail":"full"}', 'no_capacity', 'full'],
    [400, '{"error":"refused","detail":"no such program"}', 'refused', 'no such program'],
    [410, '{"error":"stopped","detail":"has stopped"}', 'ended', 'has stopped'],
    [302, '', 'unreachable', 'status 302'],
    [401, '{"error":"unauthorized","detail":"secret"}', 'refused', 'secret'],
    [500, '{"error":"internal","detail":"log"}', 'unreachable', 'log'],
    // What is not the agent's own word tells nothing of the server.
    [503, 'upstream is down', 'unreachable', 'status 503'],
    [404, '<html>', 'unreachable', 'status 404'],
    [201, '{"state":"launching"}', 'unreachable', 'the agent answered without ports'],
    [200, '{"ports":[{"name":"game"}]}', 'unreachable', 'the agent answered without ports'],
  ])('reads %d %s as %s', async (status, body, reason, detail) => {
    const fleet = await fleetThatHears({ status, body });
    expect(await fleet.launch(specOf('a'))).toEqual({ ok: false, reason, detail });
  });

  it('reads that it is the order that was refused, and no build', async () => {
    const body = '{"error":"refused","about":"order","detail":"region: no"}';
    const fleet = await fleetThatHears({ status: 400, body });
    const refused = { ok: false, reason: 'refused', detail: 'region: no', ofOrder: true };
    expect(await fleet.launch(specOf('a'))).toEqual(refused);
  });

  it('gives up on an agent that is silent or not there', async () => {
    const silent = await fleetThatHears(null);
    expect(await silent.launch(specOf('a'))).toMatchObject({ ok: false, reason: 'unreachable' });
    await expect(silent.inspect('a')).rejects.toThrow();
    await expect(silent.stop('a')).rejects.toThrow();
    const nobody = localFleet({ url: 'http://127.0.0.1:1', secret: 's' });
    expect(await nobody.launch(specOf('a'))).toMatchObject({ ok: false, reason: 'unreachable' });
  });

  it('takes only the word of the agent for an unknown server', async () => {
    const agentSays = await fleetThatHears({ status: 404, body: '{"error":"unknown"}' });
    expect(await agentSays.inspect('a')).toEqual({ state: 'unknown', ports: [] });
    agent?.close();
    const otherSays = await fleetThatHears({ status: 404, body: 'not found' });
    await expect(otherSays.inspect('a')).rejects.toThrow('status 404');
  });
});

describe('the simulated fleet', () => {
  let clock = 0;
  const now = () => clock;

  it('starts, runs and stops by the clock', async () => {
    clock = 1_000;
    const fleet = simulatedFleet({ now, startMs: 500, lifeMs: 2_000 });
    const launched = await fleet.launch(specOf('a'));
    const states = [];
    for (const at of [1_499, 1_500, 3_499, 3_500]) {
      clock = at;
      states.push((await fleet.inspect('a')).state);
    }
    expect(states).toEqual(['launching', 'running', 'running', 'stopped']);
    expect(launched).toEqual({ ok: true, ports: (await fleet.inspect('a')).ports });
  });

  it('is idempotent by id, and never starts what has stopped', async () => {
    const fleet = simulatedFleet({ now });
    expect(await fleet.launch(specOf('a'))).toEqual(await fleet.launch(specOf('a')));
    expect(fleet.started()).toBe(1);
    fleet.crash('a');
    await fleet.stop('b');
    for (const id of ['a', 'b']) {
      expect(await fleet.launch(specOf(id))).toMatchObject({ ok: false, reason: 'ended' });
      expect((await fleet.inspect(id)).state).toBe('stopped');
    }
    expect(fleet.alive()).toEqual([]);
  });

  it('fails on command, with or without having started', async () => {
    const fleet = simulatedFleet({ now, capacity: 1 });
    fleet.failNext('refused');
    fleet.failNext('unreachable', { started: true });
    expect(await fleet.launch(specOf('a'))).toMatchObject({ ok: false, reason: 'refused' });
    expect(fleet.alive()).toEqual([]);
    expect(await fleet.launch(specOf('a'))).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(fleet.alive()).toEqual(['a']);
    expect(await fleet.launch(specOf('a'))).toMatchObject({ ok: true });
    expect(await fleet.launch(specOf('b'))).toMatchObject({ ok: false, reason: 'no_capacity' });
    expect(fleet.specOf('a')).toEqual(specOf('a'));
    expect(fleet.started()).toBe(1);
  });

  it('without memory takes every server for a running one', async () => {
    const fleet = simulatedFleet({ now, unknownIs: 'running' });
    expect(await fleet.inspect('a')).toMatchObject({
      state: 'running',
      ports: [{ name: 'game_udp' }],
    });
    expect((await simulatedFleet({ now }).inspect('a')).state).toBe('unknown');
  });
});
