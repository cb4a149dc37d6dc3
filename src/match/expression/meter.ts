// What evaluations cost, in steps. In a Worker the clock stands still while code computes, so nothing
// but a count can stop an expensive expression or tell an event to go on later.
// Evaluations are synchronous and never nest, so one counter serves all of them.

import { knownAnswer, patternOf, search } from './patterns';

declare global {
  interface ErrorConstructor {
    /** Of V8, which runs this service everywhere: frames that an error keeps. */
    stackTraceLimit: number;
  }
}

/** The most steps one evaluation may take, about a millisecond; beyond, it is false. */
export const EVALUATION_STEPS = 2_500;

/** A step: a part of an expression evaluated, or this much of a value looked through. */
const WEIGHT_PER_STEP = 8;
const CHARACTERS_PER_WEIGHT = 16;
/** Instructions times characters. */
const VISITS_PER_STEP = 32;
/** Deeper values fail the evaluation. */
const MAX_VALUE_DEPTH = 32;
/** Lighter values are weighed anew each time: that is quicker than to look the weight up. */
const LIGHT = 16;

/** What the evaluations of an event may cost together. Each one counts it down. */
export interface StepBudget {
  /** Steps left. Below 0 the event has spent its budget; no evaluation is cut short by that. */
  steps: number;
  /** Evaluations that hit the limit of one evaluation, and so were false. Counts up. */
  overruns: number;
}

/** For callers who look at a single pair. */
export function unlimitedSteps(): StepBudget {
  return { steps: Infinity, overruns: 0 };
}

let left = 0;
/** Steps that an evaluation is charged, but that were not done: the answer was known. */
let spared = 0;

/** One error for all: loops may swallow it many times, and a stack each would cost more. */
const EXHAUSTED = new Error('the expression takes too many steps');

/**
 * Whether an evaluation is `true` within its limit. `flat` is what it costs before loops and long
 * values. An error fails it; what it cost is taken from the budget in any case.
 */
export function isTrueWithin<Scope>(
  budget: StepBudget,
  flat: number,
  program: (scope: Scope) => unknown,
  scope: Scope,
): boolean {
  left = EVALUATION_STEPS - flat;
  spared = 0;
  let value: unknown = null;
  const { stackTraceLimit } = Error;
  // Loops may swallow an error each round, and most of what one costs is its stack.
  Error.stackTraceLimit = 0;
  try {
    value = program(scope);
  } catch {
    // An error fails the rule, and nothing of it is told: it may speak of a player's state.
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const isOver = left < 0;
  budget.steps -= EVALUATION_STEPS - Math.max(left, 0) - spared;
  budget.overruns += isOver ? 1 : 0;
  return value === true && !isOver;
}

/** The value itself, once looking through it is paid for. Registered with the library. */
export function metered(value: unknown): unknown {
  spend(stepsOf(weightOf(value, 0)));
  return value;
}

/**
 * Always true: begins a round of a loop and pays for the parts of its body, which may fail before it
 * has paid for anything. Registered with the library.
 */
export function round(parts: bigint): boolean {
  spend(Number(parts));
  return true;
}

/** The value itself; in a loop its part is paid for, and what is looked through comes on top. */
export function weighed(value: unknown): unknown {
  spend(stepsOf(weightOf(value, 0)) - 1);
  return value;
}

/** Steps for a value of this weight (see `weightOf`). */
export function stepsOf(weight: number): number {
  return 1 + (weight - 1) / WEIGHT_PER_STEP;
}

/** Weight of a text. */
export function textWeight(length: number): number {
  return 1 + length / CHARACTERS_PER_WEIGHT;
}

/** Steps for looking for a pattern of this many instructions. */
export function patternSteps(size: number, length: number): number {
  return 1 + (size * length) / VISITS_PER_STEP;
}

/** Whether the pattern occurs in the text. Registered with the library. */
export function matchesPattern(text: string, source: string): boolean {
  const pattern = patternOf(source);
  const steps = patternSteps(pattern.size, text.length);
  spend(steps);
  const known = knownAnswer(pattern, text);
  if (known !== undefined) {
    spared += steps - 1;
    return known;
  }
  return search(pattern, text);
}

function spend(steps: number): void {
  left -= steps;
  if (left < 0) {
    throw EXHAUSTED;
  }
}

const weights = new WeakMap<object, number>();

/** A scalar weighs 1, a text more by its length, a list or map 1 more than all in it. */
function weightOf(value: unknown, depth: number): number {
  if (typeof value === 'string') {
    return textWeight(value.length);
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  if (depth > MAX_VALUE_DEPTH) {
    return Infinity;
  }
  const known = weights.get(value);
  if (known !== undefined) {
    return known;
  }
  let weight = 1;
  for (const each of partsOf(value)) {
    weight += weightOf(each, depth + 1);
  }
  if (weight > LIGHT) {
    weights.set(value, weight);
  }
  return weight;
}

function partsOf(value: object): Iterable<unknown> {
  return Array.isArray(value) || value instanceof Map ? value.values() : Object.values(value);
}
