// The flags that the benches share, and where results are stored. A bench writes nothing unless told to, because its
// stored results are tracked files and a plain run must not change the checkout.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { choice, given, word } from '../../scripts/flags.ts';

export const PLACEMENT = choice(
  ['box', 'objects'],
  'box',
  'all actors in one object, or an object each',
);
export const WORKER = word(null, 'a bundle that was made before');
export const DATA = word(null, "the folder to make the service's data folder in");
export const KEEPING = {
  save: given('replace the stored result under proof/bench/results, and its chart'),
  out: word(null, 'write the result to this file'),
};

export interface Keeping {
  readonly save: boolean;
  readonly out: string | null;
}

/** Writes `result` as JSON if the flags say so. `name` is the name of its file in proof/bench/results. */
export async function keep({ save, out }: Keeping, name: string, result: unknown): Promise<void> {
  const stored = fileURLToPath(new URL(`results/${name}`, import.meta.url));
  for (const file of [...(save ? [stored] : []), ...(out === null ? [] : [resolve(out)])]) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
    console.log(`kept in ${file}`);
  }
}

/** Replaces a chart under docs/images with `--save`. */
export async function keepChart(
  { save }: Keeping,
  name: string,
  chart: () => string,
): Promise<void> {
  if (save) {
    await writeFile(fileURLToPath(new URL(`../docs/images/${name}`, import.meta.url)), chart());
  }
}
