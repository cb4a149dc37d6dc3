import { describe, expect, it } from 'vitest';
import { makePool } from '../../src/match/make-pool';
import { KINDS } from './support/kinds';
import { makeOracle } from './support/oracle';
import { newTally, runTrace } from './support/trace';

// More with MUSTER_TRACES=200000, other ones with MUSTER_SEED.
const TRACES = Number(process.env['MUSTER_TRACES'] ?? 20_000);
const SEED = Number(process.env['MUSTER_SEED'] ?? 1);

describe('the pool and the oracle do the same on random traces', () => {
  const weight = KINDS.reduce((sum, kind) => sum + (kind.weight ?? 1), 0);
  const each = TRACES / weight;
  const total = newTally();
  let run = 0;
  it.each(KINDS)('$name', { timeout: 3_600_000 }, (kind) => {
    const tally = newTally();
    let swept = 0;
    const traces = Math.ceil(each * (kind.weight ?? 1));
    for (let trace = 0; trace < traces; trace += 1) {
      const measured = makePool(kind.mode);
      const pools = { measured, oracle: makeOracle(kind.mode) };
      runTrace(kind, SEED * 1_000_003 + trace, pools, tally);
      swept += measured.counters.sweepFound + measured.counters.budgetHits;
    }
    expect(tally.matches + tally.backfills).toBeGreaterThan(traces / 2);
    run += traces;
    // Where expressions read the time, what a sweep finds between two polls is no loss.
    expect(kind.pollsTime === true ? 0 : swept).toBe(0);
    for (const key of Object.keys(total) as (keyof typeof total)[]) {
      total[key] += tally[key];
    }
    console.log(`${kind.name}: ${JSON.stringify(tally)}`);
  });
  it('also when a small budget splits the work of an event', () => {
    const kinds = KINDS.filter(({ name }) =>
      /^(difference 5v5|three|expression pair|one)/.test(name),
    );
    let hits = 0;
    for (const kind of kinds) {
      for (let trace = 0; trace < 100; trace += 1) {
        const measured = makePool(kind.mode, 3);
        const pools = { measured, oracle: makeOracle(kind.mode) };
        runTrace(kind, SEED * 2_000_003 + trace, pools, newTally());
        hits += measured.counters.budgetHits;
      }
    }
    expect(hits).toBeGreaterThan(300);
  });
  it('covers what it should', () => {
    console.log(`${run} traces: ${JSON.stringify(total)}`);
    expect(total.short).toBeGreaterThan(each / 10);
    expect(total.backfills).toBeGreaterThan(each / 10);
    expect(total.byTime).toBeGreaterThan(each);
  });
});
