import { describe, expect, it, vi } from 'vitest';
import { inTurn } from '../../src/http/limits/turns';

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

const settled = (): Promise<void> => vi.waitFor(() => Promise.resolve());

describe('of one project', () => {
  it('eight run at once, the others in their order, and another project is not behind them', async () => {
    const all = Array.from({ length: 20 }, work);
    const asked = all.map(({ run }) => inTurn('greedy', run));
    const begun = (): number => all.filter((each) => each.begun()).length;
    expect(begun()).toBe(8);
    const other = work();
    void inTurn('modest', other.run);
    expect(other.begun()).toBe(true);
    all[3]?.end();
    await asked[3];
    await settled();
    expect([begun(), all[8]?.begun(), all[9]?.begun()]).toEqual([9, true, false]);
    all.forEach((each) => each.end());
    expect(await Promise.all(asked)).toHaveLength(20);
    const after = work();
    void inTurn('greedy', after.run);
    expect(after.begun()).toBe(true);
  });

  it('what waits for something else gives its turn up after a moment', async () => {
    vi.useFakeTimers();
    const slow = Array.from({ length: 8 }, work);
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
    const all = Array.from({ length: 2_008 }, work);
    const asked = all.map(({ run }) => inTurn('flood', run));
    expect(await inTurn('flood', work().run)).toMatchObject({
      refused: { code: 'RATE_LIMITED', retryAfter: 2 },
    });
    all.forEach((each) => each.end());
    await Promise.all(asked);
  });
});
