// The agent with real processes, real ports and a real HTTP server in the service's place.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { localFleet } from '../../src/fleet/rest';
import { eventually } from '../support/eventually.ts';
import { gameServersOf, isAlive, processesWith } from '../support/processes.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

const FOREVER = { command: 'sleep', args: ['1000'] };

describe('the agent', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.service.answerWith(200));
  afterAll(() => rig.end());

  it('starts one process and reports it running when its port is open', async () => {
    const spec = rig.spec();
    const launched = await rig.fleet.launch(spec);
    expect(launched).toMatchObject({ ok: true, ports: [{ host: '127.0.0.1', protocol: 'udp' }] });

    const { authorization, report } = await rig.service.reportOf(spec.instanceId, 'running');
    expect(authorization).toBe(`Bearer ${spec.token}`);
    expect(report.network_ports).toEqual(launched.ok && launched.ports);
    expect(await rig.fleet.inspect(spec.instanceId)).toMatchObject({ state: 'running' });
    expect(await gameServersOf(spec.instanceId)).toEqual([await rig.pidOf(spec.instanceId)]);
    await rig.fleet.stop(spec.instanceId);
  });

  it('does not call a process running that opens no port', async () => {
    const spec = rig.spec(FOREVER);
    await rig.fleet.launch(spec);
    // The lease tells the status again: twice launching, and never running.
    await eventually('two leases', () => {
      const told = rig.service.reports.filter((one) => one.instanceId === spec.instanceId);
      return told.length >= 2 && told.every((one) => one.report.status === 'launching');
    });
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
  });

  it('reports a TCP listener as a TCP port', async () => {
    const listen = 'require("net").createServer().listen(process.env.MUSTER_PORT, "127.0.0.1")';
    const spec = rig.spec({ command: process.execPath, args: ['-e', listen] });
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'running');
    expect(report.network_ports).toMatchObject([{ protocol: 'tcp' }]);
    await rig.fleet.stop(spec.instanceId);
  });

  it('answers a repeated launch with the server it started first', async () => {
    const spec = rig.spec();
    const [one, two] = await Promise.all([rig.fleet.launch(spec), rig.fleet.launch(spec)]);
    const three = await rig.fleet.launch(spec);
    expect(one.ok).toBe(true);
    expect([two, three]).toEqual([one, one]);
    // A process that is being started shows twice for an instant: before and after it becomes the program.
    await eventually('one process', async () => {
      const servers = await gameServersOf(spec.instanceId);
      return servers.length === 1;
    });
    await rig.fleet.stop(spec.instanceId);
  });

  it('reports the exit code of a server that ends by itself, and never starts it again', async () => {
    const spec = rig.spec({ command: 'sh', args: ['-c', 'exit 7'] });
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report.exit_code).toBe(7);
    expect(report).not.toHaveProperty('asked');
    expect(await rig.fleet.inspect(spec.instanceId)).toMatchObject({ state: 'stopped' });
    expect(await rig.fleet.launch(spec)).toMatchObject({ ok: false, reason: 'ended' });
  });

  it('reports a server that was killed', async () => {
    const spec = rig.spec();
    await rig.fleet.launch(spec);
    process.kill(await rig.pidOf(spec.instanceId), 'SIGKILL');
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report.exit_code).toBe(137);
  });

  it('stops a server politely, and one that does not listen by force', async () => {
    const polite = rig.spec();
    const deaf = rig.spec({ command: 'sh', args: ['-c', 'trap "" TERM; echo deaf; sleep 1000'] });
    await Promise.all([rig.fleet.launch(polite), rig.fleet.launch(deaf)]);
    await eventually('the trap is set', async () =>
      (
        await readFile(join(rig.dataDir, 'servers', deaf.instanceId, 'server.log'), 'utf8')
      ).includes('deaf'),
    );
    await rig.service.reportOf(polite.instanceId, 'running');
    await Promise.all([rig.fleet.stop(polite.instanceId), rig.fleet.stop(deaf.instanceId)]);

    const reports = await Promise.all(
      [polite, deaf].map(({ instanceId }) => rig.service.reportOf(instanceId, 'stopped')),
    );
    expect(reports.map(({ report }) => report)).toMatchObject(
      [0, 137].map((exit_code) => ({ exit_code, detail: 'told to stop', asked: true })),
    );
    const { ending } = await rig.fleet.inspect(deaf.instanceId);
    expect(ending).toMatchObject({ detail: 'told to stop', asked: true });
    await eventually('what the deaf one started is gone', async () => {
      const left = await processesWith(`MUSTER_INSTANCE_ID=${deaf.instanceId}`);
      return left.length === 0;
    });
    // Stopping again is no error.
    await rig.fleet.stop(polite.instanceId);
  });

  it('never starts an id that was stopped before its launch arrived', async () => {
    const spec = rig.spec();
    expect(await rig.fleet.inspect(spec.instanceId)).toEqual({ state: 'unknown', ports: [] });
    await rig.fleet.stop(spec.instanceId);
    expect(await rig.fleet.launch(spec)).toMatchObject({ ok: false, reason: 'ended' });
    expect(await gameServersOf(spec.instanceId)).toEqual([]);
  });

  it('ends a server whose time is over', async () => {
    const spec = rig.spec(FOREVER, { ttlSeconds: 0.3 });
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ detail: 'its time is over', asked: true });
  });

  it('tells a report again until it is taken', async () => {
    rig.service.answerWith(500);
    const spec = rig.spec({ command: 'true' });
    await rig.fleet.launch(spec);
    await eventually('three tries', () => {
      // With so short a lease it may be told before that it launches.
      const tries = rig.service.reports.filter(
        ({ instanceId, report }) => instanceId === spec.instanceId && report.status === 'stopped',
      );
      return tries.length >= 3;
    });
    rig.service.answerWith(200);
    await eventually('the lease is settled', async () => {
      const lease = join(rig.dataDir, 'servers', spec.instanceId, 'lease.json');
      return (await readFile(lease, 'utf8').catch(() => null)) === null;
    });
  });

  it('ends a server the service does not know', async () => {
    const spec = rig.spec();
    await rig.fleet.launch(spec);
    await rig.service.reportOf(spec.instanceId, 'running');
    const pid = await rig.pidOf(spec.instanceId);
    expect(await isAlive(pid)).toBe(true);
    rig.service.answerWith(404);
    await eventually('the server is gone', async () => !(await isAlive(pid)));
    await eventually('the agent says so', async () => {
      const { state } = await rig.fleet.inspect(spec.instanceId);
      return state === 'stopped';
    });
  });

  it('gives the server its match, its port and its own token, and none of the agent', async () => {
    const script =
      'env > "$0.env"; cat "$MUSTER_CONFIG" > "$0.json"; mv "$0.json" "$0.done"; sleep 1000';
    const out = join(rig.dataDir, 'seen');
    const spec = rig.spec(
      { command: 'sh', args: ['-c', script, out], env: { GAME_PORT: 'p{port}', ODD: '{nothing}' } },
      { customData: { match_id: 'm1', teams: [{ team_id: 0 }] } },
    );
    const launched = await rig.fleet.launch(spec);
    const text = await eventually('the config', () => readFile(`${out}.done`, 'utf8'));
    const port = launched.ok ? launched.ports[0]?.external_port : undefined;
    expect(JSON.parse(text)).toMatchObject({
      instance_id: spec.instanceId,
      region: 'us-east',
      version_tag: 'default',
      port,
      network_ports: [{ external_port: port }],
      report_url: spec.reportUrl,
      result_url: spec.reportUrl.replace('/status', '/result'),
      token: spec.token,
      custom_data: { match_id: 'm1', teams: [{ team_id: 0 }] },
    });
    const env = (await readFile(`${out}.env`, 'utf8')).split('\n');
    expect(env).toEqual(
      expect.arrayContaining([
        `GAME_PORT=p${port}`,
        'ODD={nothing}',
        `MUSTER_PORT=${port}`,
        `MUSTER_INSTANCE_ID=${spec.instanceId}`,
        `MUSTER_TOKEN=${spec.token}`,
        'MUSTER_REGION=us-east',
      ]),
    );
    expect(env.filter((line) => line.startsWith('AGENT_'))).toEqual([]);
    await rig.fleet.stop(spec.instanceId);
  });

  it('refuses a wrong secret, a bad launch and a program it does not have', async () => {
    const stranger = localFleet({ url: rig.agent.url, secret: 'another-secret-altogether' });
    const spec = rig.spec();
    expect(await stranger.launch(spec)).toMatchObject({ ok: false, reason: 'refused' });
    await expect(stranger.inspect(spec.instanceId)).rejects.toThrow('secret');
    await expect(stranger.stop(spec.instanceId)).rejects.toThrow('secret');
    expect((await fetch(`${rig.agent.url}/servers`)).status).toBe(401);
    expect((await fetch(`${rig.agent.url}/health`)).status).toBe(200);

    const bad = [
      { ...spec, instanceId: '../up' },
      { ...spec, reportUrl: 'file:///etc/passwd' },
      rig.spec({ command: 'no-such-program-anywhere' }),
      rig.spec({ command: './no/such/program' }),
    ];
    const refused = await Promise.all(bad.map((one) => rig.fleet.launch(one)));
    const order = { ok: false, reason: 'refused', ofOrder: true };
    const build = { ok: false, reason: 'refused' };
    expect(refused).toMatchObject([order, order, build, build]);
    expect(refused.slice(2).some((each) => 'ofOrder' in each)).toBe(false);
  });
});

