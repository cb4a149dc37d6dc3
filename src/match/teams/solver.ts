// Can these tickets make a match? Asked of counts by shape. The two kinds of mode answer in their own way. An
// answer follows from the counts alone: what else happens in the pool asks other questions.

import type { Ticket } from '../ticket/ticket';
import type { Counters } from '../waiting/counters';
import type { Answer, Steps } from './steps';

/** All that teams care about in a party: a character for each member. Equal for parties that are alike. */
export type Shape = string;

/** How many parties of each shape. */
export type Counts = ReadonlyMap<Shape, number>;

export interface Solver {
  /** Players of a full match. */
  readonly players: number;
  /** Fewest players of any match. */
  readonly fewest: number;
  /** The shape of a party; null when no team can ever hold it. */
  shapeOf(ticket: Ticket): Shape | null;
  /** Beyond this many of a shape, more of it change nothing. */
  cap(shape: Shape): number;
  /** All of `must` with some of `may` make a full match. An open question is kept for next time. */
  full(must: Counts, may: Counts, steps: Steps): Answer;
  /** The same for any match the mode lets start. */
  short(must: Counts, may: Counts, steps: Steps): Answer;
}

const REMEMBERED = 20_000;

/** Answers to questions asked before; one that is open is asked again, except by who only glances. */
export class Answers {
  readonly #counters: Counters;
  readonly #known = new Map<string, Answer>();

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  of(question: string, steps: Steps, find: () => Answer): Answer {
    const known = this.#known.get(question);
    if (known !== undefined && (known !== 'open' || steps.isGlance === true)) {
      return known;
    }
    const before = steps.left;
    const found = find();
    this.#counters.nodes += before === Infinity ? 0 : before - steps.left;
    if (found !== 'open' || steps.isGlance === true) {
      if (this.#known.size >= REMEMBERED) {
        this.#known.clear();
      }
      this.#known.set(question, found);
    }
    return found;
  }
}
