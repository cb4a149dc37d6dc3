// Changes one thing at a time in the pure cores, and runs the tests. A change that no test notices is a line that is
// untested or needless (docs/internals/mutation.md). Stryker is a package apart, in this folder: it would double what
// `npm ci` installs, and few need it.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { PROJECT } from '../scripts/bundle.ts';
import { commandLine, number } from '../scripts/flags.ts';

const HERE = join(PROJECT, 'mutation');
const OUT = join(PROJECT, 'coverage', 'mutation');

/** What is tried when nothing is named. */
const PURE = [
  'src/lobby',
  'src/match',
  'replay',
  'src/objects/*/state.ts',
  'src/objects/match/{room,teams}.ts',
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

async function tried(patterns: readonly string[]): Promise<Report> {
  const [config, result] = [join(OUT, 'config.json'), join(OUT, 'mutation.json')];
  await mkdir(OUT, { recursive: true });
  await rm(result, { force: true });
  const settings = {
    testRunner: 'vitest',
    plugins: [
      join(HERE, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      join(HERE, 'sample.ts'),
    ],
    checkers: ['sample'],
    vitest: { configFile: 'mutation/vitest.config.ts' },
    mutate: patterns.map((each) => (each.endsWith('.ts') ? each : `${each}/**/*.ts`)),
    // Most of them would not compile, and the others are words for people.
    mutator: { excludedMutations: ['StringLiteral'] },
    // What is computed while a module loads cannot be switched on later.
    ignoreStatic: true,
    // Stryker would rewrite it with the API of TypeScript 6, which TypeScript 7 does not have.
    tsconfigFile: 'none',
    ignorePatterns: ['mutation/node_modules', 'coverage', 'dist'],
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
  const sample = JSON.stringify({ each: flags.each, seed: flags.seed });
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
    const score = `${((100 * (killed + late)) / Math.max(1, tries)).toFixed(1)} %`;
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
tell(await tried(words.length === 0 ? PURE : words));
