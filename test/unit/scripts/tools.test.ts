// A machine without our tools skips what needs them, and CI has them all: it would not notice a test that
// looks for a program by itself.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** A folder of programs, but not the first line of a script. */
const PROGRAM = /\/usr\/(?:s?bin|games)\/(?!env )/;

it('tests find the programs of a machine through tools.ts', async () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url).href);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  );
  const looking = texts.filter(([, text]) => PROGRAM.test(text)).map(([name]) => name);
  expect(looking).toEqual([join('support', 'tools.ts')]);
});
