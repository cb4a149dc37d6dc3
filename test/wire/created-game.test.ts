// `npm create muster my-game` from the tarballs of a release, in an empty folder: Muster runs from its package, and two players
// meet on the game's own server.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RELEASE = join(ROOT, 'dist/release');
const run = promisify(execFile);

let folder: string;
let tarballs: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-created-'));
  await run(process.execPath, ['scripts/release.ts', '--dry-run', '--only', 'npm'], { cwd: ROOT });
  const sums = await readFile(join(RELEASE, 'SHA256SUMS'), 'utf8');
  tarballs = [...sums.matchAll(/ {2}(\S+)$/gm)].map(([, file = '']) => file);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a game that npm create muster makes', () => {
  it('comes to its first match, and its own test passes', async () => {
    // A Node of the project comes first in the PATH of npm run, and so it does in a game's.
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
    const begun = performance.now();
    const create = tarballs.find((each) => each.startsWith('create-muster-')) ?? '';
    const words = ['exec', '--yes', `--package=${join(RELEASE, create)}`, '--'];
    const made = ['create-muster', 'my-game', '--from', RELEASE];
    const { stdout } = await run('npm', [...words, ...made], { cwd: folder, env });
    expect(stdout).toContain('cd my-game');
    const game = { cwd: join(folder, 'my-game'), env };
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], game);
    const tested = await run('npm', ['test'], game);
    expect(tested.stdout).toMatch(/pass 1\n/);
    console.log(`the first match after ${Math.round(performance.now() - begun)} ms`);
  });

  it('is not made where something is already', async () => {
    const script = join(ROOT, 'packages/create-muster/create.cjs');
    const again = run(process.execPath, [script, 'my-game', '--from', RELEASE], { cwd: folder });
    await expect(again).rejects.toMatchObject({ code: 1, stderr: /is not empty/ });
    const odd = run(process.execPath, [script, '../Nö'], { cwd: folder });
    await expect(odd).rejects.toMatchObject({ code: 1 });
  });
});
