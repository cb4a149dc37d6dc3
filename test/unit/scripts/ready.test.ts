// How long a start may take: as long as it makes progress, on however busy a machine.

import { describe, expect, it } from 'vitest';

import { untilReady, type Watch } from '../../../scripts/ready.ts';

/** A process that works for `worksMs`, and is healthy after `readyMs`, on a clock of its own. */
function started(worksMs: number, readyMs: number) {
  let now = 0;
  const killed: number[] = [];
  const watch: Watch = {
    now: () => now,
    sleep: (ms) => {
      now += ms;
      return Promise.resolve();
    },
    isHealthy: () => Promise.resolve(now >= readyMs),
    // Starved, it gets a tick of the processor each ten seconds.
    worked: () => Promise.resolve(Math.floor(Math.min(now, worksMs) / 10_000)),
  };
  const kill = (): Promise<void> => {
    killed.push(now);
    return Promise.resolve();
  };
  const exited = new Promise<null>(() => undefined);
  const url = 'http://127.0.0.1:1';
  return { ready: untilReady({ name: 'part', url, pid: 7, exited, kill }, null, watch), killed };
}

describe('a start', () => {
  it('is waited for while the process works, however slowly', async () => {
    const { ready, killed } = started(120_000, 120_000);
    await ready;
    expect(killed).toEqual([]);
  });

  it('has failed after 30 s in which the process did nothing', async () => {
    const { ready, killed } = started(60_000, Infinity);
    await expect(ready).rejects.toThrow('the part did not start: no health, and it has done');
    expect(killed).toEqual([90_000]);
  });

  it('has failed after five minutes, whatever the process does', async () => {
    const { ready, killed } = started(Infinity, Infinity);
    await expect(ready).rejects.toThrow('no health within 300000 ms');
    expect(killed).toEqual([300_000]);
  });

  it('asks again soon when requests are lost', { timeout: 20_000 }, async () => {
    let asked = 0;
    const watch: Watch = {
      now: () => performance.now(),
      sleep: () => Promise.resolve(),
      isHealthy: (_, signal) => {
        asked += 1;
        return new Promise((resolve) => {
          if (asked === 3) {
            resolve(true);
          }
          signal.addEventListener('abort', () => resolve(false));
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
