// A little of `npm run fuzz -- --signals`, with a seed that stays the same.

import { expect, it } from 'vitest';
import { signalling } from '../../proof/fuzz/signals.ts';

it('four thousand bodies in bad shapes are refused or heard by those whom they are for, and change nothing', async () => {
  const { faults, statuses, heard, ms } = await signalling(4_000, 70);
  console.log(`4000 bodies in ${Math.round(ms)} ms: ${JSON.stringify(statuses)}, ${heard} heard`);
  expect(faults).toEqual([]);
  // They get past the checks often enough to matter.
  expect(statuses['200']).toBeGreaterThan(200);
  expect(statuses['400']).toBeGreaterThan(1_000);
});
