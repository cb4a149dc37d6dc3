// Searches that pause and go on later. Work is counted and never timed: the clock stands still while a Worker
// computes, and a count gives the same outcome on every machine (docs/internals/design.md: What matching means).

/**
 * What a caller still allows, shared by everything it asks: whoever works takes from `left`. A step is about one
 * state of a search, 0.3 to 1 microsecond in Node. A call may overrun by some hundreds of steps.
 */
export interface Steps {
  left: number;
  /** True if the caller never asks again, so that it is no use to keep what was cut. */
  isGlance?: boolean;
}

/** For callers that are not cut. */
export function unlimited(): Steps {
  return { left: Infinity };
}

/**
 * `open`: the steps were spent before the answer was found. Asking again continues there, and the cuts do not change the
 * answer. These are words and not booleans, so that no condition takes an open question for an answer.
 */
export type Verdict = 'yes' | 'no' | 'open';

/** A computation that pauses (`yield`) when its steps are spent, and its result. */
export type Slices<T = void> = Generator<undefined, T, undefined>;

/** A search under way: each call continues it as long as there are steps. */
export type Resumable<T> = (steps: Steps) => T | 'open';

/** `work` pays from the steps it is given. They are those of whoever runs the search at the time. */
export function searchOf<T>(work: (steps: Steps) => Slices<T>): Resumable<T> {
  const own = { left: 0 };
  const slices = work(own);
  return (steps) => {
    own.left = steps.left;
    const { done, value } = slices.next();
    steps.left = own.left;
    return done === true ? value : 'open';
  };
}

/** Asks until the answer is found, and pauses in between. */
export function* untilAnswered<T>(ask: () => T | 'open'): Slices<T> {
  for (;;) {
    const answer = ask();
    if (answer !== 'open') {
      return answer;
    }
    yield;
  }
}

/** Runs the work for as long as it is valid, which is asked before it begins and after each pause; else `void`. */
export function* whileValid<T>(work: Slices<T>, isValid: () => boolean): Slices<T | 'void'> {
  while (isValid()) {
    const next = work.next();
    if (next.done === true) {
      return next.value;
    }
    yield;
  }
  return 'void';
}

/** More than there are tasks of a pool that could each have a question open (MOST_TASKS in waiting/events.ts). */
const KEPT = 20;

/** Searches that were cut, until they are asked for again. One that is dropped starts anew, with the same outcome. */
export class OpenQuestions<T> {
  readonly #kept = new Map<string, Resumable<T>>();

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

/**
 * What the pool has done, in counts that are the same on every machine. Budgets are counts too, because the clock
 * stands still while a Worker computes (docs/internals/design.md: What matching means).
 */
export class Counters {
  /** Anchors for which candidates were gathered. */
  anchors = 0;
  /** Pairs of tickets that were compared. */
  evaluations = 0;
  /** Questions to the solver, whether it remembered the answer or not. */
  checks = 0;
  /** Steps of the solver's searches: states, and swaps that were tried. */
  nodes = 0;
  /** How often the steps ran out, so that work was left for later slices. */
  budgetHits = 0;
  /** The most steps that a part of a call has taken: what was due, an event, or a slice. */
  mostSteps = 0;
  /** Matches found by a sweep. Anything but 0 is a bug, or follows a budget hit. */
  sweepFound = 0;
}