describe('an agent with little room', () => {
  it('says clearly that it is full, and has room again when a server ends', async () => {
    const rig = await startRig({ AGENT_MAX_SERVERS: '1' });
    try {
      const first = rig.spec(FOREVER);
      const second = rig.spec(FOREVER);
      expect(await rig.fleet.launch(first)).toMatchObject({ ok: true });
      expect(await rig.fleet.launch(second)).toEqual({
        ok: false,
        reason: 'no_capacity',
        detail: '1 of 1 servers are running',
      });
      await rig.fleet.stop(first.instanceId);
      await rig.service.reportOf(first.instanceId, 'stopped');
      expect(await rig.fleet.launch(second)).toMatchObject({ ok: true });
    } finally {
      await rig.end();
    }
  });

  it('gives a port to one server alone, and says when none is left', async () => {
    const rig = await startRig({ AGENT_PORTS: '21990-21991' });
    try {
      const launches = await Promise.all([1, 2, 3].map(() => rig.fleet.launch(rig.spec(FOREVER))));
      const ports = launches.flatMap((one) => (one.ok ? one.ports : []));
      expect(new Set(ports.map((port) => port.external_port))).toEqual(new Set([21990, 21991]));
      expect(launches.filter((one) => !one.ok)).toEqual([
        { ok: false, reason: 'no_capacity', detail: 'no free port in 21990-21991' },
      ]);
    } finally {
      await rig.end();
    }
  });
});

