// `npm test` runs every layer of tests, then prints one line with the counts: `N passed, N failed`. Tests that
// need a program which this machine lacks are skipped, and a line says which program and how to get it: `N passed,
// N failed, N skipped` (test/support/tools.ts). No other test may be skipped. Lines before the last one name the
// files with failures. Arguments are passed to vitest. With any, only the tests that they select are run and
// counted. Without any, the layers that compute run beside those that wait for processes and browsers, and only take
// the time that these leave: what they print follows at the end.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, setPriority, tmpdir } from 'node:os';
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

const COMPUTING = ['pure', 'workers'];
const WAITING = ['fleet', 'sdk', 'wire', 'security', 'browser'];

const words = process.argv.slice(2);

interface Ran {
  readonly code: number;
  readonly report: Report;
}

/** With `aside`, what it prints goes there. */
async function run(
  outputFile: string,
  selected: readonly string[],
  env: Readonly<Record<string, string>>,
  aside?: string[],
): Promise<Ran> {
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...selected], {
    stdio: aside === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  if (aside !== undefined && child.pid !== undefined) {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => aside.push(text));
    }
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  // A vitest that was killed leaves no report.
  const text = await readFile(outputFile, 'utf8').catch(() => null);
  return { code, report: text === null ? NOTHING : (JSON.parse(text) as Report) };
}

function together(all: readonly Ran[]): Ran {
  const reports = all.map(({ report }) => report);
  return {
    code: Math.max(...all.map(({ code }) => code)),
    report: {
      numPassedTests: reports.reduce((sum, each) => sum + each.numPassedTests, 0),
      success: reports.every(({ success }) => success),
      testResults: reports.flatMap(({ testResults }) => testResults),
    },
  };
}

/** Otherwise each of the first files would make it. Those that need it say why it cannot be made. */
async function bundled(): Promise<void> {
  await bundle().catch(() => undefined);
}

async function runAll(folder: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const layers = (names: readonly string[]): string[] =>
    names.flatMap((name) => ['--project', name]);
  const printed: string[] = [];
  const all = await Promise.all([
    bundled().then(() =>
      run(join(folder, 'waiting.json'), layers(WAITING), { ...env, WHOLE_SUITE: '1' }),
    ),
    run(join(folder, 'computing.json'), layers(COMPUTING), env, printed),
  ]);
  process.stdout.write(printed.join(''));
  return together(all);
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
  const notesFile = join(folder, 'missing-tools');
  await writeFile(notesFile, '');
  // Tests start some thousand commands. Node compiles each file of them once.
  const env = { MISSING_TOOLS_FILE: notesFile, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const { code, report } =
    words.length === 0
      ? await runAll(folder, env)
      : await run(join(folder, 'report.json'), words, env);
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
