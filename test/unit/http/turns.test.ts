import { later } from '../../../src/common/later';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually';
import { inTurn as inTurnBy } from '../../../src/http/gate/turns';

const inTurn = <T>(project: string, run: () => Promise<T>): ReturnType<typeof inTurnBy<T>> =>
  inTurnBy(project, later, run);

/** Work that ends when it is told to. */
function work(): { run: () => Promise<string>; end: () => void; begun: () => boolean } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isBegun = false;
  const run = (): Promise<string> => {
    isBegun = true;
    return promise;
  };
  return { run, end: () => resolve('done'), begun: () => isBegun };
}

/** Two projects ask, so that each has few turns. */
async function besideOthers(): Promise<void> {
  await inTurn('one', () => Promise.resolve(''));
  await inTurn('another', () => Promise.resolve(''));
}

const settled = (): Promise<void> => vi.waitFor(() => Promise.resolve());

describe('of one project', () => {
  it('three run at once beside others, the rest in their order, and another project is not behind them', async () => {
    await besideOthers();
    const all = Array.from({ length: 20 }, work);
    const asked = all.map(({ run }) => inTurn('greedy', run));
    const begun = (): number => all.filter((each) => each.begun()).length;
    expect(begun()).toBe(3);
    const other = work();
    void inTurn('modest', other.run);
    expect(other.begun()).toBe(true);
    all[2]?.end();
    await asked[2];
    await settled();
    // The loop reads its sockets first.
    expect(begun()).toBe(3);
    await eventually('it has begun', () => all[3]?.begun() === true);
    expect([begun(), all[4]?.begun()]).toEqual([4, false]);
    all.forEach((each) => each.end());
    expect(await Promise.all(asked)).toHaveLength(20);
    const after = work();
    void inTurn('greedy', after.run);
    expect(after.begun()).toBe(true);
  });

  it('what waits for something else gives its turn up after a moment', async () => {
    vi.useFakeTimers();
    await besideOthers();
    const slow = Array.from({ length: 3 }, work);
    slow.forEach(({ run }) => void inTurn('waits', run));
    const next = work();
    void inTurn('waits', next.run);
    expect(next.begun()).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(next.begun()).toBe(true);
    vi.useRealTimers();
  });

  it('what fails frees its turn', async () => {
    for (let index = 0; index < 20; index += 1) {
      await expect(inTurn('fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
  });

  it('two thousand wait, and the next is told to come again', async () => {
    await besideOthers();
    const all = Array.from({ length: 2_003 }, work);
    const asked = all.map(({ run }) => inTurn('flood', run));
    await expect(inTurn('flood', work().run)).rejects.toMatchObject({
      refusal: { code: 'RATE_LIMITED', retryAfter: 2 },
    });
    all.forEach((each) => each.end());
    await Promise.all(asked);
  });

  it('sixty-four run at once while nobody else asks', async () => {
    vi.useFakeTimers();
    await besideOthers();
    await inTurn('alone', () => Promise.resolve(''));
    vi.advanceTimersByTime(2_001);
    const all = Array.from({ length: 70 }, work);
    const asked = all.map(({ run }) => inTurn('alone', run));
    expect(all.filter((each) => each.begun())).toHaveLength(64);
    // Somebody does, so that those who wait are let in only as the many end.
    void inTurn('other', work().run);
    all.slice(0, 61).forEach((each) => each.end());
    await Promise.all(asked.slice(0, 61));
    await vi.advanceTimersByTimeAsync(0);
    expect(all.filter((each) => each.begun())).toHaveLength(64);
    all.forEach((each) => each.end());
    await vi.advanceTimersByTimeAsync(10);
    await Promise.all(asked);
    vi.useRealTimers();
  });

  it('waits for nothing that ended with the object that served it', async () => {
    await besideOthers();
    const lost = Array.from({ length: 3 }, work);
    // Neither the work nor a timer of that object goes on.
    lost.forEach(({ run }) => void inTurnBy('restarted', () => () => {}, run));
    const next = work();
    void inTurn('restarted', next.run);
    expect(next.begun()).toBe(true);
  });
});
