// What the rules read of each ticket, in flat arrays by slot, and the pair tests on them. Holds
// always: for two tickets of one partition whose classes are related, `passes` and `opensAt` answer
// exactly as the rules do (rules.ts); the tests compare the two.

import type { Ages } from './ages';
import { grownFloats, grownInts } from './arrays';
import { Interned } from './interned';
import { type Difference, type Plan, tagOf } from './plan';
import { FLOATS, type Rows, START, VALUE } from './rows';
import type { StepBudget } from '../expression/expression';
import { stateField } from '../rules/rules';
import type { Answer, Steps } from '../sets/steps';
import { type Ticket, valueKey } from '../ticket/ticket';
import { EVER, NO, UNKNOWN, Verdicts, YES } from './verdicts';

const MISSING = -1;
/** Steps of an expression take 0.1 to 0.5 microseconds; an evaluation takes some on top of its own. */
const EXPRESSION_STEPS_PER_STEP = 2;
const EVALUATION = 2;
const NO_RULE: Difference = { column: 0, max: Infinity };
/** More than `waitToOpen` can miss by. */
export const ROUNDING_MS = 2;

/**
 * How long the elder of a pair has to wait, in ms, until the widened maximum reaches their gap;
 * Infinity when its timeout comes first. The widening solved for time: it can miss by a rounding.
 */
export function waitToOpen(gap: number, max: number, timeoutMs: number): number {
  const wait = gap <= max ? 0 : timeoutMs * (gap / max - 1);
  // A missing value has no gap to anything, and a rule of 0 that is missed never opens.
  return wait <= timeoutMs ? wait : Infinity;
}

export class Columns {
  readonly #plan: Plan;
  readonly #ages: Ages;
  readonly #tagIds = new Interned<true>();
  readonly #rows: Rows;
  /** Of the second column and those that follow. */
  #numbers = new Float64Array(0);
  #tags = new Int32Array(0);
  /** Kept only for expressions that have to be evaluated, with a number for each ticket so kept. */
  readonly #tickets: (Ticket | undefined)[] = [];
  readonly #stamps: number[] = [];
  readonly #verdicts = new Verdicts();
  readonly #steps: Steps;
  /** Counts down from 0 in an evaluation. */
  readonly #spent: StepBudget = { steps: 0, overruns: 0 };
  readonly #isTimeless: boolean;
  /** Of the first difference rule; -1 when there is none. */
  readonly #firstMax: number;
  /** Whether there is more to pass than the first difference rule. */
  readonly #isMore: boolean;
  #lastStamp = 0;

  /** `steps`: what evaluations are paid from. */
  constructor(plan: Plan, ages: Ages, steps: Steps) {
    this.#plan = plan;
    this.#ages = ages;
    this.#rows = ages.rows;
    this.#steps = steps;
    this.#isTimeless = !plan.pollsTime;
    // Its column is the first, since the first columns are those of the difference rules.
    this.#firstMax = plan.differences[0]?.max ?? -1;
    this.#isMore =
      plan.differences.length > 1 ||
      plan.bands.length > 0 ||
      plan.different.length > 0 ||
      plan.pairwise.length > 0;
  }

  write(slot: number, ticket: Ticket): void {
    const { columns, different, pairwise } = this.#plan;
    if ((slot + 1) * columns.length > this.#numbers.length && columns.length > 1) {
      this.#numbers = grownFloats(this.#numbers, slot + 1, columns.length);
    }
    for (let column = 0; column < columns.length; column += 1) {
      const value = stateField(ticket, columns[column] ?? '');
      const number = typeof value === 'number' ? value : NaN;
      if (column === 0) {
        this.#rows.floats[slot * FLOATS + VALUE] = number;
      } else {
        this.#numbers[slot * columns.length + column] = number;
      }
    }
    if ((slot + 1) * different.length > this.#tags.length) {
      this.#tags = grownInts(this.#tags, slot + 1, different.length);
    }
    for (let column = 0; column < different.length; column += 1) {
      const tag = different[column];
      const value = tag === undefined ? undefined : tagOf(ticket, tag.attribute);
      this.#tags[slot * different.length + column] =
        value === undefined ? MISSING : this.#tagIds.acquire(valueKey(value), () => true);
    }
    if (pairwise.length > 0) {
      this.#lastStamp = (this.#lastStamp + 1) | 0;
      this.#tickets[slot] = ticket;
      this.#stamps[slot] = this.#lastStamp;
    }
  }

  erase(slot: number): void {
    const { different, pairwise } = this.#plan;
    for (let column = 0; column < different.length; column += 1) {
      const tag = this.#tags[slot * different.length + column] ?? MISSING;
      if (tag !== MISSING) {
        this.#tagIds.release(tag);
      }
    }
    if (pairwise.length > 0) {
      this.#tickets[slot] = undefined;
    }
  }

  /** Takes the slot for one that began to wait at another time (a game's anchor, A17). */
  pretendStart(slot: number, startedAt: number): void {
    this.#ages.pretendStart(slot, startedAt);
    const ticket = this.#tickets[slot];
    if (ticket !== undefined) {
      this.#tickets[slot] = { ...ticket, startedAt };
    }
  }

