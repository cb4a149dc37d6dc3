// Draws which mutants are tried: a checker that Stryker asks about each. Those that are not drawn are left out of the
// score, as Stryker leaves out those that do not compile.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { touches, type Mutant as Described, type Touched } from './changes.ts';

interface Mutant extends Described {
  readonly id: string;
  readonly fileName: string;
  readonly replacement: string;
}

/** At most `each` mutants a folder, by `seed`; of those that a change touches, if one is named. */
const { each, seed, touched } = JSON.parse(
  readFileSync(process.env['MUTATION_SAMPLE'] ?? '', 'utf8'),
) as { readonly each: number; readonly seed: number; readonly touched: Touched | null };

/** By it the mutants are ordered. It depends on the seed and on what is changed, and on no other mutant. */
function lot({ fileName, replacement, location: { start } }: Mutant): number {
  const path = fileName.replaceAll('\\', '/').replace(/^.*?\/src\//, '');
  const text = [seed, path, start.line, start.column, replacement].join('\n');
  return createHash('sha256').update(text).digest().readUInt32BE();
}

function isInChange({ fileName, ...mutant }: Mutant): boolean {
  const path = fileName.replaceAll('\\', '/');
  const lines = Object.entries(touched ?? {}).find(([name]) => path.endsWith(`/${name}`))?.[1];
  return touched === null || touches(lines ?? [], mutant);
}

function drawn(mutants: readonly Mutant[]): ReadonlySet<string> {
  const folders = Map.groupBy(mutants.filter(isInChange), ({ fileName }) => dirname(fileName));
  const ids = [...folders.values()].flatMap((all) =>
    all
      .toSorted((a, b) => lot(a) - lot(b))
      .slice(0, each)
      .map(({ id }) => id),
  );
  return new Set(ids);
}

class Sample {
  init(): Promise<void> {
    return Promise.resolve();
  }

  check(mutants: readonly Mutant[]): Promise<Record<string, object>> {
    const ids = drawn(mutants);
    const results = mutants.map(({ id }) => [
      id,
      ids.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not drawn' },
    ]);
    return Promise.resolve(Object.fromEntries(results) as Record<string, object>);
  }

  /** All at once, so that so many of each folder can be drawn. */
  group(mutants: readonly Mutant[]): Promise<string[][]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
