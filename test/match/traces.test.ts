import { describe, expect, it } from 'vitest';
import { makePool } from '../../src/match/waiting/make-pool';
import { KINDS } from './support/kinds';
import { makeOracle } from './support/oracle';
import { newTally, runTrace, type Tally } from './support/trace';

// Each kind prints what its traces were. More with MUSTER_TRACES=200000, others with MUSTER_SEED.
const TRACES = Number(process.env['MUSTER_TRACES'] ?? 1_000);
/** Steps that no call of these traces needs more of: what is cut is compared apart. */
const UNCUT = 200_000;
const SEED = Number(process.env['MUSTER_SEED'] ?? 1);

function told(name: string, traces: number, tally: Tally, differences: number): string {
  const { events, matches, byTime, byWidening, short, bots, backfills, dropped } = tally;
  return (
    `${name}: ${traces} traces, ${events} events, ${matches} matches ` +
    `(${byTime} by time, of these ${byWidening} by widening; ${short} short, ${bots} with bots), ` +
    `${backfills} backfills, ${dropped} dropped, ${differences} differences`
  );
}

describe('the pool and the oracle do the same on random traces', () => {
  const weight = KINDS.reduce((sum, kind) => sum + (kind.weight ?? 1), 0);
  const each = TRACES / weight;
  const total = newTally();
  let run = 0;
  let differing = 0;
  // shows: S69, S70, S71, S72, S80, S83, S90, S95, S96, S98, D30a, D30b
  it.each(KINDS)('$name', { timeout: 3_600_000 }, (kind) => {
    const tally = newTally();
    let swept = 0;
    const differences: string[] = [];
    const traces = Math.ceil(each * (kind.weight ?? 1));
    for (let trace = 0; trace < traces; trace += 1) {
      const measured = makePool(kind.mode, UNCUT);
      const pools = { measured, oracle: makeOracle(kind.mode) };
      try {
        runTrace(kind, SEED * 1_000_003 + trace, pools, tally);
      } catch (error) {
        differences.push(String(error));
      }
      swept += measured.counters.sweepFound + measured.counters.budgetHits;
    }
    run += traces;
    differing += differences.length;
    for (const key of Object.keys(total) as (keyof typeof total)[]) {
      total[key] += tally[key];
    }
    console.log(told(kind.name, traces, tally, differences.length));
    expect(differences.slice(0, 3)).toEqual([]);
    expect(tally.matches + tally.backfills).toBeGreaterThan(traces / 2);
    // Where expressions read the time, what a sweep finds between two polls is no loss.
    expect(kind.pollsTime === true ? 0 : swept).toBe(0);
  });
  // Polls leave time between their slices, so they are not done at one instant.
  it.each(KINDS.filter(({ pollsTime }) => pollsTime !== true))(
    'also in slices of a few steps, run to their end after each event: $name',
    { timeout: 3_600_000 },
    (kind) => {
      let hits = 0;
      const traces = Math.max(8, Math.ceil((each / 10) * (kind.weight ?? 1)));
      for (let trace = 0; trace < traces; trace += 1) {
        const seed = SEED * 2_000_003 + trace;
        const measured = makePool(kind.mode, 2 ** ((trace % 16) - 8));
        const pools = { measured, oracle: makeOracle(kind.mode), isSliced: true };
        runTrace(kind, seed, pools, newTally());
        hits += measured.counters.budgetHits;
      }
      expect(hits).toBeGreaterThan(traces);
    },
  );
  it('covers what it should', () => {
    console.log(told(`${KINDS.length} kinds of mode`, run, total, differing));
    expect(total.short).toBeGreaterThan(each / 10);
    expect(total.backfills).toBeGreaterThan(each / 10);
    expect(total.byTime).toBeGreaterThan(each);
    expect(total.byWidening).toBeGreaterThan(each);
  });
});
