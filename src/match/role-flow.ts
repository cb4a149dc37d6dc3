// How many players can be given a role at once: the largest matching between players, grouped by
// what they accept, and open places, grouped by team and role (matching.md section 5, "Roles").

import type { Wish } from './role-wishes';

export const ANY_TEAM = -1;

/** Players who accept the same; those of a seated party only on their team. */
export interface Group {
  readonly wish: Wish;
  readonly team: number;
  readonly count: number;
}

/** Places of one role; those of teams that hold no party are open to players of any team. */
export interface Places {
  readonly role: number;
  readonly team: number;
  readonly count: number;
}

/** The largest number of players that can be placed at the same time. */
export function mostPlaced(groups: readonly Group[], places: readonly Places[]): number {
  const used = places.map(() => 0);
  const given = groups.map(() => places.map(() => 0));
  const suits = (group: number, place: number): boolean => {
    const who = groups[group];
    const where = places[place];
    return (
      who !== undefined &&
      where !== undefined &&
      who.wish.accepts[where.role] === true &&
      (who.team === ANY_TEAM || who.team === where.team)
    );
  };
  const give = (group: number, place: number, count: number): void => {
    const row = given[group];
    if (row !== undefined) {
      row[place] = (row[place] ?? 0) + count;
    }
  };
  // Kuhn's augmenting path, for one player more of the group.
  const augment = (group: number, seen: boolean[]): boolean => {
    for (const [place, { count }] of places.entries()) {
      if (seen[place] === true || !suits(group, place)) {
        continue;
      }
      seen[place] = true;
      if ((used[place] ?? 0) < count) {
        used[place] = (used[place] ?? 0) + 1;
        give(group, place, 1);
        return true;
      }
      for (const other of groups.keys()) {
        if ((given[other]?.[place] ?? 0) > 0 && augment(other, seen)) {
          give(other, place, -1);
          give(group, place, 1);
          return true;
        }
      }
    }
    return false;
  };
  let placed = 0;
  for (const [group, { count }] of groups.entries()) {
    let left = count;
    for (const [place, { count: room }] of places.entries()) {
      const amount = suits(group, place) ? Math.min(left, room - (used[place] ?? 0)) : 0;
      if (amount > 0) {
        used[place] = (used[place] ?? 0) + amount;
        give(group, place, amount);
        left -= amount;
      }
    }
    placed += count - left;
    while (
      left > 0 &&
      augment(
        group,
        places.map(() => false),
      )
    ) {
      left -= 1;
      placed += 1;
    }
  }
  return placed;
}
