// Who can take which role, by Hall's theorem. All players find a role if and only if, for every set of roles, no more
// players accept only these than there are places for them; all places can be filled if and only if, for every set, as
// many accept one of these as there are places. If each is possible alone, both are at once (Mendelsohn and Dulmage). A
// mode has at most eight roles, so 256 sets, and one short loop looks at them.

import type { Shape } from './solver';

/**
 * A number for each set of roles. A typed array, because with plain ones a call into the pool took 28 instead of 18 ms
 * of processor in a mode with eight roles (floor: 25 ms, npm run bench:worst -- --only="roles 1 x 9").
 */
export type BySet = Readonly<Int32Array>;

/** For each set, how many members of the party accept only roles of the set. */
export function withinSets(party: Shape, sets: number): BySet {
  const counts = new Int32Array(sets);
  for (let member = 0; member < party.length; member += 1) {
    const accepted = party.charCodeAt(member);
    counts[accepted] = (counts[accepted] ?? 0) + 1;
  }
  return overSubsets(counts, (one, other) => one + other);
}

/** For each set, how many players accept a role of the set, out of those that `inside` counts. */
export function touching(inside: BySet): BySet {
  const all = inside.at(-1) ?? 0;
  return inside.map((_, set) => all - (inside[inside.length - 1 - set] ?? 0));
}

/** For each set, the places on a team that wants so many of each role. */
export function placesOf(demand: readonly number[]): BySet {
  const sets = 1 << demand.length;
  return Int32Array.from({ length: sets }, (_, set) =>
    demand.reduce((sum, count, role) => sum + ((set >> role) & 1) * count, 0),
  );
}

/** How many of the players seated on a team are left without a role. */
export function lackOf(inside: BySet, places: BySet): number {
  let lack = 0;
  for (let set = 1; set < places.length; set += 1) {
    lack = Math.max(lack, (inside[set] ?? 0) - (places[set] ?? 0));
  }
  return lack;
}

/**
 * What a team with players seated on it leaves to those who may go to any team, for each set. `fills`: by how much, in
 * the worst case, those seated fall short of the team's places within the set. `holds`: by how much, in the worst case,
 * they exceed the team's places if others may take those within the set.
 */
export type Seated = { readonly fills: BySet; readonly holds: BySet };

export function seatedOn(inside: BySet, places: BySet): Seated {
  const touched = touching(inside);
  const fills = touched.map((count, set) => count - (places[set] ?? 0));
  const holds = inside.map((count, set) => count - (places[set] ?? 0));
  // The supersets of a set are the subsets of what is left out.
  const overSupersets = overSubsets(holds.toReversed(), Math.max).toReversed();
  return { fills: overSubsets(fills, Math.min), holds: overSupersets };
}

/** Asked of the sum over all teams and those who may go to any: nothing falls short, and nothing exceeds. */
export function isPossible({ fills, holds }: Seated): boolean {
  return fills.every((spare) => spare >= 0) && holds.every((excess) => excess <= 0);
}

export function plus(values: BySet, others: BySet, times: number): BySet {
  return values.map((value, set) => value + times * (others[set] ?? 0));
}

/** In place: the fold over all subsets of each set. */
function overSubsets(values: Int32Array, fold: (one: number, other: number) => number): Int32Array {
  for (let bit = 1; bit < values.length; bit *= 2) {
    // The next set with the bit.
    for (let set = bit; set < values.length; set = (set + 1) | bit) {
      values[set] = fold(values[set] ?? 0, values[set - bit] ?? 0);
    }
  }
  return values;
}
