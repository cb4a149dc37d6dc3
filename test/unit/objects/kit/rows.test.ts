// How rows are saved: small rows of an actor share one, large values lie in parts, entries share rows, and whoever wakes
// reads what was saved.

import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PACK, storeFor } from '../../../../src/objects/kit/rows';
import { SharedRows } from '../../../../src/objects/kit/shared-rows';
import type { Page, Store } from '../../../../src/objects/kit/ports';
import { Disk, Session } from '../../../../proof/sim/disk';
import { forwarded } from '../../../../proof/sim/rewired';

const LARGE = 'x'.repeat(20_000);

/** A session on the disk, and the writes of each stretch. */
function opened(disk = new Disk(), fails: () => boolean = () => false, kind = 'lobby') {
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
  return { disk, session, store: storeFor(kind, session), written };
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
  expect(written()).toEqual([`put ${PACK}`]);
  store.atomically(() => store.put('lobby', { name: 'den' }));
  expect(written()).toEqual([]);
});

it('asks storage once whether a new actor has rows, and then for none that it has not written', () => {
  const asked: string[] = [];
  const disk = new Disk();
  const session = new Session(
    disk,
    () => {},
    () => {},
  );
  const noting = (store: Store): Store => ({
    get: <T>(key: string) => (asked.push(`get ${key}`), store.get<T>(key)),
    put: (key, value) => store.put(key, value),
    delete: (key) => store.delete(key),
    list: <T>(prefix: string, page?: Page) => (
      asked.push(`list ${prefix}`),
      store.list<T>(prefix, page)
    ),
    atomically: (run, isOne) => (asked.push(`transaction ${isOne}`), store.atomically(run)),
    clear: () => store.clear(),
    setAlarm: (at) => store.setAlarm(at),
  });
  const store = storeFor('lobby', noting(session));
  expect(store.get('lobby')).toBeUndefined();
  store.put('lobby', { name: LARGE });
  store.put('home', 'den');
  expect(store.get('player:ann')).toBeUndefined();
  expect(all(store, 'debts:')).toEqual([]);
  store.delete('player:ann');
  expect(asked).toEqual([`get ${PACK}`, 'list ']);
  store.atomically(() => store.put('home', 'hut'));
  store.atomically(() => {
    store.put('home', LARGE);
    expect(all(store, 'home')).toEqual([['home', LARGE]]);
    store.put('home', 'den');
    expect(store.get('home')).toBe('den');
  });
  expect(asked.splice(2)).toEqual(['transaction true', 'transaction false']);
  const woken = storeFor('lobby', noting(session));
  expect(woken.get('lobby')).toEqual({ name: LARGE });
  store.delete('lobby');
  expect(all(store).map(([key]) => key)).toEqual(['home']);
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

it('writes the rows of a queue as they are, each when it is put', () => {
  const { disk, store, written } = opened(new Disk(), () => false, 'queue');
  const row = { id: 'a' };
  store.atomically(() => {
    store.put('ticket:a', row);
    store.put('ticket:b', { id: 'b' });
  });
  store.put('ticket:a', row);
  expect(written()).toEqual(['put ticket:a', 'put ticket:b', 'put ticket:a']);
  expect([...disk.rows]).toEqual([
    ['ticket:a', { id: 'a' }],
    ['ticket:b', { id: 'b' }],
  ]);
});

it('writes a value that is too large for a row in parts, and leaves none behind', () => {
  for (const kind of ['queue', 'match']) {
    const { disk, store, written } = opened(new Disk(), () => false, kind);
    const large = { text: 'é'.repeat(1_200_000) };
    store.put('roster', large);
    written();
    expect([...disk.rows.keys()].filter((key) => key.startsWith('part:'))).toEqual([
      'part:roster:0',
      'part:roster:1',
      'part:roster:2',
    ]);
    expect(opened(disk, () => false, kind).store.get('roster')).toEqual(large);
    store.put('roster', { text: 'é'.repeat(600_000) });
    written();
    expect([...disk.rows.keys()].filter((key) => key.startsWith('part:'))).toHaveLength(2);
    store.put('roster', { text: 'short' });
    written();
    expect([...disk.rows.keys()]).toEqual([kind === 'queue' ? 'roster' : PACK]);
    store.put('roster', large);
    store.delete('roster');
    written();
    expect(disk.rows.size).toBe(0);
  }
});

it('reads a large value as 8b4dc05 wrote it, and takes no other value for one', () => {
  const disk = new Disk();
  disk.rows.set('part:roster:0', '{"name":');
  disk.rows.set('part:roster:1', '"den"}');
  disk.rows.set(PACK, [['roster', '{"parts":2}']]);
  expect(opened(disk).store.get('roster')).toEqual({ name: 'den' });
  const { store } = opened(new Disk(), () => false, 'project');
  store.put('failures', { parts: { count: 1 } });
  expect(store.get('failures')).toEqual({ parts: { count: 1 } });
});

it('writes a large value of a match again only if it is another object', () => {
  for (const text of [LARGE, 'x'.repeat(600_000)]) {
    const { disk, store, written } = opened(new Disk(), () => false, 'match');
    const roster = { text };
    store.put('roster', roster);
    expect(written()).toContain(text === LARGE ? 'put roster' : 'put part:roster:1');
    store.put('roster', roster);
    expect(written()).toEqual([]);
    const woken = opened(disk, () => false, 'match');
    const read = woken.store.get('roster');
    // A line of the log reads it too.
    woken.store.get('roster');
    woken.store.put('roster', read);
    expect(woken.written()).toEqual([]);
    woken.store.put('roster', { text });
    expect(woken.written()).not.toEqual([]);
  }
});

/** A value of each size: for the pack, for a row of its own, for parts. All of one size fill the pack. */
const SIZES = [1, 9_000, 17_000, 600_000, 1_100_000];
const KEYS = ['lobby', 'player:a', 'player:b', 'player:c', 'z'];

const change = fc.record({
  key: fc.constantFrom(...KEYS),
  /** Null: the row is deleted. `again`: the value as it is put once more. */
  size: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...SIZES.slice(0, 3)) },
    { weight: 1, arbitrary: fc.constantFrom(...SIZES.slice(3)) },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constant('again' as const) },
  ),
});

