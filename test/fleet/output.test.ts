// What servers print: the file is bounded while one runs, nothing of its last lines is lost, and how
// a server ended is told with it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { endingOf, watchOutput } from '../../agent/output.ts';
import { mayMount } from '../support/tools.ts';
import { eventually } from '../support/eventually.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

/** Prints numbered lines for as long as it lives, a hundred at once. */
const COUNTS = `n=0; while :; do i=0; while [ $i -lt 100 ]; do n=$((n+1)); echo "line $n of a long text that fills the file"; i=$((i+1)); done; sleep 0.01; done`;

function numbers(lines: readonly { readonly message: string }[]): readonly number[] {
  return lines.map(({ message }) => Number(/^line (\d+) /.exec(message)?.[1]));
}

describe('the agent', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ AGENT_LOG_BYTES: '65536' });
  });
  afterAll(() => rig.end());

  async function logs(id: string, limit = 200) {
    return (await rig.fleet.logs?.(id, limit)) ?? null;
  }

  it('bounds what a server prints while it runs, and has its last lines without a gap', async () => {
    const spec = rig.spec({ command: 'sh', args: ['-c', COUNTS] });
    await rig.fleet.launch(spec);
    const folder = join(rig.dataDir, 'servers', spec.instanceId);
    const log = join(folder, 'server.log');
    await eventually('three files full', async () => {
      const lines = numbers((await logs(spec.instanceId)) ?? []);
      return (lines.at(-1) ?? 0) * 40 > 3 * 65_536;
    });
    expect((await readdir(folder)).filter((name) => name.startsWith('server.log'))).toHaveLength(2);
    const read = await readFile(`${log}.1`, 'utf8');
    expect(read.length).toBeLessThan(2 * 65_536);
    expect((await stat(log)).size).toBeLessThan(4 * 65_536);
    const lines = numbers((await logs(spec.instanceId, 1_000)) ?? []);
    expect(lines).toHaveLength(1_000);
    // It still prints: of the last line only a part may have come.
    const whole = lines.slice(0, -1);
    expect(whole).toEqual(whole.map((_, index) => (whole[0] ?? 0) + index));
    await rig.fleet.stop(spec.instanceId);
  });

  it('bounds a flood', async () => {
    // The flood itself must not take the processor from the agent. It prints lines of its own, some 160 MB a second: what
    // only repeats one writes gigabytes in a moment for which the machine is busy.
    const line = "'a flood of many lines %.0f'";
    const flood = `while :; do nice -n 19 seq -f ${line} 1 1000000; done`;
    const spec = rig.spec({ command: 'sh', args: ['-c', flood] });
    await rig.fleet.launch(spec);
    const path = join(rig.dataDir, 'servers', spec.instanceId, 'server.log');
    let largest = 0;
    for (const end = performance.now() + 3_000; performance.now() < end;) {
      largest = Math.max(largest, (await stat(path)).size);
      // Asking without a pause would take the processor from the agent.
      await setTimeout(5);
    }
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(80_000_000);
    await rig.fleet.stop(spec.instanceId);
  });

  it('answers while a server puts a pipe in the place of its older output', async () => {
    const script =
      'cd "$0"; mkfifo server.log.1.new server.log.1; i=0; while :; do i=$((i+1)); echo "line $i of much"; done';
    const spec = rig.spec({ command: 'sh', args: ['-c', script, '{folder}'] });
    await rig.fleet.launch(spec);
    await eventually('its output is moved', async () =>
      (await stat(join(rig.dataDir, 'servers', spec.instanceId, 'server.log.1'))).isFile(),
    );
    expect((await fetch(`${rig.agent.url}/health`)).status).toBe(200);
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
  });

  it('tells how a server ended, with the last 4 KiB, and keeps its lines', async () => {
    const script = 'i=0; while [ $i -lt 500 ]; do echo "step $i: ünï"; i=$((i+1)); done; exit 3';
    const spec = rig.spec({ command: 'sh', args: ['-c', script] });
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: 3, signal: null });
    expect(report.output).toMatch(/: ünï\nstep 499: ünï\n$/);
    expect(Buffer.byteLength(report.output ?? '')).toBeGreaterThan(4_000);
    expect(Buffer.byteLength(report.output ?? '')).toBeLessThanOrEqual(4_096);
    const found = await rig.fleet.inspect(spec.instanceId);
    expect(found).toMatchObject({ state: 'stopped', ending: { exit_code: 3 } });
    const lines = await logs(spec.instanceId, 2);
    expect(lines?.map(({ message }) => message)).toEqual(['step 498: ünï', 'step 499: ünï']);
  });

  it('names the signal that ended it', async () => {
    const spec = rig.spec({ command: 'sh', args: ['-c', 'echo last words; kill -SEGV $$'] });
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: 139, signal: 'SIGSEGV' });
    expect(report.output).toBe('last words\n');
  });

  it('has nothing but the words of the server, whoever ends it', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const spec = rig.spec({ command: 'sleep', args: ['60'] });
      await rig.fleet.launch(spec);
      process.kill(await rig.pidOf(spec.instanceId), signal);
      const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
      expect(report).toMatchObject({ signal, output: '' });
    }
  });

  it('has no lines of a server it never had', async () => {
    expect(await logs('never')).toBeNull();
  });

  it('tells of a build whether it could start it, without starting it', async () => {
    const { build } = rig.spec();
    const check = (launch: object) => rig.fleet.check?.({ ...build, launch });
    expect(await check({})).toBeNull();
    expect(await check({ command: 'sh' })).toBeNull();
    expect(await check({ command: '/no/such/game' })).toContain('no program "/no/such/game"');
    expect(await check({ command: 'sh', ownFolder: true })).toContain('ownFolder');
  });
});

