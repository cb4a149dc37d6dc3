// The simulation in short: some seeds of everything at once, that they come by all that can happen,
// that a seed says the same each time, and that the checker bites.

import { describe, expect, it } from 'vitest';
import { bugsIn, caught } from '../../proof/sim/bugs';
import { PLACEMENTS } from '../../proof/sim/parts';
import { unreached } from '../../proof/sim/reach';
import { run } from '../../proof/sim/run';
import { addOutcome, emptyTotals } from '../../proof/sim/totals';
import { IS_WHOLE } from '../support/parts';
import { seedFor } from './planted-seeds';

/** In `npm test` so many as come by nearly everything, and the bugs that the first seeds show. */
const SEEDS = IS_WHOLE ? { box: 500, objects: 1_600 } : { box: 150, objects: 400 };
/** So few seeds come by everything only from here on. */
const FROM = { box: 1_001, objects: 1 };
const FEW = ['skip the fence', 'commit twice', 'tell before the bucket has it'];

describe.each(PLACEMENTS)('the simulation: %s', (placement) => {
  it(
    'violates nothing, whatever crashes, and comes by everything (more: npm run sim)',
    { timeout: 240_000 },
    async () => {
      const totals = emptyTotals(placement);
      for (let count = 0; count < SEEDS[placement]; count += 1) {
        addOutcome(totals, await run(FROM[placement] + count, { placement }));
      }
      expect(totals.failures).toEqual([]);
      expect(IS_WHOLE ? unreached(totals.counts, placement) : []).toEqual([]);
      expect(totals.checks).toBeGreaterThan(100 * SEEDS[placement]);
    },
  );

  it('replays a seed to the last word', async () => {
    const again = { tracing: true, placement };
    const [first, second] = [await run(7, again), await run(7, again)];
    const words = (trace: readonly string[]): string =>
      trace.join('\n').replaceAll(/studio-\d+/g, 'studio');
    expect(words(second.trace)).toBe(words(first.trace));
    expect(first.trace.length).toBeGreaterThan(100);
  });
});

describe.each(PLACEMENTS)('a deliberate bug is caught: %s', (placement) => {
  const planted = bugsIn(placement).filter(({ name }) => IS_WHOLE || FEW.includes(name));
  it.each(planted)('$name', async (bug) => {
    const from = seedFor(bug.name, placement);
    expect(await caught(bug, 2_000, placement, from)).not.toBeNull();
  });
});