const steps = fc.array(
  fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 6 }),
    /** What comes of them: a transaction, one that fails, writes without one, or a death before they are durable. */
    how: fc.constantFrom('saved', 'saved', 'failed', 'bare', 'killed'),
    /** The actor wakes anew afterwards. */
    wakes: fc.boolean(),
  }),
  { maxLength: 12 },
);

it('gives back what was saved, whatever was written, failed or killed before', () => {
  fc.assert(
    fc.property(fc.constantFrom('lobby', 'queue'), steps, (kind, all) => {
      const disk = new Disk();
      let fails = false;
      let actor = opened(disk, () => fails, kind);
      let model = new Map<string, unknown>();
      let count = 0;
      for (const { changes, how, wakes } of all) {
        const next = new Map(model);
        const write = (): void => {
          for (const { key, size } of changes) {
            if (size === null) {
              actor.store.delete(key);
              next.delete(key);
            } else if (size !== 'again') {
              count += 1;
              next.set(key, { count, text: 'x'.repeat(size) });
              actor.store.put(key, next.get(key));
            } else if (next.has(key)) {
              actor.store.put(key, actor.store.get(key));
            }
          }
        };
        fails = how === 'failed';
        if (how === 'bare') {
          write();
        } else if (how === 'failed') {
          expect(() => actor.store.atomically(write)).toThrow();
        } else {
          actor.store.atomically(write);
        }
        fails = false;
        model = how === 'saved' || how === 'bare' ? next : model;
        if (how !== 'killed') {
          actor.written();
        }
        if (wakes || how === 'killed') {
          actor = opened(disk, () => fails, kind);
        }
        const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        const { store } = actor;
        expect(KEYS.filter((key) => store.get(key) !== undefined).sort()).toEqual(
          sorted.map(([key]) => key),
        );
        expect(KEYS.every((key) => isDeepStrictEqual(store.get(key), model.get(key)))).toBe(true);
        const players = sorted.filter(([key]) => key.startsWith('player:'));
        expect(isDeepStrictEqual([...store.list('player:')], players)).toBe(true);
        const page = [...store.list('player:', { after: 'player:a', limit: 1 })];
        const expected = players.filter(([key]) => key > 'player:a').slice(0, 1);
        expect(isDeepStrictEqual(page, expected)).toBe(true);
        const parts = [...disk.rows.keys()].filter((key) => key.startsWith('part:'));
        const sizes = sorted.map(([, value]) => Math.ceil(JSON.stringify(value).length / 500_000));
        const counted = sizes.filter((each) => each > 1).reduce((sum, each) => sum + each, 0);
        expect(parts).toHaveLength(counted);
      }
    }),
    { numRuns: 60 },
  );
});

