// A server runs when its own sockets are on its ports: those of others do not count, wherever its own come from.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { OpenSocket, Sockets } from '../../agent/ports.ts';
import { readinessOf } from '../../agent/ready.ts';
import { placeOf, portsOf, waitForPorts, watchPorts } from '../../agent/watch.ts';
import type { PortConfig } from '../../src/fleet/port';
import { eventually } from '../support/eventually.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

const UDP =
  'require("dgram").createSocket("udp4").bind(Number(process.env.MUSTER_PORT), "127.0.0.1")';
const GAME: PortConfig = { name: 'game', internal_port: 1, protocol: 'udp' };

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ AGENT_LATE_MS: '1000', AGENT_START_MS: '20000' });
});
afterAll(() => rig.end());

describe.concurrent('a server', () => {
  it('does not run by the socket of a stranger, which is named, and gives up', async () => {
    const spec = rig.spec({ command: '/bin/sleep', args: ['600'] });
    const launched = await rig.fleet.launch(spec);
    const port = launched.ok ? (launched.ports[0]?.external_port ?? 0) : 0;
    const stranger = createSocket('udp4').bind(port, '127.0.0.1');
    await once(stranger, 'listening');
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    stranger.close();
    const held = `UDP ${port} is held by another program \\(pid ${process.pid}, .+\\)`;
    expect(report.detail).toMatch(new RegExp(`^${held}; the process opened no port$`));
    const all = rig.service.reports.filter((one) => one.instanceId === spec.instanceId);
    expect(all.map((one) => one.report.status)).not.toContain('running');
  });

  it.each([
    ['of a child', `${process.execPath} -e '${UDP}' & wait`],
    ['of a child in a session of its own', `setsid ${process.execPath} -e '${UDP}' & sleep 600`],
  ])('runs by the socket %s', async (_, script) => {
    const spec = rig.spec({ command: 'sh', args: ['-c', script] });
    await rig.fleet.launch(spec);
    await rig.service.reportOf(spec.instanceId, 'running');
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
  });

  it('that closes its port while it runs is shown so, and that it opened it again', async () => {
    const open = `socket = ${UDP}`;
    const script = `let ${open}; setInterval(() => {}, 1000);
      process.once("SIGUSR2", () => { socket.close(); process.once("SIGUSR2", () => { ${open} }) })`;
    const spec = rig.spec({ command: process.execPath, args: ['-e', script] });
    const launched = await rig.fleet.launch(spec);
    const port = launched.ok ? launched.ports[0]?.external_port : 0;
    const isShown = (text: string): boolean =>
      rig.service.reports.some(
        ({ instanceId, report: { status, detail } }) =>
          instanceId === spec.instanceId && status === 'running' && detail === text,
      );
    const closed = `the process closed UDP ${port}`;
    await rig.service.reportOf(spec.instanceId, 'running');
    const pid = await rig.pidOf(spec.instanceId);
    process.kill(pid, 'SIGUSR2');
    await eventually('it is shown', () =>
      isShown(`${closed} while it runs: players cannot connect`),
    );
    process.kill(pid, 'SIGUSR2');
    await eventually('so is the end of it', () => isShown(`${closed}, and opened it again`));
    await rig.fleet.stop(spec.instanceId);
  });
});

describe('the ports of a server', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const socket = (inode: string, protocol: 'udp' | 'tcp' = 'udp'): OpenSocket => ({
    protocol,
    port: 20_001,
    inode,
    isConnected: false,
  });
  const listing = (
    all: () => readonly OpenSocket[] | null,
    own: readonly string[] | null,
  ): Sockets => ({
    open: async () => all(),
    ownIn: async (some) => own && some.filter(({ inode }) => own.includes(inode)),
    who: 'the process',
    numberOf: ({ external_port: port }) => port,
  });
  const patience = (sockets: Sockets) => {
    const said: string[] = [];
    const late = (why: string): void => void said.push(why);
    const { signal } = new AbortController();
    const readiness = readinessOf('port', '', () => false);
    return { said, given: { withinMs: 120_000, lateMs: 10_000, sockets, readiness, signal, late } };
  };
  const place = placeOf('h', [GAME], [20_001]);

  it.each([
    ['are open where nobody tells whose a socket is', [socket('1')], null, 0],
    ['are open where no socket is listed, after two seconds', null, [], 2_000],
  ] as const)('%s', async (_, all, own, afterMs) => {
    const begunAt = performance.now();
    const open = waitForPorts(place, patience(listing(() => all, own)).given);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await open).toEqual(place.ports);
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(afterMs);
  });

  it('of no name have the protocols that are its own', async () => {
    const all = [socket('1'), socket('2', 'tcp')];
    const open = waitForPorts(
      placeOf('h', [], [20_001]),
      patience(listing(() => all, ['2'])).given,
    );
    await vi.advanceTimersByTimeAsync(100);
    expect(await open).toEqual(portsOf('h', 20_001, ['tcp']));
  });

  it('are waited for where another has one for a moment only', async () => {
    let all = [socket('9')];
    const { said, given } = patience(listing(() => all, ['1']));
    const open = waitForPorts(place, given);
    await vi.advanceTimersByTimeAsync(4_000);
    all = [];
    await vi.advanceTimersByTimeAsync(4_000);
    all = [socket('9'), socket('1')];
    await vi.advanceTimersByTimeAsync(100);
    expect([await open, said]).toEqual([place.ports, []]);
  });

  it('may be closed between two games', async () => {
    let all = [socket('1')];
    const { said, given } = patience(listing(() => all, ['1']));
    void watchPorts(place, given);
    await vi.advanceTimersByTimeAsync(30_000);
    all = [];
    await vi.advanceTimersByTimeAsync(9_000);
    all = [socket('1')];
    await vi.advanceTimersByTimeAsync(30_000);
    expect(said).toEqual([]);
  });
});