describe('the end of an agent', () => {
  it('leaves no server behind when it is killed, and the next agent reports them', async () => {
    const rig = await startRig();
    const specs = [rig.spec(), rig.spec(FOREVER)];
    let next: Rig | null = null;
    try {
      await Promise.all(specs.map((spec) => rig.fleet.launch(spec)));
      const pids = await Promise.all(specs.map((spec) => rig.pidOf(spec.instanceId)));
      expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);

      await rig.agent.kill();
      for (const spec of specs) {
        await eventually('no process of it is left', async () => {
          const left = await processesWith(`MUSTER_INSTANCE_ID=${spec.instanceId}`);
          return left.length === 0;
        });
      }
      next = await rig.startAgain();
      for (const spec of specs) {
        await rig.service.reportOf(spec.instanceId, 'stopped');
        // A launch that is tried again now must not bring to life what was reported dead.
        expect(await next.fleet.launch(spec)).toMatchObject({ ok: false, reason: 'ended' });
      }
    } finally {
      await next?.agent.stop();
      await rig.end();
    }
  });

  it('ends and reports its servers when it is told to end', async () => {
    const rig = await startRig();
    const spec = rig.spec();
    try {
      await rig.fleet.launch(spec);
      const pid = await rig.pidOf(spec.instanceId);
      await rig.agent.stop();
      expect(await isAlive(pid)).toBe(false);
      expect(rig.service.reports.map((one) => one.report.status)).toContain('stopped');
    } finally {
      await rig.end();
    }
  });
});

