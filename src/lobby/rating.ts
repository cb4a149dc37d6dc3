// How a result changes skill ratings (record 0047), by the method of Weng and Lin. Pure: the same results in the same
// order give the same ratings, to the last digit.

import type { PlayerId } from '../common/ids';
import type { JsonObject } from '../common/json';
import { present } from '../common/named';
import { must } from '../common/result';
import { ratedSkills } from '../match/rules/plackett-luce';
import { points, type Skill, START } from '../match/rules/skill';
import type { Result, TeamResult } from '../../packages/js/src/result-types';
import { uncertaintyOf } from '../match/ticket/ticket';

/** Added to each uncertainty before a match, so that a rating stays able to move. */
const DRIFT = START.mu / 300;

export function ratedAttributes(field: string, skill: Skill): JsonObject {
  const { rating, uncertainty } = points(skill);
  return { [field]: rating, [uncertaintyOf(field)]: uncertainty };
}

/** A team of a match that is to be rated. Only players who took places are in it. */
export interface RatedTeam {
  /** 1 is the best. Teams may share a rank. */
  readonly rank: number;
  /** Players of the team when it is full. Absent: the teams of the mode are alike. */
  readonly places?: number;
  readonly players: readonly { readonly id: PlayerId; readonly abandoned: boolean }[];
}

/**
 * The teams of a match with their ranks. `teams`: the players who took places, by team. A player who is named for
 * several teams is in the one of `teams`, whose own word counts most. `places`: of each team, where they differ.
 */
export function rankedTeams(
  { teams: ranked }: Pick<Result, 'teams'>,
  teams: readonly (readonly PlayerId[])[],
  places: readonly number[] = [],
): readonly RatedTeam[] {
  const ranks = ranksOf(ranked);
  return ranked.map(({ team, players = [] }, index) => {
    const named = ranked.flatMap((each) => each.players ?? []);
    const gone = new Map([...named, ...players].map(({ id, abandoned }) => [id, abandoned]));
    const members = (teams[team] ?? []).map((id) => ({ id, abandoned: gone.get(id) === true }));
    const rank = must(ranks[index], 'the rank of each team');
    return { rank, ...present({ places: places[team] }), players: members };
  });
}

/**
 * The new skill of each player whom the match rates. Empty if there are no two teams to compare. Only the players who
 * stayed count for their team. A team that all its players abandoned counts with all of them, and is ranked last. A
 * player who abandoned a team that played on loses a duel against the mean of all players who stayed, so the teammates
 * and opponents gain and lose nothing by it.
 */
export function ratedBy(
  teams: readonly RatedTeam[],
  skillOf: (id: PlayerId) => Skill,
): ReadonlyMap<PlayerId, Skill> {
  const sides = teams
    .map(({ rank, places, players }) => {
      const staying = players.filter(({ abandoned }) => !abandoned);
      const isGone = staying.length === 0;
      const own = (isGone ? players : staying).map(({ id }) => id);
      return { own, isGone, places, rank: isGone ? Number.MAX_VALUE : rank };
    })
    .filter(({ own }) => own.length > 0);
  const stayed = sides.flatMap(({ own, isGone }) => (isGone ? [] : own));
  const rated = new Map<PlayerId, Skill>();
  if (sides.length < 2 || stayed.length === 0) {
    return rated;
  }
  const after = ratedSkills(
    sides.map(({ own }) => own.map((id) => drifted(skillOf(id)))),
    sides.map(({ rank }) => rank),
    sides.map(({ places }) => places ?? 1),
  );
  sides.forEach(({ own }, side) =>
    own.forEach((id, at) => {
      const skill = after[side]?.[at];
      // Sums of very high ratings are more than the method's powers can hold.
      rated.set(id, skill !== undefined && Number.isFinite(skill.mu) ? skill : skillOf(id));
    }),
  );
  const standard = meanOf(stayed.map(skillOf));
  for (const { id } of teams.flatMap(({ players }) => players)) {
    if (!rated.has(id)) {
      const [, lost] = ratedSkills([[drifted(standard)], [drifted(skillOf(id))]], [1, 2]);
      rated.set(id, lost?.[0] ?? skillOf(id));
    }
  }
  return rated;
}

function drifted({ mu, sigma }: Skill): Skill {
  return { mu, sigma: Math.sqrt(sigma ** 2 + DRIFT ** 2) };
}

function meanOf(skills: readonly Skill[]): Skill {
  const mean = (of: (skill: Skill) => number): number =>
    skills.reduce((sum, skill) => sum + of(skill), 0) / skills.length;
  return { mu: mean(({ mu }) => mu), sigma: Math.sqrt(mean(({ sigma }) => sigma ** 2)) };
}

/** The skill at the beginning of the next season, moved back towards the start by `factor`: 0 keeps it, 1 resets it. */
export function resetBy(factor: number, { mu, sigma }: Skill): Skill {
  return { mu: mu + (START.mu - mu) * factor, sigma: sigma + (START.sigma - sigma) * factor };
}

/** The rank of each team, in the order of the result: as reported, or by score. 1 is the best, and equal scores share a rank. */
export function ranksOf(teams: readonly TeamResult[]): readonly number[] {
  return teams.map(
    ({ rank, score = 0 }) => rank ?? 1 + teams.filter((other) => (other.score ?? 0) > score).length,
  );
}
