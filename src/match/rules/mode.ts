// A mode with every default filled in (spec: Matchmaking mode; decision 27). Plain data: it is saved and sent.

import type { Mode, RoleCounts } from '../../../packages/js/src/admin-types';

export type { Mode, RoleCounts };

/** Players of a full match. */
export function playersOf({ teamComposition, teams, playersPerTeam }: Mode): number {
  return teamComposition === null
    ? teams * playersPerTeam
    : Object.values(teamComposition).reduce((sum, roles) => sum + sizeOf(roles), 0);
}

/** Players of each team when it is full, where the teams differ in that. */
export function unequalPlaces({
  teamComposition,
}: Partial<Pick<Mode, 'teamComposition'>>): readonly number[] | undefined {
  const places = Object.values(teamComposition ?? {}).map(sizeOf);
  return new Set(places).size > 1 ? places : undefined;
}

/** Players of a team with these roles. */
export function sizeOf(roles: RoleCounts): number {
  return Object.values(roles).reduce((sum, count) => sum + count, 0);
}

/** A mode with more is refused when it is saved, because the search promises nothing beyond (record 0037). */
export const MOST_ROLES = 8;

export const MOST_TEAMS = 12;
