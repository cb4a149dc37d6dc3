// docs/internals/promises.md: what it names exists, nothing is left out, and every promise has two who check it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROMISES } from '../../proof/judge/findings';
import { BUGS } from '../../proof/sim/bugs';
import { DRILLS } from '../../proof/sim/drills';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const COLUMNS = ['drill', 'simulation', 'judge', 'production', 'planted'] as const;

const rows = read('docs/internals/promises.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Promise '))
  .map((line) => {
    const [, promise = '', ...cells] = line.split('|').map((cell) => cell.trim());
    const names = (at: number): readonly string[] => cells[at]?.split('; ').filter(Boolean) ?? [];
    return { promise, checks: Object.fromEntries(COLUMNS.map((name, at) => [name, names(at)])) };
  });

const named = (column: (typeof COLUMNS)[number]): readonly string[] => [
  ...new Set(rows.flatMap(({ checks }) => checks[column] ?? [])),
];

/** What production checks: the sentences of each list of what always holds. */
const sentences = [
  'src/lobby/always.ts',
  'src/objects/match/always.ts',
  'src/objects/server/always.ts',
  'src/objects/queue/state.ts',
].flatMap((path) => {
  // The queue's stand in a longer file.
  const before = path.endsWith('state.ts') ? 'which: ' : '';
  const pattern = new RegExp(`${before}'((?:a|the) [^'\n]{9,})'`, 'g');
  return [...read(path).matchAll(pattern)].map(([, text = '']) => text);
});

describe('docs/internals/promises.md', () => {
  it('names two who check each promise', () => {
    expect(rows.length).toBeGreaterThan(20);
    const few = rows.filter(
      ({ checks }) => Object.values(checks).filter(({ length }) => length > 0).length < 2,
    );
    expect(few.map(({ promise }) => promise)).toEqual([]);
  });

  it('names drills, promises, sentences and planted bugs that there are', () => {
    expect(named('drill').filter((name) => !Object.hasOwn(DRILLS, name))).toEqual([]);
    expect(named('judge').toSorted()).toEqual(Object.keys(PROMISES).toSorted());
    expect(named('production').toSorted()).toEqual(sentences.toSorted());
    expect(named('planted').toSorted()).toEqual(BUGS.map(({ name }) => name).toSorted());
  });

  it("names words of the simulation's checks", () => {
    const files = readdirSync(join(root, 'proof/sim')).filter((file) => file.endsWith('.ts'));
    const texts = files.map((file) => read(`proof/sim/${file}`)).join('\n');
    expect(named('simulation').filter((words) => !texts.includes(words))).toEqual([]);
  });
});
