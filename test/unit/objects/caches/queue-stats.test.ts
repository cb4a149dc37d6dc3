// How often one queue is asked for its statistics by the lobbies that show them (decision 26),
// simulated: 100,000 lobbies, each asking once in ten seconds, in isolates of one to a thousand.

import { describe, expect, it } from 'vitest';
import { QueueReadings } from '../../../../src/objects/caches/queue-stats';

const INTERVAL_MS = 10_000;
const SECONDS = 600;
const PLACE = ['project', 'config', 'mode'] as const;

interface Asked {
  readonly perSecond: number;
  /** The oldest reading that any lobby was shown. */
  readonly oldestSeconds: number;
}

async function simulated(lobbies: number, anIsolate: number): Promise<Asked> {
  // All isolates are alike: some are played, and stand for the rest.
  const played = Math.min(20, lobbies / anIsolate);
  let reads = 0;
  let oldest = 0;
  for (let isolate = 0; isolate < played; isolate += 1) {
    const readings = new QueueReadings();
    const phase = (isolate * INTERVAL_MS) / played / anIsolate;
    const step = INTERVAL_MS / anIsolate;
    for (let now = phase; now < SECONDS * 1_000; now += step) {
      const stats = await readings.of(PLACE, now, () => {
        reads += 1;
        // The mean wait carries the instant of the reading, to tell how old it is.
        const read = { playersSearching: lobbies, lobbiesInQueue: lobbies, avgWaitSeconds: now };
        return Promise.resolve(read);
      });
      oldest = Math.max(oldest, now - (stats?.avgWaitSeconds ?? 0));
    }
  }
  const isolates = lobbies / anIsolate;
  return {
    perSecond: ((reads / played) * isolates) / SECONDS,
    oldestSeconds: oldest / 1_000,
  };
}

describe('the statistics of a queue', () => {
  it.each([1, 10, 100, 1_000])(
    'of 100,000 lobbies, %i of them an isolate, cost it a bounded number of requests',
    async (anIsolate) => {
      const { perSecond, oldestSeconds } = await simulated(100_000, anIsolate);
      console.log(
        `${anIsolate} lobbies an isolate: ${perSecond.toFixed(1)} requests a second, a reading is ${oldestSeconds.toFixed(0)} s old at most`,
      );
      // Each asking for itself they would make 10,000.
      expect(perSecond).toBeLessThan(350);
    },
  );

  it.each([1, 10])('of 1,000 lobbies, %i an isolate, are new each ten seconds', async (many) => {
    const { oldestSeconds } = await simulated(1_000, many);
    expect(oldestSeconds).toBeLessThanOrEqual(10);
  });

  it('are read once by many who ask at once, and read again after a failure', async () => {
    const readings = new QueueReadings();
    const stats = { playersSearching: 2, lobbiesInQueue: 2, avgWaitSeconds: 1 };
    const [one, two] = [1, 2].map(() => readings.of(PLACE, 0, () => Promise.resolve(stats)));
    expect([await one, await two]).toEqual([stats, null]);
    const { promise, resolve } = Promise.withResolvers<typeof stats>();
    const first = readings.of(PLACE, 9_000, () => promise);
    let others = 0;
    const other = await readings.of(PLACE, 9_001, () => {
      others += 1;
      return promise;
    });
    expect([other, others]).toEqual([stats, 0]);
    const newer = { ...stats, playersSearching: 3 };
    resolve(newer);
    expect(await first).toBe(newer);
    const gone = (): Promise<never> => Promise.reject(new Error('gone'));
    await expect(readings.of(PLACE, 18_000, gone)).rejects.toThrow('gone');
    const back = await readings.of(PLACE, 18_001, () => Promise.resolve(stats));
    expect(back).toBe(stats);
  });
});
