// The solver of asymmetric modes. A shape is what the members of a party accept, in no order; one
// role demand is met exactly or not at all (docs/internals/design.md A14), so nothing starts short.

import type { Counters } from '../waiting/counters';
import { Interned } from './interned';
import { OpenQuestions } from '../sets/open-questions';
import type { Counts } from '../sets/pack-search';
import type { Solver } from '../sets/solver';
import type { Answer, Steps } from '../sets/steps';
import type { Ticket } from '../ticket/ticket';
import { Answers } from './answers';
import { seatAll } from './seating';
import type { Unit } from './crowd';
import { RoleSearch } from './search';
import type { RoleBook, Wish } from './wishes';

interface Shape {
  /** Never given again, unlike the number of a shape that is no longer in use. */
  readonly serial: number;
  readonly wishes: readonly Wish[];
  readonly cap: number;
}

/** Sets that filled the teams, tried first: the next question is mostly much like the last one. */
const WITNESSES = 8;

export class RoleSolver implements Solver {
  readonly players: number;
  readonly fewest: number;
  readonly #book: RoleBook;
  readonly #counters: Counters;
  readonly #shapes = new Interned<Shape>();
  readonly #known = new Answers();
  readonly #open = new OpenQuestions<RoleSearch>();
  readonly #witnesses: ReadonlyMap<Shape, number>[] = [];
  #serial = 0;

  constructor(book: RoleBook, counters: Counters) {
    this.#book = book;
    this.#counters = counters;
    this.players = book.players;
    this.fewest = this.players;
  }

  get shapes(): number {
    return this.#shapes.limit;
  }

  acquire({ members }: Ticket): number | null {
    const [first] = members;
    if (members.length === 1 && first !== undefined) {
      const wish = this.#book.wishOf(first);
      return this.#acquire(wish.key, [wish]);
    }
    const wishes = members.map((member) => this.#book.wishOf(member));
    const keys = wishes.map((wish) => wish.key).sort();
    return this.#acquire(keys.join(' '), wishes);
  }

  #acquire(key: string, wishes: readonly Wish[]): number | null {
    if (this.#shapes.find(key) === undefined) {
      const cap = this.#capOf(wishes);
      if (cap === 0) {
        return null;
      }
      this.#serial += 1;
      const serial = this.#serial;
      return this.#shapes.acquire(key, () => ({ serial, wishes, cap }));
    }
    return this.#shapes.acquire(key, unmade);
  }

  release(shape: number): void {
    this.#shapes.release(shape);
  }

  cap(shape: number): number {
    return this.#shapes.get(shape).cap;
  }

  full(must: Counts, may: Counts, steps: Steps): Answer {
    this.#counters.checks += 1;
    const known = this.#known;
    known.begin();
    let units = 0;
    let needed = 0;
    let players = 0;
    for (let number = 0; number < must.length; number += 1) {
      const fixed = must[number] ?? 0;
      const free = may[number] ?? 0;
      if (fixed > 0 || free > 0) {
        const { serial, cap, wishes } = this.#shapes.get(number);
        const usable = Math.min(cap, free);
        units += 1;
        known.add(serial);
        known.add(fixed);
        known.add(usable);
        needed += fixed * wishes.length;
        players += (fixed + usable) * wishes.length;
      }
    }
    if (needed > this.players || players < this.players) {
      return 'no';
    }
    steps.left -= 1 + (units >> 2);
    const before = known.get();
    if (before !== undefined && (before !== 'open' || steps.asker === 'glance')) {
      return before;
    }
    const answer = this.#find(must, may, steps);
    // A glance sees no more the next time.
    if (answer !== 'open' || steps.asker === 'glance') {
      known.set(answer);
    }
    return answer;
  }

  /** What is not known. */
  #find(must: Counts, may: Counts, steps: Steps): Answer {
    const shapes: Shape[] = [];
    const units: Unit[] = [];
    for (let number = 0; number < must.length; number += 1) {
      const fixed = must[number] ?? 0;
      const free = may[number] ?? 0;
      if (fixed > 0 || free > 0) {
        const shape = this.#shapes.get(number);
        shapes.push(shape);
        units.push({ wishes: shape.wishes, must: fixed, may: Math.min(shape.cap, free) });
      }
    }
    return this.#isWitnessed(shapes, units)
      ? 'yes'
      : this.#search(this.#known.text, { shapes, units, steps });
  }

  short(): Answer {
    return 'no';
  }

  /** True when a set that filled the teams has all who must be in it, and no others than may. */
  #isWitnessed(shapes: readonly Shape[], units: readonly Unit[]): boolean {
    return this.#witnesses.some((used) => {
      let players = 0;
      for (const [at, { wishes, must, may }] of units.entries()) {
        const shape = shapes[at];
        const count = (shape === undefined ? 0 : used.get(shape)) ?? 0;
        if (count < must || count > must + may) {
          return false;
        }
        players += count * wishes.length;
      }
      return players === this.players;
    });
  }

  #search(
    question: string,
    { shapes, units, steps }: { shapes: readonly Shape[]; units: readonly Unit[]; steps: Steps },
  ): Answer {
    return this.#open.goOn(question, steps, {
      begin: () => new RoleSearch(this.#book, units),
      run: (search) => {
        const before = search.steps;
        const answer = search.run(steps);
        this.#counters.nodes += search.steps - before;
        if (answer === 'yes') {
          const { used } = search;
          this.#witnesses.unshift(new Map(shapes.map((shape, at) => [shape, used[at] ?? 0])));
          this.#witnesses.length = Math.min(this.#witnesses.length, WITNESSES);
        }
        return answer;
      },
    });
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
        seatAll(wishes, this.#book.demand[team] ?? []) !== null
          ? sum + Math.floor(size / wishes.length)
          : sum,
      0,
    );
  }
}

function unmade(): never {
  throw new Error('the shape was known');
}
