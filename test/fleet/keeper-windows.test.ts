// The keeper of programs on Windows, run here: it is Node, as there. `taskkill` is a stand-in, because only Windows has it.

import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { spawnKept } from '../../agent/keeper.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/processes.ts';

/** Ends the process that it is told, and what that has started. */
const TASKKILL = `#!/bin/sh
echo "$*" >> "$0.calls"
kill -KILL $(cat /proc/$2/task/$2/children) "$2"
`;

describe('a program on Windows', () => {
  let folder: string;
  let env: Record<string, string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-windows-'));
    await writeFile(join(folder, 'taskkill'), TASKKILL);
    await chmod(join(folder, 'taskkill'), 0o755);
    env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const shell = (script: string): readonly string[] => ['sh', '-c', script];
  const calls = (): Promise<string> => readFile(join(folder, 'taskkill.calls'), 'utf8');

  it('starts with its arguments and variables as they are, and its exit code is told', async () => {
    const lines: string[] = [];
    const output = (line: string): null => {
      lines.push(line);
      return null;
    };
    const word = 'a "quoted" $word & more';
    const kept = await spawnKept(
      ['sh', '-c', 'echo "$1 $LEVEL"; exit 7', 'game', word],
      { env: { ...env, LEVEL: 'dunes' }, graceMs: 1_000, output },
      'win32',
    );
    expect(await kept.exited).toBe(7);
    await eventually('its line is read', () => lines.length > 0);
    expect(lines).toEqual([`${word} dunes`]);
    expect(kept.pid).not.toBe(kept.group);
  });

  it('sees no channel to its keeper', async () => {
    const lines: string[] = [];
    const output = (line: string): null => {
      lines.push(line);
      return null;
    };
    const options = { env, graceMs: 1_000, output };
    const kept = await spawnKept(shell('env | grep -c NODE_CHANNEL; exit 0'), options, 'win32');
    await kept.exited;
    await eventually('its line is read', () => lines.length > 0);
    expect(lines).toEqual(['0']);
  });

  it('that is not there exits with 127', async () => {
    const options = { env, graceMs: 1_000, output: 'ignore' } as const;
    const kept = await spawnKept([join(folder, 'no-program')], options, 'win32');
    expect(await kept.exited).toBe(127);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends with all below it by %s', async (signal) => {
    const script = `sleep 1000 & echo $! > ${folder}/below; wait`;
    const options = { env, graceMs: 1_000, output: 'ignore' } as const;
    const kept = await spawnKept(shell(script), options, 'win32');
    const below = await pidIn(join(folder, 'below'));
    kept.signal(signal);
    await kept.exited;
    expect(await calls()).toBe(`/PID ${kept.pid} /T /F\n`);
    expect([await isAlive(kept.pid), await isAlive(below)]).toEqual([false, false]);
    // Again, it is no error.
    kept.signal(signal);
  });

  it('never starts if what comes before it fails', async () => {
    const options = {
      env,
      graceMs: 1_000,
      output: 'ignore',
      beforeStart: () => Promise.reject(new Error('the disk is full')),
    } as const;
    const started = spawnKept(shell(`echo > ${folder}/ran`), options, 'win32');
    await expect(started).rejects.toThrow('the disk is full');
    await expect(readFile(join(folder, 'ran'))).rejects.toThrow();
  });

  it('ends with us, although we are killed', async () => {
    const source = `
      import { spawnKept } from ${JSON.stringify(join(PROJECT, 'agent/keeper.ts'))};
      const options = { env: process.env, graceMs: 1000, output: 'ignore' };
      const command = ['sh', '-c', 'echo $$ > ${folder}/pid; exec sleep 1000'];
      await spawnKept(command, options, 'win32');
      setInterval(() => undefined, 1000);
    `;
    const us = spawn(process.execPath, ['--input-type=module', '-e', source], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    const pid = await pidIn(join(folder, 'pid'));
    expect(await isAlive(pid)).toBe(true);
    us.kill('SIGKILL');
    await eventually('the program has ended', async () => !(await isAlive(pid)));
    expect(await calls()).toBe(`/PID ${pid} /T /F\n`);
  });
});

async function pidIn(path: string): Promise<number> {
  return eventually('the pid is written', async () => {
    const text = await readFile(path, 'utf8').catch(() => '');
    return text.endsWith('\n') && Number(text);
  });
}
