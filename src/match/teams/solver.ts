// Can these tickets make a match? The answer depends on counts by shape alone. Modes with roles have their own solver.

import type { Ticket } from '../ticket/ticket';
import { type Verdict, type Counters, OpenQuestions, type Slices, type Steps } from './steps';

/** What matters about a party to teams: a character for each member. Equal for parties that are alike. */
export type Shape = string;

/** How many parties of each shape. */
export type Counts = ReadonlyMap<Shape, number>;

export interface Solver {
  /** Players of a full match. */
  readonly players: number;
  /** Fewest players of any match. */
  readonly fewest: number;
  /** Bots take the places that are left in a short match, so one party alone can be one. */
  readonly bots: boolean;
  /** The shape of a party; null if no team can ever hold it. */
  shapeOf(ticket: Ticket): Shape | null;
  /** How many parties of a shape one match can use at most. */
  cap(shape: Shape): number;
  /** Do all of `must` with some of `may` make a full match? A question that stays open is kept for the next time. */
  full(must: Counts, may: Counts, steps: Steps): Verdict;
  /** The same for any match that the mode lets start. */
  short(must: Counts, may: Counts, steps: Steps): Verdict;
}

const REMEMBERED = 20_000;

/** Answers to earlier questions. Open ones are asked again, except by a glance. */
export class Answers {
  readonly #counters: Counters;
  readonly #known = new Map<string, Verdict>();
  readonly #open = new OpenQuestions<unknown>();

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** No if `work` finds null. */
  of(question: string, steps: Steps, work: (own: Steps) => Slices<unknown>): Verdict {
    const known = this.#known.get(question);
    if (known !== undefined && (known !== 'open' || steps.isGlance === true)) {
      return known;
    }
    const before = steps.left;
    const found = this.#open.ask(question, steps, work);
    const answer = found === 'open' ? found : found === null ? 'no' : 'yes';
    this.#counters.nodes += before === Infinity ? 0 : before - steps.left;
    if (answer !== 'open' || steps.isGlance === true) {
      if (this.#known.size >= REMEMBERED) {
        this.#known.clear();
      }
      this.#known.set(question, answer);
    }
    return answer;
  }
}
