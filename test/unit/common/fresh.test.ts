// The one guard against reading twice: whoever uses it, a read that never settles holds up nobody for good.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Fresh } from '../../../src/common/fresh';
import { backoff } from '../../../src/common/later';
import { QueueReadings } from '../../../src/objects/caches/queue-stats';

const NEVER = new Promise<never>(() => {});
const PLACE = ['project', 'config', 'mode'] as const;
const STATS = { playersSearching: 2, lobbiesInQueue: 2, avgWaitSeconds: 1 };
const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the statistics of a queue, after a reading that never settles', () => {
  it.each([
    ['without a first value', false],
    ['with an old value', true],
  ])('are read again %s, by one caller at a time', async (_, hasValue) => {
    const readings = new QueueReadings();
    if (hasValue) {
      await readings.of(PLACE, 0, () => Promise.resolve(STATS));
    }
    void readings.of(PLACE, MINUTE_MS, () => NEVER);
    const early = await readings.of(PLACE, MINUTE_MS + 1, () => Promise.reject(new Error('twice')));
    expect(early).toEqual(hasValue ? STATS : null);
    let reads = 0;
    const newer = { ...STATS, playersSearching: 3 };
    const read = (): Promise<typeof STATS> => {
      reads += 1;
      return Promise.resolve(newer);
    };
    const both = [1, 2].map(() => readings.of(PLACE, MINUTE_MS + 10_000, read));
    expect([await both[0], reads]).toEqual([newer, 1]);
  });
});

describe('a value that is read once', () => {
  const getting = (read: () => Promise<string>) => {
    return { now: Date.now(), worth: () => 'good' as const, read };
  };

  it('is looked for by those who come while it is read', async () => {
    const values = new Fresh<string>({ size: 9 });
    const first = Promise.withResolvers<string>();
    void values.get(
      'k',
      getting(() => first.promise),
    );
    const other = values.get(
      'k',
      getting(() => Promise.reject(new Error('read twice'))),
    );
    await vi.advanceTimersByTimeAsync(100);
    first.resolve('one');
    await vi.advanceTimersByTimeAsync(200);
    expect(await other).toBe('one');
  });

  it('is read by one of those who wait once the first reader is lost, and by another once that one is', async () => {
    const values = new Fresh<string>({ size: 9 });
    let reads = 0;
    const read = (): Promise<string> => {
      reads += 1;
      return reads < 3 ? NEVER : Promise.resolve(`by reader ${reads}`);
    };
    const all = Array.from({ length: 5 }, () => values.get('k', getting(read)));
    const got = Promise.any(all);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await got).toBe('by reader 3');
  });

  it('is not replaced by a read that was lost and comes after all', async () => {
    const values = new Fresh<string>({ size: 9 });
    const lost = Promise.withResolvers<string>();
    const late = values.get(
      'k',
      getting(() => lost.promise),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    await values.get(
      'k',
      getting(() => Promise.resolve('new')),
    );
    lost.resolve('old');
    expect([await late, values.peek('k')?.value]).toEqual(['new', 'new']);
  });

  it('is read again after a read that failed, and kept while it is young enough', async () => {
    const values = new Fresh<string>({ size: 9 });
    const age = { maxAgeMs: 3_000, refreshAfterMs: 2_000 };
    const fail = (): Promise<string> => Promise.reject(new Error('gone'));
    await expect(values.young('k', { now: 0, age, read: fail })).rejects.toThrow('gone');
    await values.young('k', { now: 0, age, read: () => Promise.resolve('one') });
    expect(await values.young('k', { now: 2_500, age, read: fail })).toBe('one');
    await expect(values.young('k', { now: 3_000, age, read: fail })).rejects.toThrow('gone');
  });
});

it('the back-off doubles up to its last wait, and chance takes a part of it', () => {
  const waits = { first: 100, last: 1_000 };
  expect([0, 1, 2, 3, 4, 5_000].map((step) => backoff(step, waits))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
  expect([backoff(1, waits, 0), backoff(5, waits, 0.5)]).toEqual([0, 500]);
});
