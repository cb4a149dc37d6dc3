// The model that rates, against openskill, against averages over all orders of those who tie, and against Bradley and
// Terry's model, which compares every two.

import * as fc from 'fast-check';
import { bradleyTerryFull } from 'openskill/models';
import { rate } from 'openskill';
import { describe, expect, it } from 'vitest';
import { chancesOf, ratedSkills } from '../../src/match/rules/plackett-luce';
import { points, type Skill, START } from '../../src/match/rules/skill';

type Teams = readonly (readonly Skill[])[];
type Game = { readonly teams: Teams; readonly ranks: readonly number[] };

const skill = fc.record({
  mu: fc.double({ min: -20, max: 70, noNaN: true }),
  sigma: fc.double({ min: 0.5, max: 9, noNaN: true }),
});
const gameOf = (team: fc.Arbitrary<readonly Skill[]>, most: number) =>
  fc
    .array(fc.tuple(team, fc.integer({ min: 1, max: 5 })), { minLength: 2, maxLength: most })
    .map((all): Game => {
      const ranks = all.map(([, rank]) => rank);
      return { teams: all.map(([each]) => each), ranks };
    });
const alone = skill.map((each) => [each]);
/** As skills are in games: for others, the average over orders is approached less closely. */
const usual = fc
  .record({
    mu: fc.double({ min: 5, max: 45, noNaN: true }),
    sigma: fc.double({ min: 1, max: 9, noNaN: true }),
  })
  .map((each) => [each]);
const team = fc.array(skill, { minLength: 1, maxLength: 4 });

/** As openskill takes teams: it writes into them, and ranks need to be 1, 2, 3. */
function byOpenskill({ teams, ranks }: Game, options: Parameters<typeof rate>[1] = {}): Teams {
  const known = [...new Set(ranks)].toSorted((a, b) => a - b);
  const rank = ranks.map((each) => 1 + known.indexOf(each));
  return rate(
    teams.map((each) => each.map((one) => ({ ...one }))),
    { tau: 0, rank, ...options },
  );
}

const byUs = ({ teams, ranks }: Game): Teams => ratedSkills(teams, ranks);
const gains = ({ teams }: Game, after: Teams): readonly number[] =>
  teams.map(([before], at) => (after[at]?.[0]?.mu ?? NaN) - (before?.mu ?? NaN));

