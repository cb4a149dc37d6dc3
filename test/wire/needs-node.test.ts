// A clone that cannot run yet: each command says first what to do. Node prints ERR_UNKNOWN_FILE_EXTENSION otherwise.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../../scripts/bundle.ts';

let clone: string;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'muster-clone-'));
  for (const part of ['package.json', 'scripts', 'agent']) {
    await cp(join(PROJECT, part), join(clone, part), { recursive: true });
  }
});

afterAll(() => rm(clone, { recursive: true, force: true }));

/** The first line that a script of the clone prints, on a Node that does not read TypeScript if `isOld`. */
function firstLine(name: string, isOld: boolean): Promise<string> {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    NODE_OPTIONS: isOld ? '--no-experimental-strip-types' : '',
    npm_config_loglevel: 'silent',
  };
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', name], { cwd: clone, env }, (error, stdout, stderr) => {
      expect(error?.code, name).toBe(1);
      resolve(`${stdout}${stderr}`.split('\n')[0] ?? '');
    });
  });
}

describe.each(['start', 'serve', 'dev', 'keys', 'agent', 'test'])('npm run %s', (name) => {
  it.each([true, false])('before npm ci, on an old Node: %s', async (isOld) => {
    expect(await firstLine(name, isOld)).toBe(
      'muster: Muster is not installed yet: run `npm ci` in its folder first.',
    );
  });
});

describe('npm start after npm ci', () => {
  it('that left out the scripts of packages', async () => {
    await mkdir(join(clone, 'node_modules/workerd'), { recursive: true });
    expect(await firstLine('start', true)).toMatch(
      /^muster: this needs Node 22\.18 or newer, and found [\d.]+: run `npm ci` without --ignore-scripts, which installs a Node 24 for Muster, or install Node 24 yourself\.$/,
    );
  });

  it('without npm', async () => {
    await mkdir(join(clone, 'node_modules/.bin'), { recursive: true });
    await writeFile(join(clone, 'node_modules/.bin/node'), '');
    const words = ['--no-experimental-strip-types', '-r', './scripts/needs.cjs', 'agent/agent.ts'];
    const said = await new Promise((resolve) => {
      execFile(process.execPath, words, { cwd: clone }, (_, __, stderr) => resolve(stderr));
    });
    expect(said).toMatch(
      /: start it by `npm run`, which takes the Node 24 that `npm ci` has installed\.\n$/,
    );
  });
});
