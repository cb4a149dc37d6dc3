// A transaction ends when its function returns, so a function that awaits would write after it.

import { expect, expectTypeOf, it } from 'vitest';
import { atOnce } from '../../../../src/objects/kit/commit';
import type { Store } from '../../../../src/objects/kit/ports';

it('a function that answers a promise is refused when it compiles, and when it runs', () => {
  const compiles = (store: Store): unknown[] => [
    store.atomically(() => 1),
    store.atomically(() => {
      store.put('row', 1);
    }),
    // @ts-expect-error -- an async function
    store.atomically(async () => 1),
    // @ts-expect-error -- one of two answers is a promise
    store.atomically((): number | Promise<number> => 1),
  ];
  expectTypeOf(compiles).toBeFunction();
  expect(atOnce(7)).toBe(7);
  expect(() => atOnce(Promise.resolve(7))).toThrow('a transaction cannot await');
});
