// The timers of an object that lives long: one of the platform's for all, and none is ever cleared.

import { expect, it } from 'vitest';

import { Timers } from '../../../../src/objects/kit/timers';

/** A platform with a clock in our hands. */
function platform() {
  let wall = 1_000_000;
  let passed = 0;
  const set: { readonly at: number; readonly run: () => void }[] = [];
  const timers = new Timers(
    () => wall,
    (ms, run) => {
      const one = { at: passed + ms, run };
      set.push(one);
      return () => void set.splice(set.indexOf(one), 1);
    },
  );
  const pass = (ms: number): void => {
    const end = passed + ms;
    for (;;) {
      set.sort((a, b) => a.at - b.at);
      const [next] = set;
      if (next === undefined || next.at > end) {
        break;
      }
      set.shift();
      wall += next.at - passed;
      passed = next.at;
      next.run();
    }
    wall += end - passed;
    passed = end;
  };
  return { timers, later: timers.later, pass, set, turn: (ms: number) => (wall += ms) };
}

it('run in their order, each at its time', () => {
  const { later, pass } = platform();
  const ran: string[] = [];
  later(300, () => ran.push('late'));
  later(100, () => {
    ran.push('early');
    later(50, () => ran.push('of the early one'));
  });
  pass(99);
  expect(ran).toEqual([]);
  pass(1);
  expect(ran).toEqual(['early']);
  pass(200);
  expect(ran).toEqual(['early', 'of the early one', 'late']);
});

it('do not run once taken back, not even where another has the place', () => {
  const { later, pass } = platform();
  const ran: string[] = [];
  const back = later(100, () => ran.push('no'));
  back();
  later(100, () => ran.push('yes'));
  back();
  pass(100);
  expect(ran).toEqual(['yes']);
});

it('need hardly any of the platform however many are taken back', () => {
  const { later, pass, set } = platform();
  let most = 0;
  for (let count = 0; count < 1_000; count += 1) {
    later(15_000, () => {})();
    later(2_000, () => {})();
    pass(10);
    most = Math.max(most, set.length);
  }
  // One at a time for each two seconds that the longest lasts, and the next.
  expect(most).toBeLessThan(10);
});

it('come although one before them throws', () => {
  const { later, pass } = platform();
  const ran: string[] = [];
  later(100, () => {
    throw new Error('of mine');
  });
  later(100, () => ran.push('the other'));
  expect(() => pass(100)).toThrow('of mine');
  pass(1);
  expect(ran).toEqual(['the other']);
});

it.each([-3_600_000, 3_600_000])('come in time though the clock is turned by %d ms', (ms) => {
  const { later, pass, turn } = platform();
  const ran: string[] = [];
  later(100, () => ran.push('first'));
  later(200, () => ran.push('second'));
  turn(ms);
  pass(100);
  expect(ran).toContain('first');
  later(150, () => ran.push('third'));
  pass(100);
  expect(ran).toEqual(['first', 'second']);
  pass(50);
  expect(ran).toEqual(['first', 'second', 'third']);
});

it('come in time after the clock was turned forward, whatever else waits', () => {
  const { later, pass, turn } = platform();
  const ran: string[] = [];
  later(60_000, () => ran.push('of a minute'));
  turn(3_600_000);
  later(50, () => ran.push('soon'));
  pass(50);
  expect(ran).toContain('soon');
});

it('leave the loop a turn before those that they set', () => {
  const { later, set } = platform();
  const ran: string[] = [];
  later(0, () => {
    ran.push('first');
    later(0, () => ran.push('second'));
  });
  set.shift()?.run();
  expect(ran).toEqual(['first']);
  set.shift()?.run();
  expect(ran).toEqual(['first', 'second']);
  expect(set).toEqual([]);
});

it('all end within a moment once they are to, also those of which one sets the next', () => {
  const { timers, later, pass, set } = platform();
  const ran: number[] = [];
  const again = (): void => {
    ran.push(0);
    later(25, again);
  };
  for (let ms = 20; ms <= 10_000; ms += 20) {
    later(ms, () => ran.push(ms));
  }
  later(10_000, () => ran.push(10_000), 'early');
  timers.endWithin(60);
  later(61, () => ran.push(61));
  later(62, () => ran.push(62), 'early');
  const back = later(63, () => ran.push(63), 'early');
  back();
  again();
  pass(60);
  expect(ran).toEqual([0, 20, 0, 40, 0, 60, 10_000, 62]);
  expect(set).toEqual([]);
  pass(1);
  later(0, again);
  later(0, again, 'early');
  expect(set).toEqual([]);
});
