import { describe, expect, it } from 'vitest';
import { makePool } from '../../src/match/make-pool';
import { KINDS } from './support/kinds';
import { makeOracle } from './support/oracle';
import { newTally, runTrace } from './support/trace';

// More with MUSTER_TRACES=200000, other ones with MUSTER_SEED.
const TRACES = Number(process.env['MUSTER_TRACES'] ?? 20_250);
const SEED = Number(process.env['MUSTER_SEED'] ?? 1);

describe('the pool and the oracle do the same on random traces', () => {
  const each = Math.ceil(TRACES / KINDS.length);
  const total = newTally();
  it.each(KINDS)('$name', { timeout: 3_600_000 }, (kind) => {
    const tally = newTally();
    let swept = 0;
    for (let trace = 0; trace < each; trace += 1) {
      const measured = makePool(kind.mode);
      const pools = { measured, oracle: makeOracle(kind.mode) };
      runTrace(kind, SEED * 1_000_003 + trace, pools, tally);
      swept += measured.counters.sweepFound + measured.counters.budgetHits;
    }
    expect(tally.matches + tally.backfills).toBeGreaterThan(each / 2);
    // Where expressions read the time, what a sweep finds between two polls is no loss.
    expect(kind.pollsTime === true ? 0 : swept).toBe(0);
    for (const key of Object.keys(total) as (keyof typeof total)[]) {
      total[key] += tally[key];
    }
    console.log(`${kind.name}: ${JSON.stringify(tally)}`);
  });
  it('covers what it should', () => {
    console.log(`${each * KINDS.length} traces: ${JSON.stringify(total)}`);
    expect(total.short).toBeGreaterThan(each / 10);
    expect(total.backfills).toBeGreaterThan(each / 10);
    expect(total.byTime).toBeGreaterThan(each);
  });
});