/** What happens to entries of shared rows: each is put or deleted, and then all is saved, or the actor dies. */
const entrySteps = fc.array(
  fc.record({
    keys: fc.oneof(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 50, maxLength: 60 }),
    ),
    isPut: fc.boolean(),
    how: fc.constantFrom('saved', 'saved', 'later', 'killed'),
  }),
  { maxLength: 20 },
);

it('entries that share rows are as they were saved, in rows of 32, and no other row is written', () => {
  fc.assert(
    fc.property(entrySteps, (all) => {
      const disk = new Disk();
      let actor = opened(disk, () => false, 'queue');
      let shared = new SharedRows<readonly [string, number]>(actor.store, 'debts:');
      let model = new Map<string, number>();
      let saved = model;
      let isLate = false;
      let count = 0;
      for (const { keys, isPut, how } of all) {
        model = new Map(model);
        const before = new Map(disk.rows);
        for (const key of keys.map(String)) {
          count += 1;
          if (isPut) {
            shared.put([key, count]);
            model.set(key, count);
          } else {
            shared.gone.add(key);
            model.delete(key);
          }
        }
        if (how === 'saved') {
          actor.store.atomically(() => shared.save());
          const rows = actor.written();
          saved = model;
          expect(new Set(rows).size).toBe(rows.length);
          const keysOf = rows.map((op) => op.split(' ')[1] ?? '');
          const same = keysOf.filter((key) =>
            isDeepStrictEqual(before.get(key), disk.rows.get(key)),
          );
          // What came since the last save may be gone again.
          expect(isLate ? [] : same).toEqual([]);
        } else if (how === 'killed') {
          actor = opened(disk, () => false, 'queue');
          shared = new SharedRows(actor.store, 'debts:');
          model = saved;
        }
        isLate = how === 'later';
        const here = [...shared.entries()].filter(([key]) => !shared.gone.has(key));
        expect(new Map(here)).toEqual(model);
        const entries = [...disk.rows.values()] as (readonly [string, number])[][];
        expect(entries.every(({ length }) => length > 0 && length <= 32)).toBe(true);
        expect(new Map(entries.flat())).toEqual(saved);
      }
    }),
  );
});

it('saves what is too large for one commit ahead, in commits of its own, and then its row alone', async () => {
  const { disk, session, written } = opened();
  const commits: (readonly string[])[] = [];
  const settled = async (): Promise<void> => void commits.push(written());
  const store = storeFor('match', { ...forwarded(session), settled });
  const roster = { text: 'x'.repeat(1_200_000) };
  expect(store.ahead?.('roster', { text: 'small' })).toBeUndefined();
  await store.ahead?.('roster', roster);
  const parts = [0, 1, 2].map((index) => [`put part:roster:${index}`]);
  expect(commits).toEqual([[], ...parts]);
  // Whoever wakes before the change has no such value.
  expect(opened(disk, undefined, 'match').store.get('roster')).toBeUndefined();
  store.atomically(() => {
    store.put('match', { phase: 'confirming' });
    store.put('roster', roster);
  });
  expect(written()).toEqual([`put ${PACK}`]);
  expect(opened(disk, undefined, 'match').store.get('roster')).toEqual(roster);
  // Half of another would make it unreadable.
  expect(store.ahead?.('roster', { text: 'y'.repeat(1_200_000) })).toBeUndefined();
});

it('writes all of a value that is not the one that was saved ahead', async () => {
  const { disk, session, written } = opened();
  const store = storeFor('match', { ...forwarded(session), settled: async () => void written() });
  await store.ahead?.('roster', { text: 'x'.repeat(1_200_000) });
  const other = { text: 'y'.repeat(600_000) };
  store.atomically(() => store.put('roster', other));
  written();
  expect(opened(disk, undefined, 'match').store.get('roster')).toEqual(other);
  expect([...disk.rows.keys()].filter((key) => key.startsWith('part:'))).toHaveLength(2);
});
