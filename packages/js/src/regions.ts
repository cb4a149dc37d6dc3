// Measures how far away the game's regions are: what a mode with a `latency` rule reads as the state `ping`.

import type { CallOptions, Fetch } from './http.ts';
import type { RegionEcho } from './types.ts';
import { linked } from './wait.ts';

export interface MeasureOptions extends CallOptions {
  /** How often each region is asked; 4 by default. The first request opens the connection and does not count. */
  readonly times?: number | undefined;
  /** A region that has not answered all of them by then is left out; 3,000 ms by default. */
  readonly timeoutMs?: number | undefined;
}

const TIMES = 4;
const TIMEOUT_MS = 3_000;

/** The best of the answers of each region, in whole ms. A region that did not answer is left out. */
export async function measured(
  regions: readonly RegionEcho[],
  ask: Fetch,
  options: MeasureOptions,
): Promise<Record<string, number>> {
  const pings = regions.map(async ({ region, http }) => {
    const ms = http === null ? null : await best(http, ask, options);
    return ms === null ? [] : [[region, ms] as const];
  });
  return Object.fromEntries((await Promise.all(pings)).flat());
}

async function best(
  address: string,
  ask: Fetch,
  { times = TIMES, timeoutMs = TIMEOUT_MS, signal }: MeasureOptions,
): Promise<number | null> {
  const link = linked(signal);
  const timer = setTimeout(() => link.abort(new Error('No answer in time')), timeoutMs);
  let least = Infinity;
  try {
    for (let time = 0; time < times; time += 1) {
      const begun = performance.now();
      const init = {
        method: 'GET',
        headers: {},
        signal: link.signal,
        credentials: 'omit',
      } as const;
      const { ok } = await ask(address, init);
      if (!ok) {
        return null;
      }
      least = time === 0 && times > 1 ? least : Math.min(least, performance.now() - begun);
    }
    return Math.round(least);
  } catch {
    signal?.throwIfAborted();
    return null;
  } finally {
    clearTimeout(timer);
    link.free();
  }
}
