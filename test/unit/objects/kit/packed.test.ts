// Small rows of an actor share one row: the actor sees the same rows, and each transaction writes one.

import { expect, it } from 'vitest';
import { PACK, storeFor } from '../../../../src/objects/kit/packed';
import type { Store } from '../../../../src/objects/kit/ports';
import { Disk, Session } from '../../../../sim/disk';

const LARGE = 'x'.repeat(20_000);

/** A session on the disk, and the writes of each stretch. */
function opened(disk = new Disk(), fails: () => boolean = () => false) {
  const session = new Session(
    disk,
    () => {},
    () => {
      if (fails()) {
        throw new Error('the transaction failed');
      }
    },
  );
  const written = (): readonly string[] => {
    const ops = session.seal()?.ops ?? [];
    session.commit();
    return ops.map((op) => ('key' in op ? `${op.kind} ${op.key}` : op.kind));
  };
  return { disk, store: storeFor('lobby', session), written };
}

const all = (store: Store, prefix = ''): readonly (readonly [string, unknown])[] => [
  ...store.list(prefix),
];

it('writes one row for all small rows of a transaction, and none where nothing changed', () => {
  const { store, written } = opened();
  const save = (): void =>
    store.atomically(() => {
      store.put('lobby', { name: 'den' });
      store.put('player:ann', { id: 'ann' });
      store.delete('player:bob');
    });
  save();
  expect(written()).toEqual(['delete player:bob', `put ${PACK}`]);
  store.atomically(() => store.put('lobby', { name: 'den' }));
  expect(written()).toEqual([]);
});

it('shows the same rows to who wakes, in the order of their keys', () => {
  const { disk, store, written } = opened();
  store.put('player:bob', 2);
  store.put('lobby', { large: LARGE });
  store.put('player:ann', 1);
  written();
  written();
  const woken = opened(disk).store;
  expect(all(woken).map(([key]) => key)).toEqual(['lobby', 'player:ann', 'player:bob']);
  expect(all(woken, 'player:')).toEqual([
    ['player:ann', 1],
    ['player:bob', 2],
  ]);
  expect([...woken.list('player:', { after: 'player:ann', limit: 5 })]).toEqual([
    ['player:bob', 2],
  ]);
  expect(woken.get('lobby')).toEqual({ large: LARGE });
});

it('gives a row that grows a row of its own, and takes it back, and rows of earlier releases', () => {
  const disk = new Disk();
  disk.rows.set('lobby', { name: 'old' });
  const { store, written } = opened(disk);
  expect(store.get('lobby')).toEqual({ name: 'old' });
  store.atomically(() => store.put('lobby', { name: 'new' }));
  expect(written()).toEqual(['delete lobby', `put ${PACK}`]);
  store.atomically(() => store.put('lobby', { name: LARGE }));
  expect(written()).toEqual(['put lobby', `delete ${PACK}`]);
  store.atomically(() => store.put('lobby', { name: 'small' }));
  expect(written()).toEqual(['delete lobby', `put ${PACK}`]);
  store.delete('lobby');
  expect(written()).toEqual([`delete ${PACK}`]);
  expect(all(store)).toEqual([]);
});

it('keeps what was before where a transaction fails', () => {
  let fails = false;
  const { store, written } = opened(new Disk(), () => fails);
  store.put('lobby', 1);
  written();
  fails = true;
  expect(() => store.atomically(() => store.put('lobby', 2))).toThrow('the transaction failed');
  fails = false;
  expect(store.get('lobby')).toBe(1);
});

it('leaves the rows of a queue alone', () => {
  const { disk } = opened();
  const session = new Session(
    disk,
    () => {},
    () => {},
  );
  expect(storeFor('queue', session)).toBe(session);
});
