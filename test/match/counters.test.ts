import { describe, expect, it } from 'vitest';
import { EPOCH, Trace, type Workload } from '../../bench/match/workload';
import { WORKLOADS } from '../../bench/match/workloads';
import type { Counters } from '../../src/match/counters';
import { makePool } from '../../src/match/make-pool';

// What the pool does for an arrival, in counts: the same on every machine, so a bound on them holds
// where a bound on time would not.

const ENTERS = 3000;

function workload(start: string): Workload {
  const found = WORKLOADS.find(({ name }) => name.startsWith(start));
  if (found === undefined) {
    throw new Error(`no workload ${start}`);
  }
  return found;
}

/** Counts per enter on a queue grown to `queued` tickets. */
function perEnter(from: Workload, queued: number): Counters {
  const trace = new Trace({ ...from, queued }, 5);
  const pool = makePool(from.mode);
  const enter = (): void => {
    const { ticket, at } = trace.next();
    const now = from.perSecond === null ? EPOCH : at;
    for (let due = pool.nextAt(); due !== null && due <= now; due = pool.nextAt()) {
      for (const proposal of pool.advance(due).matches) {
        pool.commit(proposal.tickets);
      }
    }
    for (const proposal of pool.enter(ticket, now).matches) {
      pool.commit(proposal.tickets);
    }
  };
  for (let filled = 0; filled < queued * 8; filled += 1) {
    if (pool.stats(EPOCH).lobbiesInQueue >= queued) {
      break;
    }
    enter();
  }
  const before = { ...pool.counters };
  for (let done = 0; done < ENTERS; done += 1) {
    enter();
  }
  const counters = { ...pool.counters };
  for (const key of Object.keys(counters) as (keyof Counters)[]) {
    counters[key] = (counters[key] - before[key]) / ENTERS;
  }
  return counters;
}

describe('work for an arrival, in counts', () => {
  it.each([
    { start: 'W1 1v1, 1000 ', most: { anchors: 1, evaluations: 3, checks: 3, nodes: 0 } },
    { start: 'W2 5v5 parties, 1000 ', most: { anchors: 2, evaluations: 14, checks: 5, nodes: 4 } },
    { start: 'W3 FFA-100, 1000 ', most: { anchors: 2, evaluations: 60, checks: 6, nodes: 0 } },
  ])('does not grow with the queue: $start', ({ start, most }) => {
    const small = perEnter(workload(start), 1000);
    const large = perEnter(workload(start), 10_000);
    for (const counters of [small, large]) {
      for (const key of ['anchors', 'evaluations', 'checks', 'nodes'] as const) {
        expect(counters[key], `${start} ${key}`).toBeLessThanOrEqual(most[key]);
      }
      expect(counters.budgetHits).toBe(0);
    }
    expect(large.evaluations / small.evaluations).toBeLessThan(2.5);
  });

  it.each([
    { start: 'W2 5v5 threes and one', most: { anchors: 1, evaluations: 10, checks: 6, nodes: 1 } },
    { start: 'W5 1v4', most: { anchors: 2, evaluations: 60, checks: 8, nodes: 1 } },
  ])('stays small where thousands in reach block each other: $start', ({ start, most }) => {
    const counters = perEnter(workload(start), 4000);
    for (const key of ['anchors', 'evaluations', 'checks', 'nodes'] as const) {
      expect(counters[key], `${start} ${key}`).toBeLessThanOrEqual(most[key]);
    }
  });

  it.each([
    { start: 'W3 FFA-100, least 20', most: { evaluations: 80, nodes: 1 } },
    { start: 'W4 25x4', most: { evaluations: 150, nodes: 400 } },
    { start: 'W5 2-2-1', most: { evaluations: 10, nodes: 40 } },
    { start: 'W7 ', most: { evaluations: 40, nodes: 0 } },
  ])('with time going on, all events counted: $start', ({ start, most }) => {
    const counters = perEnter(workload(start), 0);
    expect(counters.evaluations).toBeLessThanOrEqual(most.evaluations);
    expect(counters.nodes).toBeLessThanOrEqual(most.nodes);
    expect(counters.budgetHits).toBe(0);
  });
});
