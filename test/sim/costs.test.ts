// docs/costs.md says what requests and matches cost: a figure that grows, or shrinks, shows here.
// `npm run sim -- --costs` prints the tables as the code is now.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tables } from '../../proof/sim/costs-page';

const page = readFileSync(join(import.meta.dirname, '../../docs/costs.md'), 'utf8');

it('docs/costs.md tells what requests and matches cost', async () => {
  const told = page.slice(page.indexOf('## Matches')).trim();
  expect(await tables()).toBe(told);
});
