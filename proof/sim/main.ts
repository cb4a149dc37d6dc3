// The command of the simulation. Every run plays the actors in one box and then with an object each.
// Ends with 1 when a run violated anything, or a bug was not caught.

import { fork } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { choice, commandLine, given, number, perhaps, word } from '../../scripts/flags';
import { BUGS, bugsIn, caught, runsOf } from './bugs';
import { tables } from './costs-page';
import { crowdBill } from './crowd-bill';
import { edgeBill } from './edge-bill';
import { DRILLS, drilled, drilledOnce } from './drills';
import { PLACEMENTS, type Placement } from './parts';
import { reachedOf } from './reach';
import { leftBy } from './resume';
import { shapesOf } from './shapes';
import { run, type Outcome, type RunOptions } from './run';
import { addOutcome, addTotals, emptyTotals, report, type Totals } from './totals';
import { REAL } from './world';

const { flags } = commandLine({
  command: 'npm run sim --',
  about:
    'The real actors on a simulated clock, network and disk, in one box and then with an object each.',
  flags: {
    seeds: number(1_000, 'how many runs'),
    from: number(1, 'the first seed'),
    jobs: number(1, 'processes to spread them over'),
    seed: perhaps('one run, with the end of its trace'),
    trace: given('with --seed: all that happened'),
    bugs: given('each deliberate bug, until one of --seeds catches it'),
    bug: word(null, 'with --seed or --history: the runs with this deliberate bug'),
    history: word(null, 'a folder for what clients saw, a file a run: npm run judge'),
    drill: word(null, 'a step of the crash table, or `all`, with a crash at every point'),
    crash: perhaps('with --drill: only this crash, told'),
    'from-rows': word(null, 'a version, such as v0.2.0: go on from what its own runs leave behind'),
    rows: given('what the rows of --seeds look like, or with --from-rows those of a version'),
    moves: given('the owner of each box moves to other machines, not only in one seed in five'),
    costs: given('the tables of docs/costs.md'),
    reach: word(null, 'a folder for how often each event was come by: npm run night'),
    placement: choice(PLACEMENTS, null, 'only one placement'),
  },
});
const placements = PLACEMENTS.filter(
  (each) => flags.placement === null || each === flags.placement,
);

/** After this many failures, more of them say nothing new. */
const MAX_FAILURES = 20;
/** How often a long run reports its progress. */
const PROGRESS = 10_000;
/** The last of a trace that is shown of a failing run, when not all was asked for. */
const TAIL = 60;

/** The seed that runs; 0 where others choose it. */
let seedNow = 0;

process.on('unhandledRejection', (error: unknown) => {
  // Ignores rejections in code of a dead incarnation, which nobody awaits.
  if (!String(error).includes('gone:')) {
    throw new Error(`nobody saw a rejection of seed ${seedNow}`, { cause: error });
  }
});

function show(outcome: Outcome, lines: readonly string[]): void {
  console.log(lines.join('\n'));
  const { seed, steps, virtualMs } = outcome;
  console.log(`seed ${seed}: ${steps} steps, ${(virtualMs / 1000).toFixed(0)} s of virtual time`);
  outcome.violations.forEach((text) => console.log(`VIOLATION ${text}`));
}

const planted = BUGS.find(({ name }) => name === flags.bug) ?? { makers: REAL };
const { makers } = planted;

const { moves } = flags;

type Begins = RunOptions & { readonly placement: Placement };

/** The seeds, each with what its run begins on. */
async function* beginnings(
  from: number,
  seeds: number,
  placement: Placement,
): AsyncGenerator<[number, Begins]> {
  const version = flags['from-rows'];
  if (version !== null) {
    for await (const left of leftBy(version, placement, { from, seeds })) {
      yield [left.seed, { placement, left, moves }];
    }
    return;
  }
  for (let seed = from; seed < from + seeds; seed += 1) {
    yield [seed, { placement, moves }];
  }
}

