// What a server runs by besides its ports, where its build says so: its own report, or a text that it prints.

import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readinessOf } from '../../agent/ready.ts';
import { parseBuild } from '../../agent/spec.ts';
import { problemsOf, onlyFleet } from '../../src/fleet/fleets';
import type { BuildLaunch, LaunchSpec } from '../../src/fleet/port';
import { localFleet } from '../../src/fleet/rest';
import { simulatedFleet } from '../../src/fleet/simulated';
import { eventually } from '../support/eventually.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

const OPEN = 'require("dgram").createSocket("udp4").bind(+process.env.MUSTER_PORT, "127.0.0.1");';
const SAYS = `fetch(process.env.MUSTER_REPORT_URL, { method: "POST", body: '{"status":"running"}' });`;
const LINE = { line: 'Map generated' };

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ AGENT_LATE_MS: '600', AGENT_START_MS: '5000' });
});
afterAll(() => rig.end());

const scripted = (script: string, ready: BuildLaunch['ready']): LaunchSpec =>
  rig.spec({ command: process.execPath, args: ['-e', OPEN + script], ready });
const statuses = ({ instanceId }: LaunchSpec): readonly unknown[] =>
  rig.service.reports
    .filter((one) => one.instanceId === instanceId)
    .map(({ report }) => [report.status, report.detail ?? null]);

describe.concurrent('a server whose build waits for more than its port', () => {
  it('runs once it has printed the text, in two parts and to stderr, and not before', async () => {
    const script = `setTimeout(() => process.stderr.write("12:00 Map gen"), 500);
      setTimeout(() => process.stderr.write("erated in 2 s\\n"), 1_500)`;
    const spec = scripted(script, LINE);
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'running');
    expect(report.network_ports).toMatchObject([{ protocol: 'udp' }]);
    expect(statuses(spec)).toContainEqual([
      'launching',
      expect.stringMatching(/^the line "Map generated" was not printed within [\d.]+ s/),
    ]);
    await rig.fleet.stop(spec.instanceId);
  });

  it('runs once it reports so itself, and not before', async () => {
    const spec = scripted(`setTimeout(() => ${SAYS.slice(0, -1)}, 1_500)`, 'report');
    await rig.fleet.launch(spec);
    await eventually('the agent knows', async () => {
      const { state } = await rig.fleet.inspect(spec.instanceId);
      return state === 'running';
    });
    expect(statuses(spec)).toContainEqual([
      'launching',
      expect.stringMatching(/^the server did not report that it runs within [\d.]+ s/),
    ]);
    await rig.fleet.stop(spec.instanceId);
  });

  it('is ended with the reason if it never says so', async () => {
    const silent = scripted('', LINE);
    const elsewhere = rig.spec({
      command: process.execPath,
      args: ['-e', 'console.log("Map generated"); setInterval(() => {}, 1_000)'],
      ready: LINE,
    });
    await Promise.all([silent, elsewhere].map((spec) => rig.fleet.launch(spec)));
    const ends = [silent, elsewhere].map((spec) =>
      rig.service.reportOf(spec.instanceId, 'stopped'),
    );
    const details = (await Promise.all(ends)).map(({ report }) => report.detail);
    expect(details).toEqual([
      'the line "Map generated" was not printed within 5 s',
      expect.stringMatching(/^UDP \d+ was not opened within 5 s; the process opened no port$/),
    ]);
  });
});

it('a server that runs is not waited for again by the next agent', async () => {
  const first = await startRig({ AGENT_ADOPT: '1', AGENT_START_MS: '3000' });
  const args = ['-e', `${OPEN} console.log("Map generated")`];
  const spec = first.spec({ command: process.execPath, args, ready: LINE });
  await first.fleet.launch(spec);
  await first.service.reportOf(spec.instanceId, 'running');
  await first.agent.kill();
  await writeFile(join(first.dataDir, 'servers', spec.instanceId, 'server.log'), '');
  const next = await first.startAgain();
  const fleet = localFleet({ url: next.agent.url, secret: 'a-secret-for-tests-only' });
  await eventually('the next agent has it', async () => {
    const { state } = await fleet.inspect(spec.instanceId);
    return state === 'running';
  });
  await next.end();
});

it('a text is found across parts, and in a log that was moved meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-ready-'));
  const log = join(folder, 'server.log');
  const { isSaid } = readinessOf(LINE, log, () => false);
  expect(await isSaid()).toBe(false);
  await writeFile(log, 'a long beginning; Map ge');
  expect(await isSaid()).toBe(false);
  await appendFile(log, 'nerat');
  expect(await isSaid()).toBe(false);
  await rename(log, `${log}.1`);
  await writeFile(log, 'ed');
  expect(await isSaid()).toBe(true);
  const moved = readinessOf(LINE, log, () => false);
  await writeFile(log, 'x'.repeat(100));
  expect(await moved.isSaid()).toBe(false);
  await appendFile(log, 'Map generated');
  await rename(log, `${log}.1`);
  await writeFile(log, '');
  expect([await moved.isSaid(), await moved.isSaid()]).toEqual([true, true]);
  await rm(folder, { recursive: true });
});

it('a launch that waits for something else is refused, and a fleet that cannot wait is told of', async () => {
  const build = { name: 'b', version: 1, label: null, launch: { ready: 'soon' }, ports: [] };
  expect(() => parseBuild(build)).toThrow('build.launch.ready: not port, report or a line');
  const fleets = onlyFleet(simulatedFleet);
  const saved = (ready: BuildLaunch['ready']) =>
    problemsOf(fleets, 'dev', { ...build, status: 'ready', launch: { ready } });
  expect([await saved(LINE), await saved('port')]).toEqual([
    [expect.stringMatching(/^launch\.ready: no effect on the fleet fleet/)],
    [],
  ]);
});
