// Work in slices on a box: requests go first, for a bounded while.

import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/common/later';
import { ownAlarm, SliceTurns } from '../../../../src/objects/placement/box/thread';

/** A clock in our hands. */
function clocked() {
  let now = 1_000;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const clock: Clock = {
    now: () => now,
    later: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const slices = new SliceTurns(clock);
  const ran: string[] = [];
  return {
    clock,
    slices,
    ran,
    add: (name: string) => slices.add(() => void ran.push(name)),
    pass: (ms: number) => {
      now += ms;
      const due = [...timers].filter(({ at }) => at <= now);
      due.forEach((timer) => timers.delete(timer));
      due.forEach(({ run }) => run());
    },
    request: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const done = slices.ahead(() => promise);
      return async (): Promise<void> => {
        resolve();
        await done;
      };
    },
  };
}

describe('slices of longer work', () => {
  it('run one at a time, in turns', () => {
    const { add, pass, ran } = clocked();
    add('a');
    add('b');
    expect(ran).toEqual([]);
    pass(0);
    expect(ran).toEqual(['a']);
    add('a again');
    pass(0);
    pass(0);
    expect(ran).toEqual(['a', 'b', 'a again']);
  });

  it('wait while a request is under way, and run when it is answered', async () => {
    const { add, pass, ran, request } = clocked();
    add('a');
    const [first, second] = [request(), request()];
    pass(0);
    pass(5);
    await first();
    pass(0);
    expect(ran).toEqual([]);
    await second();
    pass(0);
    expect(ran).toEqual(['a']);
  });

  it('wait for no longer than 15 ms, although requests follow each other', async () => {
    const { add, pass, ran, request } = clocked();
    add('a');
    for (let ms = 0; ms < 14; ms += 2) {
      const answer = request();
      pass(2);
      const next = request();
      await answer();
      expect(ran).toEqual([]);
      pass(0);
      await next();
    }
    request();
    pass(1);
    expect(ran).toEqual(['a']);
  });

  it('make up for a wait that took far longer, four at most, and then wait again', () => {
    const { add, pass, ran, request } = clocked();
    for (const name of 'abcdefgh') {
      add(name);
    }
    request();
    pass(0);
    pass(15 + 3 * 15);
    expect(ran.join('')).toBe('a');
    // Each takes long as well: that earns nothing.
    for (const so of ['ab', 'abc', 'abcd']) {
      pass(40);
      expect(ran.join('')).toBe(so);
    }
    pass(0);
    expect(ran.join('')).toBe('abcd');
    pass(1_000);
    expect(ran.join('')).toBe('abcde');
    pass(0);
    pass(0);
    pass(0);
    pass(0);
    expect(ran.join('')).toBe('abcdefgh');
  });

  it('do not run once they are called off', () => {
    const { add, pass, ran } = clocked();
    const callOff = add('a');
    add('b');
    callOff();
    pass(0);
    expect(ran).toEqual(['b']);
  });
});

describe('the alarm of a box', () => {
  it('lets requests go between all that is due after a start', async () => {
    const { clock, slices, pass, request } = clocked();
    let due = 3;
    const set = ownAlarm(clock, slices, () => {
      due -= 1;
      if (due > 0) {
        set(clock.now() + 1);
      }
    });
    set(clock.now() - 3_600_000);
    const answer = request();
    pass(0);
    pass(5);
    expect(due).toBe(3);
    await answer();
    pass(0);
    expect(due).toBe(2);
    request();
    pass(14);
    expect(due).toBe(2);
    pass(1);
    expect(due).toBe(1);
  });

  it('comes at its time, and only at the one that was set last', () => {
    const { clock, slices, pass } = clocked();
    const rang: number[] = [];
    const set = ownAlarm(clock, slices, () => void rang.push(clock.now()));
    set(clock.now() + 5_000);
    set(clock.now() + 50);
    pass(49);
    expect(rang).toEqual([]);
    pass(1);
    pass(5_000);
    expect(rang).toEqual([1_050]);
  });
});
