// Gives every player of a chosen match a role and every party a team (docs/internals/design.md A14). Parties stay
// together, and teams are made even where that is cheap.

import type { PlayerId } from '../../common/ids';
import type { PartyMember } from '../ticket/ticket';
import { worthOf } from './balance';
import { lackOf, placesOf, within } from './hall';
import { OpenQuestions } from './open-questions';
import { ALONE, type ChosenRoles, chooseRoles } from './role-choice';
import { RoleBook } from './role-book';
import { shapeOf } from './seated';
import { searchOf, type Steps } from './steps';

export interface RoleParty {
  readonly members: readonly PartyMember[];
  /** Its value of the first difference field; 0 if the mode has none. */
  readonly value: number;
}

export interface RoleTeam {
  readonly name: string;
  /** The indices of its parties, eldest first. */
  readonly parties: readonly number[];
  readonly roles: Readonly<Record<PlayerId, string>>;
}

/** How many teams are looked at to make them even. After that, larger parties stay where they were found. */
const EVEN_LIMIT = 4000;

/** Teams and roles for the sets of one mode. What was cut continues when it is asked for again. */
export class RoleTeams {
  readonly #book: RoleBook;
  readonly #open = new OpenQuestions<ChosenRoles | null>();

  constructor(book: RoleBook) {
    this.#book = book;
  }

  /**
   * Teams in the order of the composition. Null if the parties cannot fill the teams, which never happens if the
   * solver has said that they can.
   */
  assign(parties: readonly RoleParty[], steps: Steps): readonly RoleTeam[] | null | 'open' {
    const book = this.#book;
    const question = parties
      .flatMap(({ members }) => ['', ...members.map(({ id, roles }) => `${id}:${roles.join()}`)])
      .join('|');
    const preferences = parties.map(({ members }) => members.map((each) => book.preferences(each)));
    const begin = () => searchOf((own) => chooseRoles(book, preferences, own));
    const chosen = this.#open.ask(question, steps, begin);
    if (chosen === 'open' || chosen === null) {
      return chosen;
    }
    const teams = deal(book, parties, chosen, steps);
    return book.teamNames.map((name, team) => {
      const here = [...teams.keys()].filter((party) => teams[party] === team);
      const given = here.flatMap((party) =>
        (parties[party]?.members ?? []).map(({ id }, member) => [
          id,
          book.roles[chosen.roles[party]?.[member] ?? 0] ?? '',
        ]),
      );
      return { name, parties: here, roles: Object.fromEntries(given) };
    });
  }
}

/** Seats one party on the open places of a team, roles chosen as above; null if it does not fit. `open` is by role name. */
export function seatParty(
  members: readonly PartyMember[],
  open: Readonly<Record<string, number>>,
): Readonly<Record<PlayerId, string>> | null {
  const wanted = Object.fromEntries(Object.entries(open).filter(([, count]) => count > 0));
  const book = new RoleBook({ team: wanted });
  const places = placesOf(book.demand[0] ?? []);
  const accepted = members.map((member) => book.accepts(member));
  const isSeated = (): boolean =>
    !accepted.includes(0) && lackOf(within(shapeOf(accepted), places.length), places) === 0;
  if (!isSeated()) {
    return null;
  }
  // The sort is stable: members stay in the order in which they joined.
  const order = members
    .map(({ id, roles }, at) => ({ id, at, preferences: book.preferences({ id, roles }) }))
    .sort((a, b) => a.preferences.length - b.preferences.length);
  const given: Record<PlayerId, string> = {};
  for (const { id, at, preferences } of order) {
    for (const role of preferences) {
      accepted[at] = 2 ** role;
      if (isSeated()) {
        given[id] = book.roles[role] ?? '';
        break;
      }
    }
  }
  return given;
}

/** The team of each party. Larger parties are searched for first, then single players. */
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
    // Single players find places whatever the larger parties do.
    const larger = order.filter((party) => (found[party] ?? ALONE) !== ALONE);
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
