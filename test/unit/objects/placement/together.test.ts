// Requests of a box that write: what begins with what, by a disk in our hands.

import { describe, expect, it } from 'vitest';
import { Together } from '../../../../src/objects/placement/box/thread';

/** A disk whose next answer comes when the test says so. */
function onDisk() {
  const asked: PromiseWithResolvers<void>[] = [];
  const together = new Together(() => {
    const next = Promise.withResolvers<void>();
    asked.push(next);
    return next.promise;
  });
  const begun: string[] = [];
  const settled = async (): Promise<void> => {
    for (let hop = 0; hop < 5; hop += 1) {
      await Promise.resolve();
    }
  };
  return {
    begun,
    get underWay() {
      return asked.length;
    },
    come: (name: string) => void together.begin().then(() => begun.push(name)),
    /** One event: the disk answers whoever asked it. */
    event: async () => {
      asked.shift()?.resolve();
      await settled();
    },
    fail: async () => {
      asked.shift()?.reject(new Error('the disk is full'));
      await settled();
    },
  };
}

describe('requests that write', () => {
  it('begin together when they come in one turn', async () => {
    const { begun, come, event } = onDisk();
    come('a');
    come('b');
    expect(begun).toEqual([]);
    await event();
    expect(begun).toEqual(['a', 'b']);
  });

  it('begin together once what went before them is durable', async () => {
    const { begun, come, event } = onDisk();
    come('a');
    await event();
    come('b');
    // The stretch of the first is at its end, and its commit under way.
    await event();
    come('c');
    expect(begun).toEqual(['a']);
    await event();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('begin no more than 32 at once', async () => {
    const { begun, come, event } = onDisk();
    for (let count = 0; count < 40; count += 1) {
      come(String(count));
    }
    await event();
    expect(begun).toHaveLength(32);
    await event();
    expect(begun).toHaveLength(32);
    await event();
    expect(begun).toHaveLength(40);
  });

  it('leave the disk alone when nobody waits', async () => {
    const disk = onDisk();
    disk.come('a');
    await disk.event();
    await disk.event();
    await disk.event();
    expect(disk.underWay).toBe(0);
    disk.come('b');
    await disk.event();
    expect(disk.begun).toEqual(['a', 'b']);
  });

  it('are not left waiting by a commit that fails', async () => {
    const { begun, come, event, fail } = onDisk();
    come('a');
    await event();
    come('b');
    await fail();
    expect(begun).toEqual(['a', 'b']);
    come('c');
    await event();
    expect(begun).toEqual(['a', 'b', 'c']);
  });
});
