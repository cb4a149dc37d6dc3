// Matches planted in a pool: teams filled exactly, then cut into parties at random and shuffled. A
// solver must find the match again, or another.

import type { Shape } from '../../../src/match/teams/solver';
import type { Random } from './random';

/** How large the parties are that a team is cut into. */
export interface Cut {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

/** Steps of a slice, and slices within which a planted match is found. */
export const SLICE = 20_000;
export const SLICES = 100;

export const CUTS: readonly Cut[] = [
  { name: 'any size', least: 1, most: 100 },
  { name: '1-3', least: 1, most: 3 },
  { name: '2-4', least: 2, most: 4 },
  { name: '2 and more', least: 2, most: 100 },
  { name: '3-7', least: 3, most: 7 },
];

/** Sizes that add up to the team, within the cut as far as the rest allows. */
function cutTeam(size: number, { least, most }: Cut, chance: Random): readonly number[] {
  const parties: number[] = [];
  for (let left = size; left > 0; left -= parties.at(-1) ?? left) {
    const largest = Math.min(most, left);
    const smallest = Math.min(least, largest);
    let party = smallest + chance.below(largest - smallest + 1);
    if (left - party > 0 && left - party < least) {
      party = left <= most ? left : party;
    }
    parties.push(party);
  }
  return parties;
}

/** Every shape of two and more teams of two and more that makes at most a hundred players. */
export function allShapes(): readonly (readonly [teams: number, size: number])[] {
  const shapes: (readonly [number, number])[] = [];
  for (let teams = 2; teams <= 50; teams += 1) {
    for (let size = 2; size * teams <= 100; size += 1) {
      shapes.push([teams, size]);
    }
  }
  return shapes;
}

/** Parties by size that fill the teams exactly. */
export function plantedCounts(
  teams: number,
  size: number,
  { cut, chance }: { readonly cut: Cut; readonly chance: Random },
): Int32Array {
  const counts = new Int32Array(size + 1);
  for (let team = 0; team < teams; team += 1) {
    for (const party of cutTeam(size, cut, chance)) {
      counts[party] = (counts[party] ?? 0) + 1;
    }
  }
  return counts;
}

export type Composition = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function teamsOf(count: number, roles: Readonly<Record<string, number>>): Composition {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, roles]));
}

function oneOfEach(roles: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: roles }, (_, at) => [`r${at}`, 1]));
}

/** Teams and what one of them wants: few roles and many, many teams and few, as far as a mode may go. */
export const ROLE_SHAPES: readonly (readonly [number, Readonly<Record<string, number>>])[] = [
  [2, { tank: 1, heal: 1, dps: 3 }],
  [4, { tank: 1, heal: 1, dps: 3 }],
  [10, { a: 1, b: 1, c: 1 }],
  [10, { r1: 2, r0: 4 }],
  [12, { a: 1, b: 2, c: 2, d: 3 }],
  [11, { a: 3, b: 3, c: 3 }],
  [10, { a: 5, b: 5 }],
  [10, { a: 2, b: 2, c: 6 }],
  [12, oneOfEach(8)],
  [8, { a: 3, b: 4, c: 5 }],
  [6, { a: 4, b: 4, c: 8 }],
  [5, { a: 4, b: 4, c: 4, d: 4, e: 4 }],
  [4, { a: 5, b: 10, c: 10 }],
  [3, { a: 11, b: 11, c: 11 }],
  [2, { a: 10, b: 20, c: 20 }],
];

/** What each member of each party accepts, in parties that fill the teams exactly. */
export function plantedParties(
  composition: Composition,
  { cut, chance, also }: { readonly cut: Cut; readonly chance: Random; readonly also: number },
): readonly (readonly (readonly string[])[])[] {
  const names = [...new Set(Object.values(composition).flatMap((team) => Object.keys(team)))];
  const parties: string[][][] = [];
  for (const team of Object.values(composition)) {
    const places = shuffled(
      Object.entries(team).flatMap(([role, count]) => Array.from({ length: count }, () => role)),
      chance,
    );
    for (const size of cutTeam(places.length, cut, chance)) {
      parties.push(
        places
          .splice(0, size)
          .map((role) => [role, ...names.filter((name) => name !== role && chance.chance(also))]),
      );
    }
  }
  return shuffled(parties, chance);
}

/**
 * Parties that nobody needs, cut from as many teams: what they accept is drawn anew, and nobody among
 * them accepts the first role, so that who does is as scarce as before.
 */
export function surplusParties(
  composition: Composition,
  { cut, chance, also }: { readonly cut: Cut; readonly chance: Random; readonly also: number },
): readonly (readonly (readonly string[])[])[] {
  const roles = [...new Set(Object.values(composition).flatMap((team) => Object.keys(team)))];
  const others = roles.slice(1);
  return Object.values(composition).flatMap((team) => {
    const size = Object.values(team).reduce((sum, count) => sum + count, 0);
    return cutTeam(size, cut, chance).map((players) =>
      Array.from({ length: players }, () => {
        const first = chance.pick(others);
        return [first, ...others.filter((role) => role !== first && chance.chance(also))];
      }),
    );
  });
}

function shuffled<T>(values: readonly T[], chance: Random): T[] {
  const keyed = values.map((value) => ({ value, key: chance.unit() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** How many of each shape. */
export function counted(shapes: readonly (Shape | null)[]): Map<Shape, number> {
  const counts = new Map<Shape, number>();
  for (const shape of shapes) {
    if (shape !== null) {
      counts.set(shape, (counts.get(shape) ?? 0) + 1);
    }
  }
  return counts;
}

/** As a symmetric mode counts them. */
export function bySize(sizes: Iterable<number>): Map<Shape, number> {
  const counts = [...sizes].map((count, size): [Shape, number] => ['*'.repeat(size), count]);
  return new Map(counts.filter(([, count]) => count > 0));
}
