// From the second player's request to queue until both players see `in_game` on their streams, on the production bundle
// with a simulated fleet. Beside each figure stands its floor in brackets: a bare worker on the same runtime and disk, in
// the same run, which takes the same requests, makes the same hops and as many durable writes.

import { cpus } from 'node:os';

import { commandLine, given, number, perhaps } from '../../../scripts/flags.ts';
import { DATA, keep, KEEPING, PLACEMENT, WORKER } from '../keep.ts';

import { runFloor, runTrial } from './trial.ts';
import type { Trial, TrialOptions } from './trial.ts';

const LIMIT_P99_MS = 100;
/** Length of a trial in the search for the highest rate. A rate counts only if nothing failed. */
const FIND_SECONDS = 15;
const FIRST_RATE = 10;
const HALVINGS = 4;
/** Number of trials with the journal, and of trials without it. */
const TURNS = 3;

const { flags } = commandLine({
  command: 'npm run bench:latency --',
  about:
    'From the second request to queue until both players see `in_game`, with its floor in brackets.',
  flags: {
    rate: number(20, 'pairs a second'),
    seconds: perhaps(`how long (60; ${FIND_SECONDS} with --find)`),
    blocked: number(0, 'lobbies that wait in the same queue and fit nobody'),
    find: given(`the highest rate with p99 under ${LIMIT_P99_MS} ms, by doubling and halving`),
    journal: given('the price of the journal: with it and without, in turns'),
    placement: PLACEMENT,
    worker: WORKER,
    data: DATA,
    ...KEEPING,
  },
});

const common: Omit<TrialOptions, 'rate'> = {
  seconds: flags.seconds ?? (flags.find ? FIND_SECONDS : 60),
  blocked: flags.blocked,
  placement: flags.placement,
  ...(flags.worker === null ? {} : { worker: flags.worker }),
  ...(flags.data === null ? {} : { data: flags.data }),
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

/** A trial with the floor's trial beside it. */
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

/** The highest rate that the service can serve, and every trial on the way. */
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

/**
 * Processor time for each match with the journal and without it. The order alternates between the pairs of trials.
 */
async function journalPrice(): Promise<void> {
  const median = (of: readonly number[]): number =>
    of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? NaN;
  const spent: Record<'24' | '0', number[]> = { '24': [], '0': [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const hours of turn % 2 === 0 ? (['24', '0'] as const) : (['0', '24'] as const)) {
      const env = { JOURNAL_HOURS: hours };
      const trial = await runTrial({ ...common, rate: flags.rate, env });
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
  if (flags.journal) {
    await journalPrice();
    return;
  }
  const machine = {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? '',
    node: process.version,
  };
  const name = flags.find ? 'find' : flags.rate;
  const result = flags.find ? await find() : await trialAt(flags.rate);
  await keep(flags, `latency-${name}-blocked-${flags.blocked}.json`, { machine, ...result });
}

await main().catch((error: unknown) => {
  console.error(`latency: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
// Open keep-alive connections would keep this process alive.
process.exit(0);
