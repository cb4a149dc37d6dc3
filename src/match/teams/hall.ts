// Who can take which role, by Hall's theorem: players find roles exactly if, of every set of roles, no more
// players accept nothing else than there are places for it; places can be filled exactly if every set of
// them is accepted by as many players. Both at once if each alone (Mendelsohn and Dulmage). A mode has at
// most eight roles, so there are at most 256 sets, and to look at all of them is one short loop.

import type { Shape } from './solver';

/** A number for each set of roles. */
export type BySet = readonly number[];

/** How many members of the party accept nothing outside of each set. */
export function within(party: Shape, sets: number): BySet {
  const counts = Array.from({ length: sets }, () => 0);
  for (let member = 0; member < party.length; member += 1) {
    const accepted = party.charCodeAt(member);
    counts[accepted] = (counts[accepted] ?? 0) + 1;
  }
  return overSubsets(counts, (one, other) => one + other);
}

/** How many players accept a role of each set, of those that `inside` counts. */
export function touching(inside: BySet): BySet {
  const all = inside.at(-1) ?? 0;
  return inside.map((_, set) => all - (inside[inside.length - 1 - set] ?? 0));
}

/** Places for each set on a team that wants so many of each role. */
export function placesOf(demand: readonly number[]): BySet {
  const sets = 1 << demand.length;
  return Array.from({ length: sets }, (_, set) =>
    demand.reduce((sum, count, role) => sum + ((set >> role) & 1) * count, 0),
  );
}

/** How many of those seated on a team, by what they accept, are left without a role. */
export function lackOf(inside: BySet, places: BySet): number {
  let lack = 0;
  for (let set = 1; set < places.length; set += 1) {
    lack = Math.max(lack, (inside[set] ?? 0) - (places[set] ?? 0));
  }
  return lack;
}

/**
 * What a team with players seated on it means to those who may go to any team. `fills`: by how much, in
 * the worst case, those seated fall short of the team's places within the set. `holds`: by how much, in the
 * worst case, they exceed the team's places, when those within the set are open to others too.
 */
export interface Seated {
  readonly fills: BySet;
  readonly holds: BySet;
}

export function seatedOn(inside: BySet, places: BySet): Seated {
  const touched = touching(inside);
  const fills = touched.map((count, set) => count - (places[set] ?? 0));
  const holds = inside.map((count, set) => count - (places[set] ?? 0));
  return { fills: overSubsets(fills, Math.min), holds: overSupersets(holds, Math.max) };
}

/** Both at once, summed over all teams and those who may go to any: nothing falls short or exceeds. */
export function isPossible({ fills, holds }: Seated): boolean {
  return fills.every((spare) => spare >= 0) && holds.every((excess) => excess <= 0);
}

/** `values` plus `times` the others. */
export function plus(values: BySet, others: BySet, times: number): BySet {
  return values.map((value, set) => value + times * (others[set] ?? 0));
}

type Fold = (one: number, other: number) => number;

function overSubsets(values: number[], fold: Fold): number[] {
  for (let bit = 1; bit < values.length; bit *= 2) {
    for (let set = 0; set < values.length; set += 1) {
      if ((set & bit) !== 0) {
        values[set] = fold(values[set] ?? 0, values[set - bit] ?? 0);
      }
    }
  }
  return values;
}

function overSupersets(values: number[], fold: Fold): number[] {
  for (let bit = 1; bit < values.length; bit *= 2) {
    for (let set = 0; set < values.length; set += 1) {
      if ((set & bit) === 0) {
        values[set] = fold(values[set] ?? 0, values[set + bit] ?? 0);
      }
    }
  }
  return values;
}
