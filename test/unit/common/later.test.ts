// Limits of calls to others, where another machine may take over the object that makes them.

import { afterEach, expect, it } from 'vitest';
import { later, inTime, pause, useTimersOf } from '../../../src/common/later';

afterEach(() => useTimersOf({ later }));

function timers() {
  const set = new Map<object, { readonly ms: number; readonly run: () => void; how?: 'early' }>();
  useTimersOf({
    later: (ms, run, how) => {
      const key = {};
      set.set(key, { ms, run, ...(how && { how }) });
      return () => void set.delete(key);
    },
  });
  return { set, fire: () => [...set.values()].forEach(({ run }) => run()) };
}

it('leave no timer behind once the call is answered or has failed, as a pending one holds the object', async () => {
  const { set } = timers();
  const answer = await inTime(5_000, async ({ aborted }) => {
    expect([...set.values()].map(({ ms }) => ms)).toEqual([5_000]);
    return aborted;
  });
  expect(answer).toBe(false);
  await expect(inTime(1, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(set.size).toBe(0);
});

it('abort the call when the time is over', async () => {
  const { fire } = timers();
  const asked = inTime(5_000, (signal) => {
    return new Promise((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason as Error));
    });
  });
  fire();
  await expect(asked).rejects.toThrow('no answer within 5000 ms');
});

it('are of the object, and so are waits, which may end early', async () => {
  const { set, fire } = timers();
  const waited = pause(60_000);
  expect([...set.values()]).toMatchObject([{ ms: 60_000, how: 'early' }]);
  fire();
  await waited;
});
