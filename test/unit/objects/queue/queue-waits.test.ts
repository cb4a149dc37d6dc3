// How often a queue is asked why its lobbies wait, by the streams of one isolate that show it.

import { describe, expect, it } from 'vitest';
import type { LobbyId } from '../../../../src/common/ids';
import { ShownWaits, type ShownWait } from '../../../../src/objects/caches/queue-stats';

const wait = (because: string): ShownWait => ({
  inReach: 0,
  compared: 1,
  because,
  opensInSeconds: null,
  estimate: null,
});
const idOf = (index: number) => `lobby${index}` as LobbyId;

/** Each lobby's stream asks every ten seconds; the statistics are read every ten. */
async function played(lobbies: number, seconds: number) {
  const waits = new ShownWaits();
  const calls = { alone: 0, together: 0 };
  let oldest = 0;
  for (let now = 0; now < seconds * 1_000; now += 100) {
    if (now % 10_000 === 0) {
      const due = waits.due('queue', now);
      calls.together += 1;
      due.forEach((id) => waits.note('queue', id, wait(String(now)), now));
    }
    for (let index = 0; index < lobbies; index += 1) {
      if (now % 10_000 === 100 * (index % 100)) {
        const asked = { lobbyId: idOf(index), lobbies, now };
        const shown = await waits.of('queue', asked, async () => {
          calls.alone += 1;
          return wait(String(now));
        });
        oldest = Math.max(oldest, now - Number(shown?.because));
      }
    }
  }
  return { ...calls, oldest };
}

describe('why lobbies wait', () => {
  it('is read with the statistics once it has been asked for', async () => {
    const { alone, together, oldest } = await played(40, 600);
    console.log(
      `40 lobbies of an isolate, ten minutes: ${alone} asked for alone, ${together} readings of the statistics`,
    );
    expect(alone).toBe(40);
    expect(together).toBe(60);
    expect(oldest).toBeLessThanOrEqual(20_000);
  });

  it('is still told where more are shown than can be read at once', async () => {
    const { alone, oldest } = await played(100, 600);
    // One at a time, all would be asked for 6,000 times.
    expect(alone).toBeLessThan(3_000);
    expect(oldest).toBeLessThanOrEqual(20_000);
  });

  it('is asked for no oftener where more are shown than are remembered', async () => {
    const [few, many] = [await played(5_000, 60), await played(6_000, 60)];
    expect(many.alone).toBeLessThanOrEqual(few.alone);
  });

  it('is asked for no more once nobody shows it', async () => {
    const waits = new ShownWaits();
    const asked = { lobbyId: idOf(1), lobbies: 1, now: 0 };
    await waits.of('queue', asked, async () => wait('first'));
    expect(waits.due('queue', 5_000)).toEqual([]);
    expect(waits.due('queue', 10_000)).toEqual([idOf(1)]);
    expect(waits.due('other', 10_000)).toEqual([]);
    expect(waits.due('queue', 30_000)).toEqual([]);
    expect(await waits.of('queue', { ...asked, now: 31_000 }, async () => wait('again'))).toEqual(
      wait('again'),
    );
  });

  it('keeps what was told when the queue does not answer', async () => {
    const waits = new ShownWaits();
    const asked = { lobbyId: idOf(1), lobbies: 1, now: 0 };
    await waits.of('queue', asked, async () => wait('first'));
    const later = { ...asked, now: 40_000 };
    await expect(waits.of('queue', later, () => Promise.reject(new Error('gone')))).rejects.toThrow(
      'gone',
    );
    expect(await waits.of('queue', { ...asked, now: 41_000 }, async () => wait('no'))).toEqual(
      wait('first'),
    );
  });
});
