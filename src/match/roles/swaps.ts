// Teams found by swapping: parties are dealt to teams so that sizes are right, those that are left
// over sit on a bench; then some of the same size change places for as long as fewer players lack a role
// for it. It finds what an exact search is slow to find, many ways being open, and proves nothing.

import { Chance } from './chance';
import type { Unit } from './crowd';
import type { RoleBook } from './wishes';
import type { Steps } from '../sets/steps';

interface Held {
  readonly unit: number;
  readonly isMust: boolean;
  readonly wishes: readonly (readonly number[])[];
}

/** Worse teams are put up with by chance, the less so the worse. */
const WORSE = [1, 0.05, 0.003] as const;
/** Dealt anew after so many swaps. */
const PATIENCE = 20_000;
const MOST_SWAPPED = 3;
/** How often a swap is with the bench. */
const BENCHED = 0.7;

export class Swaps {
  readonly #book: RoleBook;
  readonly #parties: readonly Held[];
  /** Sizes of the parties of each team. */
  readonly #sizes: readonly (readonly number[])[];
  /** The bench comes after the teams. */
  #teams: Held[][] = [];
  #lacking: number[] = [];
  #tries = 0;
  readonly #chance = new Chance(1);
  readonly #holders: Int8Array[];

  /** Sizes of parties that make each team full, with all who must play. */
  constructor(book: RoleBook, units: readonly Unit[], sizes: readonly (readonly number[])[]) {
    this.#book = book;
    this.#sizes = sizes;
    this.#parties = units.flatMap(({ wishes, must, may }, unit) => {
      const accepted = wishes.map(({ accepts }) =>
        [...book.roles.keys()].filter((role) => accepts[role]),
      );
      return Array.from({ length: must + may }, (_, at) => ({
        unit,
        isMust: at < must,
        wishes: accepted,
      }));
    });
    this.#holders = book.roles.map(() => new Int8Array(Math.max(...book.teamSizes) + 1));
  }

  /** The unit of each party of each team, or null when none is found within this one step. */
  step(steps: Steps): readonly (readonly number[])[] | null {
    if (this.#tries === 0) {
      this.#deal();
      steps.left -= this.#parties.length;
    }
    this.#tries = (this.#tries + 1) % PATIENCE;
    if (this.#lacking.every((lacking) => lacking === 0)) {
      const teams = this.#teams.slice(0, this.#sizes.length);
      return teams.map((team) => team.map(({ unit }) => unit));
    }
    steps.left -= 4;
    const here = this.#anyLacking();
    const bench = this.#sizes.length;
    const isBench = (this.#teams[bench]?.length ?? 0) > 0 && this.#chance.unit() < BENCHED;
    const there = isBench ? bench : this.#chance.below(bench);
    const [mine, theirs] = [this.#teams[here] ?? [], this.#teams[there] ?? []];
    if (here === there) {
      return null;
    }
    const swap = this.#equalParts(mine, theirs);
    if (swap === null) {
      return null;
    }
    const [given, taken] = swap;
    if (isBench && given.some(({ isMust }) => isMust)) {
      return null;
    }
    const after = [...mine.filter((each) => !given.includes(each)), ...taken];
    const others = [...theirs.filter((each) => !taken.includes(each)), ...given];
    const lackHere = this.#lack(after, here);
    const lackThere = this.#lack(others, there);
    steps.left -= this.#book.teamSizes[here] ?? 0;
    const worse = lackHere + lackThere - (this.#lacking[here] ?? 0) - (this.#lacking[there] ?? 0);
    if (worse <= 0 || this.#chance.unit() < (WORSE[worse] ?? 0)) {
      this.#teams[here] = after;
      this.#teams[there] = others;
      this.#lacking[here] = lackHere;
      this.#lacking[there] = lackThere;
    }
    return null;
  }

  #deal(): void {
    const bySize = new Map<number, Held[]>();
    const deck = this.#parties.map((party) => ({ party, at: this.#chance.unit() }));
    // From the end: those who must play first.
    deck.sort((a, b) => Number(a.party.isMust) - Number(b.party.isMust) || a.at - b.at);
    for (const { party } of deck) {
      const alike = bySize.get(party.wishes.length) ?? [];
      alike.push(party);
      bySize.set(party.wishes.length, alike);
    }
    const teams = this.#sizes.map((sizes) =>
      sizes.flatMap((size) => bySize.get(size)?.pop() ?? []),
    );
    this.#lacking = [...teams.map((team, at) => this.#lack(team, at)), 0];
    this.#teams = [...teams, [...bySize.values()].flat()];
  }

  #anyLacking(): number {
    const lacking = [...this.#lacking.keys()].filter((team) => (this.#lacking[team] ?? 0) > 0);
    return lacking[this.#chance.below(lacking.length)] ?? 0;
  }

  /** A few parties of each with as many players. */
  #equalParts(mine: readonly Held[], theirs: readonly Held[]): readonly [Held[], Held[]] | null {
    const given: Held[] = [];
    const taken: Held[] = [];
    let more = 0;
    do {
      const [from, into] = more <= 0 ? [mine, given] : [theirs, taken];
      const party = from[this.#chance.below(from.length)];
      if (party === undefined || into.includes(party) || into.length === MOST_SWAPPED) {
        return null;
      }
      into.push(party);
      more += into === given ? party.wishes.length : -party.wishes.length;
    } while (more !== 0);
    return [given, taken];
  }

  /** How many of these players find no role on the team when all others do. */
  #lack(parties: readonly Held[], team: number): number {
    if (team === this.#sizes.length) {
      return 0;
    }
    const demand = this.#book.demand[team] ?? [];
    const members = parties.flatMap(({ wishes }) => wishes);
    for (const holders of this.#holders) {
      holders[0] = 0;
    }
    let lacking = 0;
    const place = (at: number, seen: boolean[]): boolean => {
      const accepted = members[at] ?? [];
      for (const role of accepted) {
        const holders = this.#holders[role];
        const count = holders?.[0] ?? 0;
        if (holders !== undefined && count < (demand[role] ?? 0)) {
          holders[0] = count + 1;
          holders[count + 1] = at;
          return true;
        }
      }
      if (accepted.length === 1 && members.every((wish) => wish.length === 1)) {
        return false;
      }
      for (const role of accepted) {
        const holders = this.#holders[role];
        if (holders === undefined || seen[role] === true) {
          continue;
        }
        seen[role] = true;
        for (let index = 1; index <= (holders[0] ?? 0); index += 1) {
          if (place(holders[index] ?? 0, seen)) {
            holders[index] = at;
            return true;
          }
        }
      }
      return false;
    };
    for (const at of members.keys()) {
      if (!place(at, [])) {
        lacking += 1;
      }
    }
    return lacking;
  }
}
