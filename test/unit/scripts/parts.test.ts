// What runs when: each file that test/support/parts.ts names is there, and is named once.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AFTER, IN_PARTS, sharing } from '../../support/parts';

it('names files that there are, each once', () => {
  const named = [...AFTER, ...IN_PARTS, ...sharing()];
  expect(sharing().length).toBeGreaterThan(30);
  expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([]);
  const root = join(import.meta.dirname, '../..');
  expect(named.filter((name) => !existsSync(join(root, `${name}.test.ts`)))).toEqual([]);
});