describe('an agent that adopts', () => {
  const adopting = { AGENT_ADOPT: '1' };

  async function statusesOf({ service }: Rig, instanceId: string): Promise<readonly string[]> {
    const own = service.reports.filter((one) => one.instanceId === instanceId);
    return own.map(({ report }) => report.status);
  }

  it.each(['kill', 'stop'] as const)(
    'leaves its servers running on %s, and the next agent has them as its own',
    async (how) => {
      const rig = await startRig(adopting);
      const spec = rig.spec();
      let next: Rig | null = null;
      try {
        const launched = await rig.fleet.launch(spec);
        await rig.service.reportOf(spec.instanceId, 'running');
        const pid = await rig.pidOf(spec.instanceId);
        await rig.agent[how]();
        expect(await isAlive(pid)).toBe(true);

        next = await rig.startAgain();
        expect(await next.pidOf(spec.instanceId)).toBe(pid);
        expect(await next.fleet.launch(spec)).toEqual(launched);
        expect(await gameServersOf(spec.instanceId)).toEqual([pid]);
        // Its port is its own: no other server gets it.
        expect((await next.fleet.inspect(spec.instanceId)).ports).toEqual(
          launched.ok && launched.ports,
        );
        expect(await statusesOf(rig, spec.instanceId)).not.toContain('stopped');
        await next.fleet.stop(spec.instanceId);
        await rig.service.reportOf(spec.instanceId, 'stopped');
        expect(await isAlive(pid)).toBe(false);
      } finally {
        await next?.agent.stop();
        await rig.end();
      }
    },
  );

  it('hears the exit code of a server that ends under the next agent, or under none', async () => {
    const rig = await startRig(adopting);
    const end = join(rig.dataDir, 'end');
    const script = `while [ ! -e "$0" ]; do sleep 0.05; done; exit 7`;
    const early = rig.spec({ command: 'sh', args: ['-c', script, `${end}-early`] });
    const late = rig.spec({ command: 'sh', args: ['-c', script, `${end}-late`] });
    let next: Rig | null = null;
    try {
      await Promise.all([rig.fleet.launch(early), rig.fleet.launch(late)]);
      const pid = await rig.pidOf(early.instanceId);
      await rig.agent.kill();
      await writeFile(`${end}-early`, '');
      await eventually('it has ended while nobody was there', async () => !(await isAlive(pid)));
      next = await rig.startAgain();
      const first = await rig.service.reportOf(early.instanceId, 'stopped');
      expect(first.report.exit_code).toBe(7);
      expect(await next.fleet.launch(early)).toMatchObject({ ok: false, reason: 'ended' });
      await writeFile(`${end}-late`, '');
      const second = await rig.service.reportOf(late.instanceId, 'stopped');
      expect(second.report.exit_code).toBe(7);
    } finally {
      await next?.agent.stop();
      await rig.end();
    }
  });

  it('ends what it may not go on with: its time is over, or the next agent adopts nothing', async () => {
    const rig = await startRig(adopting);
    const brief = rig.spec(FOREVER, { ttlSeconds: 0.5 });
    const long = rig.spec(FOREVER);
    let next: Rig | null = null;
    try {
      await Promise.all([rig.fleet.launch(brief), rig.fleet.launch(long)]);
      const pids = await Promise.all([brief, long].map((spec) => rig.pidOf(spec.instanceId)));
      await rig.agent.kill();
      next = await rig.startAgain();
      await rig.service.reportOf(brief.instanceId, 'stopped');
      await next.agent.kill();
      next = await rig.startAgain({ AGENT_ADOPT: '0' });
      await rig.service.reportOf(long.instanceId, 'stopped');
      expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
    } finally {
      await next?.agent.stop();
      await rig.end();
    }
  });
});
