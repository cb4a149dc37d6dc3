// What an isolate counts of an object that ends with it: no timer, stream or long poll of such an object ever does.

import { afterEach, expect, it, vi } from 'vitest';
import { holdBack, takePlace } from '../../../src/http/gate/rates';
import type { Env } from '../../../src/objects/placement/env';

afterEach(() => void vi.useRealTimers());

it('holds answers back after a thousand were lost', async () => {
  vi.useFakeTimers();
  for (let lost = 0; lost < 1_000; lost += 1) {
    void holdBack({}, Date.now());
  }
  vi.clearAllTimers();
  const answered = vi.fn();
  void holdBack({}, Date.now()).then(answered);
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 500);
  void holdBack({}, Date.now()).then(answered);
  await vi.advanceTimersByTimeAsync(499);
  expect(answered).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toHaveBeenCalledTimes(2);
});

it('gives the places of streams and long polls to those who ask the next object', () => {
  const env = { LIMITS: '{"streams":{"address":1},"polls":{"server":1}}' } as Env;
  const asking = { address: '192.0.2.77', server: 's77' };
  for (const kind of ['streams', 'polls'] as const) {
    const [before, after] = [() => () => {}, () => () => {}];
    expect(typeof takePlace(kind, { asking, env, later: before })).toBe('function');
    expect(typeof takePlace(kind, { asking, env, later: before })).toBe('object');
    expect(typeof takePlace(kind, { asking, env, later: after })).toBe('function');
  }
});
