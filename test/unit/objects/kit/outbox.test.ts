// What a paid debt costs: no row of its own, and no more than one delivery by whoever wakes with it.

import { describe, expect, it } from 'vitest';
import { Outbox } from '../../../../src/objects/kit/outbox';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';

const document = { revision: 0, configs: {}, builds: {} };

function awake(before?: FakePorts, batch?: number) {
  const fake = fakePorts({ name: 'a', document, ...(before ? { saved: before.saved } : {}) });
  const told: string[] = [];
  let writes = 0;
  const { store: real } = fake.ports;
  const store = {
    ...real,
    put: <T>(key: string, value: T) => {
      writes += 1;
      real.put(key, value);
    },
    delete: (key: string) => {
      writes += 1;
      real.delete(key);
    },
  };
  const deliver = async (debt: string): Promise<void> => void told.push(debt);
  const outbox = new Outbox<string>(
    { ...fake.ports, store },
    (debt) => debt,
    deliver,
    batch === undefined ? {} : { batch },
  );
  const owe = (...debts: readonly string[]): void => {
    outbox.add(debts);
    outbox.flush();
  };
  const owed = (): readonly string[] =>
    Array.from(fake.ports.store.list<readonly [string][]>('debts:')).flatMap(([, debts]) =>
      debts.map(([key]) => key),
    );
  return { fake, told, outbox, owe, owed, writes: () => writes };
}

describe('a paid debt', () => {
  it('stays saved until the next save, which takes it along, and needs no alarm', async () => {
    const { fake, told, outbox, owe, owed, writes } = awake();
    owe('a', 'b');
    expect(outbox.nextAt()).toBe(fake.now() + 5_000);
    await fake.pass(10_000);
    outbox.flush();
    expect([told, owed(), writes(), outbox.nextAt()]).toEqual([['a', 'b'], ['a', 'b'], 1, null]);
    owe('c');
    expect([owed(), writes()]).toEqual([['c'], 2]);
  });

  it('is paid once more by whoever wakes with it, and then deleted', async () => {
    const first = awake();
    first.owe('a');
    await first.fake.pass(1_000);
    const second = awake(first.fake);
    await second.fake.pass(1_000);
    expect([second.told, second.owed()]).toEqual([['a'], []]);
    const third = awake(second.fake);
    await third.fake.pass(1_000);
    expect(third.told).toEqual([]);
  });

  it('is paid in batches, between which others are served, where the outbox is asked to', async () => {
    const { fake, told, owe } = awake(undefined, 16);
    owe(...Array.from({ length: 40 }, (_, index) => String(index)));
    expect(told).toHaveLength(16);
    // However many promises settle, the thread is given up before the next.
    for (let turn = 0; turn < 50; turn += 1) {
      await Promise.resolve();
    }
    expect(told).toHaveLength(16);
    await fake.pass(1_000);
    expect(told).toHaveLength(40);
  });

  it('is deleted at once where there are hundreds', async () => {
    const { fake, owe, owed } = awake();
    owe(...Array.from({ length: 300 }, (_, index) => String(index)));
    await fake.pass(1_000);
    expect(owed()).toEqual([]);
  });
});

describe('who waits for the answer to a debt', () => {
  it('gets that of its own delivery, and not of an older debt of the same key', async () => {
    const fake = fakePorts({ name: 'a', document });
    const answers = new Map<string, (answer: string) => void>();
    const deliver = (debt: string): Promise<string> =>
      new Promise((resolve) => void answers.set(debt, resolve));
    const outbox = new Outbox<string, string>(fake.ports, () => 'one key', deliver);
    const owe = (debt: string): Promise<string | undefined> => {
      outbox.add([debt]);
      outbox.flush();
      return outbox.settled(debt);
    };
    const [old, replaced, last] = [owe('old'), owe('replaced'), owe('last')];
    answers.get('old')?.('to the old one');
    await fake.pass(1);
    answers.get('last')?.('to the last one');
    expect(await Promise.all([old, replaced, last])).toEqual([
      'to the old one',
      undefined,
      'to the last one',
    ]);
  });
});
