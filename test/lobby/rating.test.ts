// What a result makes of ratings (record 0047).

import { describe, expect, it } from 'vitest';
import type { PlayerId } from '../../src/common/ids';
import {
  rankedTeams,
  ratedAttributes,
  ratedBy,
  resetBy,
  type RatedTeam,
} from '../../src/lobby/rating';
import { random } from '../match/support/random';
import { cautious, points, START, type Skill } from '../../src/match/rules/skill';

const ids = (names: string): PlayerId[] => names.split(' ') as PlayerId[];
const fresh = (): Skill => START;

/** Teams in the order of their ranks; a `-` before a name: abandoned. */
function ranked(...teams: readonly (readonly [rank: number, names: string])[]): RatedTeam[] {
  return teams.map(([rank, names]) => ({
    rank,
    players: names.split(' ').map((name) => ({
      id: name.replace('-', '') as PlayerId,
      abandoned: name.startsWith('-'),
    })),
  }));
}

function moved(rated: ReadonlyMap<PlayerId, Skill>, id: string): number {
  return (rated.get(id as PlayerId)?.mu ?? START.mu) - START.mu;
}

describe('ratings', () => {
  it('show a new player as 1000 points with an uncertainty of 400', () => {
    expect(points(START)).toEqual({ rating: 1000, uncertainty: 400 });
    expect(ratedAttributes('mmr', START)).toEqual({ mmr: 1000, mmrUncertainty: 400 });
  });

  it('move the winner up and the loser down, and make both more certain', () => {
    const rated = ratedBy(ranked([1, 'ann'], [2, 'ben']), fresh);
    expect(moved(rated, 'ann')).toBeGreaterThan(1);
    expect(moved(rated, 'ben')).toBeCloseTo(-moved(rated, 'ann'), 10);
    expect(rated.get('ann' as PlayerId)?.sigma).toBeLessThan(START.sigma);
    expect(rated.get('ben' as PlayerId)?.sigma).toBeLessThan(START.sigma);
  });

  it('stay as they are where a match is beyond what numbers can hold', () => {
    const team = (letter: string) => Array.from({ length: 100 }, (_, at) => letter + at).join(' ');
    const titan = (): Skill => ({ mu: 1_000, sigma: 0.1 });
    const rated = ratedBy(ranked([1, team('a')], [2, team('b')]), titan);
    expect([...rated.values()].every(({ mu, sigma }) => mu === 1_000 && sigma === 0.1)).toBe(true);
    expect(rated.size).toBe(200);
  });

  it('do not depend on the order in which teams are told', () => {
    const one = ratedBy(ranked([1, 'ann'], [2, 'ben'], [3, 'cat']), fresh);
    const other = ratedBy(ranked([3, 'cat'], [1, 'ann'], [2, 'ben']), fresh);
    for (const id of ids('ann ben cat')) {
      expect(other.get(id)?.mu).toBeCloseTo(one.get(id)?.mu ?? 0, 10);
    }
  });

  it('move nobody of equal skill at a tie, and an upset further than an expected win', () => {
    const tie = ratedBy(ranked([1, 'ann'], [1, 'ben']), fresh);
    expect(moved(tie, 'ann')).toBeCloseTo(0, 10);
    const strong = (id: PlayerId): Skill => ({ mu: id === 'ann' ? 35 : 25, sigma: 3 });
    const expected = ratedBy(ranked([1, 'ann'], [2, 'ben']), strong).get('ben' as PlayerId);
    const upset = ratedBy(ranked([1, 'ben'], [2, 'ann']), strong).get('ben' as PlayerId);
    expect((upset?.mu ?? 0) - 25).toBeGreaterThan(25 - (expected?.mu ?? 0));
  });

  it('order a free for all by rank', () => {
    const rated = ratedBy(
      ranked([1, 'ann'], [2, 'ben'], [3, 'cat'], [4, 'dan'], [5, 'eve']),
      fresh,
    );
    const mus = ids('ann ben cat dan eve').map((id) => moved(rated, id));
    expect(mus).toEqual(mus.toSorted((a, b) => b - a));
    expect(new Set(mus).size).toBe(5);
  });

  it('rank those who tie ahead of those behind them', () => {
    const names = 'ann ben cat dan eve fay gus hal';
    const game = names
      .split(' ')
      .map((name, at) => [Math.max(1, at === 1 ? 1 : at + 1), name] as const);
    const rated = ratedBy(ranked(...game), fresh);
    const shown = ids(names).map((id) => points(rated.get(id) ?? START).rating);
    expect(shown).toEqual([1105, 1105, 1079, 1056, 1028, 990, 932, 805]);
  });

  it('take teams of different size', () => {
    const rated = ratedBy(ranked([1, 'ann'], [2, 'ben cat dan']), fresh);
    expect(moved(rated, 'ann')).toBeGreaterThan(0);
    expect(moved(rated, 'cat')).toBeLessThan(0);
    expect(rated.size).toBe(4);
  });

  it('rate nothing where there is nothing to compare', () => {
    expect(ratedBy(ranked([1, 'ann ben']), fresh).size).toBe(0);
    expect(ratedBy([...ranked([1, 'ann']), { rank: 2, players: [] }], fresh).size).toBe(0);
    expect(ratedBy(ranked([1, '-ann'], [2, '-ben']), fresh).size).toBe(0);
  });
});

