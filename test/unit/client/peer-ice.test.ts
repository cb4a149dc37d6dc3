// The ICE servers of a game whose credentials end.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IceSource } from '../../../packages/js/src/peer-ice.ts';
import type { IceServers } from '../../../packages/js/src/types.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Counts what it is asked, and answers so. `isDown`: it rejects. */
function provider(ttl: number, hasRelay = true) {
  const state = { asked: 0, renewed: 0, isDown: false };
  const ask = async (): Promise<IceServers> => {
    state.asked += 1;
    if (state.isDown) {
      throw new Error('down');
    }
    const urls = ['turn:t'];
    const username = `user ${state.asked}`;
    return { iceServers: [hasRelay ? { urls, username, credential: 'c' } : { urls }], ttl };
  };
  const source = new IceSource(ask, () => {
    state.renewed += 1;
  });
  return { state, source };
}

it('are asked for once by all who need them at the same time', async () => {
  const { state, source } = provider(100);
  const all = await Promise.all([source.get(), source.get(), source.get()]);
  expect(all.map(([first]) => first?.username)).toEqual(['user 1', 'user 1', 'user 1']);
  await vi.advanceTimersByTimeAsync(74_000);
  await source.get();
  expect(state).toMatchObject({ asked: 1, renewed: 0 });
});

it('are renewed before the credentials end, and the connections hear of it', async () => {
  const { state, source } = provider(100);
  await source.get();
  await vi.advanceTimersByTimeAsync(75_000);
  expect(state).toMatchObject({ asked: 2, renewed: 1 });
  expect((await source.get())[0]?.username).toBe('user 2');
  await vi.advanceTimersByTimeAsync(75_000);
  expect(state).toMatchObject({ asked: 3, renewed: 2 });
});

it('stay as they were while the provider is down, which is asked again ten seconds later', async () => {
  const { state, source } = provider(100);
  await source.get();
  state.isDown = true;
  await vi.advanceTimersByTimeAsync(75_000);
  expect((await source.get())[0]?.username).toBe('user 1');
  expect(state).toMatchObject({ asked: 2, renewed: 0 });
  state.isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await source.get())[0]?.username).toBe('user 3');
  expect(state).toMatchObject({ asked: 3, renewed: 1 });
});

it('are asked for again by who needs them after a failure, and no timer asks when the game is over', async () => {
  const { state, source } = provider(100);
  state.isDown = true;
  expect(await source.get()).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  state.isDown = false;
  expect(await source.get()).toHaveLength(1);
  source.stop();
  await vi.advanceTimersByTimeAsync(200_000);
  expect(state).toMatchObject({ asked: 2 });
});

it('wake nobody if they have no credentials', async () => {
  const { state, source } = provider(100, false);
  await source.get();
  await vi.advanceTimersByTimeAsync(500_000);
  expect(state).toMatchObject({ asked: 1 });
  await source.get();
  expect(state).toMatchObject({ asked: 2 });
});
