// One question of roles, to its end: an exact search, and, when its first descent has failed, teams
// chosen whole and swaps in turn with it. Each may find the answer; all begin the same way each time. Holds always: between two steps the search may stop and go on later.

import type { Answer, Steps } from '../sets/steps';
import { Covers } from './covers';
import { type Crowd, crowdOf, type Unit } from './crowd';
import { PartySearch } from './party-search';
import { TeamSizes } from './sizes';
import { Swaps } from './swaps';
import type { RoleBook } from './wishes';

/** From the first restart on, or from so many steps on, teams chosen whole get this share of all steps, */
const COVER_SHARE = 0.4;
/** and swaps this one. */
const SWAP_SHARE = 0.7;
/** To list the ways of each unit, in steps. */
const BEGUN_COST = 8;
/** Where players name several roles, swaps nearly always find a match before. */
const LATE = 20_000;
/** Where some are left over, there is often no match, which only the exact search can tell. */
const SHARE_OF_SURPLUS = 0.3;
const SOON = 5000;

export class RoleSearch {
  readonly #book: RoleBook;
  readonly #units: readonly Unit[];
  readonly #crowd: Crowd;
  readonly #exact: PartySearch;
  /** Null until it is their turn. */
  #covers: Covers | null = null;
  #sizes: TeamSizes | null = null;
  #swaps: Swaps | null = null;
  /** Units of each team, unless the exact search found them. */
  #teams: readonly (readonly number[])[] | null = null;
  readonly #share: number;
  readonly #coversFrom: number;
  #steps = 0;
  #coverSteps = 0;
  #swapSteps = 0;

  constructor(book: RoleBook, units: readonly Unit[]) {
    this.#book = book;
    this.#units = units;
    const players = units.reduce(
      (sum, { wishes, must, may }) => sum + wishes.length * (must + may),
      0,
    );
    this.#share = players === book.players ? SWAP_SHARE : SHARE_OF_SURPLUS;
    this.#crowd = crowdOf(book, units);
    const isEach = this.#crowd.classes.every(({ accepts }) => accepts.filter(Boolean).length === 1);
    this.#coversFrom = isEach ? 0 : LATE;
    this.#exact = new PartySearch(book, this.#crowd);
  }

  /** All steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Goes on with the search for as long as there are steps. */
  run(steps: Steps): Answer {
    do {
      const cost = this.#isTurnOfCovers
        ? this.#cover()
        : this.#isTurnOfSwaps
          ? this.#swap()
          : this.#exact.step();
      this.#steps += cost;
      steps.left -= cost;
    } while (this.#answer === 'open' && steps.left > 0);
    return this.#answer;
  }

  /** Of an answer of yes: the unit and the team of each party of two and more. */
  get seats(): readonly { readonly unit: number; readonly team: number }[] {
    return (
      this.#teams?.flatMap((units, team) =>
        units
          .filter((unit) => (this.#units[unit]?.wishes.length ?? 0) > 1)
          .map((unit) => ({ unit, team })),
      ) ?? this.#exact.seats
    );
  }

  /** Of an answer of yes: how many of each unit play. */
  get used(): readonly number[] {
    const used = this.#units.map(() => 0);
    const seated = this.#teams?.flat() ?? this.#exact.seats.map(({ unit }) => unit);
    for (const unit of seated) {
      used[unit] = (used[unit] ?? 0) + 1;
    }
    if (this.#teams !== null) {
      return used;
    }
    for (const { unit, members } of this.#crowd.singles) {
      used[unit] = this.#exact.placed(members[0] ?? 0);
    }
    return used;
  }

  get #answer(): Answer {
    return this.#teams !== null ? 'yes' : this.#covers?.answer === 'no' ? 'no' : this.#exact.answer;
  }

  get #isHard(): boolean {
    return (this.#exact.restarts > 0 || this.#steps > SOON) && this.#answer === 'open';
  }

  get #isTurnOfCovers(): boolean {
    return (
      this.#covers?.hasGivenUp !== true &&
      this.#steps > this.#coversFrom &&
      this.#coverSteps < this.#steps * COVER_SHARE &&
      this.#isHard
    );
  }

  get #isTurnOfSwaps(): boolean {
    return (
      this.#sizes?.found !== null &&
      this.#swapSteps < (this.#steps - this.#coverSteps) * this.#share &&
      this.#isHard
    );
  }

  #cover(): number {
    const isNew = this.#covers === null;
    this.#covers ??= new Covers(this.#book, this.#units);
    const cost = this.#covers.step() + (isNew ? this.#units.length * BEGUN_COST : 0);
    this.#coverSteps += cost;
    if (this.#covers.answer === 'yes') {
      this.#teams = this.#covers.teams;
    }
    return cost;
  }

  #swap(): number {
    this.#sizes ??= new TeamSizes(this.#book, this.#units);
    if (this.#sizes.found === undefined) {
      const cost = this.#sizes.step();
      this.#swapSteps += cost;
      return cost;
    }
    this.#swaps ??= new Swaps(this.#book, this.#units, this.#sizes.found ?? []);
    const spent = { left: 0 };
    this.#teams = this.#swaps.step(spent);
    this.#swapSteps -= spent.left;
    return -spent.left;
  }
}