function permuted<T>(all: readonly T[]): readonly (readonly T[])[] {
  return all.length < 2
    ? [all]
    : all.flatMap((one, at) => permuted(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}

/** The mean of openskill's means over all orders of those who tie. */
function overAllOrders({ teams, ranks }: Game): readonly number[] {
  const groups = [...Map.groupBy(ranks.keys(), (at) => ranks[at] ?? 0)].sort(([a], [b]) => a - b);
  const orders = groups.reduce<readonly (readonly number[])[]>(
    (all, [, tied]) => all.flatMap((order) => permuted(tied).map((next) => [...order, ...next])),
    [[]],
  );
  const each = orders.map((order) =>
    byOpenskill({ teams, ranks: teams.map((_, at) => 1 + order.indexOf(at)) }),
  );
  return teams.map(
    (_, at) => each.reduce((sum, after) => sum + (after[at]?.[0]?.mu ?? NaN), 0) / each.length,
  );
}

describe('without ties, and of two teams', () => {
  it('the numbers are those of openskill to the last digit', () => {
    fc.assert(
      fc.property(gameOf(team, 8), ({ teams }) => {
        const orders = teams.map((_, at) => at + 1);
        for (const ranks of [orders, orders.toReversed()]) {
          expect(byUs({ teams, ranks })).toEqual(byOpenskill({ teams, ranks }));
        }
        const two = { teams: teams.slice(0, 2), ranks: [1, 1] };
        expect(byUs(two)).toEqual(byOpenskill(two));
      }),
    );
  });
});

describe('ties', () => {
  it('are no longer worth less than the ranks behind them', () => {
    // As uncertain as a new player is when a match begins.
    const fresh = { ...START, sigma: Math.hypot(START.sigma, START.mu / 300) };
    const teams = Array.from({ length: 8 }, () => [fresh]);
    const game = { teams, ranks: [1, 1, 3, 4, 5, 6, 7, 8] };
    const shown = (after: Teams) => after.map(([one]) => points(one ?? START).rating);
    expect(shown(byOpenskill(game))).toEqual([1049, 1049, 1094, 1072, 1044, 1006, 948, 821]);
    expect(shown(byUs(game))).toEqual([1105, 1105, 1079, 1056, 1028, 990, 932, 805]);
  });

  it('give nobody behind more than somebody ahead who was equal before, as in Bradley and Terry', () => {
    const unequal = gameOf(alone, 12);
    fc.assert(
      fc.property(unequal, skill, fc.array(fc.boolean()), ({ teams, ranks }, same, who) => {
        const equal = teams.map((each, at) => (who[at] === false ? each : [same]));
        const game = { teams: equal, ranks };
        const [ours, pairwise] = [byUs(game), byOpenskill(game, { model: bradleyTerryFull })];
        for (const after of [ours, pairwise]) {
          const gained = gains(game, after);
          const shown = after.map(([one]) => points(one ?? START).rating);
          const those = equal.flatMap(([one], at) => (one === same ? [at] : []));
          const best = those.toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
          best.slice(1).forEach((at, index) => {
            const ahead = best[index] ?? at;
            expect(gained[at]).toBeLessThanOrEqual((gained[ahead] ?? 0) + 1e-9);
            expect(after === ours && (shown[at] ?? 0) > (shown[ahead] ?? 0)).toBe(false);
            if (ranks[at] === ranks[ahead]) {
              expect(gained[at]).toBeCloseTo(gained[ahead] ?? NaN, 9);
            }
          });
        }
      }),
    );
  });

  it('are the average over all orders, exactly for two who tie or equals, and closely for others', () => {
    fc.assert(
      fc.property(gameOf(usual, 6), ({ teams, ranks }) => {
        const counts = [...Map.groupBy(ranks, (rank) => rank).values()].map((all) => all.length);
        const isExact = Math.max(...counts) <= 2;
        const exact = overAllOrders({ teams, ranks });
        byUs({ teams, ranks }).forEach(([one], at) => {
          const moved = Math.abs((exact[at] ?? NaN) - (teams[at]?.[0]?.mu ?? NaN));
          const off = Math.abs((one?.mu ?? NaN) - (exact[at] ?? NaN));
          expect(off).toBeLessThanOrEqual(isExact ? 1e-9 : 2 + 0.3 * moved);
        });
        const equals = { teams: teams.map(() => [START]), ranks };
        const equally = overAllOrders(equals);
        byUs(equals).forEach(([one], at) => expect(one?.mu).toBeCloseTo(equally[at] ?? NaN, 9));
      }),
    );
  });

  it('neither add nor take skill among players of one uncertainty', () => {
    fc.assert(
      fc.property(gameOf(alone, 12), ({ teams, ranks }) => {
        const game = { teams: teams.map(([one = START]) => [{ ...one, sigma: 3 }]), ranks };
        const all = gains(game, byUs(game)).reduce((sum, gain) => sum + gain, 0);
        expect(all).toBeCloseTo(0, 9);
      }),
    );
  });
});

describe('a chance', () => {
  it('is that by which the model expects the result: what all gain on average is nothing', () => {
    fc.assert(
      fc.property(team, team, (one, other) => {
        const [first = NaN, second = NaN] = chancesOf([one, other]);
        expect(first + second).toBeCloseTo(1, 12);
        const [won, lost] = [[1, 2] as const, [2, 1] as const].map(
          (ranks) => (ratedSkills([one, other], ranks)[0]?.[0]?.mu ?? NaN) - (one[0]?.mu ?? NaN),
        );
        expect(first * (won ?? NaN) + second * (lost ?? NaN)).toBeCloseTo(0, 9);
      }),
    );
  });

  it('holds also beyond what powers can hold', () => {
    const strong = [{ mu: 100_000, sigma: 1 }];
    expect(chancesOf([strong, [START]])).toEqual([1, 0]);
  });
});

describe('teams of unequal places', () => {
  const four = [START, START, START, START];

  it('are even if their players are, and move by the share of each', () => {
    expect(chancesOf([[START], four], [1, 4])).toEqual([0.5, 0.5]);
    const [[one] = [], others = []] = ratedSkills([[START], four], [1, 2], [1, 4]);
    const lost = others.reduce((sum, { mu }) => sum + START.mu - mu, 0);
    expect((one?.mu ?? NaN) - START.mu).toBeCloseTo(lost, 9);
  });

  it('count for less where places are empty', () => {
    const [one = NaN] = chancesOf([[START], four.slice(1)], [1, 4]);
    expect(one).toBeGreaterThan(0.6);
  });
});
