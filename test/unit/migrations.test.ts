// Steps that bring saved rows up to date: each once, in order, all of a release or none.

import { expect, it } from 'vitest';
import type { Store } from '../../src/objects/kit/ports';
import { migrate, type Migration } from '../../src/objects/placement/migrations';
import { Disk, Session } from '../../sim/disk';

function store(): Store {
  return new Session(
    new Disk(),
    () => {},
    () => {},
  );
}

const append =
  (letter: string): Migration =>
  (rows) =>
    rows.put('name', (rows.get<string>('name') ?? '') + letter);

function fails(): never {
  throw new Error('a step that fails');
}

it('applies each step once, and later only those that came since', () => {
  const rows = store();
  migrate(rows, [append('a'), append('b')]);
  migrate(rows, [append('a'), append('b'), append('c')]);
  migrate(rows, [append('a'), append('b'), append('c')]);
  expect(rows.get('name')).toBe('abc');
});

it('applies none where one of them fails', () => {
  const rows = store();
  expect(() => migrate(rows, [append('a'), fails])).toThrow('a step that fails');
  expect(rows.get('name')).toBeUndefined();
  migrate(rows, [append('a')]);
  expect(rows.get('name')).toBe('a');
});

it('writes nothing where a kind has no steps', () => {
  const rows = store();
  migrate(rows);
  expect([...rows.list('')]).toEqual([]);
});
