// Answers to refused requests are delayed, so that a caller gets few a second, however many connections it has.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdBack } from '../../../src/http/gate/rates';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** How many refusals the caller has in a minute, if each connection asks again at once. */
async function refusals(
  asking: Parameters<typeof holdBack>[0],
  connections: number,
): Promise<number> {
  let answers = 0;
  const end = Date.now() + 60_000;
  const asks = async (): Promise<void> => {
    while (Date.now() < end) {
      await holdBack(asking, Date.now());
      answers += 1;
    }
  };
  const all = Array.from({ length: connections }, asks);
  await vi.advanceTimersByTimeAsync(80_000);
  await Promise.all(all);
  return answers;
}

it('brings a caller with many connections few refusals a second', async () => {
  expect(await refusals({ server: 'one' }, 1)).toBe(120);
  const many = await refusals({ server: 'one' }, 17);
  expect(many / 60).toBeLessThan(5);
  expect(await refusals({ address: '203.0.113.7' }, 17)).toBe(many);
});

it('delays a caller no longer for what others do, nor those whom nobody knows', async () => {
  const others = refusals({ server: 'one' }, 100);
  const mine = refusals({ server: 'two' }, 1);
  const unknown = refusals({ key: 'client', address: null }, 3);
  await others;
  expect([await mine, await unknown]).toEqual([120, 360]);
});
