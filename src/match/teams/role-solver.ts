// The solver of modes with roles. A full match fills every role exactly; a short one lacks what the minima allow
// (docs/internals/design.md A14).

import { Lru } from '../../common/lru';
import type { Ticket } from '../ticket/ticket';
import { lackOf, withinSets } from './hall';
import { type RoleBook, shapeOf } from './role-book';
import { RoleSearch, type Seats, type Unit } from './role-search';
import { ShortSearch } from './role-short';
import { Answers, type Counts, type Shape, type Solver } from './solver';
import { type Verdict, type Counters, searchOf, type Slices, type Steps } from './steps';
import { swapped } from './swaps';
import { MOST_ROLES } from '../rules/mode';
import { fewestOf, type Minima } from '../rules/sizes';

/** Steps of one turn. */
const PIECE = 200;
/** Steps of the exact search before swaps begin. It mostly needs fewer. */
const ALONE = 1000;
/** The share of all steps that swaps get from then on. */
const SWAP_SHARE = 0.7;

export class RoleSolver implements Solver {
  readonly players: number;
  readonly fewest: number;
  readonly bots: boolean;
  readonly #book: RoleBook;
  readonly #caps = new Lru<number>(20_000);
  readonly #counters: Counters;
  readonly #answers: Answers;
  readonly #shortAnswers: Answers;
  readonly #short: ShortSearch | null;

  /** `minima`: null if every match must be full. */
  constructor(book: RoleBook, counters: Counters, minima: Minima | null = null) {
    this.#book = book;
    this.#counters = counters;
    this.#answers = new Answers(counters);
    this.#shortAnswers = new Answers(counters);
    this.#short = minima && new ShortSearch(book, minima);
    this.players = book.players;
    this.fewest = minima === null ? book.players : fewestOf(book.demand, minima);
    this.bots = this.#short?.bots === true;
  }

  shapeOf({ members }: Ticket): Shape | null {
    if (this.#book.roles.length > MOST_ROLES) {
      // Saved by an older release.
      return null;
    }
    const shape = shapeOf(members.map((member) => this.#book.accepts(member)));
    return this.cap(shape) === 0 ? null : shape;
  }

  /** 0 if no team can hold one. */
  cap(shape: Shape): number {
    return this.#caps.getOr(shape, () => capOf(this.#book, shape));
  }

  full(must: Counts, may: Counts, steps: Steps): Verdict {
    const units = this.#units(must, may, this.players, steps);
    return units === null
      ? 'no'
      : this.#answers.of(questionOf(units), steps, (own) => seatParties(this.#book, units, own));
  }

  short(must: Counts, may: Counts, steps: Steps): Verdict {
    const search = this.#short;
    const units = search && this.#units(must, may, this.fewest, steps);
    return search === null || units === null
      ? 'no'
      : this.#shortAnswers.of(questionOf(units), steps, (own) => search.any(units, own));
  }

  /** The parties that a match can use. Null if there are too few players, or too many must play. */
  #units(must: Counts, may: Counts, fewest: number, steps: Steps): readonly Unit[] | null {
    this.#counters.checks += 1;
    const units: Unit[] = [];
    let needed = 0;
    let players = 0;
    for (const shape of new Set([...must.keys(), ...may.keys()])) {
      const fixed = must.get(shape) ?? 0;
      const free = Math.min(this.cap(shape), may.get(shape) ?? 0);
      if (fixed > 0 || free > 0) {
        units.push({ shape, must: fixed, may: free });
        needed += fixed * shape.length;
        players += (fixed + free) * shape.length;
      }
    }
    steps.left -= 1 + units.length / 4;
    return needed > this.players || players < fewest
      ? null
      : units.sort((a, b) => (a.shape < b.shape ? -1 : 1));
  }
}

/** The shape comes with its length, so it cannot pass for a number. */
export function questionOf(units: readonly Unit[]): string {
  return units
    .map(({ shape, ...count }) => `${count.must},${count.may},${shape.length},${shape}`)
    .join();
}

function capOf(book: RoleBook, shape: Shape): number {
  const inside = withinSets(shape, 2 ** book.roles.length);
  let cap = 0;
  for (const [team, places] of book.places.entries()) {
    if (shape.length === 1) {
      cap += places[shape.charCodeAt(0)] ?? 0;
    } else if (lackOf(inside, places) === 0) {
      cap += Math.floor((book.teamSizes[team] ?? 0) / shape.length);
    }
  }
  return cap;
}

/**
 * The seats of all parties of two or more that play, so that every role is filled exactly; null: impossible. An exact
 * search begins alone. If it takes long, swaps take turns with it. Either may find it, and both do the same every time.
 */
export function* seatParties(book: RoleBook, units: readonly Unit[], steps: Steps): Slices<Seats> {
  const exact = searchOf((own) => new RoleSearch(book, own).run(units));
  const swaps = searchOf((own) => swapped(book, units, own));
  let [all, bySwaps] = [0, 0];
  for (;;) {
    const isSwaps = all > ALONE && bySwaps < all * SWAP_SHARE;
    const piece = { left: PIECE };
    const found = (isSwaps ? swaps : exact)(piece);
    const spent = PIECE - piece.left;
    all += spent;
    bySwaps += isSwaps ? spent : 0;
    steps.left -= spent;
    if (found !== 'open') {
      return found;
    }
    if (steps.left <= 0) {
      yield;
    }
  }
}
