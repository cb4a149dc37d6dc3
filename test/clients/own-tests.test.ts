// The tests that packages/python and packages/go have in their own languages.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { DEBIAN_PYTHON, needs, pathOf } from '../support/tools.ts';

const run = promisify(execFile);
const PACKAGES = join(import.meta.dirname, '../../packages');

it.runIf(needs('python3'))('those in Python pass', async () => {
  const words = ['-B', '-m', 'unittest', 'discover', 'tests'];
  const { stderr } = await run(DEBIAN_PYTHON, words, { cwd: join(PACKAGES, 'python') });
  expect(stderr).toMatch(/^Ran \d{2} tests .*\n\nOK\n$/m);
});

it.runIf(needs('go'))('those in Go pass', async () => {
  const words = ['test', '-count=1', '.'];
  const { stdout } = await run(pathOf('go'), words, { cwd: join(PACKAGES, 'go') });
  expect(stdout).toMatch(/^ok\s/);
});
