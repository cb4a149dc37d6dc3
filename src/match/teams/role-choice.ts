// The role of every player of a chosen match (docs/internals/design.md A14). Those who accept the fewest roles choose
// first, then those who have waited longest. Each gets the most preferred role with which the match can still be
// completed. Nearly always the teams found before allow it. Otherwise other teams are searched for, within a budget: a
// match that is known to be possible is not held back for the sake of preferences.

import { type BySet, placesOf, plus, seatedOn, within } from './hall';
import { type RoleBook, type RoleSet, setOf } from './role-book';
import { shapeOf } from './seated';
import { seatParties } from './seating';
import type { Shape } from './solver';
import { searchOf, type Slices, type Steps } from './steps';

/** Steps for searching other teams. After that, players get the best roles that the teams found allow. */
const BETTER_STEPS = 20_000;
const PIECE = 500;

/** The roles that a player accepts, the preferred one first. */
export type Preferences = readonly number[];

export interface ChosenRoles {
  /** The roles of the members of each party. */
  readonly roles: readonly (readonly number[])[];
  /** A team on which each party of two or more can have them; -1 for single players. */
  readonly teams: readonly number[];
}

/**
 * Null if the parties cannot fill the teams at all. With `given`, the team of each party, no other teams are searched
 * for, and teams need not be full.
 */
export function* chooseRoles(
  book: RoleBook,
  parties: readonly (readonly Preferences[])[],
  steps: Steps,
  given: readonly number[] | null = null,
): Slices<ChosenRoles | null> {
  const open = parties.map((members) => members.map(setOf));
  let teams = given ?? (yield* seatAll(book, open, steps));
  if (teams === null || !fit(book, open, teams)) {
    return null;
  }
  const cost = 1 + (book.demand.length * 2 ** book.roles.length) / 16;
  let better = given === null ? BETTER_STEPS : 0;
  // The sort is stable: parties stay in the order of their wait, and members in the order in which they joined.
  const choosing = parties
    .flatMap((members, party) => members.map((roles, member) => ({ party, member, roles })))
    .filter(({ roles }) => roles.length > 1)
    .sort((a, b) => a.roles.length - b.roles.length);
  for (const { party, member, roles } of choosing) {
    const own = open[party] ?? [];
    const before = own[member] ?? 0;
    for (const role of roles) {
      own[member] = setOf([role]);
      steps.left -= cost;
      if (steps.left <= 0) {
        yield;
      }
      if (fit(book, open, teams)) {
        break;
      }
      const search = searchOf((piece) => seatAll(book, open, piece));
      let found: readonly number[] | null | 'open' = 'open';
      // In pieces, so that the budget cuts it at the same place however it is sliced.
      while (found === 'open' && better > 0) {
        const piece = { left: PIECE };
        found = search(piece);
        better -= PIECE - piece.left;
        steps.left -= PIECE - piece.left;
        if (steps.left <= 0) {
          yield;
        }
      }
      if (found !== 'open' && found !== null) {
        teams = found;
        break;
      }
      own[member] = before;
    }
  }
  return { roles: open.map((members) => members.map((set) => 31 - Math.clz32(set))), teams };
}

/** The team of a single player: any. */
export const ALONE = -1;

/** The roles that are still open to each member of each party. */
type Open = readonly (readonly RoleSet[])[];

/** The team of each party if all of them play; null if they cannot fill the teams. */
function* seatAll(book: RoleBook, open: Open, steps: Steps): Slices<readonly number[] | null> {
  const alike = new Map<Shape, number[]>();
  for (const [party, members] of open.entries()) {
    const shape = shapeOf(members);
    alike.set(shape, [...(alike.get(shape) ?? []), party]);
  }
  const units = [...alike].map(([shape, { length }]) => ({ shape, must: length, may: 0 }));
  const seats = yield* seatParties(book, units, steps);
  const teams = open.map(() => ALONE);
  for (const { shape, team } of seats ?? []) {
    teams[alike.get(shape)?.pop() ?? 0] = team;
  }
  return seats === null ? null : teams;
}

/** Whether everybody finds a role with the parties on these teams. */
function fit({ demand, roles }: RoleBook, open: Open, teams: readonly number[]): boolean {
  const sets = 2 ** roles.length;
  const membersOn = (team: number): BySet =>
    within(shapeOf(open.flatMap((party, at) => (teams[at] === team ? party : []))), sets);
  const held = demand.map((places, team) => seatedOn(membersOn(team), placesOf(places)).holds);
  return held.reduce((all, holds) => plus(all, holds, 1), membersOn(ALONE)).every((n) => n <= 0);
}
