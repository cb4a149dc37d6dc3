// The ranks of a result's teams. Pure.

import type { TeamResult } from '../../packages/js/src/result-types';

/** The rank of each team, in the order of the result: as reported, or by score. 1 is the best, and equal scores share a rank. */
export function ranksOf(teams: readonly TeamResult[]): readonly number[] {
  return teams.map(
    ({ rank, score = 0 }) => rank ?? 1 + teams.filter((other) => (other.score ?? 0) > score).length,
  );
}
