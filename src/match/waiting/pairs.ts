// The rules of the mode, asked about pairs of tickets and paid from the steps of the call.

import { compileRules, type PairRules } from '../rules/rules';
import type { Mode } from '../rules/mode';
import type { Steps } from '../teams/steps';
import type { Ticket } from '../ticket/ticket';
import type { Counters } from '../teams/steps';

/** Looks at tickets, groups or cells for one step. A step is about a microsecond. */
const LOOKS_PER_STEP = 16;
/** What asking the rules about a pair costs, in looks. */
const QUESTION = 4;
/** An expression takes 0.1 to 0.5 microseconds for one of its own steps. */
const EXPRESSION_STEPS_PER_STEP = 2;
/** What evaluating one costs besides. */
const EVALUATION = 2;

export class Pairs {
  readonly rules: PairRules;
  readonly steps: Steps;
  readonly #counters: Counters;
  readonly #spent = { steps: 0, overruns: 0 };

  constructor(mode: Mode, counters: Counters, steps: Steps) {
    this.#counters = counters;
    this.steps = steps;
    this.rules = compileRules(mode);
  }

  /** Pays for looking at so many tickets. True if the steps are spent: whoever walks over tickets pauses then. */
  look(count: number): boolean {
    this.steps.left -= count / LOOKS_PER_STEP;
    return this.steps.left <= 0;
  }

  /** May the candidate join the anchor's match at `now`? */
  passes(anchor: Ticket, candidate: Ticket, now: number): boolean {
    this.#counters.evaluations += 1;
    return this.#paid(this.rules.passes(anchor, candidate, now, this.#spent));
  }

  /** The part of the rules that time does not change. */
  passesEver(anchor: Ticket, candidate: Ticket): boolean {
    return this.#paid(this.rules.passesEver(anchor, candidate, this.#spent));
  }

  /** When the rules that widen let the two pass, epoch ms; Infinity for never. */
  widensAt(anchor: Ticket, candidate: Ticket): number {
    this.look(QUESTION);
    return this.rules.widensAt(anchor, candidate) ?? Infinity;
  }

  #paid(answer: boolean): boolean {
    this.look(QUESTION);
    if (this.rules.evaluates) {
      this.steps.left += this.#spent.steps / EXPRESSION_STEPS_PER_STEP - EVALUATION;
      this.#spent.steps = 0;
    }
    return answer;
  }
}