  /** The number in the column of the slot; NaN when missing. */
  number(slot: number, column: number): number {
    return column === 0
      ? (this.#rows.floats[slot * FLOATS + VALUE] ?? NaN)
      : (this.#numbers[slot * this.#plan.columns.length + column] ?? NaN);
  }

  /** `open` when the steps do not reach to evaluate an expression. */
  passes(anchor: number, candidate: number, now: number): Answer {
    if (this.#firstMax >= 0) {
      // All in one piece: nearly all that a search does is to ask this.
      const { floats } = this.#rows;
      const one = anchor * FLOATS;
      const other = candidate * FLOATS;
      const gap = Math.abs((floats[one + VALUE] ?? NaN) - (floats[other + VALUE] ?? NaN));
      if (!(gap <= this.#firstMax)) {
        const start = Math.min(floats[one + START] ?? 0, floats[other + START] ?? 0);
        if (!(gap <= this.#firstMax * this.#factor(start, now))) {
          return 'no';
        }
      }
    }
    return this.#isMore ? this.#passesMore(anchor, candidate, now) : 'yes';
  }

  /** All but the first difference rule. */
  #passesMore(anchor: number, candidate: number, now: number): Answer {
    const { differences } = this.#plan;
    if (differences.length > 1) {
      const factor = this.#factor(this.#elderStart(anchor, candidate), now);
      for (let at = 1; at < differences.length; at += 1) {
        const { column, max } = differences[at] ?? NO_RULE;
        const gap = Math.abs(this.number(anchor, column) - this.number(candidate, column));
        if (!(gap <= max * factor)) {
          return 'no';
        }
      }
    }
    return this.#passesTimeless(anchor, candidate)
      ? this.#passesPairwise(anchor, candidate, now)
      : 'no';
  }

  /**
   * The first whole millisecond at which all difference rules pass; Infinity when a rule that time
   * does not change rejects, when the elder's timeout comes first, or when it is not after `after`;
   * perhaps also when it is not before `before`. `open` as with `passes`.
   */
  opensAt(
    anchor: number,
    candidate: number,
    after = -Infinity,
    before = Infinity,
  ): number | 'open' {
    const start = this.#elderStart(anchor, candidate);
    const end = this.#plan.timeoutMs > 0 ? start + this.#plan.timeoutMs : Infinity;
    let at = Math.ceil(Math.max(this.#ages.startedAt(anchor), this.#ages.startedAt(candidate)));
    for (const { column, max } of this.#plan.differences) {
      const gap = Math.abs(this.number(anchor, column) - this.number(candidate, column));
      at = Math.max(at, this.#opening(gap, max, start, before));
    }
    // Expressions come last: they cost a hundred times the rest.
    if (!(at > after && at < before && at < end && this.#passesTimeless(anchor, candidate))) {
      return Infinity;
    }
    const answer = this.#passesPairwise(anchor, candidate, null);
    return answer === 'yes' ? at : answer === 'no' ? Infinity : answer;
  }

  #opening(gap: number, max: number, start: number, before: number): number {
    if (gap <= max) {
      return Math.ceil(start);
    }
    let at = Math.ceil(start + waitToOpen(gap, max, this.#plan.timeoutMs));
    if (at === Infinity || at - ROUNDING_MS > before) {
      return Infinity;
    }
    // The test itself has the last word.
    while (gap <= max * this.#factor(start, at - 1)) {
      at -= 1;
    }
    while (!(gap <= max * this.#factor(start, at))) {
      at += 1;
    }
    return at;
  }

  #elderStart(a: number, b: number): number {
    return Math.min(this.#ages.startedAt(a), this.#ages.startedAt(b));
  }

  /** spec: Rule semantics 3; docs/internals/design.md A4. */
  #factor(start: number, now: number): number {
    const { timeoutMs } = this.#plan;
    return timeoutMs > 0 ? 1 + Math.max(0, now - start) / timeoutMs : 1;
  }

  #passesTimeless(anchor: number, candidate: number): boolean {
    const { bands, different } = this.#plan;
    for (const { column, low, high, strict } of bands) {
      const gap = this.number(anchor, column) - this.number(candidate, column);
      if (!(strict ? low < gap && gap < high : low <= gap && gap <= high)) {
        return false;
      }
    }
    for (let column = 0; column < different.length; column += 1) {
      const left = this.#tags[anchor * different.length + column];
      const right = this.#tags[candidate * different.length + column];
      if (left === right) {
        return false;
      }
    }
    return true;
  }

  /** At `now`, or only what time does not change when `now` is null. */
  #passesPairwise(anchor: number, candidate: number, now: number | null): Answer {
    if (this.#plan.pairwise.length === 0) {
      return 'yes';
    }
    const left = this.#stamps[anchor] ?? 0;
    const right = this.#stamps[candidate] ?? 0;
    // Odd, so never EVER.
    const instant = now === null || this.#isTimeless ? EVER : Math.floor(now) * 2 + 1;
    const known = this.#verdicts.get(left, right, instant | 0);
    if (known !== UNKNOWN) {
      return known === YES ? 'yes' : 'no';
    }
    if (this.#steps.left <= 0) {
      return 'open';
    }
    const verdict = this.#evaluate(anchor, candidate, now);
    this.#verdicts.set(left, right, instant | 0, verdict ? YES : NO);
    return verdict ? 'yes' : 'no';
  }

  #evaluate(anchor: number, candidate: number, now: number | null): boolean {
    const a = this.#tickets[anchor];
    const b = this.#tickets[candidate];
    if (a === undefined || b === undefined) {
      return false;
    }
    const spent = this.#spent;
    spent.steps = 0;
    let verdict = true;
    for (const part of this.#plan.pairwise) {
      verdict &&= now === null ? part.passesEver(a, b, spent) : part.passes(a, b, now, spent);
    }
    this.#steps.left += spent.steps / EXPRESSION_STEPS_PER_STEP - EVALUATION;
    return verdict;
  }
}
