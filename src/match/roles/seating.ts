// Whether players find roles on one team: asked of a few at a time, and of each team but once.

import type { Wish } from './wishes';

/** A role for each of the wishes within the places, or null. */
export function seatAll(
  wishes: readonly Wish[],
  places: readonly number[],
): readonly number[] | null {
  const holders: number[][] = places.map(() => []);
  const seat = (at: number, seen: Set<number>): boolean => {
    for (const [role, room] of places.entries()) {
      if (room === 0 || seen.has(role) || wishes[at]?.accepts[role] !== true) {
        continue;
      }
      seen.add(role);
      const here = holders[role] ?? [];
      if (here.length < room) {
        here.push(at);
        return true;
      }
      for (const [index, other] of here.entries()) {
        if (seat(other, seen)) {
          here[index] = at;
          return true;
        }
      }
    }
    return false;
  };
  for (const at of wishes.keys()) {
    if (!seat(at, new Set())) {
      return null;
    }
  }
  return wishes.map((_, at) => holders.findIndex((here) => here.includes(at)));
}
