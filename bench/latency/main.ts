// `npm run bench:latency -- --rate 20 --seconds 60 [--blocked 5000]`: from the second player's request
// to queue until both players see `in_game` on their streams, on the production bundle with a
// simulated fleet. The result is kept under bench/results/.
//   --placement    box (as served) or objects (an object an actor)
// Beside each figure stands its floor in brackets: a bare worker on the same runtime and disk, in the
// same run, which takes the same requests, makes the same hops and as many durable writes.
//   --find         the highest rate at which p99 stays under 100 ms, by doubling and halving
//   --journal      only what the journal costs: with it and without (JOURNAL_HOURS=0), by turns
//   --worker PATH  a bundle that was made before     --out PATH  the result's file
//   --data PATH    where the data folder is made: another disk, or memory

import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { runFloor, runTrial } from './trial.ts';
import type { Trial, TrialOptions } from './trial.ts';

const LIMIT_P99_MS = 100;
/** Of a trial while searching; a rate counts only when nothing failed. */
const FIND_SECONDS = 15;
const FIRST_RATE = 10;
const HALVINGS = 4;
/** Of trials with the journal and without. */
const TURNS = 3;

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string' },
    blocked: { type: 'string', default: '0' },
    journal: { type: 'boolean', default: false },
    find: { type: 'boolean', default: false },
    placement: { type: 'string', default: 'box' },
    worker: { type: 'string' },
    data: { type: 'string' },
    out: { type: 'string' },
  },
});

const common: Omit<TrialOptions, 'rate'> = {
  seconds: Number(values.seconds ?? (values.find ? FIND_SECONDS : 60)),
  blocked: Number(values.blocked),
  placement: values.placement === 'objects' ? 'objects' : 'box',
  ...(values.worker === undefined ? {} : { worker: values.worker }),
  ...(values.data === undefined ? {} : { data: values.data }),
  tell: (line) => console.log(line),
};

function print(trial: Trial, floor: Trial): void {
  const of = (name: string, pick: (from: Trial) => Trial['inGame']): string => {
    const { p50, p99, max } = pick(trial);
    const under = pick(floor);
    return `  ${name.padEnd(22)} p50 ${p50} [${under.p50}], p99 ${p99} [${under.p99}], max ${max} [${under.max}] ms`;
  };
  console.log(
    [
      `${trial.rate} pairs/s for ${trial.seconds} s, ${trial.blocked} blocked: ${trial.pairs} matched, ${trial.failed} failed`,
      ...(trial.failure === null ? [] : [`  first failure          ${trial.failure}`]),
      of('queue to in_game', ({ inGame }) => inGame),
      of('queue to matched', ({ matched }) => matched),
      of('two creates', ({ create }) => create),
      of('two streams', ({ connect }) => connect),
      of('first queue', ({ queue }) => queue),
      `  service                ${trial.cpuMsPerMatch} [${floor.cpuMsPerMatch}] ms of CPU a match (${trial.kernelMsPerMatch} [${floor.kernelMsPerMatch}] in the kernel), ${trial.serviceCores} cores, ${trial.syncsPerMatch} [${floor.syncsPerMatch}] syncs of the disk a match`,
      `  generator              ${trial.generatorCores} cores, late by p50 ${trial.generatorLag.p50}, p99 ${trial.generatorLag.p99} ms`,
      of('one fsync of the disk', ({ diskSync }) => diskSync),
    ].join('\n'),
  );
}

/** A trial with the floor's beside it. */
type Floored = Trial & { readonly floor: Trial };

async function trialAt(rate: number): Promise<Floored> {
  const trial = await runTrial({ ...common, rate });
  const floor = await runFloor({ ...common, rate });
  print(trial, floor);
  return { ...trial, floor };
}

function holds({ failed, inGame }: Trial): boolean {
  return failed === 0 && inGame.p99 < LIMIT_P99_MS;
}

/** The highest rate that holds, and every trial on the way. */
async function find(): Promise<{ readonly highest: number; readonly trials: readonly Floored[] }> {
  const trials: Floored[] = [];
  let good = 0;
  let bad = FIRST_RATE;
  for (;;) {
    const trial = await trialAt(bad);
    trials.push(trial);
    if (!holds(trial)) {
      break;
    }
    good = bad;
    bad *= 2;
  }
  for (let step = 0; step < HALVINGS && bad - good > 2; step += 1) {
    const rate = Math.round((good + bad) / 2);
    const trial = await trialAt(rate);
    trials.push(trial);
    if (holds(trial)) {
      good = rate;
    } else {
      bad = rate;
    }
  }
  console.log(`highest rate with p99 under ${LIMIT_P99_MS} ms: ${good} pairs/s`);
  return { highest: good, trials };
}

/** Processor time a match with the journal and without it, each pair of trials in another order. */
async function journalPrice(): Promise<void> {
  const median = (of: readonly number[]): number =>
    of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? NaN;
  const spent: Record<'24' | '0', number[]> = { '24': [], '0': [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const hours of turn % 2 === 0 ? (['24', '0'] as const) : (['0', '24'] as const)) {
      const env = { JOURNAL_HOURS: hours };
      const trial = await runTrial({ ...common, rate: Number(values.rate), env });
      spent[hours].push(trial.cpuMsPerMatch);
      const { pairs, failed, cpuMsPerMatch, inGame } = trial;
      console.log(
        `JOURNAL_HOURS=${hours}: ${pairs} matched, ${failed} failed, ${cpuMsPerMatch} ms of CPU a match, in_game p50 ${inGame.p50}, p99 ${inGame.p99} ms`,
      );
    }
  }
  console.log(`medians: ${median(spent['24'])} ms with the journal, ${median(spent['0'])} without`);
}

async function main(): Promise<void> {
  if (values.journal) {
    await journalPrice();
    return;
  }
  const machine = {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? '',
    node: process.version,
  };
  const name = values.find ? 'find' : values.rate;
  const file = `latency-${name}-blocked-${values.blocked}.json`;
  const out = values.out ?? fileURLToPath(new URL(`../results/${file}`, import.meta.url));
  const result = values.find ? await find() : await trialAt(Number(values.rate));
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, `${JSON.stringify({ machine, ...result }, null, 2)}\n`);
  console.log(`kept in ${out}`);
}

await main().catch((error: unknown) => {
  console.error(`latency: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
// Connections that are kept would keep us.
process.exit(0);
