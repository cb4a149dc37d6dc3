// The figures of a queue in steps of five minutes: who searched and for how long, with those who had no match.

import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/objects/kit/ports';
import { type Bucket, TrendLog } from '../../../../src/objects/queue/trends';
import { STEP_MS } from '../../../../src/objects/contracts/reports';

function trends(saved: Bucket | null = null, past: readonly Bucket[] = []): TrendLog {
  const rows = new Map(past.map((row) => [`trend:${row.at}`, row]));
  const store = {
    put: (key: string, value: Bucket) => rows.set(key, value),
    get: (key: string) => rows.get(key),
    list: () => rows.entries(),
  };
  return new TrendLog(store as unknown as Store, () => saved);
}

it('counts those who gave up among those who waited', () => {
  const queue = trends();
  queue.ended(1_000, [{ ms: 5_000 }, { ms: 5_000 }], 'matched');
  queue.formed(1_000);
  for (let search = 0; search < 8; search += 1) {
    queue.ended(2_000, [{ ms: 60_000 }], 'gaveUp');
  }
  const [point] = queue.read(3_000, 1).points;
  expect(point).toMatchObject({ ended: 10, unmatched: 8, matches: 1 });
  // Half of them had no match within the minute, so it takes longer than that.
  expect(point?.waitP50).toBeGreaterThan(55);
  expect(point?.waitP90).toBeGreaterThan(55);
});

it('has a number of its own for searches whose match never got a game', () => {
  const queue = trends();
  const [eu, us] = ['eu-west', 'us-east'];
  for (const region of [eu, eu, us]) {
    queue.ended(1_000, [{ region, ms: 5_000 }], 'matched');
  }
  queue.formed(1_000);
  queue.failed(STEP_MS, eu, 2);
  queue.failed(STEP_MS, null, 1);
  const { points, waits } = queue.read(STEP_MS + 1_000, 1);
  expect(points).toMatchObject([
    { ended: 3, unmatched: 0, noGame: 0, matches: 1, failed: 0 },
    { ended: 0, unmatched: 0, noGame: 3, matches: 0, failed: 2, waitP50: null },
  ]);
  expect(waits).toMatchObject([
    { region: eu, ended: 2, noGame: 2 },
    { region: us, ended: 1, noGame: 0 },
    { region: 'other', ended: 0, noGame: 1, waitP50: null },
  ]);
});

it('leaves those who gave up early out of the wait for a match, and not out of the count', () => {
  const queue = trends();
  queue.ended(
    1_000,
    [20_000, 20_000, 20_000, 20_000].map((ms) => ({ ms })),
    'matched',
  );
  queue.ended(1_000, [{ ms: 500 }], 'gaveUp');
  const [point] = queue.read(3_000, 1).points;
  expect(point).toMatchObject({ ended: 5, unmatched: 1 });
  expect(point?.waitP50).toBeGreaterThan(18);
  expect(point?.waitP50).toBeLessThan(24);
});

it('has the mean of who searched, also in steps in which nothing happened', () => {
  const queue = trends();
  queue.seen(0, { queued: 40, players: 80 });
  queue.seen(STEP_MS / 4, { queued: 4, players: 8 });
  queue.seen(3.5 * STEP_MS, { queued: 0, players: 0 });
  const { points } = queue.read(4 * STEP_MS, 1);
  expect(points.map(({ at, queued, players }) => [at / STEP_MS, queued, players])).toEqual([
    [0, 13, 26],
    [1, 4, 8],
    [2, 4, 8],
    [3, 2, 4],
  ]);
});

it('has the waits of each region over all steps, with those who gave up', () => {
  const queue = trends();
  const [eu, us] = ['eu-west', 'us-east'];
  for (const [step, ms] of [5_000, 50_000].entries()) {
    queue.ended(
      step * STEP_MS,
      [
        { region: eu, ms },
        { region: eu, ms },
        { region: us, ms: 1_000 },
      ],
      'matched',
    );
  }
  queue.ended(2 * STEP_MS, [{ region: us, ms: 60_000 }], 'gaveUp');
  queue.ended(2 * STEP_MS, [{ ms: 60_000 }], 'gaveUp');
  const [first, second, other] = queue.read(2 * STEP_MS, 1).waits;
  expect(first).toMatchObject({ region: eu, ended: 4, unmatched: 0 });
  expect(Math.round(first?.waitP50 ?? 0)).toBeGreaterThanOrEqual(5);
  expect(first?.waitP50).toBeLessThan(6);
  expect(first?.waitP90 ?? 0).toBeGreaterThan(45);
  expect(first?.waitP90 ?? 0).toBeLessThan(60);
  // Two of three had a match after a second, and the third had none within the minute.
  expect(second).toMatchObject({ region: us, ended: 3, unmatched: 1 });
  expect(second?.waitP50).toBeCloseTo(1, 0);
  expect(second?.waitP90 ?? 0).toBeGreaterThan(55);
  expect(other).toMatchObject({ region: 'other', ended: 1, unmatched: 1 });
  // Only the last hour counts.
  expect(queue.read(14 * STEP_MS, 1).waits.map(({ region }) => region)).toEqual([us, 'other']);
});