/** One of many runs, with its history, if one is wanted. */
async function oneOfMany(seed: number, begins: Begins): Promise<Outcome> {
  const folder = flags.history;
  if (folder === null) {
    return run(seed, begins);
  }
  const outcome = await run(seed, { ...begins, ...runsOf(planted), history: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${begins.placement}-${seed}.jsonl`), outcome.history);
  return outcome;
}

async function one(seed: number, placement: Placement): Promise<boolean> {
  seedNow = seed;
  let isWell = true;
  for await (const [, begins] of beginnings(seed, 1, placement)) {
    const outcome = await run(seed, { ...begins, ...runsOf(planted), tracing: true });
    show(outcome, flags.trace ? outcome.trace : outcome.trace.slice(-TAIL));
    isWell = outcome.violations.length === 0;
  }
  return isWell;
}

async function many(from: number, seeds: number, placement: Placement): Promise<Totals> {
  const totals = emptyTotals(placement);
  for await (const [seed, begins] of beginnings(from, seeds, placement)) {
    seedNow = seed;
    const outcome = await oneOfMany(seed, begins);
    addOutcome(totals, outcome);
    if (totals.failures.length === 1 && outcome.violations.length > 0 && makers === REAL) {
      const again = await run(seed, { ...begins, tracing: true });
      show(again, again.trace.slice(-TAIL));
    }
    if (totals.seeds % PROGRESS === 0) {
      console.error(`${totals.seeds} seeds, ${totals.failures.length} failed`);
    }
    if (totals.failures.length >= MAX_FAILURES && flags.history === null) {
      break;
    }
  }
  return totals;
}

/** The same runs, spread over processes. */
async function spread(
  { from, seeds }: { readonly from: number; readonly seeds: number },
  jobs: number,
  placement: Placement,
): Promise<Totals> {
  const share = Math.ceil(seeds / jobs);
  const parts = Array.from({ length: jobs }, (_, job) => {
    const first = from + job * share;
    return child(first, Math.min(share, from + seeds - first), placement);
  });
  const totals = emptyTotals(placement);
  (await Promise.all(parts)).forEach((part) => addTotals(totals, part));
  return totals;
}

function child(from: number, seeds: number, placement: Placement): Promise<Totals> {
  return new Promise((resolve, reject) => {
    const [script = ''] = process.argv.slice(1);
    const what = ['--from', String(from), '--seeds', String(seeds), '--placement', placement];
    what.push(...(flags.history === null ? [] : ['--history', flags.history]));
    what.push(...(moves ? ['--moves'] : []));
    what.push(...(flags.bug === null ? [] : ['--bug', flags.bug]));
    what.push(...(flags['from-rows'] === null ? [] : ['--from-rows', flags['from-rows']]));
    const part = fork(script, what);
    let totals: Totals | null = null;
    part.on('message', (message) => {
      totals = message as Totals;
    });
    part.on('exit', () => {
      if (totals === null) {
        reject(new Error(`the runs from seed ${from} on broke off`));
      } else {
        resolve(totals);
      }
    });
  });
}

async function bugs(limit: number, placement: Placement): Promise<boolean> {
  let all = true;
  for (const bug of bugsIn(placement)) {
    const outcome = await caught(bug, limit, placement);
    if (outcome === null) {
      all = false;
      console.log(`${bug.name}: NOT CAUGHT by ${limit} seeds`);
      continue;
    }
    const { seed } = outcome;
    const { trace } = await run(seed, { ...runsOf(bug), tracing: true, placement });
    const at = trace.findIndex((line) => line.includes('!!!'));
    console.log(
      `${bug.name}: caught by seed ${seed} (of 1 to ${limit}), at line ${at + 1} of its trace`,
    );
    [trace[0], '...', ...trace.slice(Math.max(0, at - 2), at + 1)].forEach((line) =>
      console.log(`    ${line}`),
    );
  }
  return all;
}

/** A step of the crash table, or `all` of them, with a crash at every point. */
async function drill(step: string, placement: Placement): Promise<boolean> {
  if (step === 'all') {
    let isWell = true;
    for (const each of Object.keys(DRILLS)) {
      isWell = (await drill(each, placement)) && isWell;
    }
    return isWell;
  }
  const seed = flags.seed ?? 1;
  if (flags.crash === null) {
    const { crashes, violations } = await drilled(step, moves ? 'moving box' : placement, [seed]);
    console.log(`${step}: ${crashes} crashes, ${violations.length} violations`);
    violations.forEach((text) => console.log(text));
    return violations.length === 0;
  }
  const at = { seed, placement, moves, crashAt: flags.crash, tracing: true };
  const { trace, violations } = await drilledOnce(step, at);
  console.log([...trace, ...violations].join('\n'));
  return violations.length === 0;
}

async function played(placement: Placement): Promise<boolean> {
  if (flags.costs) {
    console.log([...(await edgeBill()), await crowdBill()].join('\n\n'));
    console.log(await tables());
    return true;
  }
  if (flags.rows) {
    const left = [];
    for await (const each of leftBy(flags['from-rows'] ?? 'now', placement, flags)) {
      left.push(each);
    }
    console.log(shapesOf(left).join('\n'));
    return true;
  }
  if (process.send === undefined) {
    console.log(`placement: ${placement}`);
  }
  if (flags.drill !== null) {
    return drill(flags.drill, placement);
  }
  const { from, seeds, jobs } = flags;
  if (flags.seed !== null) {
    return one(flags.seed, placement);
  }
  if (flags.bugs) {
    return bugs(seeds, placement);
  }
  const begun = performance.now();
  const totals =
    jobs > 1 ? await spread({ from, seeds }, jobs, placement) : await many(from, seeds, placement);
  if (flags.reach !== null && process.send === undefined) {
    const reached = { seeds: totals.seeds, counts: reachedOf(totals.counts, placement) };
    await writeFile(join(flags.reach, `${placement}.json`), JSON.stringify(reached));
  }
  if (process.send === undefined) {
    console.log(report(totals, performance.now() - begun));
  } else {
    process.send(totals);
  }
  return totals.failures.length === 0;
}

let isWell = true;
for (const placement of flags.costs ? placements.slice(0, 1) : placements) {
  isWell = (await played(placement)) && isWell;
}
if (process.send === undefined) {
  process.exitCode = isWell ? 0 : 1;
} else {
  process.disconnect();
}
