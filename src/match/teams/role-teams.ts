// Gives every player of a chosen match a role and every party a team (docs/internals/design.md A14). Parties stay
// together, and teams are made even where that is cheap.

import type { PlayerId } from '../../common/ids';
import type { PartyMember } from '../ticket/ticket';
import { improved, worthOf } from './balance';
import { OpenQuestions } from './open-questions';
import { ALONE, type ChosenRoles, chooseRoles } from './role-choice';
import { RoleBook } from './role-book';
import { searchOf, type Steps, unlimited } from './steps';

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
    const chosen = this.#open.ask(question, steps, (own) => chooseRoles(book, preferences, own));
    if (chosen === 'open' || chosen === null) {
      return chosen;
    }
    const teams = deal(book, parties, chosen, steps);
    return book.teamNames.map((name, team) => {
      const here = [...teams.keys()].filter((party) => teams[party] === team);
      const roles = here.map((at) => rolesOf(book, parties[at]?.members ?? [], chosen.roles[at]));
      return { name, parties: here, roles: Object.fromEntries(roles.flatMap(Object.entries)) };
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
  const preferences = members.map((member) => book.preferences(member));
  const chosen = searchOf((own) => chooseRoles(book, [preferences], own, [0]))(unlimited());
  return chosen === null || chosen === 'open' ? null : rolesOf(book, members, chosen.roles[0]);
}

function rolesOf(
  { roles }: RoleBook,
  members: readonly PartyMember[],
  chosen: readonly number[] = [],
): Readonly<Record<PlayerId, string>> {
  return Object.fromEntries(members.map(({ id }, at) => [id, roles[chosen[at] ?? 0] ?? '']));
}

/** The team of each party: larger ones where they were found, and single players where the mean is lowest. Then swaps. */
function deal(
  { demand, teamSizes }: RoleBook,
  parties: readonly RoleParty[],
  { roles, teams: found }: ChosenRoles,
  steps: Steps,
): readonly number[] {
  const left = demand.map((team) => [...team]);
  const teams = demand.map((): number[] => []);
  const sums = demand.map(() => 0);
  const all = parties.map(({ members, value }, at) => {
    const given = (roles[at] ?? []).toSorted((a, b) => a - b);
    return { size: members.length, value, kind: given.join(), given };
  });
  const meanOf = (team: number): number => (sums[team] ?? 0) / (teamSizes[team] ?? 1);
  const join = (at: number, team: number): void => {
    teams[team]?.push(at);
    sums[team] = (sums[team] ?? 0) + (all[at] === undefined ? 0 : worthOf(all[at]));
    for (const role of all[at]?.given ?? []) {
      left[team]?.splice(role, 1, (left[team][role] ?? 0) - 1);
    }
  };
  found.forEach((team, at) => (team === ALONE ? null : join(at, team)));
  for (const [at, { given }] of all.entries()) {
    if (found[at] === ALONE) {
      const open = [...teams.keys()].filter((team) => (left[team]?.[given[0] ?? 0] ?? 0) > 0);
      const [lowest = 0] = open.sort((a, b) => meanOf(a) - meanOf(b) || a - b);
      join(at, lowest);
    }
  }
  const split = improved(all, teams, steps);
  return parties.map((_, at) => split.findIndex((team) => team.includes(at)));
}
