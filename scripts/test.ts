// `npm test` runs every layer of tests, then prints one line with the counts: `N passed, N failed`. Tests that
// need a program which this machine lacks are skipped, and a line says which program and how to get it: `N passed,
// N failed, N skipped` (test/support/tools.ts). No other test may be skipped. Arguments are passed to vitest. With
// any, only the tests that they select are run and counted.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly success: boolean;
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const RAN: ReadonlySet<string> = new Set(['passed', 'failed']);

function run(outputFile: string, env: Readonly<Record<string, string>>): Promise<number> {
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Skipped tests by the tool that their file lacks. Null: they were skipped without an allowed reason. */
function skippedFor(report: Report, notes: string): ReadonlyMap<string | null, number> {
  const lacking = new Map<string, string>();
  for (const line of notes.split('\n').filter(Boolean)) {
    const { file, name, get } = JSON.parse(line) as Record<'file' | 'name' | 'get', string>;
    lacking.set(file, `${name}: ${get}`);
  }
  const skipped = new Map<string | null, number>();
  for (const { name, assertionResults } of report.testResults) {
    const count = assertionResults.filter(({ status }) => !RAN.has(status)).length;
    if (count > 0) {
      const tool = lacking.get(name) ?? null;
      skipped.set(tool, (skipped.get(tool) ?? 0) + count);
    }
  }
  return skipped;
}

if (process.argv.includes('--help')) {
  console.log(`npm test -- [FILE ...]
Every test, or those of the files, and a last line that counts them. Flags are vitest's:
  --project X  only one layer: pure, workers, fleet, security, sdk or wire
  -t X         only tests whose name holds X
  --help       these lines`);
  process.exit(0);
}
const folder = await mkdtemp(join(tmpdir(), 'muster-test-'));
try {
  const outputFile = join(folder, 'report.json');
  const notesFile = join(folder, 'missing-tools');
  await writeFile(notesFile, '');
  const code = await run(outputFile, { MISSING_TOOLS_FILE: notesFile });
  const report = JSON.parse(await readFile(outputFile, 'utf8')) as Report;
  const { numPassedTests, numFailedTests, success } = report;
  const skipped = new Map(skippedFor(report, await readFile(notesFile, 'utf8')));
  const groundless = skipped.get(null) ?? 0;
  skipped.delete(null);
  for (const [tool, count] of skipped) {
    console.log(`skipped: ${count} ${count === 1 ? 'test needs' : 'tests need'} ${tool}`);
  }
  if (groundless > 0) {
    console.log(`${groundless} tests were skipped without an allowed reason`);
  }
  const left = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  const isGood = code === 0 && success && numPassedTests + left > 0 && groundless === 0;
  // A file that does not load counts as a failure, although none of its tests ran.
  const failed = isGood ? numFailedTests : Math.max(1, numFailedTests + groundless);
  const end = left === 0 ? '' : `, ${left} skipped`;
  console.log(`${numPassedTests} passed, ${failed} failed${end}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
