// The last lines of `npm test`: where a program is missing that some tests need, and where a file does not get to its
// tests.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** What `npm test` prints on its standard output. */
async function linesOf(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const run = promisify(execFile)(process.execPath, ['scripts/test.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  return stdout.trimEnd().split('\n');
}

/** The last lines for the tests of Teeworlds, without it. */
async function endOf(required: string): Promise<readonly string[]> {
  const env = { TEEWORLDS_SERVER_PATH: '/nowhere', REQUIRE_TOOLS: required };
  return (await linesOf(['--project', 'wire', 'test/wire/teeworlds.test.ts'], env)).slice(-2);
}

it('names the files whose tests failed or did not run, and counts each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-runner-'));
  const files = {
    good: `it('is good', () => {})`,
    bad: `it('is bad', () => { throw new Error('bad') })`,
    dies: `it('dies', () => process.kill(process.pid, 'SIGKILL'))`,
    unread: `import './nowhere.js'`,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.test.js`), text);
  }
  const lines = await linesOf(['--root', folder, '--globals']);
  await rm(folder, { recursive: true });
  expect(lines.slice(-4)).toEqual([
    ...['bad', 'dies', 'unread'].map(
      (name) => `failed: ${relative(root, join(folder, name))}.test.js`,
    ),
    '1 passed, 3 failed',
  ]);
});

it('does not count what a name did not select as failed, and notes the counts for CI', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-runner-'));
  await writeFile(join(folder, 'two.test.js'), `it('one', () => {}); it('other', () => {})`);
  const counts = join(folder, 'counts');
  const args = ['--root', folder, '--globals', '-t', 'one'];
  const lines = await linesOf(args, { TEST_COUNTS_FILE: counts });
  expect(lines.slice(-2)).toEqual(['not selected: 1', '1 passed, 0 failed']);
  expect(await readFile(counts, 'utf8')).toBe('1 0\n');
  await rm(folder, { recursive: true });
});

describe('a program that is missing', () => {
  it('has its tests skipped, and is named with the way to get it', async () => {
    expect(await endOf('')).toEqual([
      'skipped: 2 tests need teeworlds-server: apt-get install teeworlds-server',
      '0 passed, 0 failed, 2 skipped',
    ]);
  });

  it('is a failure where tools are required', async () => {
    expect((await endOf('1')).at(-1)).toBe('0 passed, 1 failed');
  });
});
