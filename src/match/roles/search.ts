// One question of roles, to its end: an exact search, and, where nobody can be left out and its first
// descent has failed, swaps in turn with it. Either may find the answer; both begin the same way each
// time. Holds always: between two steps the search may stop and go on later.

import type { Answer, Steps } from '../sets/steps';
import { type Crowd, crowdOf, type Unit } from './crowd';
import { PartySearch } from './party-search';
import { DEAL_STEPS, sizesOf } from './rooms';
import { Swaps } from './swaps';
import type { RoleBook } from './wishes';

/** From the first restart on, swaps get this share of all steps. */
const SWAP_SHARE = 0.7;

export class RoleSearch {
  readonly #book: RoleBook;
  readonly #units: readonly Unit[];
  readonly #crowd: Crowd;
  readonly #exact: PartySearch;
  readonly #isAll: boolean;
  /** Undefined until it is their turn; null where sizes have not been found in time. */
  #swaps: Swaps | null | undefined;
  #swapped: readonly (readonly number[])[] | null = null;
  #steps = 0;
  #swapSteps = 0;

  constructor(book: RoleBook, units: readonly Unit[]) {
    this.#book = book;
    this.#units = units;
    const players = units.reduce(
      (sum, { wishes, must, may }) => sum + wishes.length * (must + may),
      0,
    );
    this.#isAll = players === book.players;
    this.#crowd = crowdOf(book, units);
    this.#exact = new PartySearch(book, this.#crowd);
  }

  /** All steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Goes on with the search for as long as there are steps. */
  run(steps: Steps): Answer {
    do {
      const cost = this.#isTurnOfSwaps ? this.#swap() : this.#exact.step();
      this.#steps += cost;
      steps.left -= cost;
    } while (this.#answer === 'open' && steps.left > 0);
    return this.#answer;
  }

  /** Of an answer of yes: the unit and the team of each party of two and more. */
  get seats(): readonly { readonly unit: number; readonly team: number }[] {
    return (
      this.#swapped?.flatMap((units, team) =>
        units
          .filter((unit) => (this.#units[unit]?.wishes.length ?? 0) > 1)
          .map((unit) => ({ unit, team })),
      ) ?? this.#exact.seats
    );
  }

  /** Of an answer of yes: how many of each unit play. */
  get used(): readonly number[] {
    if (this.#swapped !== null) {
      return this.#units.map(({ must, may }) => must + may);
    }
    const used = this.#units.map(() => 0);
    for (const { unit } of this.#exact.seats) {
      used[unit] = (used[unit] ?? 0) + 1;
    }
    for (const { unit, members } of this.#crowd.singles) {
      used[unit] = this.#exact.placed(members[0] ?? 0);
    }
    return used;
  }

  get #answer(): Answer {
    return this.#swapped === null ? this.#exact.answer : 'yes';
  }

  get #isTurnOfSwaps(): boolean {
    return (
      this.#isAll &&
      this.#swaps !== null &&
      this.#exact.restarts > 0 &&
      this.#swapSteps < this.#steps * SWAP_SHARE &&
      this.#answer === 'open'
    );
  }

  #swap(): number {
    if (this.#swaps === undefined) {
      const sizes = sizesOf(this.#book, this.#units);
      this.#swaps = sizes === null ? null : new Swaps(this.#book, this.#units, sizes);
      this.#swapSteps = DEAL_STEPS;
      return DEAL_STEPS;
    }
    const spent = { left: 0 };
    this.#swapped = this.#swaps?.step(spent) ?? null;
    this.#swapSteps -= spent.left;
    return -spent.left;
  }
}
