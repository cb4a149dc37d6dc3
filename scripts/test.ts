// `npm test`: every layer of tests, then one line with what was counted: `N passed, N failed`.
// Arguments are handed on to vitest; with any, only what they select is run and counted.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTotalTestSuites: number;
  readonly success: boolean;
}

function run(outputFile: string): Promise<number> {
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const folder = await mkdtemp(join(tmpdir(), 'muster-test-'));
try {
  const outputFile = join(folder, 'report.json');
  const code = await run(outputFile);
  const report = JSON.parse(await readFile(outputFile, 'utf8')) as Report;
  const { numPassedTests, numFailedTests, numPendingTests, success } = report;
  const isGood = code === 0 && success && numPassedTests > 0 && numPendingTests === 0;
  if (numPendingTests > 0) {
    console.log(`${numPendingTests} tests were skipped: none may be`);
  }
  // A file that does not load counts as a failure, although no test of it ran.
  const failed = isGood ? numFailedTests : Math.max(1, numFailedTests + numPendingTests);
  console.log(`${numPassedTests} passed, ${failed} failed`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