describe('teams of unequal places', () => {
  /** 1 against 4 of fifty players, who get their team by chance; each team wins every other game. */
  function meanAfter(games: number, isEach: boolean, seed: number): number {
    const chance = random(seed);
    const players = Array.from({ length: 50 }, (_, at) => `p${at}` as PlayerId);
    const skills = new Map<PlayerId, Skill>();
    const skillOf = (id: PlayerId): Skill => skills.get(id) ?? START;
    for (let game = 0; game < games; game += 1) {
      const [one, ...others] = players
        .map((id) => ({ id, abandoned: false, at: chance.unit() }))
        .sort((a, b) => a.at - b.at)
        .slice(0, 5);
      const sides = [one ? [one] : [], others];
      const teams = sides.map((side, team) => ({
        rank: 1 + ((team + game) % 2),
        players: side,
        ...(isEach && { places: side.length }),
      }));
      ratedBy(teams, skillOf).forEach((skill, id) => skills.set(id, skill));
    }
    return players.reduce((sum, id) => sum + skillOf(id).mu, 0) / players.length;
  }

  it('keep the mean where each wins half, and lose all of it if the places are not told', () => {
    const means = [1, 2, 3, 4].map((seed) => meanAfter(1000, true, seed));
    const mean = means.reduce((sum, each) => sum + each, 0) / means.length;
    expect(Math.abs(mean / START.mu - 1)).toBeLessThan(0.01);
    expect(meanAfter(1000, false, 1)).toBeLessThan(5);
  });

  it('are told with the ranks', () => {
    const teams = [ids('ann'), ids('ben cat')];
    const told = {
      teams: [
        { team: 1, rank: 1 },
        { team: 0, rank: 2 },
      ],
    };
    const places = rankedTeams(told, teams, [1, 4]).map((team) => team.places);
    expect(places).toEqual([4, 1]);
    expect(rankedTeams(told, teams)[0]).not.toHaveProperty('places');
  });
});

describe('a player who abandoned', () => {
  it('loses alone: the others are rated as if it had not been there', () => {
    const rated = ratedBy(ranked([1, 'ann -ben'], [2, 'cat dan']), fresh);
    const without = ratedBy(ranked([1, 'ann'], [2, 'cat dan']), fresh);
    for (const id of ids('ann cat dan')) {
      expect(rated.get(id)).toEqual(without.get(id));
    }
    expect(moved(rated, 'ben')).toBeLessThan(-1);
  });

  it('loses more than the teammates who lost', () => {
    const rated = ratedBy(ranked([2, 'ann -ben'], [1, 'cat dan']), fresh);
    expect(moved(rated, 'ben')).toBeLessThan(moved(rated, 'ann'));
  });

  it('loses a duel to the one who stayed, whatever the result says', () => {
    const rated = ratedBy(ranked([1, '-ann'], [2, 'ben']), fresh);
    expect(rated).toEqual(new Map(ratedBy(ranked([2, 'ann'], [1, 'ben']), fresh)));
  });
});

it('ranks teams by score, the highest first, with ties', () => {
  const teams = [ids('ann'), ids('ben'), ids('cat')];
  const told = [
    { team: 2, score: 7 },
    { team: 0, score: 7 },
    { team: 1, score: 3, players: [{ id: 'ben', abandoned: true }] },
  ];
  expect(rankedTeams({ teams: told }, teams)).toEqual([
    { rank: 1, players: [{ id: 'cat', abandoned: false }] },
    { rank: 1, players: [{ id: 'ann', abandoned: false }] },
    { rank: 3, players: [{ id: 'ben', abandoned: true }] },
  ]);
});

it('goes back to the start by a factor', () => {
  const skill = { mu: 35, sigma: 2 };
  expect(resetBy(0, skill)).toEqual(skill);
  expect(resetBy(1, skill)).toEqual({ mu: START.mu, sigma: START.sigma });
  expect(resetBy(0.5, skill).mu).toBe(30);
  expect(cautious(resetBy(0.5, skill))).toBeLessThan(cautious(skill));
});
