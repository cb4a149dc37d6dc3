// Searches that were cut, kept until their questions are asked again. A search that is dropped starts anew when it is
// asked for, with the same outcome.

import { type Search, searchOf, type Slices, type Steps } from './steps';

/** More than there are tasks of a pool that could each have a question open (MOST_TASKS in waiting/events.ts). */
const KEPT = 20;

export class OpenQuestions<T> {
  readonly #kept = new Map<string, Search<T>>();

  /** Runs the search, from where it was cut or from its beginning, as long as there are steps. */
  ask(question: string, steps: Steps, work: (own: Steps) => Slices<T>): T | 'open' {
    const search = this.#kept.get(question) ?? searchOf(work);
    const answer = search(steps);
    // The latest are at the end: those not asked for the longest time are dropped first.
    this.#kept.delete(question);
    if (answer === 'open' && steps.isGlance !== true) {
      this.#kept.set(question, search);
      for (const eldest of this.#kept.size > KEPT ? this.#kept.keys().take(1) : []) {
        this.#kept.delete(eldest);
      }
    }
    return answer;
  }
}
