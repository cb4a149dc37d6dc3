// Rows in the platform's own storage: large values are listed one by one, each read from its parts meanwhile.

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { storeFor } from '../../src/objects/kit/rows';
import type { Env } from '../../src/objects/placement/env';
import { storeOf } from '../../src/objects/placement/platform';

const { QUEUES, BOX } = env as unknown as Env;

it('lists large values among small ones, from pages too', async () => {
  const stub = (BOX ?? QUEUES).getByName('rows');
  await runInDurableObject(stub, (_, { storage }) => {
    const store = storeFor('queue', storeOf(storage));
    const values = Array.from({ length: 9 }, (_each, index) => ({
      index,
      text: 'é'.repeat(index % 3 === 1 ? 1_100_000 : 10),
    }));
    store.atomically(() => values.forEach((value) => store.put(`row:${value.index}`, value)));
    const woken = storeFor('queue', storeOf(storage));
    const found = (after: string, limit: number): readonly unknown[] =>
      Array.from(woken.list('row:', { after, limit }), ([, value]) => value);
    expect(Array.from(woken.list('row:'), ([, value]) => value)).toEqual(values);
    expect([...found('', 5), ...found('row:4', 5)]).toEqual(values);
    expect([...woken.list('part:')]).toHaveLength(9);
    values.forEach(({ index }) => woken.delete(`row:${index}`));
    expect([...woken.list('')]).toEqual([]);
  });
});
