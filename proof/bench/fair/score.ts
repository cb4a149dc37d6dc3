// What became of the arrivals under a policy: how long players waited, and how even their games were.

import type { Party, Shape } from './population';

export interface Game {
  /** ms. */
  readonly at: number;
  readonly teams: readonly (readonly Party[])[];
}

/** The p50, p90 and p99. */
export type Spread = readonly [number, number, number];

export interface Score {
  /** Seconds that players waited. */
  readonly wait: Spread;
  /** Points of a hundred by which the likeliest or unlikeliest team's chance of a win is off an even one, by game. */
  readonly unfair: Spread;
  /** Share of the games in which no team's chance is further than 5 points from even; of two teams: 45 to 55. */
  readonly within5: number;
  /** The same for 10 points. */
  readonly within10: number;
  /** Share of the parties that came into no game. */
  readonly never: number;
  /** The hundredth of the parties that is furthest from the mean: how long half of them waited at most, s. */
  readonly rarest: number;
  /** Seconds that nine of ten parties of each size waited at most. */
  readonly bySize: readonly number[];
  /** Seconds that half of the parties waited at most, by tenth of skill, weakest first. */
  readonly byTenth: readonly number[];
  /** Games of younger parties alone, within 100 points, that began while a party waited: the mean of the parties. */
  readonly overtaken: number;
}

/** Nothing that arrives before is counted: a queue begins empty. */
const WARM_MS = 300_000;
const NEAR = 100;

export function score(parties: readonly Party[], games: readonly Game[], shape: Shape): Score {
  const matched = games.flatMap(({ at, teams }) =>
    teams.flat().map((party) => ({ party, waited: (at - party.at) / 1000 })),
  );
  const warm = matched.filter(({ party }) => party.at >= WARM_MS);
  const last = parties.at(-1)?.at ?? 0;
  const counted = parties.filter(({ at }) => at >= WARM_MS && at < last - WARM_MS);
  const found = new Set(matched.map(({ party }) => party.id));
  const unfair = games
    .filter(({ at }) => at >= WARM_MS)
    .map((game) => unfairness(game.teams, shape));
  const far = sorted(warm.map(({ party }) => Math.abs(party.mean - 1500)));
  const rare = far[Math.floor(far.length * 0.99)] ?? 0;
  const skills = sorted(warm.map(({ party }) => party.mean));
  const tenth = (of: Party): number =>
    Math.min(9, Math.floor((10 * lowerBound(skills, of.mean)) / skills.length));
  const waits = (of: (party: Party) => boolean): readonly number[] =>
    sorted(warm.filter(({ party }) => of(party)).map(({ waited }) => waited));
  const share = (points: number): number =>
    unfair.filter((each) => each <= points).length / unfair.length;
  return {
    wait: spread(warm.flatMap(({ party, waited }) => party.ratings.map(() => waited))),
    unfair: spread(unfair),
    within5: share(5),
    within10: share(10),
    never: counted.filter(({ id }) => !found.has(id)).length / counted.length,
    rarest: part(
      waits(({ mean }) => Math.abs(mean - 1500) >= rare),
      0.5,
    ),
    bySize: Array.from({ length: shape.size }, (_, index) =>
      part(
        waits(({ ratings }) => ratings.length === index + 1),
        0.9,
      ),
    ),
    byTenth: Array.from({ length: 10 }, (_, index) =>
      part(
        waits((party) => tenth(party) === index),
        0.5,
      ),
    ),
    overtaken: overtaken(matched, games),
  };
}

/** By the model of Elo on the means of the teams, and its like for more than two. */
export function unfairness(teams: readonly (readonly Party[])[], { size }: Shape): number {
  const strength = teams.map((team) => {
    const sum = team.reduce((all, { mean, ratings }) => all + mean * ratings.length, 0);
    return 10 ** (sum / size / 400);
  });
  const all = strength.reduce((sum, each) => sum + each, 0);
  return Math.max(...strength.map((each) => Math.abs((100 * each) / all - 100 / teams.length)));
}

function overtaken(
  matched: readonly { readonly party: Party; readonly waited: number }[],
  games: readonly Game[],
): number {
  const seen = games
    .map(({ at, teams }) => {
      const all = teams.flat();
      const mean = all.reduce((sum, each) => sum + each.mean, 0) / all.length;
      return { at, eldest: Math.min(...all.map((each) => each.at)), mean };
    })
    .sort((one, other) => one.at - other.at);
  const times = seen.map(({ at }) => at);
  const passed = matched.map(({ party, waited }) => {
    let count = 0;
    for (let index = lowerBound(times, party.at); index < seen.length; index += 1) {
      const game = seen[index];
      if (game === undefined || game.at >= party.at + waited * 1000) {
        break;
      }
      count += game.eldest > party.at && Math.abs(game.mean - party.mean) <= NEAR ? 1 : 0;
    }
    return count;
  });
  return passed.reduce((sum, each) => sum + each, 0) / Math.max(1, passed.length);
}

/** The first index whose value is not below. */
function lowerBound(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((one, other) => one - other);
}

function part(values: readonly number[], of: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * of))] ?? Number.NaN;
}

function spread(values: readonly number[]): Spread {
  const all = sorted(values);
  return [part(all, 0.5), part(all, 0.9), part(all, 0.99)];
}
