// `npm run night -- --minutes N`: everything that looks for faults at random, in turns, until the time is over or somebody
// interrupts. What it found goes into docs/internals/ledger.md. The turn under way is ended, and never cut off: torture
// leaves processes behind if it is.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { PROJECT } from './bundle.ts';
import { commandLine, number, word } from './flags.ts';
import { pageWith, type Count, type Reached } from './night-page.ts';

const { flags } = commandLine({
  command: 'npm run night --',
  about: 'Looks for faults at random, in turns, and writes down what it did and found.',
  flags: {
    minutes: number(60, 'for how long; the turn that is under way then is ended'),
    from: number(Math.floor(Date.now() / 1_000) * 10, 'the first seed'),
    ledger: word('docs/internals/ledger.md', 'the page that it is written into'),
  },
});

const PLACEMENTS = ['box', 'objects'] as const;
const SEEDS = 200;
/** One seed in so many runs twice. */
const TWICE = 50;
const KILLS = 5;
const REQUESTS = 4_000;
const TRACES = 2_000;
const CLIMBS = 10;

const begun = Date.now();
const isOver = (): boolean => isInterrupted || Date.now() - begun >= 60_000 * flags.minutes;
let isInterrupted = false;
process.on('SIGINT', () => {
  console.error('night: ends after this turn');
  isInterrupted = true;
});

const counts: Record<Count, number> = {
  seeds: 0,
  twice: 0,
  histories: 0,
  kills: 0,
  requests: 0,
  traces: 0,
  climbs: 0,
};
const faults: string[] = [];
/** The longest single call of the pool that a climb found. */
let longestMs = 0;
const reached: Record<string, { seeds: number; counts: Record<string, number> }> = {};
const folder = await mkdtemp(join(tmpdir(), 'muster-night-'));
const BUNDLED = ['scripts/run-bundled.ts'];
const FOUND = /^(?:VIOLATION|FAULT|seed \d+:|\s*×)/;

/** Runs a program to its end, and notes what it found. An interrupt from the keyboard is not for it. */
async function ran(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const code = await new Promise<number>((ended) => {
    child.once('close', (status) => ended(status ?? 1));
  });
  const found = text.split('\n').filter((line) => FOUND.test(line));
  const command = args.filter((arg) => arg !== BUNDLED[0]).join(' ');
  const unsaid = code !== 0 && found.length === 0 ? [`it ended with ${code}`] : [];
  faults.push(...[...found, ...unsaid].map((what) => `\`${command}\`: ${what.trim()}`));
  return text;
}

async function judged(path: string, histories: number): Promise<void> {
  counts.histories += histories;
  await ran(['proof/judge/main.ts', path]);
}

async function sim(placement: string, from: number, seeds: number, history: string): Promise<void> {
  const runs = ['--placement', placement, '--from', String(from), '--seeds', String(seeds)];
  await ran([...BUNDLED, 'proof/sim/main.ts', ...runs, '--history', history, '--reach', folder]);
}

/** Where clients of the same seed see other bytes, chance has come in somewhere that it must not. */
async function twice(placement: string, seed: number, history: string): Promise<void> {
  const again = join(folder, 'again');
  const name = `${placement}-${seed}.jsonl`;
  await sim(placement, seed, 1, again);
  counts.twice += 1;
  const [first, second] = await Promise.all(
    [history, again].map((path) => readFile(join(path, name), 'utf8').catch(() => path)),
  );
  if (first !== second) {
    faults.push(`seed ${seed} in ${placement} showed its clients something else the second time`);
  }
}

async function seedsIn(placement: string, from: number): Promise<void> {
  const history = join(folder, 'histories');
  await rm(history, { recursive: true, force: true });
  await sim(placement, from, SEEDS, history);
  counts.seeds += SEEDS;
  const text = await readFile(join(folder, `${placement}.json`), 'utf8').catch(() => null);
  addReached(placement, text === null ? { seeds: 0, counts: {} } : (JSON.parse(text) as Reached));
  await judged(history, SEEDS);
  for (let seed = from; seed < from + SEEDS && !isOver(); seed += TWICE) {
    await twice(placement, seed, history);
  }
}

function addReached(placement: string, more: Reached): void {
  const sum = (reached[placement] ??= { seeds: 0, counts: {} });
  sum.seeds += more.seeds;
  for (const [what, count] of Object.entries(more.counts)) {
    sum.counts[what] = (sum.counts[what] ?? 0) + count;
  }
}

async function torture(seed: number): Promise<void> {
  const history = join(folder, 'torture.jsonl');
  const size = ['--kills', String(KILLS), '--round', String(KILLS), '--players', '10'];
  await ran(['proof/torture/main.ts', '--seed', String(seed), ...size, '--history', history]);
  counts.kills += KILLS;
  await judged(history, 1);
}

async function fuzz(seed: number): Promise<void> {
  await ran(['proof/fuzz/main.ts', '--seed', String(seed), '--requests', String(REQUESTS)]);
  counts.requests += REQUESTS;
}

async function traces(seed: number): Promise<void> {
  const test = ['run', '--project', 'pure', 'test/match/traces.test.ts'];
  const env = { MUSTER_TRACES: String(TRACES), MUSTER_SEED: String(seed), NO_COLOR: '1' };
  await ran(['node_modules/vitest/vitest.mjs', ...test], env);
  counts.traces += TRACES;
}

async function climb(seed: number): Promise<void> {
  // Of the known cases none has this name.
  const size = ['--climb', String(CLIMBS), '--only', 'the climb', '--seed', String(seed)];
  const text = await ran([...BUNDLED, 'proof/bench/match/worst.ts', ...size]);
  const [, worst] = /^A climb of .*: ([\d.]+) ms/m.exec(text) ?? [];
  longestMs = Math.max(longestMs, Number(worst ?? 0));
  counts.climbs += CLIMBS;
}

for (let from = flags.from; !isOver(); from += SEEDS) {
  const turns = [
    ...PLACEMENTS.map((placement) => () => seedsIn(placement, from)),
    () => torture(from),
    () => fuzz(from),
    () => traces(from),
    () => climb(from),
  ];
  for (const turn of turns) {
    if (!isOver()) {
      await turn();
    }
  }
}
await rm(folder, { recursive: true, force: true });
const minutes = Math.round((Date.now() - begun) / 60_000);
faults.forEach((fault) => console.log(`FAULT ${fault}`));
console.log(`night: ${minutes} minutes, ${JSON.stringify(counts)}, ${faults.length} faults`);
const page = await readFile(resolve(PROJECT, flags.ledger), 'utf8').catch(() => '');
const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
  cwd: PROJECT,
  encoding: 'utf8',
});
const at = new Date(begun).toISOString().slice(0, 16);
const night = { at, commit: commit.trim(), minutes, counts, longestMs, faults, reached };
await writeFile(resolve(PROJECT, flags.ledger), pageWith(page, night));
process.exitCode = faults.length === 0 ? 0 : 1;