describe('output', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-output-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('goes by the time a line was there', async () => {
    const path = join(folder, 'server.log');
    await writeFile(path, 'one\n');
    const watch = watchOutput(path, 1_000);
    const [first] = await watch.lines(10);
    await eventually('a later millisecond', () => Date.now() > Date.parse(first?.timestamp ?? ''));
    await writeFile(path, 'two\r\nthree', { flag: 'a' });
    const lines = await watch.lines(10);
    watch.end();
    expect(lines.map(({ message }) => message)).toEqual(['one', 'two', 'three']);
    expect(lines[0]).toEqual(first);
    expect(Date.parse(lines[1]?.timestamp ?? '')).toBeGreaterThan(
      Date.parse(first?.timestamp ?? ''),
    );
  });

  it('of a server that put something else in its place is empty, and stops nobody', async () => {
    const path = join(folder, 'server.log');
    await mkdir(path);
    expect(await endingOf(path, 3)).toEqual({ exit_code: 3, signal: null, output: '' });
    await rm(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    expect(await endingOf(path, 3)).toEqual({ exit_code: 3, signal: null, output: '' });
  });

  it('that cannot be read is logged once', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const watch = watchOutput(join(folder, 'server.log'), 100);
    for (let time = 0; time < 5; time += 1) {
      await watch.lines(1);
    }
    watch.end();
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a link', (path: string) => symlinkSync(join(folder, 'others'), path)],
    ['a folder', (path: string) => mkdirSync(join(path, 'deep'), { recursive: true })],
  ])('is bounded though the server puts %s in the place of our files', async (_, put) => {
    const others = join(folder, 'others');
    await writeFile(others, 'of somebody else');
    const path = join(folder, 'server.log');
    put(`${path}.1.new`);
    put(`${path}.1`);
    const watch = watchOutput(path, 100);
    for (const letter of ['a', 'b']) {
      await writeFile(path, letter.repeat(1_000), { flag: 'a' });
      await watch.lines(1);
      expect([(await stat(path)).size, await readFile(`${path}.1`, 'utf8')]).toEqual([
        0,
        letter.repeat(100),
      ]);
    }
    await rm(path);
    put(path);
    expect((await watch.lines(5)).map(({ message }) => message)).toEqual(['b'.repeat(100)]);
    watch.end();
    expect(await readFile(others, 'utf8')).toBe('of somebody else');
  });

  it.runIf(mayMount('tmpfs'))(
    'that a full disk cannot keep is cut all the same, and leaves no file open',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
      const path = join(folder, 'server.log');
      await writeFile(join(folder, 'filler'), Buffer.alloc(56 * 1024));
      const watch = watchOutput(path, 100);
      const open = await readdir('/proc/self/fd');
      for (let time = 0; time < 20; time += 1) {
        await writeFile(path, 'x'.repeat(8_000));
        await watch.lines(1);
      }
      watch.end();
      expect((await stat(path)).size).toBe(0);
      execFileSync('umount', ['-l', folder]);
      expect((await readdir('/proc/self/fd')).length).toBeLessThan(open.length + 10);
    },
  );

  it('of a server that left no file is empty, and cut between characters', async () => {
    const path = join(folder, 'server.log');
    expect(await endingOf(path, null)).toEqual({ exit_code: null, signal: null, output: '' });
    await writeFile(path, `${'ü'.repeat(4_000)}x`);
    expect((await endingOf(path, 0)).output).toBe(`${'ü'.repeat(2_047)}x`);
    await writeFile(path, `${'x'.repeat(5_000)}\nlast words\n`);
    expect((await endingOf(path, 0)).output).toBe('last words\n');
    const full = `${'x'.repeat(4_095)}\n`;
    await writeFile(path, `before\n${full}`);
    expect((await endingOf(path, 0)).output).toBe(full);
  });
});
