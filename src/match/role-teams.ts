// Gives every player of a chosen match a role and every party a team (matching.md A14): those who
// accept the fewest roles first, then those who wait longest, each the dearest role with which the
// match can still be completed. Parties stay together.

import type { PlayerId } from '../ids';
import { newCounters } from './counters';
import { RoleSearch, type Unit } from './role-search';
import { mostPlaced } from './role-flow';
import { RoleBook, type Wish } from './role-wishes';
import type { PartyMember } from './ticket';

export interface RoleParty {
  readonly members: readonly PartyMember[];
  /** Its value of the first difference field; 0 where the mode has none. */
  readonly value: number;
}

export interface RoleTeam {
  readonly name: string;
  /** Indices of the parties, eldest first. */
  readonly parties: readonly number[];
  readonly roles: Readonly<Record<PlayerId, string>>;
}

/** Far beyond what any search has needed: single players always find a place. */
const STEP_LIMIT = 100_000;

interface Seat {
  readonly party: number;
  readonly member: PartyMember;
  readonly preferences: readonly number[];
  /** What is still open to the player; in the end one role. */
  wish: Wish;
}

/** Teams in the order of the composition; null when the parties are not found to fill them. */
export function roleTeams(book: RoleBook, parties: readonly RoleParty[]): RoleTeam[] | null {
  const seats = chooseRoles(book, parties);
  if (seats === null) {
    return null;
  }
  const rolesOf = parties.map((_, party) =>
    seats.filter((seat) => seat.party === party).map(roleOf),
  );
  const teams = deal(book, parties, rolesOf);
  if (teams === null) {
    return null;
  }
  return book.teamNames.map((name, team) => {
    const here = [...teams.keys()].filter((party) => teams[party] === team);
    const given = seats.filter((seat) => teams[seat.party] === team);
    return {
      name,
      parties: here,
      roles: Object.fromEntries(
        given.map((seat) => [seat.member.id, book.roles[roleOf(seat)] ?? '']),
      ),
    };
  });
}

/**
 * Seats one party among the open places of a team, roles as above; null when it does not fit.
 * `open` is by role name.
 */
export function seatParty(
  members: readonly PartyMember[],
  open: Readonly<Record<string, number>>,
): Readonly<Record<PlayerId, string>> | null {
  const wanted = Object.fromEntries(Object.entries(open).filter(([, count]) => count > 0));
  const book = new RoleBook({ team: wanted });
  const places = book.roles.map((role, at) => ({ role: at, team: 0, count: wanted[role] ?? 0 }));
  const seats = seatsOf(book, [{ members, value: 0 }]);
  const isPossible = (): boolean =>
    mostPlaced(
      seats.map(({ wish }) => ({ wish, team: 0, count: 1 })),
      places,
    ) === seats.length;
  return narrow(book, seats, isPossible)
    ? Object.fromEntries(seats.map((seat) => [seat.member.id, book.roles[roleOf(seat)] ?? '']))
    : null;
}

function chooseRoles(book: RoleBook, parties: readonly RoleParty[]): readonly Seat[] | null {
  const search = new RoleSearch(book, newCounters());
  const seats = seatsOf(book, parties);
  const byParty = parties.map((_, party) => seats.filter((seat) => seat.party === party));
  return narrow(book, seats, () => search.feasible(unitsOf(byParty), [])) ? seats : null;
}

function seatsOf(book: RoleBook, parties: readonly RoleParty[]): readonly Seat[] {
  return parties.flatMap(({ members }, party) =>
    members.map((member) => {
      const preferences = book.preferences(member);
      return { party, member, preferences, wish: book.wish(preferences) };
    }),
  );
}

/** Leaves every player one role, for as long as the rest stays possible; false if nothing was. */
function narrow(book: RoleBook, seats: readonly Seat[], isPossible: () => boolean): boolean {
  if (!isPossible()) {
    return false;
  }
  // Stable: parties come eldest first, members in the order in which they joined.
  const order = [...seats].sort((a, b) => a.preferences.length - b.preferences.length);
  for (const seat of order) {
    if (seat.preferences.length === 1) {
      continue;
    }
    for (const role of seat.preferences) {
      seat.wish = book.wish([role]);
      if (isPossible()) {
        break;
      }
    }
  }
  return true;
}

function roleOf(seat: Seat): number {
  return seat.wish.accepts.indexOf(true);
}

/** The parties as the search sees them, those alike counted together. */
function unitsOf(byParty: readonly (readonly Seat[])[]): readonly Unit[] {
  const units = new Map<string, Unit>();
  for (const seats of byParty) {
    const wishes = seats.map((seat) => seat.wish);
    const key = wishes
      .map((wish) => wish.key)
      .sort()
      .join(' ');
    units.set(key, { key, wishes, count: (units.get(key)?.count ?? 0) + 1 });
  }
  return [...units.values()];
}

/** The team of each party: larger parties by search, then single players, the teams kept even. */
function deal(
  book: RoleBook,
  parties: readonly RoleParty[],
  rolesOf: readonly (readonly number[])[],
): number[] | null {
  const left = book.demand.map((team) => [...team]);
  const teams = parties.map(() => -1);
  const sums = book.demand.map(() => 0);
  const order = [...parties.keys()].sort(
    (a, b) => (rolesOf[b]?.length ?? 0) - (rolesOf[a]?.length ?? 0) || a - b,
  );
  const take = (party: number, team: number, sign: 1 | -1): void => {
    for (const role of rolesOf[party] ?? []) {
      const places = left[team] ?? [];
      places[role] = (places[role] ?? 0) - sign;
      sums[team] = (sums[team] ?? 0) + sign * (parties[party]?.value ?? 0);
    }
  };
  let steps = 0;
  const place = (at: number): boolean => {
    const party = order[at];
    steps += 1;
    if (steps > STEP_LIMIT) {
      return false;
    }
    if (party === undefined) {
      return true;
    }
    const byWorth = [...left.keys()].sort(
      (a, b) =>
        (sums[a] ?? 0) / (book.teamSizes[a] ?? 1) - (sums[b] ?? 0) / (book.teamSizes[b] ?? 1) ||
        a - b,
    );
    const tried = new Set<string>();
    for (const team of byWorth) {
      const state = (left[team] ?? []).join();
      if (tried.has(state)) {
        continue;
      }
      tried.add(state);
      take(party, team, 1);
      teams[party] = team;
      if ((left[team] ?? []).every((places) => places >= 0) && place(at + 1)) {
        return true;
      }
      take(party, team, -1);
    }
    return false;
  };
  return place(0) ? teams : null;
}
