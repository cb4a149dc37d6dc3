// Gives every player of a chosen match a role and every party a team (docs/internals/design.md A14): those who
// accept the fewest roles first, then those who wait longest, each the dearest role with which the
// match can still be completed. Parties stay together.

import type { PlayerId } from '../../ids';
import { OpenQuestions } from '../sets/open-questions';
import type { Steps } from '../sets/steps';
import { worthOf } from '../sets/teams';
import type { PartyMember } from '../ticket/ticket';
import { type ChosenRoles, RoleChoice, type Seat } from './choice';
import { seatAll } from './seating';
import { RoleBook } from './wishes';

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

/** Teams looked at for the sake of even ones; then larger parties stay where they were found. */
const EVEN_LIMIT = 4000;

/** Teams and roles of the sets of one mode; what is cut goes on when it is asked for again. */
export class RoleTeams {
  readonly #book: RoleBook;
  readonly #open = new OpenQuestions<RoleChoice>();

  constructor(book: RoleBook) {
    this.#book = book;
  }

  /**
   * Teams in the order of the composition. Null when the parties cannot fill the teams: never, when
   * the solver has said that they can.
   */
  assign(parties: readonly RoleParty[], steps: Steps): readonly RoleTeam[] | null | 'open' {
    const question = parties
      .flatMap(({ members }) => ['', ...members.map(({ id, roles }) => `${id}:${roles.join()}`)])
      .join('|');
    const chosen = this.#open.goOn(question, steps, {
      begin: () => new RoleChoice(this.#book, seatsOf(this.#book, parties)),
      run: (choice) => choice.run(steps),
    });
    if (chosen === 'open' || chosen === null) {
      return chosen;
    }
    const { roles } = chosen;
    const teams = deal(this.#book, parties, chosen, steps);
    return this.#book.teamNames.map((name, team) => {
      const here = [...teams.keys()].filter((party) => teams[party] === team);
      const given = here.flatMap((party) =>
        (parties[party]?.members ?? []).map(({ id }, member) => [
          id,
          this.#book.roles[roles[party]?.[member] ?? 0] ?? '',
        ]),
      );
      return { name, parties: here, roles: Object.fromEntries(given) };
    });
  }
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
  const wishes = members.map((member) => book.wishOf(member));
  const places = book.demand[0] ?? [];
  if (seatAll(wishes, places) === null) {
    return null;
  }
  // Stable: members in the order in which they joined.
  const order = members
    .map((member, at) => ({ at, preferences: book.preferences(member) }))
    .sort((a, b) => a.preferences.length - b.preferences.length);
  const given: Record<PlayerId, string> = {};
  for (const { at, preferences } of order) {
    for (const role of preferences) {
      wishes[at] = book.wish([role]);
      if (seatAll(wishes, places) !== null) {
        const id = members[at]?.id;
        if (id !== undefined) {
          given[id] = book.roles[role] ?? '';
        }
        break;
      }
    }
  }
  return given;
}

function seatsOf(book: RoleBook, parties: readonly RoleParty[]): readonly Seat[] {
  return parties.flatMap(({ members }, party) =>
    members.map((member) => {
      const preferences = book.preferences(member);
      return { party, preferences, wish: book.wish(preferences) };
    }),
  );
}

/** The team of each party, as even as they come: larger parties by search, then single players. */
function deal(
  book: RoleBook,
  parties: readonly RoleParty[],
  { roles: rolesOf, teams: found }: ChosenRoles,
  steps: Steps,
): number[] {
  const left = book.demand.map((team) => [...team]);
  const teams = parties.map(() => -1);
  const sums = book.demand.map(() => 0);
  const order = [...parties.keys()].sort(
    (a, b) => (rolesOf[b]?.length ?? 0) - (rolesOf[a]?.length ?? 0) || a - b,
  );
  const worths = parties.map(({ value }) => worthOf({ size: 1, value }));
  const take = (party: number, team: number, sign: 1 | -1): void => {
    for (const role of rolesOf[party] ?? []) {
      const places = left[team] ?? [];
      places[role] = (places[role] ?? 0) - sign;
      sums[team] = (sums[team] ?? 0) + sign * (worths[party] ?? 0);
    }
  };
  let looked = 0;
  const place = (at: number, limit: number): boolean => {
    const party = order[at];
    if (party === undefined) {
      return true;
    }
    if (looked > limit) {
      return false;
    }
    looked += left.length;
    const worth = sums.map((sum, team) => sum / (book.teamSizes[team] ?? 1));
    const byWorth = [...left.keys()].sort((a, b) => (worth[a] ?? 0) - (worth[b] ?? 0) || a - b);
    const tried = new Set<string>();
    for (const team of byWorth) {
      const state = (left[team] ?? []).join();
      if (tried.has(state)) {
        continue;
      }
      tried.add(state);
      take(party, team, 1);
      teams[party] = team;
      if ((left[team] ?? []).every((places) => places >= 0) && place(at + 1, limit)) {
        return true;
      }
      take(party, team, -1);
    }
    return false;
  };
  if (!place(0, EVEN_LIMIT)) {
    // Whoever is alone finds a place whatever the larger parties do.
    const larger = order.filter((party) => (found[party] ?? -1) >= 0);
    for (const party of larger) {
      const team = found[party] ?? 0;
      teams[party] = team;
      take(party, team, 1);
    }
    place(larger.length, Infinity);
  }
  steps.left -= looked;
  return teams;
}
