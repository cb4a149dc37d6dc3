// How long the answer of a deep check is kept.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { later } from '../../../src/common/later';
import type { Call } from '../../../src/http/wire/call';
import { health } from '../../../src/http/pages/health';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is checked again after five seconds, also by a clock that was set back', async () => {
  let probes = 0;
  const probe = async (): Promise<void> => void (probes += 1);
  const call = {
    url: new URL('http://muster.test/health?deep'),
    readRows: () => undefined,
    later,
    peers: { project: () => ({ probe }) },
  } as unknown as Call;
  const after = async (ms: number): Promise<number> => {
    vi.setSystemTime(Date.now() + ms);
    expect((await health(call)).status).toBe(200);
    return probes;
  };
  expect(await after(0)).toBe(1);
  expect(await after(4_000)).toBe(1);
  expect(await after(2_000)).toBe(2);
  expect(await after(-3_600_000)).toBe(3);
  expect(await after(1_000)).toBe(3);
});
