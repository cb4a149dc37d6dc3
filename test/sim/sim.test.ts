// The simulation in short: some seeds of everything at once, that they come by all that can happen,
// that a seed says the same each time, and that the checker bites.

import { describe, expect, it } from 'vitest';
import { BUGS, caught } from '../../sim/bugs';
import { unreached } from '../../sim/reach';
import { run } from '../../sim/run';
import { addOutcome, emptyTotals } from '../../sim/totals';

const SEEDS = 800;

describe('the simulation', () => {
  it(
    'violates nothing, whatever crashes, and comes by everything (more: npm run sim)',
    { timeout: 240_000 },
    async () => {
      const totals = emptyTotals();
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        addOutcome(totals, await run(seed));
      }
      expect(totals.failures).toEqual([]);
      expect(unreached(totals.counts)).toEqual([]);
      expect(totals.checks).toBeGreaterThan(100 * SEEDS);
    },
  );

  it('replays a seed to the last word', async () => {
    const [first, second] = [await run(7, { tracing: true }), await run(7, { tracing: true })];
    const words = (trace: readonly string[]): string =>
      trace.join('\n').replaceAll(/studio-\d+/g, 'studio');
    expect(words(second.trace)).toBe(words(first.trace));
    expect(first.trace.length).toBeGreaterThan(100);
  });
});

describe('a deliberate bug is caught', () => {
  it.each(BUGS)('$name', { timeout: 120_000 }, async (bug) => {
    expect(await caught(bug, 600)).not.toBeNull();
  });
});
