// Which requests are refused first while the service is behind or its disk is full.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, refusedUnder, rungOf, type Load } from '../../../src/http/gate/ladder';
import { HEALTH, ROUTES } from '../../../src/http/serve/routes';

const SEARCH = 'POST /lobbies/:config/me/matchmaking';
const LEVELS = ['ok', 'filling', 'low', 'full', 'spent'] as const;
const RUNGS = ['first', 'next', 'last'] as const;

/** The routes that are refused at so many milliseconds behind, as `POST /path`. */
function refusedAt(behindMs: number): readonly string[] {
  return ROUTES.filter((route) => refusedUnder({ behindMs }, route, false, 0) !== null).map(
    ({ method, path }) => `${method} ${path}`,
  );
}

describe('the ladder', () => {
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
      'POST /lobbies/:config/me/move',
      'POST /lobbies/:config/:id/move',
      'POST /matches',
      'POST /lobbies/:config/me/rematch',
      'POST /lobbies/:config/quick-join',
      'POST /servers/start',
    ]);
  });

  it('refuses a search of the hosted SDK, which never tries again, only when it is two seconds behind', () => {
    const [search] = ROUTES.filter(({ line }) => line === SEARCH);
    const codes = [900, 2_000, 2_100].map((behindMs) =>
      search === undefined ? null : (refusedUnder({ behindMs }, search, true, 0)?.code ?? 'ok'),
    );
    expect(codes).toEqual(['ok', 'ok', 'OVERLOADED']);
    const others = ROUTES.filter(({ line }) => line !== SEARCH);
    const load = { behindMs: 900 };
    for (const route of others) {
      expect(refusedUnder(load, route, true, 0)).toEqual(refusedUnder(load, route, false, 0));
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
    expect(refusedUnder({ behindMs: 60_000, disk: 'spent' }, HEALTH, false, 0)).toBeNull();
    const [create] = ROUTES;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (chance) => {
        const load = { behindMs: 1_000 };
        const refused = create === undefined ? null : refusedUnder(load, create, false, chance);
        expect(refused).toMatchObject({ code: 'OVERLOADED' });
        expect(refused?.retryAfter).toBeGreaterThanOrEqual(1);
        expect(refused?.retryAfter).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('under any load, the ladder', () => {
  const loads: fc.Arbitrary<Load> = fc.record({
    behindMs: fc.oneof(fc.integer({ min: 0, max: 8_000 }), fc.constantFrom(800, 2_000, 5_000)),
    disk: fc.constantFrom(...LEVELS),
    isDoorShut: fc.boolean(),
  });
  const routes = fc.constantFrom(...ROUTES);
  const isRefused = (load: Load, route: (typeof ROUTES)[number], isSdk = false): boolean =>
    refusedUnder(load, route, isSdk, 0) !== null;

  it('refuses no request before one of a lower rung', () => {
    fc.assert(
      fc.property(loads, routes, routes, (load, one, other) => {
        const isEarlier = RUNGS.indexOf(rungOf(one)) < RUNGS.indexOf(rungOf(other));
        fc.pre(isEarlier && isRefused(load, other));
        expect(isRefused(load, one)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('admits no more when a gauge rises', () => {
    fc.assert(
      fc.property(loads, loads, routes, fc.boolean(), (one, other, route, isSdk) => {
        const disk = LEVELS[Math.max(LEVELS.indexOf(one.disk), LEVELS.indexOf(other.disk))];
        const more = {
          behindMs: Math.max(one.behindMs, other.behindMs),
          disk: disk ?? 'ok',
          isDoorShut: one.isDoorShut || other.isDoorShut,
        };
        fc.pre(isRefused(one, route, isSdk));
        expect(isRefused(more, route, isSdk)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses nobody for being patient, and no read for the disk', () => {
    fc.assert(
      fc.property(loads, routes, (load, route) => {
        if (isRefused(load, route, true)) {
          expect(isRefused(load, route)).toBe(true);
        }
        const onlyDisk = { ...load, behindMs: 0, isDoorShut: false };
        expect(route.method === 'GET' && isRefused(onlyDisk, route)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps more of a caller its rate for those that are refused later', () => {
    const shares = RUNGS.map((rung) => LADDER[rung].share);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    expect(shares.at(-1)).toBe(0);
  });
});
