// `npm test` on a machine that lacks a program which some tests need.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The last lines of `npm test` for the tests of Teeworlds, without it. */
async function endOf(required: string): Promise<readonly string[]> {
  const env = { ...process.env, TEEWORLDS_SERVER_PATH: '/nowhere', REQUIRE_TOOLS: required };
  const args = ['scripts/test.ts', '--project', 'wire', 'test/wire/teeworlds.test.ts'];
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env });
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  return stdout.trimEnd().split('\n').slice(-2);
}

describe('a program that is missing', { timeout: 60_000 }, () => {
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
