// How far behind a thread is, by how late its timers come.

import { describe, expect, it } from 'vitest';
import { Lag } from '../../../../src/objects/kit/lag';

describe('the lag of a thread', () => {
  /** A clock and one timer, which comes when it is told to. */
  function thread(): {
    readonly call: () => void;
    /** Time passes, then the timer runs. */
    readonly pass: (ms: number) => void;
    readonly isTicking: () => boolean;
    /** What is measured, so many milliseconds from now. */
    readonly ms: (later?: number) => number;
  } {
    let now = 0;
    let pending: (() => void) | null = null;
    const lag = new Lag();
    const later = (run: () => void): void => {
      pending = run;
    };
    return {
      call: () => lag.note(() => now, later),
      pass: (ms) => {
        now += ms;
        const run = pending;
        pending = null;
        run?.();
      },
      isTicking: () => pending !== null,
      ms: (later = 0) => lag.msAt(now + later),
    };
  }

  it('is how late two timers in a row come, and falls within some ticks', () => {
    const { call, pass, ms } = thread();
    call();
    pass(25);
    expect(ms()).toBe(0);
    pass(425);
    pass(425);
    expect(ms()).toBe(400);
    pass(25);
    pass(25);
    expect(ms()).toBe(100);
    for (let tick = 0; tick < 10; tick += 1) {
      pass(25);
    }
    expect(ms()).toBe(0);
  });

  it('is known while the second timer is still to come', () => {
    const { call, pass, ms } = thread();
    expect(ms(5_000)).toBe(0);
    call();
    expect(ms(25)).toBe(0);
    pass(1_025);
    expect([ms(25), ms(925), ms(2_025)]).toEqual([0, 900, 1_000]);
  });

  it('is nothing at any time after a pause of the machine', () => {
    const { call, pass, ms } = thread();
    call();
    pass(25);
    // The calls that came in the pause are seen before its timer.
    expect(ms(3_025)).toBe(0);
    pass(3_025);
    for (let tick = 0; tick < 10; tick += 1) {
      expect(ms()).toBe(0);
      call();
      pass(25);
    }
  });

  it('is nothing when the clock is set on by hours', () => {
    const { call, pass, ms } = thread();
    call();
    expect(ms(3_600_000)).toBe(0);
    pass(3_600_000);
    expect(ms()).toBe(0);
    pass(825);
    pass(825);
    expect(ms()).toBe(800);
  });

  it('is measured only while there are calls', () => {
    const { call, pass, isTicking } = thread();
    call();
    pass(25);
    expect(isTicking()).toBe(true);
    pass(25);
    expect(isTicking()).toBe(false);
    call();
    expect(isTicking()).toBe(true);
  });

  it('is measured no longer once calls end, though each timer comes a little late', () => {
    const { call, pass, isTicking } = thread();
    call();
    for (let tick = 0; tick < 10; tick += 1) {
      pass(27);
    }
    expect(isTicking()).toBe(false);
  });

  it('is measured again when the object that measured it has ended', () => {
    const lag = new Lag();
    let clock = 0;
    const timers: (() => void)[] = [];
    const later = (run: () => void): number => timers.push(run);
    const note = (): void => lag.note(() => clock, later);
    note();
    for (let tick = 0; tick < 2; tick += 1) {
      clock += 1_025;
      timers.shift()?.();
    }
    expect(lag.msAt(clock)).toBe(1_000);
    // Its timer goes with the object, and calls come to others a while later.
    timers.length = 0;
    clock = 10_000;
    note();
    for (let tick = 0; tick < 6; tick += 1) {
      clock += 25;
      note();
      timers.shift()?.();
    }
    expect(lag.msAt(clock)).toBeLessThan(20);
  });
});
