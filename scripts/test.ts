// `npm test` runs every layer of tests, then prints one line with the counts: `N passed, N failed`. Tests that
// need a program which this machine lacks are skipped, and a line says which program and how to get it: `N passed,
// N failed, N skipped` (test/support/tools.ts). No other test may be skipped. Lines before the last one name the
// files with failures. Arguments are passed to vitest. With any, only the tests that they select are run and
// counted.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { bundle } from './bundle.ts';

interface Report {
  readonly numPassedTests: number;
  readonly success: boolean;
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const NOTHING: Report = { numPassedTests: 0, success: false, testResults: [] };
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

interface Counted {
  /** Skipped tests by the tool that their file lacks, with the way to get it. */
  readonly skipped: ReadonlyMap<string, number>;
  /**
   * Files whose tests failed, or did not run for no allowed reason: each with their number, at least one, because a
   * file that does not load has none.
   */
  readonly broken: ReadonlyMap<string, number>;
}

function counted(report: Report, notes: string): Counted {
  const lacking = new Map<string, string>();
  for (const line of notes.split('\n').filter(Boolean)) {
    const { file, name, get } = JSON.parse(line) as Record<'file' | 'name' | 'get', string>;
    lacking.set(file, `${name}: ${get}`);
  }
  const skipped = new Map<string, number>();
  const broken = new Map<string, number>();
  for (const { name, status, assertionResults } of report.testResults) {
    const count = (of: (status: string) => boolean): number =>
      assertionResults.filter((each) => of(each.status)).length;
    const idle = count((each) => !RAN.has(each));
    const tool = lacking.get(name);
    if (idle > 0 && tool !== undefined) {
      skipped.set(tool, (skipped.get(tool) ?? 0) + idle);
    }
    const bad = count((each) => each === 'failed') + (tool === undefined ? idle : 0);
    if (bad > 0 || status === 'failed') {
      broken.set(name, Math.max(1, bad));
    }
  }
  return { skipped, broken };
}

if (process.argv.includes('--help')) {
  console.log(`npm test -- [FILE ...]
Every test, or those of the files, and a last line that counts them. Flags are vitest's:
  --project X  only one layer: pure, workers, fleet, sdk, wire, security or browser
  -t X         only tests whose name holds X
  --help       these lines`);
  process.exit(0);
}
const folder = await mkdtemp(join(tmpdir(), 'muster-test-'));
try {
  const outputFile = join(folder, 'report.json');
  const notesFile = join(folder, 'missing-tools');
  await writeFile(notesFile, '');
  // Tests start some thousand commands. Node compiles each file of them once.
  const env = { MISSING_TOOLS_FILE: notesFile, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  // Otherwise each of the first files that start a service would make it. They say why it cannot be made.
  const bundled = process.argv.length === 2 ? bundle().catch(() => undefined) : undefined;
  const code = await run(outputFile, env);
  await bundled;
  // A vitest that was killed leaves no report.
  const text = await readFile(outputFile, 'utf8').catch(() => null);
  const report: Report = text === null ? NOTHING : (JSON.parse(text) as Report);
  const { skipped, broken } = counted(report, await readFile(notesFile, 'utf8'));
  for (const [tool, count] of skipped) {
    console.log(`skipped: ${count} ${count === 1 ? 'test needs' : 'tests need'} ${tool}`);
  }
  for (const name of [...broken.keys()].toSorted()) {
    console.log(`failed: ${relative(process.cwd(), name)}`);
  }
  const sum = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((all, each) => all + each, 0);
  const { numPassedTests, success } = report;
  const left = sum(skipped);
  const isGood = code === 0 && success && numPassedTests + left > 0 && broken.size === 0;
  const failed = isGood ? 0 : Math.max(1, sum(broken));
  const end = left === 0 ? '' : `, ${left} skipped`;
  console.log(`${numPassedTests} passed, ${failed} failed${end}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
