// docs/costs.md says what the edge bills: a match that writes a row more, or asks once more, shows here.
// `npm run sim -- --costs` prints the tables as the code is now.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { crowdBill } from '../../proof/sim/crowd-bill';
import { edgeBill } from '../../proof/sim/edge-bill';

const page = readFileSync(join(import.meta.dirname, '../../docs/costs.md'), 'utf8');

it('docs/costs.md tells what the edge bills', async () => {
  const [bill, free] = await edgeBill();
  expect(page).toContain(bill);
  expect(page).toContain(free);
});

it('docs/costs.md tells what the edge bills for a lobby of a hundred', async () => {
  expect(page).toContain(await crowdBill());
}, 60_000);
