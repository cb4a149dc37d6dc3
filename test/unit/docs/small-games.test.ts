// docs/small-games.md says what evenings of a small game told, and they tell it again.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { HEAD, row, VARIANTS } from '../../../proof/bench/evening/table';
import { must } from '../../../src/common/result';

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/small-games.md', import.meta.url).href),
  'utf8',
);

it.each(['one mode a search', '1 and 2'])('has the row that comes out again: %s', (name) => {
  expect(page).toContain(HEAD);
  const again = row(name, must(VARIANTS[name], 'a variant'));
  expect(page.split('\n')).toContain(again);
});
