// What the index leaves out, in steps: the outcome is the same without it, so only a count of the work shows that it
// is there.

import { describe, expect, it } from 'vitest';
import { makePool } from '../../src/match/waiting/make-pool';
import { mode, ticket } from './support/make';

const QUEUED = 600;

describe('the pairs that a widening rule opens', () => {
  it('are not looked for among tickets that are in reach of each other already', () => {
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 100 }] as const;
    const pool = makePool(mode({ teams: 1, playersPerTeam: 1_000, rules, timeout: 600 }));
    for (let index = 0; index < QUEUED; index += 1) {
      pool.enter(ticket(`t${index}`, { at: index, state: { mmr: 1_000 + (index % 10) } }), index);
    }
    expect(pool.size).toBe(QUEUED);
    // A look at each of them would be more than QUEUED / 16 steps.
    expect(pool.counters.mostSteps).toBeLessThan(QUEUED / 32);
  });
});

describe('what one ticket alone decides', () => {
  it.each(['a.state.level > 5', 'b.state.level > 5'])('is asked of no pair: %s', (cel) => {
    const pool = makePool(mode({ rules: [{ type: 'expression', cel }], timeout: 600 }));
    for (let index = 0; index < 50; index += 1) {
      pool.enter(ticket(`t${index}`, { at: index, state: { level: 1 } }), index);
    }
    expect(pool.size).toBe(50);
    expect(pool.counters.evaluations).toBe(0);
  });
});
