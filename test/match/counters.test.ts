import { describe, expect, it } from 'vitest';
import { Runner } from '../../proof/bench/match/runner';
import { Trace, type Workload } from '../../proof/bench/match/workload';
import { WORKLOADS } from '../../proof/bench/match/workloads';
import type { Counters } from '../../src/match/teams/steps';

// What the pool does for an arrival, in counts: the same on every machine, so a bound on them holds
// where a bound on time would not. Every workload of the benchmark runs here, smaller.

const SEED = 5;
const ENTERS = 2000;
/** Workloads in three sizes. */
const SIZED = /^W[123] (1v1|5v5 parties|FFA-100), 1|nobody passes/;
/** Nothing that comes there can match. */
const UNMATCHABLE = /threes and fours only|nobody passes/;
const WORK = ['anchors', 'evaluations', 'nodes'] as const;

/**
 * At most so much work for an arrival: anchors, evaluations, nodes. A node is a state of a search
 * or an edge that a flow looked at, so roles have many.
 */
const MOST: Readonly<Record<string, readonly [number, number, number]>> = {
  'W1 1v1, 1000 queued': [0.7, 1.6, 0],
  'W2 5v5 parties, 1000 queued': [0.9, 6.3, 2.7],
  'W3 FFA-100, 1000 queued': [11.5, 850, 0],
  'W1 1v1 normal, 0.1/s': [0.8, 1.7, 0],
  'W1 1v1 normal, 1/s': [1, 2.5, 0],
  'W1 1v1 bimodal, 100/s': [1, 2.7, 0],
  'W1 1v1 heavy tail, 2000/s': [0.9, 2.5, 0],
  'W1 1v1 sparse, 2000/s': [0.1, 0.2, 0],
  'W2 5v5 parties, 100/s': [1.2, 9.8, 4.1],
  'W2 5v5 threes and fours only, 100/s': [2.2, 290, 0.1],
  'W2 5v5 threes and one two in ten, 100000 queued': [1.2, 5.1, 0],
  'W3 FFA-100, least 20, 20/s': [5.4, 165, 0],
  'W4 25x4, at least 10 teams, 20/s': [6.4, 210, 115],
  'W5 1v4 killer shortage, 100000 queued': [1.2, 8.9, 1],
  'W5 2-2-1 x 2, lists, fill and role parties, 20/s': [0.8, 6.5, 260],
  'W6 lists of 1 to 4 of 12 regions, overlap 1, 10000 queued': [2.1, 13, 3.3],
  'W7 equal builds of 50, other sides, 500/s': [1, 8.5, 0],
  'W8 CEL pushed down, 10000 queued': [0.8, 1.7, 0],
  'W8 CEL left over, with a difference, 10000 queued': [0.7, 1.5, 0],
  'W8 CEL on the wait, 2/s': [4.4, 15.7, 0],
  'W8 CEL hostile: nobody passes, 2000 queued': [1.1, 4200, 0],
  'W9 bursts of 1000, a third cancels, 1% refusals': [0.1, 0.2, 0.4],
  'W10 5v5 parties, 100000 queued, 500/s': [2.2, 22, 6],
};

interface Counted {
  readonly perEnter: Counters;
  readonly runner: Runner;
  readonly trace: Trace;
}

/** Counts per enter on a queue grown to `queued` tickets; every match is checked for legality. */
function count(from: Workload, queued: number, enters: number): Counted {
  const workload = { ...from, queued };
  const trace = new Trace(workload, SEED);
  const runner = new Runner(workload);
  runner.grow(trace, queued);
  const before = { ...runner.pool.counters };
  for (let done = 0; done < enters; done += 1) {
    const arrival = trace.next();
    runner.expect(arrival);
    runner.arrive(arrival);
    runner.check();
  }
  const perEnter = { ...runner.pool.counters };
  for (const key of Object.keys(perEnter) as (keyof Counters)[]) {
    perEnter[key] = (perEnter[key] - before[key]) / enters;
  }
  return { perEnter, runner, trace };
}

/** One size of those that come in three. */
const KINDS = WORKLOADS.filter(({ name, queued }) => queued <= 2000 || !SIZED.test(name));

describe('work for an arrival, in counts', () => {
  it.each(KINDS)('is bounded, and every match is legal: $name', (workload) => {
    const { perEnter, runner, trace } = count(
      workload,
      Math.min(2000, workload.queued),
      Math.min(ENTERS, workload.enters),
    );
    const most = MOST[workload.name] ?? [];
    for (const [at, key] of WORK.entries()) {
      expect(perEnter[key], key).toBeLessThanOrEqual(most[at] ?? -1);
    }
    expect(runner.tally.checked).toBe(runner.tally.matches);
    expect(runner.tally.matches).toBeGreaterThan(UNMATCHABLE.test(workload.name) ? -1 : 9);
    // Of the sweep this is one slice. A match of a hundred sometimes needs a second one: those that may start short wait for
    // who came with them, and are chosen among more (decision 65).
    const isCut = /hostile|FFA-100|25x4/.test(workload.name);
    expect(runner.pool.counters.budgetHits > 0).toBe(isCut);
    expect(runner.pool.sweep(trace.now).matches).toEqual([]);
    expect(runner.pool.counters.sweepFound).toBe(0);
  });

  it.each(WORKLOADS.filter(({ name }) => SIZED.test(name) && name.endsWith(', 1000 queued')))(
    'does not grow with the queue: $name, and ten times as many',
    (workload) => {
      const small = count(workload, 1000, ENTERS).perEnter;
      const large = count(workload, 10_000, ENTERS).perEnter;
      for (const key of WORK) {
        expect(large[key], key).toBeLessThanOrEqual(1.25 * small[key]);
      }
    },
  );
});
