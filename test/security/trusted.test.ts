// A little of `npm run fuzz -- --trusted`, with a seed that stays the same.

import { expect, it } from 'vitest';
import { attack } from '../../proof/fuzz/trusted.ts';

it('a thousand bodies of players write no trusted key', async () => {
  const { faults, statuses, compared, ms } = await attack(1_000, 20_261);
  console.log(`1000 bodies in ${Math.round(ms)} ms: ${JSON.stringify(statuses)}`);
  expect(faults).toEqual([]);
  // They get past the checks often enough to matter.
  expect(compared).toBeGreaterThan(200);
  expect(statuses['403 FIELD_NOT_YOURS']).toBeGreaterThan(50);
});
