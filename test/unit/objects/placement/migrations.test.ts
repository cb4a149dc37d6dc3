// Steps that migrate saved rows: each runs once, in order, and either all of a release run or none.

import { expect, it } from 'vitest';
import type { ProjectDocument } from '../../../../src/objects/contracts/project';
import type { Host } from '../../../../src/objects/contracts/host';
import { migrate, type Migration } from '../../../../src/objects/placement/migrations';
import { Disk, Session } from '../../../../sim/disk';
import { fakeHost, type FakeHost } from '../../../fleet/host';

const NOTHING: ProjectDocument = { revision: 0, configs: {}, builds: {} };

function hosted(): FakeHost {
  return fakeHost({ name: 'p', document: NOTHING });
}

/** A host whose store has a row, and keeps transactions. */
function used(): Host {
  const store = new Session(
    new Disk(),
    () => {},
    () => {},
  );
  store.put('name', '');
  return { ...hosted().host, store };
}

const append =
  (letter: string): Migration =>
  ({ store }) =>
    store.put('name', (store.get<string>('name') ?? '') + letter);

it('applies each step once, and later only those that came since', () => {
  const host = used();
  migrate(host, [append('a'), append('b')]);
  migrate(host, [append('a'), append('b'), append('c')]);
  migrate(host, [append('a'), append('b'), append('c')]);
  expect(host.store.get('name')).toBe('abc');
});

it('applies none where one of them fails', () => {
  const host = used();
  const fails = (): never => {
    throw new Error('a step that fails');
  };
  expect(() => migrate(host, [append('a'), fails])).toThrow('a step that fails');
  expect(host.store.get('name')).toBe('');
  migrate(host, [append('a')]);
  expect(host.store.get('name')).toBe('a');
});

it('writes nothing where a kind has no steps, or nothing is saved', () => {
  const { host, saved } = hosted();
  migrate(host);
  migrate(host, [append('a')]);
  expect(saved).toEqual(new Map());
});
