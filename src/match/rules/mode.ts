// A mode of a lobby config, validated and with every default filled in (spec: Matchmaking mode; decision 27). It is plain
// data, because it is saved and sent between objects.

import type { Mode, RoleCounts } from '../../../client/src/admin-types';

export type { Mode, RoleCounts };

/** Players of a full match. */
export function playersOf({ teamComposition, teams, playersPerTeam }: Mode): number {
  return teamComposition === null
    ? teams * playersPerTeam
    : Object.values(teamComposition).reduce((sum, roles) => sum + sizeOf(roles), 0);
}

/** Players of a team with these roles. */
export function sizeOf(roles: RoleCounts): number {
  return Object.values(roles).reduce((sum, count) => sum + count, 0);
}
