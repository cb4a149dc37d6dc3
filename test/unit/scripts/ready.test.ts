// How long a start may take: as long as it makes progress, on however busy a machine.

import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { untilReady, type Watch } from '../../../scripts/ready.ts';

/** When a start is told to end, if at all. */
const TOLD_MS = 2_000;

/** A process that works for `worksMs`, and is healthy after `readyMs`, on a clock of its own. */
function started(worksMs: number, readyMs: number, told?: AbortController) {
  let now = 0;
  const killed: number[] = [];
  const watch: Watch = {
    now: () => now,
    sleep: (ms) => {
      now += ms;
      if (now >= TOLD_MS) {
        told?.abort();
      }
      return Promise.resolve();
    },
    // After a while it says why not.
    unready: () => Promise.resolve(now >= readyMs ? null : now < TOLD_MS ? '' : 'nobody owns it'),
    // Starved, it gets a tick of the processor each ten seconds.
    worked: () => Promise.resolve(Math.floor(Math.min(now, worksMs) / 10_000)),
  };
  const kill = (): Promise<void> => {
    killed.push(now);
    return Promise.resolve();
  };
  const exited = new Promise<null>(() => undefined);
  const url = 'http://127.0.0.1:1';
  const starting = { name: 'part', url, pid: 7, exited, kill, told: told?.signal };
  return { ready: untilReady(starting, null, watch), killed };
}

describe('a start', () => {
  const warned = vi.spyOn(console, 'error');

  beforeEach(() => warned.mockReset().mockReturnValue());
  afterAll(() => warned.mockRestore());

  it('is waited for while the process works, however slowly', async () => {
    const { ready, killed } = started(120_000, 120_000);
    await ready;
    expect(killed).toEqual([]);
  });

  it('has failed after 30 s in which the process did nothing', async () => {
    const { ready, killed } = started(60_000, Infinity);
    await expect(ready).rejects.toThrow(
      'the part did not start: no health, and it has done nothing for 30000 ms (nobody owns it)',
    );
    expect(killed).toEqual([90_000]);
  });

  it('has failed after five minutes, whatever the process does', async () => {
    const { ready, killed } = started(Infinity, Infinity);
    await expect(ready).rejects.toThrow('no health within 300000 ms');
    expect(killed).toEqual([300_000]);
  });

  it('says once after five seconds what it waits for', async () => {
    await started(Infinity, 4_990).ready;
    expect(warned).not.toHaveBeenCalled();
    await started(Infinity, 60_000).ready;
    const lines = warned.mock.calls.map(([line]) => String(line));
    expect(lines).toEqual([expect.stringContaining('not ready yet: nobody owns it')]);
  });

  it('ends as soon as it is told to', async () => {
    const { ready, killed } = started(Infinity, 60_000, new AbortController());
    await expect(ready).rejects.toThrow('the part did not start: it was told to end');
    expect(killed).toEqual([TOLD_MS]);
  });

  it('asks again soon when requests are lost', { timeout: 20_000 }, async () => {
    let asked = 0;
    const watch: Watch = {
      now: () => performance.now(),
      sleep: () => Promise.resolve(),
      unready: (_, signal) => {
        asked += 1;
        return new Promise((resolve) => {
          if (asked === 3) {
            resolve(null);
          }
          signal.addEventListener('abort', () => resolve(''));
        });
      },
      worked: () => Promise.resolve(null),
    };
    const kill = (): Promise<void> => Promise.resolve();
    const exited = new Promise<null>(() => undefined);
    await untilReady({ name: 'part', url: '', pid: 7, exited, kill }, null, watch);
    expect(asked).toBe(3);
  });
});
