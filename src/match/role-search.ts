// Can these parties fill the teams of an asymmetric mode, every role exactly? Parties are given to
// teams by search, single players by counting: all places can be filled, and all who must play can
// be placed, so both can be done at once (Mendelsohn and Dulmage; matching.md section 5).

import type { Counters } from './counters';
import { ANY_TEAM, type Group, mostPlaced, type Places } from './role-flow';
import type { RoleBook, Wish } from './role-wishes';

/** Parties that are alike, or single players. */
export interface Unit {
  /** The same for parties that accept the same. */
  readonly key: string;
  readonly wishes: readonly Wish[];
  readonly count: number;
}

const NODE_LIMIT = 20_000;

interface Question {
  readonly mustSolos: readonly Group[];
  readonly allSolos: readonly Group[];
  /** One entry a party, largest first. */
  readonly mustParties: readonly Unit[];
  readonly mayParties: readonly { readonly unit: Unit; left: number }[];
  readonly seated: Unit[][];
  readonly failed: Set<string>;
  nodes: number;
}

export class RoleSearch {
  readonly #book: RoleBook;
  readonly #counters: Counters;
  readonly #players: number;
  /** Teams that want the same have the same kind. */
  readonly #kinds: readonly string[];

  constructor(book: RoleBook, counters: Counters) {
    this.#book = book;
    this.#counters = counters;
    this.#players = book.teamSizes.reduce((sum, size) => sum + size, 0);
    this.#kinds = book.demand.map((team) => team.join());
  }

  /** True when the party can be seated on that team, were it empty. */
  fits(wishes: readonly Wish[], team: number): boolean {
    const demand = this.#book.demand[team] ?? [];
    const groups = wishes.map((wish) => ({ wish, team, count: 1 }));
    const places = demand.map((count, role) => ({ role, team, count }));
    return mostPlaced(groups, places) === wishes.length;
  }

  /** True when all of `must` and some of `may` fill every place; beyond the node limit false. */
  feasible(must: readonly Unit[], may: readonly Unit[]): boolean {
    const solos = (units: readonly Unit[]): Group[] =>
      units.flatMap(({ wishes, count }) => {
        const [wish] = wishes;
        return wishes.length === 1 && wish !== undefined ? [{ wish, team: ANY_TEAM, count }] : [];
      });
    const isParty = ({ wishes }: Unit): boolean => wishes.length > 1;
    const bySize = (a: Unit, b: Unit): number => b.wishes.length - a.wishes.length;
    const mustSolos = solos(must);
    const question: Question = {
      mustSolos,
      allSolos: [...mustSolos, ...solos(may)],
      mustParties: must
        .filter(isParty)
        .flatMap((unit) => Array.from({ length: unit.count }, () => unit))
        .sort(bySize),
      mayParties: may
        .filter(isParty)
        .sort(bySize)
        .map((unit) => ({ unit, left: unit.count })),
      seated: this.#kinds.map(() => []),
      failed: new Set(),
      nodes: 0,
    };
    const found = this.#isPlaceable(question) && this.#seat(question, 0);
    this.#counters.nodes += question.nodes;
    if (!found && question.nodes > NODE_LIMIT) {
      this.#counters.budgetHits += 1;
    }
    return found;
  }

  #seat(question: Question, at: number): boolean {
    const unit = question.mustParties[at];
    if (unit === undefined) {
      return this.#extend(question, 0);
    }
    return this.#anyTeam(question, unit, () => this.#seat(question, at + 1));
  }

  /** Adds optional parties, from the one numbered `from` on, until the rest can be filled up. */
  #extend(question: Question, from: number): boolean {
    if (this.#isCoverable(question, [])) {
      return true;
    }
    // Were the members of all other parties free to go anywhere, would that be enough?
    const dreamt = question.mayParties
      .slice(from)
      .flatMap(({ unit, left }) =>
        unit.wishes.map((wish) => ({ wish, team: ANY_TEAM, count: left })),
      );
    if (dreamt.length === 0 || !this.#isCoverable(question, dreamt)) {
      return false;
    }
    const state = `${from}|${question.seated
      .map((team, at) => `${this.#kinds[at]}:${signature(team)}`)
      .sort()
      .join('|')}`;
    if (question.failed.has(state)) {
      return false;
    }
    for (const [at, party] of question.mayParties.entries()) {
      if (at >= from && party.left > 0) {
        party.left -= 1;
        const found = this.#anyTeam(question, party.unit, () => this.#extend(question, at));
        party.left += 1;
        if (found) {
          return true;
        }
      }
    }
    question.failed.add(state);
    return false;
  }

  /** Tries the party on every team, of teams alike only once. */
  #anyTeam(question: Question, unit: Unit, then: () => boolean): boolean {
    const tried = new Set<string>();
    for (const [team, seated] of question.seated.entries()) {
      const kind = `${this.#kinds[team]}|${signature(seated)}`;
      const size = seated.reduce((sum, party) => sum + party.wishes.length, 0);
      const isTooLarge = size + unit.wishes.length > (this.#book.teamSizes[team] ?? 0);
      question.nodes += 1;
      if (isTooLarge || tried.has(kind) || question.nodes > NODE_LIMIT) {
        continue;
      }
      tried.add(kind);
      seated.push(unit);
      const found = this.#isPlaceable(question) && then();
      seated.pop();
      if (found) {
        return true;
      }
    }
    return false;
  }

  /** All who must play, and all members of seated parties, can have a role at once. */
  #isPlaceable({ mustSolos, seated }: Question): boolean {
    const groups = [...partyGroups(seated), ...mustSolos];
    const players = groups.reduce((sum, { count }) => sum + count, 0);
    return players <= this.#players && mostPlaced(groups, this.#placesFor(seated)) === players;
  }

  /** Every place can be filled. */
  #isCoverable({ allSolos, seated }: Question, others: readonly Group[]): boolean {
    const groups = [...partyGroups(seated), ...allSolos, ...others];
    return mostPlaced(groups, this.#placesFor(seated)) === this.#players;
  }

  /** Teams without a party are one to single players. */
  #placesFor(seated: readonly (readonly Unit[])[]): readonly Places[] {
    const shared = this.#book.roles.map(() => 0);
    const places: Places[] = [];
    for (const [team, demand] of this.#book.demand.entries()) {
      for (const [role, count] of demand.entries()) {
        if (count > 0 && (seated[team]?.length ?? 0) > 0) {
          places.push({ role, team, count });
        } else {
          shared[role] = (shared[role] ?? 0) + count;
        }
      }
    }
    for (const [role, count] of shared.entries()) {
      if (count > 0) {
        places.push({ role, team: ANY_TEAM, count });
      }
    }
    return places;
  }
}

function partyGroups(seated: readonly (readonly Unit[])[]): Group[] {
  return seated.flatMap((team, at) =>
    team.flatMap(({ wishes }) => wishes.map((wish) => ({ wish, team: at, count: 1 }))),
  );
}

function signature(team: readonly Unit[]): string {
  return team
    .map(({ key }) => key)
    .sort()
    .join(' ');
}
