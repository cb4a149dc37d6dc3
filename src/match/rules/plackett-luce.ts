// The model that rates, Plackett and Luce's with the updates of Weng and Lin (record 0086): how likely each team is to
// win, and what a result makes of the skills. Without ties its numbers are those of the package `openskill` 4.1.1.

import { must } from '../../common/result';
import { type Skill, START } from './skill';

/** Skills of the players of each team. */
type TeamSkills = readonly (readonly Skill[])[];
/** Players of each team when it is full; a team counts by its players' sum over that. Absent: alike. */
type PlacesOfTeams = readonly number[] | undefined;

/** By how much performances vary beside skills, squared. */
const LUCK = (START.sigma / 2) ** 2;
/** The part of a variance that is left at least. */
const LEAST_VARIANCE = 0.0001;

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

/** Each team as a whole. */
function sidesOf(teams: TeamSkills, places: PlacesOfTeams = teams.map(() => 1)) {
  const least = Math.min(...places);
  return teams.map((skills, at) => {
    const share = least / (places[at] ?? least);
    const mu = share * sumOf(skills.map((skill) => skill.mu));
    const variance = share ** 2 * sumOf(skills.map(({ sigma }) => sigma * sigma));
    return { skills, share, mu, variance, rank: 0, strength: 0, gain: 0, learned: 0 };
  });
}

type RatedSide = ReturnType<typeof sidesOf>[number];

/** The scale of the logistic in which teams are compared, as Weng and Lin call it. */
function cOf(sides: readonly RatedSide[]): number {
  return Math.sqrt(sumOf(sides.map(({ variance }) => variance + LUCK)));
}

/** How much of a side is left when `first` is taken, if `left` of those who tie with it are. */
function partOf(side: RatedSide, first: RatedSide, left: number): number {
  return side.rank === first.rank && side !== first ? left : 1;
}

/** How likely each team is to win, 0 to 1, by the model that rates the results. */
export function chancesOf(teams: TeamSkills, places?: PlacesOfTeams): readonly number[] {
  const sides = sidesOf(teams, places);
  const c = cOf(sides);
  const best = Math.max(...sides.map(({ mu }) => mu));
  const strengths = sides.map(({ mu }) => Math.exp((mu - best) / c));
  return strengths.map((strength) => strength / sumOf(strengths));
}

/**
 * The skills after a match. `ranks`: 1 is the best. A tie counts as the average over the orders of those who share the rank,
 * where those of them who are left count at their mean. So of teams that were equal before, none gains more than one
 * ahead of it, and ties neither add nor take skill.
 */
export function ratedSkills(
  teams: TeamSkills,
  ranks: readonly number[],
  places?: PlacesOfTeams,
): TeamSkills {
  const sides = sidesOf(teams, places);
  sides.forEach((side, at) => (side.rank = must(ranks[at], 'the rank of each team')));
  // Sums of floating-point numbers depend on their order.
  const ordered = sides.toSorted((a, b) => a.rank - b.rank);
  const c = cOf(ordered);
  sides.forEach((side) => (side.strength = Math.exp(side.mu / c)));
  for (const first of ordered) {
    const behind = ordered.filter(({ rank }) => rank >= first.rank);
    const tied = behind.filter(({ rank }) => rank === first.rank).length;
    // It is as likely to be the first of those who tie as the second, and so on: then fewer of the others are left.
    for (let gone = 0; gone < tied; gone += 1) {
      const left = tied === 1 ? 1 : 1 - gone / (tied - 1);
      const all = behind.reduce((sum, side) => sum + partOf(side, first, left) * side.strength, 0);
      for (const side of behind) {
        const weight = partOf(side, first, left) / tied;
        const chance = side.strength / all;
        side.gain += weight * (side === first ? 1 - chance : -chance);
        side.learned += weight * (chance * (1 - chance));
      }
    }
  }
  return sides.map(({ skills, share, variance, gain, learned }) => {
    const moves = gain * (variance / c);
    const shrinks = (Math.sqrt(variance) / c) * learned * (variance / c ** 2);
    return skills.map(({ mu, sigma }) => {
      const part = sigma ** 2 / variance;
      const kept = Math.max(1 - share ** 2 * part * shrinks, LEAST_VARIANCE);
      return { mu: mu + share * part * moves, sigma: sigma * Math.sqrt(kept) };
    });
  });
}
