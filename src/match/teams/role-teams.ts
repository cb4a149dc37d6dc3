// Gives every player of a match a role and every party a team (docs/internals/design.md A14). Parties stay together,
// and teams are made even where that is cheap.

import { Lru } from '../../common/lru';
import type { PlayerRoles } from '../pool';
import type { RoleCounts } from '../rules/mode';
import type { PartyMember } from '../ticket/ticket';
import { improved, worthOf } from './balance';
import { type BySet, plus, seatedOn, withinSets } from './hall';
import { RoleBook, type RoleSet, setOf, shapeOf } from './role-book';
import { ShortSearch, type Taken } from './role-short';
import type { Unit } from './role-search';
import { questionOf, seatParties } from './role-solver';
import type { Shape } from './solver';
import { OpenQuestions, searchOf, type Slices, type Steps, unlimited } from './steps';
import type { Minima } from '../rules/sizes';

/** Steps for searching other teams. After that, players get the best roles that the teams found allow. */
const BETTER_STEPS = 20_000;
const PIECE = 500;
/** How many kinds of short matches are remembered. */
const SMALLER = 100;
/** The team of a single player: any. */
const ALONE = -1;

export interface RoleParty {
  readonly members: readonly PartyMember[];
  /** Its value of the first difference field; 0 if the mode has none. */
  readonly value: number;
}

interface RoleTeam {
  readonly name: string;
  /** The indices of its parties, eldest first. */
  readonly parties: readonly number[];
  readonly roles: PlayerRoles;
}

type Dealt = readonly RoleTeam[] | null | 'open';

/** Teams and roles for the sets of one mode. What was cut continues when it is asked for again. */
export class RoleTeams {
  readonly #book: RoleBook;
  readonly #open = new OpenQuestions<ChosenRoles | null>();
  readonly #short: ShortSearch | null;
  readonly #openShort = new OpenQuestions<Taken | null>();
  /** The teams of short matches, by the places that are taken. */
  readonly #smaller = new Lru<RoleTeams>(SMALLER);

  /** `minima`: null if every match must be full. */
  constructor(book: RoleBook, minima: Minima | null = null) {
    this.#book = book;
    this.#short = minima && new ShortSearch(book, minima);
  }

  /** Teams in the order of the composition; a short match may lack some. Null: impossible, which the solver rules out. */
  assign(parties: readonly RoleParty[], steps: Steps): Dealt {
    const players = parties.reduce((sum, { members }) => sum + members.length, 0);
    return this.#short === null || players >= this.#book.players
      ? this.#assign(parties, steps)
      : this.#assignShort(this.#short, parties, steps);
  }

  /** The places that the players of a short match take form a smaller mode, and the players fill that mode. */
  #assignShort(search: ShortSearch, parties: readonly RoleParty[], steps: Steps): Dealt {
    const { teamNames, roles } = this.#book;
    const alike = Map.groupBy(parties, ({ members }) =>
      shapeOf(members.map((member) => this.#book.accepts(member))),
    );
    const units = unitsOf(alike);
    const taken = this.#openShort.ask(questionOf(units), steps, (own) => search.even(units, own));
    if (taken === 'open' || taken === null) {
      return taken;
    }
    const composition = teamNames.flatMap((name, team) => {
      const wanted = roles.flatMap((role, at): [string, number][] => {
        const count = taken[team]?.[at] ?? 0;
        return count > 0 ? [[role, count]] : [];
      });
      return wanted.length === 0 ? [] : [[name, Object.fromEntries(wanted)] as const];
    });
    const key = JSON.stringify(composition);
    const smaller = this.#smaller.getOr(
      key,
      () => new RoleTeams(new RoleBook(Object.fromEntries(composition))),
    );
    const made = smaller.assign(parties, steps);
    if (!search.bots || made === null || made === 'open') {
      return made;
    }
    const none = { parties: [], roles: {} };
    return teamNames.map((name) => made.find((team) => team.name === name) ?? { name, ...none });
  }

  #assign(parties: readonly RoleParty[], steps: Steps): Dealt {
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
export function seatParty(members: readonly PartyMember[], open: RoleCounts): PlayerRoles | null {
  const wanted = Object.fromEntries(Object.entries(open).filter(([, count]) => count > 0));
  const book = new RoleBook({ team: wanted });
  const preferences = members.map((member) => book.preferences(member));
  const chosen = searchOf((own) => chooseRoles(book, [preferences], own, [0]))(unlimited());
  return chosen === null || chosen === 'open' ? null : rolesOf(book, members, chosen.roles[0]);
}

function rolesOf(book: RoleBook, members: readonly PartyMember[], chosen: readonly number[] = []) {
  return Object.fromEntries(members.map(({ id }, at) => [id, book.roles[chosen[at] ?? 0] ?? '']));
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

interface ChosenRoles {
  /** The roles of the members of each party. */
  readonly roles: readonly (readonly number[])[];
  /** A team on which each party of two or more can have them; -1 for single players. */
  readonly teams: readonly number[];
}

/**
 * The role of every player of a chosen match. Those who accept the fewest roles choose first, then those who have
 * waited longest. Each gets the most preferred role with which the match can still be completed. Nearly always the
 * teams found before allow it. Otherwise others are searched for, within a budget: a possible match is not held back
 * for the sake of preferences. Null: the teams cannot be filled at all. `given`: the team of each party. No others are
 * then searched for, and teams need not be full.
 */
function* chooseRoles(
  book: RoleBook,
  parties: readonly (readonly (readonly number[])[])[],
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

/** The roles that are still open to each member of each party. */
type OpenRoles = readonly (readonly RoleSet[])[];

/** All of these parties, by shape, must play. */
function unitsOf(alike: ReadonlyMap<Shape, readonly unknown[]>): readonly Unit[] {
  return Array.from(alike, ([shape, { length }]) => ({ shape, must: length, may: 0 }));
}

/** The team of each party if all of them play; null if they cannot fill the teams. */
function* seatAll(book: RoleBook, open: OpenRoles, steps: Steps): Slices<readonly number[] | null> {
  const alike = Map.groupBy(open.keys(), (party) => shapeOf(open[party] ?? []));
  const seats = yield* seatParties(book, unitsOf(alike), steps);
  const teams = open.map(() => ALONE);
  for (const { shape, team } of seats ?? []) {
    teams[alike.get(shape)?.pop() ?? 0] = team;
  }
  return seats === null ? null : teams;
}

/** Whether everybody finds a role with the parties on these teams. */
function fit({ places, roles }: RoleBook, open: OpenRoles, teams: readonly number[]): boolean {
  const sets = 2 ** roles.length;
  const membersOn = (team: number): BySet =>
    withinSets(shapeOf(open.flatMap((party, at) => (teams[at] === team ? party : []))), sets);
  const held = places.map((wanted, team) => seatedOn(membersOn(team), wanted).holds);
  return held.reduce((all, holds) => plus(all, holds, 1), membersOn(ALONE)).every((n) => n <= 0);
}
