// The figures of a queue in steps of five minutes: who searched and for how long, with those who had no match.

import { expect, it } from 'vitest';
import type { Store } from '../../src/objects/kit/ports';
import { type Bucket, STEP_MS, Trends } from '../../src/objects/queue/trends';

function trends(): Trends {
  const rows = new Map<string, Bucket>();
  const store = {
    put: (key: string, value: Bucket) => rows.set(key, value),
    list: () => rows.entries(),
  };
  return new Trends(store as unknown as Store, () => null);
}

it('counts those who gave up among those who waited', () => {
  const queue = trends();
  queue.formed(1_000, [5_000, 5_000]);
  for (let search = 0; search < 8; search += 1) {
    queue.gaveUp(2_000, 60_000);
  }
  const [point] = queue.read(3_000, 1);
  expect(point).toMatchObject({ ended: 10, unmatched: 8, matches: 1 });
  // Half of them had no match within the minute, so it takes longer than that.
  expect(point?.waitP50).toBeGreaterThan(55);
  expect(point?.waitP90).toBeGreaterThan(55);
});

it('leaves those who gave up early out of the wait for a match, and not out of the count', () => {
  const queue = trends();
  queue.formed(1_000, [20_000, 20_000, 20_000, 20_000]);
  queue.gaveUp(1_000, 500);
  const [point] = queue.read(3_000, 1);
  expect(point).toMatchObject({ ended: 5, unmatched: 1 });
  expect(point?.waitP50).toBeGreaterThan(18);
  expect(point?.waitP50).toBeLessThan(24);
});

it('has the mean of who searched, also in steps in which nothing happened', () => {
  const queue = trends();
  queue.seen(0, { queued: 40, players: 80 });
  queue.seen(STEP_MS / 4, { queued: 4, players: 8 });
  queue.seen(3.5 * STEP_MS, { queued: 0, players: 0 });
  const points = queue.read(4 * STEP_MS, 1);
  expect(points.map(({ at, queued, players }) => [at / STEP_MS, queued, players])).toEqual([
    [0, 13, 26],
    [1, 4, 8],
    [2, 4, 8],
    [3, 2, 4],
  ]);
});
