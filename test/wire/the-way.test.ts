// The functions that docs/internals/the-way.md names are those that a pair of players runs.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { wayOfPairs } from '../../proof/bench/way-run.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** A signature takes at most so many lines before its body begins. */
const SIGNATURE = 10;
/** The files of the trunk. */
const MOST_FILES = 15;

it('a search runs each function of the page, and the trunk stays short', async () => {
  const steps = [...read('docs/internals/the-way.md').matchAll(/\| `(src\/\S+)` \| `(\w+)` \|$/gm)];
  const files = new Set(steps.map(([, file]) => file));
  expect(steps.length).toBeGreaterThan(10);
  expect(files.size).toBeLessThanOrEqual(MOST_FILES);
  const way = await wayOfPairs(3);
  const notRun = steps.filter(([, file = '', name = '']) => {
    const lines = read(file).split('\n');
    const heads = lines.flatMap((line, at) =>
      new RegExp(`^(export )?(  )?(async )?(function )?\\*?#?${name}\\(`).test(line)
        ? [at + 1]
        : [],
    );
    const ran = way.get(file) ?? [];
    return !ran.some(({ line }) => heads.some((at) => at <= line && line < at + SIGNATURE));
  });
  expect(notRun.map(([, file, name]) => `${file} ${name}`)).toEqual([]);
});
