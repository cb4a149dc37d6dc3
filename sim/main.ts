// The command. `--seeds N [--from M] [--jobs J]`: that many runs. `--seed N [--trace]`: one run,
// with everything that happened in it. `--bugs [--seeds N]`: each deliberate bug, until a seed
// catches it; `--bug NAME --seed N --trace`: how it did. `--drill STEP [--seed N] [--crash K]`: a step of the crash table, or `all`; its K-th
// crash told.
// Ends with 1 when a run violated anything, or a bug was not caught.

import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { BUGS, caught } from './bugs';
import { DRILLS, drilled, drilledOnce } from './drills';
import { run, type Outcome } from './run';
import { addOutcome, addTotals, emptyTotals, report, type Totals } from './totals';
import { REAL } from './world';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    bugs: { type: 'boolean', default: false },
    bug: { type: 'string' },
    drill: { type: 'string' },
    crash: { type: 'string' },
  },
});

/** Beyond that many failures more tell nothing new. */
const MAX_FAILURES = 20;
/** How often a long run says how far it is. */
const PROGRESS = 10_000;
/** The last of a trace that is shown of a failing run, when not all was asked for. */
const TAIL = 60;

process.on('unhandledRejection', (error: unknown) => {
  // Code of a dead incarnation that nobody waits for any more.
  if (!String(error).includes('gone:')) {
    throw error;
  }
});

function show(outcome: Outcome, lines: readonly string[]): void {
  console.log(lines.join('\n'));
  const { seed, steps, virtualMs } = outcome;
  console.log(`seed ${seed}: ${steps} steps, ${(virtualMs / 1000).toFixed(0)} s of virtual time`);
  outcome.violations.forEach((text) => console.log(`VIOLATION ${text}`));
}

async function one(seed: number): Promise<boolean> {
  const bug = BUGS.find(({ name }) => name === values.bug);
  const outcome = await run(seed, { tracing: true, makers: bug?.makers ?? REAL });
  show(outcome, values.trace ? outcome.trace : outcome.trace.slice(-TAIL));
  return outcome.violations.length === 0;
}

async function many(from: number, seeds: number): Promise<Totals> {
  const totals = emptyTotals();
  for (let seed = from; seed < from + seeds; seed += 1) {
    const outcome = await run(seed);
    addOutcome(totals, outcome);
    if (totals.failures.length === 1 && outcome.violations.length > 0) {
      const again = await run(seed, { tracing: true });
      show(again, again.trace.slice(-TAIL));
    }
    if (totals.seeds % PROGRESS === 0) {
      console.error(`${totals.seeds} seeds, ${totals.failures.length} failed`);
    }
    if (totals.failures.length >= MAX_FAILURES) {
      break;
    }
  }
  return totals;
}

/** The same runs, spread over processes. */
async function spread(from: number, seeds: number, jobs: number): Promise<Totals> {
  const share = Math.ceil(seeds / jobs);
  const parts = Array.from({ length: jobs }, (_, job) => {
    const first = from + job * share;
    return child(first, Math.min(share, from + seeds - first));
  });
  const totals = emptyTotals();
  (await Promise.all(parts)).forEach((part) => addTotals(totals, part));
  return totals;
}

function child(from: number, seeds: number): Promise<Totals> {
  return new Promise((resolve, reject) => {
    const [script = ''] = process.argv.slice(1);
    const part = fork(script, ['--from', String(from), '--seeds', String(seeds)]);
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

async function bugs(limit: number): Promise<boolean> {
  let all = true;
  for (const bug of BUGS) {
    const outcome = await caught(bug, limit);
    if (outcome === null) {
      all = false;
      console.log(`${bug.name}: NOT CAUGHT by ${limit} seeds`);
      continue;
    }
    const { seed } = outcome;
    const { trace } = await run(seed, { tracing: true, makers: bug.makers });
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
async function drill(step: string): Promise<boolean> {
  if (step === 'all') {
    let isWell = true;
    for (const each of Object.keys(DRILLS)) {
      isWell = (await drill(each)) && isWell;
    }
    return isWell;
  }
  const seed = Number(values.seed ?? 1);
  if (values.crash === undefined) {
    const { crashes, violations } = await drilled(step, [seed]);
    console.log(`${step}: ${crashes} crashes, ${violations.length} violations`);
    violations.forEach((text) => console.log(text));
    return violations.length === 0;
  }
  const crashAt = Number(values.crash);
  const { trace, violations } = await drilledOnce(step, { seed, crashAt, tracing: true });
  console.log([...trace, ...violations].join('\n'));
  return violations.length === 0;
}

async function main(): Promise<boolean> {
  if (values.drill !== undefined) {
    return drill(values.drill);
  }
  const [from, seeds, jobs] = [Number(values.from), Number(values.seeds), Number(values.jobs)];
  if (values.seed !== undefined) {
    return one(Number(values.seed));
  }
  if (values.bugs) {
    return bugs(seeds);
  }
  const begun = performance.now();
  const totals = jobs > 1 ? await spread(from, seeds, jobs) : await many(from, seeds);
  if (process.send === undefined) {
    console.log(report(totals, performance.now() - begun));
  } else {
    process.send(totals);
  }
  return totals.failures.length === 0;
}

const isWell = await main();
if (process.send === undefined) {
  process.exitCode = isWell ? 0 : 1;
} else {
  process.disconnect();
}
