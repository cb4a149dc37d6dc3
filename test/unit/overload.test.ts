// What is refused while the service is behind, and how it knows.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overload } from '../../src/http/overload';
import { HEALTH, ROUTES } from '../../src/http/routes';
import { Lag } from '../../src/objects/kit/lag';

const SEARCH = 'POST /lobbies/:config/me/matchmaking';

/** Refused at so many milliseconds behind, as `POST /path`. */
function refusedAt(lagMs: number): readonly string[] {
  return ROUTES.filter((route) => overload(route, lagMs, 0) !== null).map(
    ({ method, path }) => `${method} ${path}`,
  );
}

describe('overload', () => {
  it('refuses nothing while the service keeps up', () => {
    expect(refusedAt(0)).toEqual([]);
    expect(refusedAt(800)).toEqual([]);
  });

  it('refuses new work first', () => {
    expect(refusedAt(900)).toEqual([
      'POST /lobbies/:config',
      'POST /lobbies/:config/join',
      'POST /lobbies/:config/me/start',
      'POST /lobbies/:config/me/matchmaking',
      'POST /servers/start',
    ]);
  });

  it('refuses a search of the hosted SDK, which never tries again, only when it is two seconds behind', () => {
    const [search] = ROUTES.filter(({ line }) => line === SEARCH);
    const codes = [900, 2_000, 2_100].map((lagMs) =>
      search === undefined ? null : (overload(search, lagMs, 0, true)?.code ?? 'ok'),
    );
    expect(codes).toEqual(['ok', 'ok', 'OVERLOADED']);
    const others = ROUTES.filter(({ line }) => line !== SEARCH);
    for (const route of others) {
      expect(overload(route, 900, 0, true)).toEqual(overload(route, 900, 0));
    }
  });

  it('refuses leaves, cancels, confirms, heartbeats and reads last', () => {
    const refused = refusedAt(3_000);
    expect(refused).toContain('PATCH /lobbies/:config/me');
    for (const kept of [
      'DELETE /lobbies/:config/me',
      'DELETE /lobbies/:config/me/matchmaking',
      'POST /lobbies/:config/me/confirm-match',
      'POST /lobbies/:config/me/heartbeat',
      'GET /lobbies/:config/me',
      'GET /lobbies/:config/me/events',
      'POST /servers/:id/status',
    ]) {
      expect(refused).not.toContain(kept);
      expect(refusedAt(10_000)).toContain(kept);
    }
  });

  it('never refuses /health, and spreads when to come back', () => {
    expect(overload(HEALTH, 60_000, 0)).toBeNull();
    const [create] = ROUTES;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (chance) => {
        const refused = create === undefined ? null : overload(create, 1_000, chance);
        expect(refused).toMatchObject({ code: 'OVERLOADED' });
        expect(refused?.retryAfter).toBeGreaterThanOrEqual(1);
        expect(refused?.retryAfter).toBeLessThanOrEqual(3);
      }),
    );
  });
});

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

  it('is how late its timer comes, rises at once and falls within some ticks', () => {
    const { call, pass, ms } = thread();
    call();
    pass(25);
    expect(ms()).toBe(0);
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

  it('is known while the timer is still to come', () => {
    const { call, ms } = thread();
    expect(ms(5_000)).toBe(0);
    call();
    expect(ms(25)).toBe(0);
    expect(ms(925)).toBe(900);
  });

  it('is nothing when the clock is set on by hours', () => {
    const { call, pass, ms } = thread();
    call();
    expect(ms(3_600_000)).toBe(0);
    pass(3_600_000);
    expect(ms()).toBe(0);
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
    clock = 1_025;
    timers.shift()?.();
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
