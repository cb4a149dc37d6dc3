// `npm test` runs what finds a regression in minutes, and `npm run test:all` the rest (test/support/parts.ts). Each prints one
// last line with the counts: `N passed, N failed`. Tests that need a program which this machine lacks are skipped, and a line
// says which program and how to get it: `N passed, N failed, N skipped` (test/support/tools.ts). No other test may be skipped.
// Lines before the last one name the files with failures. Arguments are passed to vitest. With any, only the tests that they
// select are run and counted: of any file that they name, and what `-t` leaves out is not selected.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
const REST = '--rest';
const LOOK_MS = 5_000;
/** A minute. vitest gives what it closes ten seconds. */
const LOOKS_UNTIL_ENDED = 12;
const args = process.argv.slice(2).filter((word) => word !== REST);
/** With `-t`, vitest skips all tests of other names. */
const isSelective = args.some((word) => /^(?:-t|--testNamePattern)(?:=|$)/.test(word));

/** Whether vitest was content, or had to be ended after its report. */
function run(outputFile: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  // Once a vitest had written its report and never ended. What it found is in the report.
  let idleLooks = 0;
  const looks = setInterval(() => {
    idleLooks = existsSync(outputFile) ? idleLooks + 1 : 0;
    if (idleLooks > LOOKS_UNTIL_ENDED) {
      console.log('vitest wrote its report and did not end: it is ended');
      child.kill('SIGKILL');
    }
  }, LOOK_MS);
  return new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0 || idleLooks > LOOKS_UNTIL_ENDED));
  }).finally(() => clearInterval(looks));
}

interface Counted {
  /** Skipped tests by the tool that their file lacks, with the way to get it. */
  readonly skipped: ReadonlyMap<string, number>;
  /**
   * Files whose tests failed, or did not run for no allowed reason: each with their number, at least one, because a
   * file that does not load has none.
   */
  readonly broken: ReadonlyMap<string, number>;
  /** Tests that `-t` left out. */
  readonly notSelected: number;
}

function counted(report: Report, notes: string): Counted {
  const lacking = new Map<string, string>();
  for (const line of notes.split('\n').filter(Boolean)) {
    const { file, name, get } = JSON.parse(line) as Record<'file' | 'name' | 'get', string>;
    lacking.set(file, `${name}: ${get}`);
  }
  const skipped = new Map<string, number>();
  const broken = new Map<string, number>();
  let notSelected = 0;
  for (const { name, status, assertionResults } of report.testResults) {
    const count = (of: (status: string) => boolean): number =>
      assertionResults.filter((each) => of(each.status)).length;
    const idle = count((each) => !RAN.has(each));
    const tool = lacking.get(name);
    if (isSelective && tool === undefined) {
      notSelected += idle;
    }
    if (idle > 0 && tool !== undefined) {
      skipped.set(tool, (skipped.get(tool) ?? 0) + idle);
    }
    const bad =
      count((each) => each === 'failed') + (tool === undefined && !isSelective ? idle : 0);
    if (bad > 0 || status === 'failed') {
      broken.set(name, Math.max(1, bad));
    }
  }
  return { skipped, broken, notSelected };
}

if (process.argv.includes('--help')) {
  console.log(`npm test -- [FILE ...]
The tests that find a regression, or those of the files, and a last line that counts them.
\`npm run test:all\` runs the rest. Flags are vitest's:
  --project X  only one layer: pure, workers, fleet, sdk, wire, security or browser
  -t X         only tests whose name holds X
  --help       these lines`);
  process.exit(0);
}
const isRest = process.argv.includes(REST);
const folder = await mkdtemp(join(tmpdir(), 'muster-test-'));
try {
  const outputFile = join(folder, 'report.json');
  const notesFile = join(folder, 'missing-tools');
  await writeFile(notesFile, '');
  // Tests start some thousand commands. Node compiles each file of them once.
  const env = {
    MISSING_TOOLS_FILE: notesFile,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    TESTS: args.some((word) => word.includes('/')) ? '' : isRest ? 'rest' : 'most',
    // For this run, and for none that a test of it starts.
    TEST_COUNTS_FILE: '',
  };
  // Otherwise each of the first files that start a service would make it. They say why it cannot be made.
  const bundled = args.length === 0 ? bundle().catch(() => undefined) : undefined;
  const isContent = await run(outputFile, env);
  await bundled;
  // A vitest that was killed leaves no report.
  const text = await readFile(outputFile, 'utf8').catch(() => null);
  const report: Report = text === null ? NOTHING : (JSON.parse(text) as Report);
  const { skipped, broken, notSelected } = counted(report, await readFile(notesFile, 'utf8'));
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
  const isGood = isContent && success && numPassedTests + left > 0 && broken.size === 0;
  const failed = isGood ? 0 : Math.max(1, sum(broken));
  const end = left === 0 ? '' : `, ${left} skipped`;
  if (notSelected > 0) {
    console.log(`not selected: ${notSelected}`);
  }
  // `.ci/run` adds the two runs up.
  const countsFile = process.env['TEST_COUNTS_FILE'];
  if (countsFile !== undefined && countsFile !== '') {
    await appendFile(countsFile, `${numPassedTests} ${failed}\n`);
  }
  console.log(`${numPassedTests} passed, ${failed} failed${end}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