it('tells twenty regions apart, and counts the rest together', () => {
  const queue = trends();
  for (let region = 0; region < 50; region += 1) {
    queue.ended(1_000, [{ region: `r${region}`, ms: 1_000 }], 'gaveUp');
  }
  queue.ended(1_000, [{ region: 'constructor', ms: 1_000 }], 'gaveUp');
  const { waits } = queue.read(2_000, 1);
  expect(waits.map(({ ended }) => ended)).toEqual([...Array.from({ length: 20 }, () => 1), 31]);
  expect(waits.at(-1)?.region).toBe('other');
});

describe('the hours of the last day', () => {
  const HOUR_MS = 12 * STEP_MS;

  it('have waits and how even the matches were, over all steps of the hour', () => {
    const queue = trends();
    for (const [at, win] of [
      [0, [0.55, 0.45]],
      [STEP_MS, [0.5, 0.5]],
      [2 * STEP_MS, [0.3, 0.7]],
      [HOUR_MS, [0.2, 0.2, 0.6]],
    ] as const) {
      queue.ended(at, [{ ms: 5_000 }], 'matched');
      queue.formed(at, { win });
    }
    queue.ended(2 * HOUR_MS, [{ ms: 5_000 }], 'gaveUp');
    const [first, second, third, ...others] = queue.day(2 * HOUR_MS + 1);
    expect(first).toMatchObject({ at: 0, ended: 3, gap: null });
    expect(first?.uneven).toEqual({ p50: 5, p90: 20, within5: expect.closeTo(2 / 3) });
    expect(first?.waitP50).toBeGreaterThanOrEqual(5);
    expect(first?.waitP50).toBeLessThan(6);
    // A third is even of three teams.
    expect(second?.uneven).toEqual({ p50: 27, p90: 27, within5: 0 });
    expect(third).toMatchObject({ at: 2 * HOUR_MS, unmatched: 1, uneven: null, gap: null });
    expect(others).toEqual([]);
  });

  it('have how far apart the teams were where only that is known, to a tenth', () => {
    const queue = trends();
    queue.ended(0, [{ ms: 5_000 }], 'matched');
    for (const gap of [0, 0, 0, 40, 40, 40, 40, 400, 400, 400]) {
      queue.formed(0, { gap });
    }
    const [hour] = queue.day(1);
    expect(hour?.uneven).toBeNull();
    expect(hour?.gap?.p50).toBeGreaterThanOrEqual(40);
    expect(hour?.gap?.p50).toBeLessThan(40 * 1.2);
    expect(hour?.gap?.p90).toBeGreaterThanOrEqual(400);
    expect(hour?.gap?.p90).toBeLessThan(400 * 1.2);
    const even = trends();
    even.ended(0, [{ ms: 1 }], 'matched');
    even.formed(0, { gap: 0 });
    expect(even.day(1)[0]?.gap).toEqual({ p50: 0, p90: 0 });
  });

  it('are at most 24, and none where nothing ended', () => {
    const queue = trends();
    for (let hour = 0; hour < 40; hour += 1) {
      queue.ended(hour * HOUR_MS, [{ ms: 1_000 }], 'matched');
      queue.formed(hour * HOUR_MS, { win: [0.5, 0.5] });
    }
    const hours = queue.day(39 * HOUR_MS).map(({ at }) => at / HOUR_MS);
    expect(hours).toEqual(Array.from({ length: 24 }, (_, index) => 16 + index));
    queue.seen(39 * HOUR_MS, { queued: 1, players: 1 });
    expect(queue.day(39.5 * HOUR_MS).length).toBe(24);
    expect(queue.day(80 * HOUR_MS)).toEqual([]);
  });

  it('take no more room than their bins, whatever numbers players choose', () => {
    const queue = trends();
    for (let power = -300; power < 300; power += 1) {
      queue.formed(0, { gap: 10 ** power });
      queue.ended(0, [{ ms: -5 }], 'matched');
    }
    const { gap = {}, ends } = queue.seen(1, { queued: 0, players: 0 });
    expect(Object.keys(gap).length).toBeLessThanOrEqual(100);
    expect(ends).toEqual({ other: { matched: { 0: 600 }, gaveUp: {}, noGame: 0 } });
  });

  it('cost the row of a step nothing in a queue whose matches nothing rates', () => {
    const queue = trends();
    queue.formed(0);
    const step = queue.seen(1, { queued: 0, players: 0 });
    expect(Object.keys(step)).toEqual(['at', 'matches', 'failed', 'load', 'ends']);
  });
});

it('keeps what two steps have counted when the clock is set back between them', () => {
  const queue = trends();
  const form = (at: number, count: number): void => {
    Array.from({ length: count }, () => queue.formed(at));
  };
  const [first, second] = [1_000, STEP_MS + 1_000];
  queue.seen(first, { queued: 4, players: 8 });
  form(first, 10);
  form(second, 7);
  form(first + 1_000, 1);
  form(second + 1_000, 1);
  const { points } = queue.read(second + 2_000, 1);
  expect(points.map(({ at, matches }) => [at, matches])).toEqual([
    [0, 11],
    [STEP_MS, 8],
  ]);
});

it('counts no time twice in which lobbies waited, if the clock is set back within a step', () => {
  const queue = trends();
  queue.seen(0, { queued: 4, players: 8 });
  queue.seen(STEP_MS / 2, { queued: 4, players: 8 });
  queue.seen(STEP_MS / 4, { queued: 4, players: 8 });
  const [point] = queue.read(STEP_MS / 2, 1).points;
  expect([point?.queued, point?.players]).toEqual([4, 8]);
});
