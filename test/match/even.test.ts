// Even teams as a rule: what it lets form, when, and what people are told (docs/internals/design.md A18).

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain, waitReason } from '../../src/match/explain/explain';
import { preview, PreviewBody } from '../../src/match/explain/preview';
import { along, doubling, firstMs } from '../../src/match/rules/reach';
import { parseMode } from '../../src/match/rules/schema';
import { chancesOf } from '../../src/match/rules/plackett-luce';
import { points, skillAt } from '../../src/match/rules/skill';
import { makePool } from '../../src/match/waiting/make-pool';
import { ids, mode, ticket } from './support/make';

const EVEN = { type: 'balance', field: 'mmr', maxDifference: 10, widenTo: 70 } as const;
const squads = mode({ playersPerTeam: 2, rules: [EVEN] });

/** Singles with that rating, each a millisecond younger than the one before. */
const singles = (...ratings: readonly number[]) =>
  ratings.map((mmr, at) => ticket(`t${at}`, { at, state: { mmr } }));

describe('a balance rule', () => {
  it('lets the set of another age form where that of the eldest is too uneven', () => {
    const pool = makePool(squads);
    const all = singles(1000, 1100, 1200, 1500, 1310);
    const found = all.flatMap((each) => pool.enter(each, each.startedAt).matches);
    // 1000 and 1310 against 1100 and 1200 are 5 apart.
    expect(found.map(({ tickets }) => tickets)).toEqual([ids('t0', 't1', 't2', 't4')]);
    expect(found[0]?.teams.map(({ tickets }) => [...tickets].sort())).toEqual(
      expect.arrayContaining([ids('t0', 't4'), ids('t1', 't2')]),
    );
  });

  it('widens with the wait of the anchor, exact to the millisecond', () => {
    const pool = makePool(squads);
    // 1000 and 1140 against 1050 and 1050 are 20 apart; from 10 to 70 in 60 s.
    const all = singles(1000, 1050, 1050, 1140);
    expect(all.flatMap((each) => pool.enter(each, each.startedAt).matches)).toEqual([]);
    expect(pool.nextAt()).toBe(10_000);
    expect(pool.advance(9_999).matches).toEqual([]);
    expect(pool.advance(10_000).matches).toHaveLength(1);
  });

  it('starts a short match when its set is even enough, also where somebody came meanwhile and plays with others', () => {
    const rule = { ...EVEN, maxDifference: 20, widenTo: 200 };
    const steps = [{ afterSeconds: 6, minTeams: 3 }];
    const pool = makePool(mode({ teams: 4, timeout: 30, rules: [rule], steps }));
    const come = (at: number, ...ratings: readonly number[]): number =>
      ratings.flatMap((mmr, index) => {
        const each = ticket(`t${at}.${index}`, { at, state: { mmr } });
        return pool.enter(each, at).matches;
      }).length;
    // 1281 and 1362 are 81 apart, which the rule allows after 10.17 s. With anybody else they never may meet.
    expect(come(0, 1362, 1359, 1281)).toBe(0);
    expect(pool.advance(6_000).matches).toEqual([]);
    expect(come(7_000, 1020, 1022, 1024)).toBe(0);
    expect(come(7_100, 1026)).toBe(1);
    const matches = [];
    for (let at = pool.nextAt(); at !== null && at < 30_000; at = pool.nextAt()) {
      matches.push(...pool.advance(at).matches.map(({ tickets }) => [at, tickets.length]));
    }
    expect(matches).toEqual([[10_242, 3]]);
  });

  it('counts players, not parties', () => {
    const pool = makePool(mode({ playersPerTeam: 3, rules: [EVEN] }));
    const found = [
      pool.enter(ticket('pair', { size: 2, state: { mmr: 1000 } }), 0),
      pool.enter(ticket('low', { state: { mmr: 1300 } }), 0),
      // (2 x 1000 + 1300) / 3 and 1100 are equal; the means of parties would be 1150 and 1100.
      pool.enter(ticket('trio', { size: 3, state: { mmr: 1100 } }), 0),
    ].flatMap(({ matches }) => matches);
    expect(found).toHaveLength(1);
  });

  it('goes by the chance of a win, uncertainty and all, where the mode has a ladder', () => {
    const rating = { field: 'mmr', system: 'openskill' } as const;
    const duel = mode({ rules: [{ type: 'balance', field: 'mmr', win: 10 }], rating });
    const duelOf = (mmr: number, uncertainty: number): number => {
      const pool = makePool(duel);
      pool.enter(ticket('one', { state: { mmr: 1000, mmrUncertainty: uncertainty } }), 0);
      const other = ticket('other', { state: { mmr, mmrUncertainty: uncertainty } });
      return pool.enter(other, 0).matches.length;
    };
    expect([duelOf(1050, 60), duelOf(1200, 60), duelOf(1200, 400)]).toEqual([1, 0, 1]);
    expect(duelOf(1300, 400)).toBe(0);
    // Nobody has rated the two yet: even.
    const pool = makePool(duel);
    pool.enter(ticket('one'), 0);
    expect(pool.enter(ticket('other'), 0).matches).toHaveLength(1);
  });

  it('goes by the share of each player where teams have unequal places', () => {
    const rating = { field: 'mmr', system: 'openskill' } as const;
    const teamComposition = { hunters: { hunter: 1 }, prey: { runner: 4 } };
    const hunt = mode({
      rating,
      rules: [{ type: 'balance', field: 'mmr', win: 10 }],
      teams: 2,
      playersPerTeam: 4,
      minPlayersPerTeam: 4,
      maxPartySize: 4,
      teamComposition,
    });
    const state = (mmr: number) => ({ mmr, mmrUncertainty: 60 });
    const played = (mmr: number): number => {
      const pool = makePool(hunt);
      pool.enter(ticket('one', { state: state(mmr), roles: [['hunter']] }), 0);
      const all = [1, 2, 3, 4].map((at) =>
        pool.enter(ticket(`r${at}`, { state: state(1000), roles: [['runner']] }), 0),
      );
      return all.flatMap(({ matches }) => matches).length;
    };
    expect([played(1000), played(1100), played(1300)]).toEqual([1, 1, 0]);
  });

  it('is told as what it is', () => {
    const all = singles(1000, 1050, 1050, 1140);
    const [one, ...others] = all;
    const words = '4 players fit, but the most even teams are 20 of mmr apart: too uneven yet';
    expect(one && explain(squads, one, others, 5_000).obstacles).toEqual([words]);
    expect(one && waitReason(squads, one, others, 5_000).because).toBe(words);
    expect(one && explain(squads, one, others, 10_000).obstacles).toEqual([]);
    const rating = { field: 'mmr', system: 'openskill' } as const;
    const duel = mode({ rules: [{ type: 'balance', field: 'mmr', win: 10 }], rating });
    const state = (mmr: number) => ({ mmr, mmrUncertainty: 60 });
    const two = [1000, 1200].map((mmr, at) => ticket(`d${at}`, { state: state(mmr) }));
    const chances = chancesOf([[skillAt(1000, 60)], [skillAt(1200, 60)]]);
    const percent = Math.round(100 * Math.max(...chances));
    expect(two[0] && explain(duel, two[0], two.slice(1), 0).obstacles).toEqual([
      `2 players fit, but the fairest teams win ${percent} to ${100 - percent}: too uneven yet`,
    ]);
    const sides = [{ state: { mmr: 1000 } }, { state: { mmr: 1000 } }, { state: { mmr: 1200 } }];
    const asked = (a = sides[0], b = sides[1]) => {
      const even = mode({ rules: [EVEN] });
      return preview(even, PreviewBody.parse({ mode: {}, a, b }), 0).matchesNow;
    };
    expect([asked(), asked(sides[0], sides[2])]).toEqual([true, false]);
  });

  it('is refused where it says nothing or too much', () => {
    const said = (rules: readonly object[], over: object = {}): readonly string[] => {
      const read = parseMode({ playersPerTeam: 2, rules, ...over });
      return read.ok ? [] : read.refusal.map(({ path, message }) => `${path}: ${message}`);
    };
    expect(said([EVEN])).toEqual([]);
    expect(said([{ type: 'balance', field: 'mmr' }])).toEqual([
      expect.stringContaining('give either maxDifference or win'),
    ]);
    expect(said([{ ...EVEN, win: 3 }])).toHaveLength(1);
    expect(said([{ ...EVEN, widenTo: 5 }])).toHaveLength(1);
    expect(said([EVEN, EVEN])).toHaveLength(1);
    expect(said([{ type: 'balance', field: 'mmr', win: 3 }])).toHaveLength(1);
  });
});

