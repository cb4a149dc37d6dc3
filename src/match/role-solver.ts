// The solver of asymmetric modes. A shape is what the members of a party accept, in no order; one
// role demand is met exactly or not at all (matching.md A14), so nothing starts short.

import type { Counters } from './counters';
import { Interned } from './index-interned';
import type { Counts } from './packing';
import { RoleSearch, type Unit } from './role-search';
import type { RoleBook, Wish } from './role-wishes';
import type { Solver } from './solver';
import type { Ticket } from './ticket';

interface Shape {
  readonly key: string;
  readonly wishes: readonly Wish[];
  readonly cap: number;
}

const REMEMBERED = 20_000;

export class RoleSolver implements Solver {
  readonly players: number;
  readonly fewest: number;
  readonly #book: RoleBook;
  readonly #counters: Counters;
  readonly #search: RoleSearch;
  readonly #shapes = new Interned<Shape>();
  readonly #known = new Map<string, boolean>();

  constructor(book: RoleBook, counters: Counters) {
    this.#book = book;
    this.#counters = counters;
    this.#search = new RoleSearch(book, counters);
    this.players = book.teamSizes.reduce((sum, size) => sum + size, 0);
    this.fewest = this.players;
  }

  get shapes(): number {
    return this.#shapes.limit;
  }

  acquire({ members }: Ticket): number | null {
    const wishes = members.map((member) => this.#book.wish(this.#book.preferences(member)));
    const key = wishes
      .map((wish) => wish.key)
      .sort()
      .join(' ');
    if (this.#shapes.find(key) === undefined) {
      const cap = this.#capOf(wishes);
      if (cap === 0) {
        return null;
      }
      return this.#shapes.acquire(key, () => ({ key, wishes, cap }));
    }
    return this.#shapes.acquire(key, unmade);
  }

  release(shape: number): void {
    this.#shapes.release(shape);
  }

  cap(shape: number): number {
    return this.#shapes.get(shape).cap;
  }

  full(must: Counts, may: Counts): boolean {
    this.#counters.checks += 1;
    const parts: string[] = [];
    let needed = 0;
    let players = 0;
    for (let shape = 0; shape < must.length; shape += 1) {
      const fixed = must[shape] ?? 0;
      const free = may[shape] ?? 0;
      if (fixed > 0 || free > 0) {
        const { key, cap, wishes } = this.#shapes.get(shape);
        const usable = Math.min(cap, free);
        parts.push(`${key}:${fixed}+${usable}`);
        needed += fixed * wishes.length;
        players += (fixed + usable) * wishes.length;
      }
    }
    if (needed > this.players || players < this.players) {
      return false;
    }
    // Numbers of shapes come and go with their tickets; what the shapes accept stays.
    const question = parts.sort().join('|');
    let answer = this.#known.get(question);
    if (answer === undefined) {
      answer = this.#search.feasible(this.#units(must), this.#units(may));
      if (this.#known.size >= REMEMBERED) {
        this.#known.clear();
      }
      this.#known.set(question, answer);
    }
    return answer;
  }

  short(): boolean {
    return false;
  }

  #units(counts: Counts): readonly Unit[] {
    const units: Unit[] = [];
    for (const [shape, count] of counts.entries()) {
      if (count > 0) {
        const { key, wishes, cap } = this.#shapes.get(shape);
        units.push({ key, wishes, count: Math.min(count, cap + 1) });
      }
    }
    return units;
  }

  /** How many such parties a match can use; 0 when no team can hold one. */
  #capOf(wishes: readonly Wish[]): number {
    const [wish] = wishes;
    if (wish === undefined) {
      return 0;
    }
    if (wishes.length === 1) {
      return this.#book.demand
        .flat()
        .reduce(
          (sum, count, at) => sum + (wish.accepts[at % this.#book.roles.length] ? count : 0),
          0,
        );
    }
    return this.#book.teamSizes.reduce(
      (sum, size, team) =>
        this.#search.fits(wishes, team) ? sum + Math.floor(size / wishes.length) : sum,
      0,
    );
  }
}

function unmade(): never {
  throw new Error('the shape was known');
}
