// One measurement of a workload: the pool on its trace, and the naive systems on the first arrivals of the same trace
// with the same queue. Counts depend only on the trace, times and bytes on the machine.

import type { Kept } from './foretold';
import { collect, type Memory, memoryOf } from './memory';
import { Naive } from './naive';
import { Runner, type Tally } from './runner';
import { type Arrival, Trace, type Workload } from './workload';

/** Work of the pool per enter, in counts that are the same on every machine. */
export interface Work {
  readonly anchors: number;
  readonly evaluations: number;
  readonly checks: number;
  readonly nodes: number;
}

export interface Result extends Tally, Work {
  readonly workload: string;
  readonly enters: number;
  readonly queuedAtEnd: number;
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
  /** Of processor: an enter, or a slice of what it began. */
  readonly longestCallUs: number;
  /** Bytes per ticket. Null where not measured. */
  readonly memory: Memory | null;
  readonly budgetHits: number;
  readonly sweepFound: number;
  readonly hash: string;
  /** How often the estimate that an arrival is given came true. Null where none was given. */
  readonly kept: Kept | null;
  /** Enters a second. Null where not run. */
  readonly naive: {
    readonly newcomerOnly: number | null;
    readonly fullPass: number | null;
  };
}

const CHUNK = 1000;
const SEED = 20_26;

/** `events` multiplies the number of arrivals. `weighs` also measures bytes per ticket. */
export function measure(
  workload: Workload,
  { events, weighs }: { readonly events: number; readonly weighs: boolean },
): Result {
  const memory = weighs && workload.weighed === true ? memoryOf(workload, SEED) : null;
  const trace = new Trace(workload, SEED);
  const runner = new Runner(workload);
  runner.grow(trace, workload.queued, workload.settles);
  const enters = Math.max(Math.min(CHUNK, workload.enters), Math.round(workload.enters * events));
  // Tickets are made in small batches outside the measured time, so that they do not fill the heap.
  const draw = (done: number): Arrival[] =>
    Array.from({ length: Math.min(CHUNK, enters - done) }, () => trace.next());
  let arrivals = draw(0);
  const { naive, found } = compare(workload, runner, arrivals);
  collect();
  const start = { ...runner.pool.counters };
  const times = new Float64Array(enters);
  let total = 0;
  for (let done = 0; done < enters; arrivals = draw(done)) {
    for (const arrival of arrivals) {
      runner.expect(arrival);
      const begun = performance.now();
      const matched = runner.arrive(arrival);
      const took = performance.now() - begun;
      runner.check();
      if (matched !== (found[done] ?? matched)) {
        throw new Error(`${workload.name}: the full pass finds another match at arrival ${done}`);
      }
      times[done] = took;
      total += took;
      done += 1;
    }
  }
  times.sort();
  const { counters } = runner.pool;
  const per = (key: keyof Work): number => rounded((counters[key] - start[key]) / enters);
  const at = (share: number): number => rounded((times[Math.floor(enters * share)] ?? 0) * 1000);
  const swept = runner.pool.sweep(trace.now);
  return {
    workload: workload.name,
    enters,
    queuedAtEnd: runner.queued,
    perSecond: Math.round((enters / total) * 1000),
    p50Us: at(0.5),
    p99Us: at(0.99),
    maxUs: rounded((times[enters - 1] ?? 0) * 1000),
    longestCallUs: rounded(runner.longestMs * 1000),
    memory,
    anchors: per('anchors'),
    evaluations: per('evaluations'),
    checks: per('checks'),
    nodes: per('nodes'),
    budgetHits: counters.budgetHits,
    sweepFound: swept.matches.length,
    hash: runner.hash,
    kept: runner.kept(trace.now),
    naive,
    ...runner.tally,
  };
}

/** Runs the naive systems on copies of the same queue with the next arrivals. */
function compare(
  workload: Workload,
  runner: Runner,
  arrivals: readonly Arrival[],
): { readonly naive: Result['naive']; readonly found: readonly boolean[] } {
  const run = (enters = 0, how: 'enterNewcomerOnly' | 'enterFullPass') => {
    const naive = new Naive(workload.mode);
    const some = arrivals.slice(0, enters);
    if (some.length > 0) {
      runner.waiting.forEach((ticket) => naive.add(ticket));
    }
    const begun = performance.now();
    const found = some.map(({ ticket, at }) => naive[how](ticket, at));
    const perSecond = rounded((some.length / (performance.now() - begun)) * 1000);
    return { perSecond: some.length === 0 ? null : perSecond, found };
  };
  const newcomerOnly = run(workload.naive?.newcomerOnly, 'enterNewcomerOnly');
  const fullPass = run(workload.naive?.fullPass, 'enterFullPass');
  return {
    naive: { newcomerOnly: newcomerOnly.perSecond, fullPass: fullPass.perSecond },
    found: fullPass.found,
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
