// The guards of systems that the tests do not run on, on the one that they do: each is told another system by its name.

import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { programAt } from '../../agent/command.ts';
import { createEngine } from '../../agent/engine.ts';
import {
  isPath,
  lackingSetting,
  meetingPlace,
  openFiles,
  programPlaces,
  show,
  systemVariables,
  wordsOf,
  workerdAddress,
} from '../../agent/platform.ts';
import { claimName, pidOfName } from '../../agent/ports.ts';
import { readSettings } from '../../agent/settings.ts';

describe('a program', () => {
  it('is looked for on PATH as the system does', () => {
    expect(programPlaces('game', '/opt/tools:/opt/games', 'linux')).toEqual([
      '/opt/tools/game',
      '/opt/games/game',
    ]);
    expect(programPlaces('game', '/opt/games', 'darwin')).toEqual(['/opt/games/game']);
    expect(programPlaces('game', 'C:\\Windows;D:\\games', 'win32')).toEqual([
      'C:\\Windows\\game.exe',
      'C:\\Windows\\game.com',
      'C:\\Windows\\game',
      'D:\\games\\game.exe',
      'D:\\games\\game.com',
      'D:\\games\\game',
    ]);
    expect(programPlaces('D:\\games\\game.exe', 'C:\\Windows', 'win32')).toEqual([
      'D:\\games\\game.exe',
    ]);
  });

  it('with a backslash is a path on Windows alone', () => {
    const paths = (['linux', 'darwin', 'win32'] as const).map((system) => isPath('a\\b', system));
    expect(paths).toEqual([false, false, true]);
    expect(isPath('a/b', 'win32')).toBe(true);
  });
});

describe('a program in a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-systems-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is found on Windows without its extension', async () => {
    await writeFile(join(folder, 'game.exe'), '', { mode: 0o755 });
    expect(await programAt(join(folder, 'game'), '', 'win32')).toBe(join(folder, 'game.exe'));
    await expect(programAt(join(folder, 'game'), '', 'linux')).rejects.toThrow('no program');
  });

  it('that is a script of the shell is refused on Windows, where a shell would read its arguments', async () => {
    const script = join(folder, 'game.CMD');
    await writeFile(script, '', { mode: 0o755 });
    await expect(programAt(script, '', 'win32')).rejects.toThrow('name cmd.exe');
    expect(await programAt(script, '', 'linux')).toBe(script);
  });

  it.each(['linux', 'darwin', 'win32'] as const)(
    'has the files beside it on %s',
    async (system) => {
      const [from, to] = [join(folder, 'from'), join(folder, 'to')];
      await mkdir(join(from, 'data'), { recursive: true });
      await writeFile(join(from, 'data', 'map'), 'dunes');
      await writeFile(join(from, 'game.pck'), 'pack');
      await mkdir(to);
      await show(join(from, 'data'), join(to, 'data'), system);
      await show(join(from, 'game.pck'), join(to, 'game.pck'), system);
      expect(await readFile(join(to, 'data', 'map'), 'utf8')).toBe('dunes');
      expect(await readFile(join(to, 'game.pck'), 'utf8')).toBe('pack');
      // Only administrators may make a symbolic link to a file on Windows.
      expect((await lstat(join(to, 'game.pck'))).isSymbolicLink()).toBe(system !== 'win32');
    },
  );
});

describe('the environment of programs', () => {
  const env = { SystemRoot: 'C:\\Windows', TEMP: 'C:\\Temp', SECRET: 'x', PATH: 'y' };

  it('has what Windows needs to start any, there alone, and no secret', () => {
    expect(systemVariables('win32', env)).toEqual({ SystemRoot: 'C:\\Windows', TEMP: 'C:\\Temp' });
    expect(systemVariables('linux', env)).toEqual({});
    expect(systemVariables('darwin', env)).toEqual({});
  });
});