describe('a reach', () => {
  const curve = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 90 })), {
      minLength: 1,
      maxLength: 6,
    })
    .map((steps) => {
      const drawn: [number, number][] = [[0, steps[0]?.[1] ?? 0]];
      for (const [seconds, more] of steps) {
        const [since, reach] = drawn.at(-1) ?? [0, 0];
        drawn.push([since + seconds, reach + more]);
      }
      return drawn;
    });

  it('is as far by a rule that doubles as by the same line drawn', () => {
    for (let waitMs = 0; waitMs < 60_000; waitMs += 100) {
      const line = along([
        [0, 100],
        [60, 200],
      ]);
      expect([waitMs, doubling(100, 60).at(waitMs)]).toEqual([waitMs, line.at(waitMs)]);
    }
  });

  it('is found however far the guess is off, and never where it does not come', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), (start, guess, from) => {
        expect(firstMs(start, guess, (at) => at >= from)).toBe(Math.max(start, from));
      }),
    );
    expect(firstMs(0, 5, () => false)).toBe(Infinity);
  });

  it('never falls, and says when it is that far', () => {
    fc.assert(
      fc.property(curve, fc.double({ min: 0, max: 700, noNaN: true }), (of, gap) => {
        const reach = along(of);
        const last = of.at(-1)?.[1] ?? 0;
        const at = firstMs(0, reach.when(gap), (ms) => gap <= reach.at(ms));
        if (gap > last) {
          expect(at).toBe(Infinity);
        } else {
          expect([reach.at(at) >= gap, at === 0 || reach.at(at - 1) < gap]).toEqual([true, true]);
        }
      }),
    );
  });
});

describe('points', () => {
  it('are read back as the skill that they show', () => {
    const skill = skillAt(1240, 120);
    expect(points(skill)).toEqual({ rating: 1240, uncertainty: 120 });
  });
});
