// Work in slices on a box: requests go first, for a bounded while.

import { describe, expect, it } from 'vitest';
import { Slices } from '../../src/objects/placement/box/slices';

/** A clock in our hands. */
function clocked() {
  let now = 1_000;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const slices = new Slices({
    now: () => now,
    later: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const ran: string[] = [];
  return {
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

  it('do not run once they are called off', () => {
    const { add, pass, ran } = clocked();
    const callOff = add('a');
    add('b');
    callOff();
    pass(0);
    expect(ran).toEqual(['b']);
  });
});
