// A server that opens another port than it was told, or none: what the agent says of it, while it still
// waits and at the end; and programs that cannot be started at all.

import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../agent/ports.ts';
import type { LaunchBuild, PortConfig } from '../../src/fleet/port';
import { startRig } from './harness.ts';
import type { Received, Rig } from './harness.ts';

const UDP = 'require("dgram").createSocket("udp4").bind(Number(process.argv[1]), "127.0.0.1")';
const TCP = 'require("net").createServer().listen(Number(process.argv[1]), "127.0.0.1")';

let rig: Rig;
beforeAll(async () => {
  // On a busy machine the programs have opened nothing yet when the first warnings come.
  rig = await startRig({ AGENT_LATE_MS: '300', AGENT_START_MS: '8000' });
});
afterAll(() => rig.end());

interface Launched {
  /** What it was to open. */
  readonly port: number;
  /** The first warning that tells of an opened port. */
  readonly warned: Received | undefined;
  readonly ended: Received;
}

/** Runs the script with the argument; answers what was reported of it. */
async function launched(
  script: string,
  argument: string,
  ports: readonly PortConfig[] = [],
): Promise<Launched> {
  const launch = {
    command: process.execPath,
    args: ['-e', `console.log("up");${script}`, argument],
  };
  const build = { name: 'deaf', version: 1, label: null, launch, ports };
  const spec = rig.spec({}, { build });
  const answer = await rig.fleet.launch(spec);
  const of = (one: Received): boolean => one.instanceId === spec.instanceId;
  const ended = await rig.service.reportOf(spec.instanceId, 'stopped');
  const inspected = await rig.fleet.inspect(spec.instanceId);
  expect(inspected.ending?.detail).toBe(ended.report.detail);
  const warned = rig.service.reports.find(
    (one) => of(one) && /the process opened (UDP|TCP)/.test(one.report.detail ?? ''),
  );
  return { port: answer.ok ? (answer.ports[0]?.external_port ?? 0) : 0, warned, ended };
}

/** A warning comes after 0.3 s, and each time the wait has doubled. */
const soon = (text: string): unknown =>
  expect.stringMatching(
    new RegExp(`^${text.replace('SOON', '(0\\.3|0\\.6|1\\.2|2\\.4|4\\.8) s')}$`),
  );

describe.concurrent('a server whose port does not open', () => {
  it('is said to listen elsewhere, as a warning while it launches and as the reason of its end', async () => {
    const other = await freePort();
    const { port, warned, ended } = await launched(UDP, String(other));
    expect(warned?.report).toMatchObject({
      status: 'launching',
      detail: soon(`UDP ${port} was not opened within SOON; the process opened UDP ${other}`),
      output: 'up\n',
    });
    expect(ended.report).toMatchObject({
      detail: `UDP ${port} was not opened within 8 s; the process opened UDP ${other}`,
      signal: 'SIGTERM',
      output: expect.stringContaining('up\n'),
    });
  });

  it('is said to use TCP where UDP was declared', async () => {
    const game = { name: 'game', internal_port: 7777, protocol: 'udp' } as const;
    const { port, warned } = await launched(TCP, '{port}', [game]);
    const detail = soon(`UDP ${port} was not opened within SOON; the process opened TCP ${port}`);
    expect(warned?.report).toMatchObject({ status: 'launching', detail });
  });

  it('is said to have opened none, also where one of two is missing', async () => {
    const ports = [
      { name: 'game', internal_port: 1, protocol: 'udp' },
      { name: 'query', internal_port: 2, protocol: 'tcp' },
    ] as const;
    const [none, { port, ended }] = await Promise.all([
      launched('setInterval(() => {}, 1000)', '', ports),
      launched(UDP, '{port:game}', ports),
    ]);
    expect(none.ended.report.detail).toMatch(
      /^UDP \d+ and TCP \d+ were not opened within 8 s; the process opened no port$/,
    );
    expect(ended.report.detail).toMatch(
      new RegExp(`^TCP \\d+ was not opened within 8 s; the process opened UDP ${port}$`),
    );
  });

  it('is warned of no more once it runs', async () => {
    const slow = `setTimeout(() => {${UDP}}, 600)`;
    const launch = { command: process.execPath, args: ['-e', slow, '{port}'] };
    const spec = rig.spec(launch);
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'running');
    expect(report.detail ?? null).toBeNull();
    await rig.fleet.stop(spec.instanceId);
    const last = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(last.report.detail).toBe('told to stop');
  });
});

describe('a program', () => {
  const checked = (command: string): Promise<string | null | undefined> => {
    const build: LaunchBuild = {
      name: 'x',
      version: 1,
      label: null,
      launch: { command },
      ports: [],
    };
    return rig.fleet.check?.(build) ?? Promise.resolve(undefined);
  };

  it('that is there but not executable is told from one that is not there', async () => {
    const path = join(rig.dataDir, 'game.sh');
    await writeFile(path, '#!/bin/sh\n', { mode: 0o644 });
    expect(await checked(path)).toBe(
      `build x: "${path}" is not executable by the agent's user; chmod +x makes it so`,
    );
    expect(await checked(rig.dataDir)).toBe(`build x: "${rig.dataDir}" is a folder, no program`);
    const missing = join(rig.dataDir, 'none');
    expect(await checked(missing)).toBe(`build x: no program "${missing}" on this machine`);
    await chmod(path, 0o755);
    expect(await checked(path)).toBeNull();
  });
});
