// The rules, asked about pairs of waiting tickets, and paid from the steps of the call.

import type { Counters } from './counters';
import type { Entry } from './entry';
import type { Plan } from './plan';
import { effectiveMax } from '../rules/difference';
import { compileRules, type PairRules } from '../rules/rules';
import type { Steps } from '../teams/steps';
import type { Ticket } from '../ticket/ticket';

/** Tickets, groups or cells looked at for one step, which is about a microsecond. */
const LOOKS_PER_STEP = 16;
/** What a question about a pair costs, in looks. */
const QUESTION = 4;
/** Steps of an expression take 0.1 to 0.5 microseconds; an evaluation takes some on top of its own. */
const EXPRESSION_STEPS_PER_STEP = 2;
const EVALUATION = 2;

export class Pairs {
  readonly rules: PairRules;
  readonly steps: Steps;
  readonly #plan: Plan;
  readonly #counters: Counters;
  readonly #spent = { steps: 0, overruns: 0 };

  constructor(plan: Plan, counters: Counters, steps: Steps) {
    this.#plan = plan;
    this.#counters = counters;
    this.steps = steps;
    this.rules = compileRules(plan.mode);
  }

  /** Pays for so many looks at tickets. */
  look(count: number): void {
    this.steps.left -= count / LOOKS_PER_STEP;
  }

  /** Two of one partition, whose classes are related: may the candidate join the anchor's match at `now`? */
  passes(anchor: Entry, candidate: Entry, now: number): boolean {
    this.#counters.evaluations += 1;
    const { measure, isMeasureAll, mode } = this.#plan;
    if (measure !== null) {
      const started = Math.min(anchor.ticket.startedAt, candidate.ticket.startedAt);
      const wait = measure.widens ? Math.max(0, now - started) : 0;
      const gap = Math.abs(anchor.value - candidate.value);
      if (!(gap <= effectiveMax(measure.max, wait, mode.timeout))) {
        return false;
      }
    }
    return isMeasureAll || this.passesAll(anchor.ticket, candidate.ticket, now);
  }

  /** All rules, whatever the two are. */
  passesAll(anchor: Ticket, candidate: Ticket, now: number): boolean {
    const passed = this.rules.passes(anchor, candidate, now, this.#spent);
    this.#pay();
    return passed;
  }

  /** When the rules that widen let the two pass, epoch ms; Infinity for never. */
  widensAt(anchor: Ticket, candidate: Ticket): number {
    this.look(QUESTION);
    return this.rules.widensAt(anchor, candidate) ?? Infinity;
  }

  /** The rules that time does not change, for two as above. */
  passesEver(anchor: Entry, candidate: Entry): boolean {
    return this.#plan.isMeasureAll || this.passesEverAll(anchor.ticket, candidate.ticket);
  }

  /** The same, whatever the two are. */
  passesEverAll(anchor: Ticket, candidate: Ticket): boolean {
    const passed = this.rules.passesEver(anchor, candidate, this.#spent);
    this.#pay();
    return passed;
  }

  #pay(): void {
    this.look(QUESTION);
    if (this.rules.evaluates) {
      this.steps.left += this.#spent.steps / EXPRESSION_STEPS_PER_STEP - EVALUATION;
      this.#spent.steps = 0;
    }
  }
}
