// A little of `npm run fuzz`, with a seed that stays the same.

import { expect, it } from 'vitest';
import { fuzz } from '../../proof/fuzz/run.ts';

it('three thousand spoilt requests find no fault, no silence and nothing of others', async () => {
  const { faults, statuses, operations, ms } = await fuzz({ requests: 3_000, seed: 20_260 });
  console.log(`3000 requests in ${Math.round(ms)} ms: ${JSON.stringify(statuses)}`);
  expect(faults).toEqual([]);
  expect(operations).toBeGreaterThan(35);
  // They get past the checks often enough to matter.
  expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(300);
});
