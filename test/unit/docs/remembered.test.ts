// The page that says what a box remembers names every cache that there is.

import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The kinds of caches themselves, and those of one queue's matching, which go with it. */
const NOT_LISTED = /^src\/common\/(?:lru|fresh|buckets)\.ts$|^src\/match\//;

it('is every bounded cache of the service, by its file', () => {
  const caches = globSync('src/**/*.ts').filter(
    (file) =>
      !NOT_LISTED.test(file) &&
      /new (?:Lru|Fresh|Buckets|ByRevision)\b/.test(readFileSync(file, 'utf8')),
  );
  const page = readFileSync('docs/internals/performance.md', 'utf8');
  const [, section = ''] = page.split('### What a box remembers\n');
  const [table = ''] = section.split('\n## ');
  const listed = [...table.matchAll(/^\| `(src\/[^`]+)` \|/gm)].map(([, file = '']) => file);
  expect([...new Set(listed)].toSorted()).toEqual(caches.toSorted());
});