describe('a setting that does nothing there', () => {
  it.each([
    ['win32', 'AGENT_ADOPT', '1', 'AGENT_ADOPT does not work on Windows: run the agent in WSL'],
    ['win32', 'AGENT_USER', 'games', 'AGENT_USER does not work on Windows: run the agent in WSL'],
    [
      'win32',
      'AGENT_CONTAINERS',
      'docker',
      'containers need Linux: on Windows, run the agent in WSL',
    ],
    [
      'darwin',
      'AGENT_CONTAINERS',
      'docker',
      'containers need Linux: on Windows, run the agent in WSL',
    ],
    ['darwin', 'AGENT_ADOPT', '1', null],
    ['darwin', 'AGENT_CONTAINERS', '0', null],
    ['win32', 'AGENT_ADOPT', '0', null],
    ['linux', 'AGENT_CONTAINERS', 'docker', null],
    ['linux', 'AGENT_ADOPT', '1', null],
  ] as const)('on %s: %s=%s', (system, name, value, problem) => {
    expect(lackingSetting({ [name]: value }, system)).toBe(problem);
  });

  it('keeps the agent from starting', () => {
    const env = { AGENT_SECRET: 'sixteen-or-more-letters', AGENT_ADOPT: '1' };
    expect(() => readSettings(env, 'win32')).toThrow('AGENT_ADOPT does not work on Windows');
    expect(readSettings(env, 'darwin').adopts).toBe(true);
  });

  it.each(['darwin', 'win32'] as const)(
    'containers are refused in a sentence on %s',
    async (system) => {
      await expect(createEngine({ containers: null }, system).program()).rejects.toThrow(
        'containers need Linux',
      );
    },
  );
});

describe('a process that an earlier agent left', () => {
  it('is known by its words: from the kernel, or from ps on macOS', async () => {
    expect(await wordsOf(process.pid, 'linux')).toContain('vitest');
    const asked: (readonly string[])[] = [];
    const ps = (args: readonly string[]): Promise<string> => {
      asked.push(args);
      return Promise.resolve('/bin/sh -c x muster-keeper 5 /data/exit\n');
    };
    expect(await wordsOf(7, 'darwin', ps)).toContain('/data/exit');
    expect(asked).toEqual([['-Eww', '-o', 'command=', '-p', '7']]);
    expect(await wordsOf(process.pid, 'win32', ps)).toBe('');
  });

  it('that has ended has none', async () => {
    expect((await wordsOf(4_194_303, 'linux')).trim()).toBe('');
  });
});

describe('a name that only one may have', () => {
  it.each(['linux', 'darwin', 'win32'] as const)(
    'is given once on %s, until it is released',
    async (system) => {
      const name = `systems-${process.pid}-${system}`;
      const release = await claimName(name, system);
      expect(release).not.toBeNull();
      expect(await claimName(name, system)).toBeNull();
      release?.();
      const again = await claimName(name, system);
      expect(again).not.toBeNull();
      again?.();
    },
  );

  it('has a holder only where the kernel tells', async () => {
    const release = await claimName(`systems-${process.pid}`, 'linux');
    expect(await pidOfName(`systems-${process.pid}`, 'linux')).toBe(process.pid);
    expect(await pidOfName(`systems-${process.pid}`, 'win32')).toBeNull();
    release?.();
  });
});

describe('where programs of ours meet', () => {
  it('is a socket in the data folder, or a port of this machine', () => {
    expect(meetingPlace('/data/guard.sock')).toEqual({ path: '/data/guard.sock' });
    expect(workerdAddress('/data/guard.sock')).toBe('unix:/data/guard.sock');
    expect(meetingPlace('127.0.0.1:7001')).toEqual({ host: '127.0.0.1', port: 7001 });
    expect(workerdAddress('127.0.0.1:7001')).toBe('127.0.0.1:7001');
  });
});

it('asks no shell how many files may be open where there is none', async () => {
  expect(await openFiles('win32')).toBe(Infinity);
  expect(await openFiles('linux')).toBeGreaterThan(0);
});
