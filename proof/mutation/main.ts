// Changes one thing at a time in the pure cores, and runs the tests. A change that no test notices is a line that is
// untested or needless (docs/internals/mutation.md). Stryker is a package apart, in this folder: it would double what
// `npm ci` installs, and few need it.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { PROJECT } from '../../scripts/bundle.ts';
import { commandLine, given, number, word } from '../../scripts/flags.ts';
import { touchedIn, type Touched } from './changes.ts';

const HERE = join(PROJECT, 'proof', 'mutation');
const OUT = join(PROJECT, 'coverage', 'mutation');

/** What is tried when nothing is named. */
const PURE = [
  'src/lobby',
  'src/match',
  'dashboard/replay',
  'src/objects/{match,server}',
  'src/objects/*/state.ts',
  'src/objects/project/changes.ts',
];

const { flags, words } = commandLine({
  command: 'npm run mutate --',
  about: 'Plants bugs in the pure cores, one at a time: which of them do the tests miss?',
  words: { name: '[FOLDER or FILE ...]', says: 'what is changed', least: 0, most: 100 },
  flags: {
    each: number(1_000_000, 'at most so many a folder, drawn by chance'),
    seed: number(1, 'what chance begins with'),
    workers: number(1, 'processes that run tests'),
    changed: given('only lines that differ from --base'),
    base: word('main', 'with --changed: a commit, or a branch since which'),
  },
});

interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

/** Runs a program in a folder. Resolves with its exit code. */
function ran(folder: string, command: readonly string[], sample = ''): Promise<number | null> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, MUTATION_SAMPLE: sample },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => {
    child.on('exit', resolve);
  });
}

/** The lines that differ from where this branch left the base, also those that are not committed. */
function changedSince(base: string): Touched {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 1 << 28 });
  const fork = git('merge-base', base, 'HEAD').trim();
  const since = [
    '--unified=0',
    '--no-color',
    '--no-ext-diff',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ];
  const differs = touchedIn(
    git('-c', 'core.quotePath=false', 'diff', ...since, fork, '--', '*.ts'),
  );
  // A file that Git does not know is in no difference.
  const unknown = git('ls-files', '--others', '--exclude-standard', '-z', '*.ts').split('\0');
  const whole = [[1, Number.MAX_SAFE_INTEGER]] as const;
  return { ...differs, ...Object.fromEntries(unknown.map((path) => [path, whole])) };
}

async function tried(files: readonly string[], touched: Touched | null): Promise<Report> {
  const config = join(OUT, 'config.json');
  const sample = join(OUT, 'sample.json');
  const result = join(OUT, 'mutation.json');
  await mkdir(OUT, { recursive: true });
  await rm(result, { force: true });
  const settings = {
    testRunner: 'vitest',
    plugins: [
      join(HERE, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      join(HERE, 'sample.ts'),
    ],
    checkers: ['sample'],
    vitest: { configFile: 'proof/mutation/vitest.config.ts' },
    mutate: files,
    // Most of them would not compile, and the others are words for people.
    mutator: { excludedMutations: ['StringLiteral'] },
    // What is computed while a module loads cannot be switched on later.
    ignoreStatic: true,
    // Stryker would rewrite it with the API of TypeScript 6, which TypeScript 7 does not have.
    tsconfigFile: 'none',
    ignorePatterns: ['proof/mutation/node_modules', 'coverage', 'dist'],
    tempDirName: join(tmpdir(), 'muster-mutation'),
    concurrency: flags.workers,
    // A machine with other work is no endless loop.
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 30,
    reporters: ['json', ...(process.stdout.isTTY ? ['progress'] : ['progress-append-only'])],
    jsonReporter: { fileName: result },
    logLevel: 'warn',
  };
  await writeFile(config, JSON.stringify(settings));
  await writeFile(sample, JSON.stringify({ each: flags.each, seed: flags.seed, touched }));
  const bin = join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  if ((await ran(PROJECT, [process.execPath, bin, 'run', config], sample)) !== 0) {
    throw new Error('the mutants could not be tried: the lines above say why');
  }
  return JSON.parse(await readFile(result, 'utf8')) as Report;
}

function tell({ files }: Report): void {
  const all = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file })),
  );
  console.log('| Folder | Mutants | Tried | Killed | Timed out | Survived | Not reached | Score |');
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
  for (const [folder, mutants] of Map.groupBy(all, ({ file }) => dirname(file))) {
    const of = (one: string): number => mutants.filter(({ status }) => status === one).length;
    const [killed, late, missed, unreached] = [
      of('Killed'),
      of('Timeout'),
      of('Survived'),
      of('NoCoverage'),
    ];
    const tries = killed + late + missed + unreached;
    if (tries === 0) {
      continue;
    }
    const score = `${((100 * (killed + late)) / tries).toFixed(1)} %`;
    const cells = [mutants.length, tries, killed, late, missed, unreached, score];
    console.log(`| \`${folder}\` | ${cells.join(' | ')} |`);
  }
  for (const { file, status, mutatorName, replacement = '', location } of all) {
    if (status === 'Survived' || status === 'NoCoverage') {
      const becomes = replacement.replaceAll(/\s+/g, ' ').slice(0, 100);
      const { line, column } = location.start;
      console.log(`${file}:${line}:${column} ${status} ${mutatorName}: ${becomes}`);
    }
  }
}

if (!existsSync(join(HERE, 'node_modules'))) {
  // Without its peers, it takes the vitest of the project.
  const code = await ran(HERE, ['npm', 'ci', '--legacy-peer-deps', '--no-audit', '--no-fund']);
  if (code !== 0) {
    throw new Error('Stryker could not be installed');
  }
}
const rooms = (words.length === 0 ? PURE : words).map((each) =>
  each.endsWith('.ts') ? each : `${each}/**/*.ts`,
);
const touched = flags.changed ? changedSince(flags.base) : null;
const files = globSync(rooms, { cwd: PROJECT }).filter((path) => touched === null || touched[path]);
if (files.length === 0) {
  console.log(
    touched === null ? 'There are no such files' : 'Nothing of what is tried has changed',
  );
} else {
  tell(await tried(files, touched));
}
