// Steps that migrate saved rows: each runs once, in order, and either all of a release run or none.

import { describe, expect, it } from 'vitest';
import { Disk, Session } from '../../../../proof/sim/disk';
import { owedOn } from '../../../../proof/sim/truth';
import { must } from '../../../../src/common/result';
import type { Store } from '../../../../src/objects/kit/ports';
import { migrate, MIGRATIONS, type Migration } from '../../../../src/objects/placement/migrations';

/** A store that has a row, and keeps transactions; and how often it was written since. */
function used(): { store: Store; writes: () => number; disk: Disk } {
  const disk = new Disk();
  const store = new Session(
    disk,
    () => {},
    () => {},
  );
  store.put('name', '');
  store.seal();
  store.commit();
  const writes = (): number => {
    store.seal();
    const count = store.pending.flatMap(({ ops }) => ops).length;
    while (store.pending.length > 0) {
      store.commit();
    }
    return count;
  };
  return { store, writes, disk };
}

/** Is due after what ends with `after`. */
const append =
  (letter: string, after: string): Migration =>
  (store) =>
    store.get('name') === after ? () => store.put('name', after + letter) : null;

const A = append('a', '');
const B = append('b', 'a');
const C = append('c', 'ab');

it('applies each step once, and later only those that came since', () => {
  const { store } = used();
  migrate({ store }, [A, B]);
  expect(store.get('name')).toBe('ab');
  migrate({ store }, [A, B, C]);
  migrate({ store }, [A, B, C]);
  expect(store.get('name')).toBe('abc');
});

it('applies none where one of them fails', () => {
  const { store } = used();
  const fails: Migration = (now) => {
    return B(now) && (() => must(undefined, 'a step that works'));
  };
  expect(() => migrate({ store }, [A, fails])).toThrow('a step that works');
  expect(store.get('name')).toBe('');
  migrate({ store }, [A]);
  expect(store.get('name')).toBe('a');
});

it('writes nothing where a kind has no steps, or none is due', () => {
  const { store, writes } = used();
  migrate({ store });
  migrate({ store }, [B, C]);
  expect(writes()).toBe(0);
});

describe('rows of v0.2.0', () => {
  it('of a match with events for the backend: it owes them', () => {
    const { store, writes, disk } = used();
    store.put('hooks', { events: [{ id: 'm.match.formed' }], attempts: 2, retryAt: 5 });
    store.put('debts:0', [['match:x', { to: 'lobby' }]]);
    migrate({ store }, MIGRATIONS.match);
    writes();
    expect(owedOn(disk)).toEqual(['match:x', 'hooks']);
    migrate({ store }, MIGRATIONS.match);
    expect(writes()).toBe(0);
  });
});
