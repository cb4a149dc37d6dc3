// What evaluations cost, in steps: in a Worker the clock stands still while code computes, so only a count can stop an
// expensive expression. Evaluations are synchronous and never nest, so one counter serves all. The regular expressions of
// `matches` are here too: RE2's syntax, in linear time, by re2js, which only this file imports. They are bounded when a
// config is saved.

import { RE2JS } from 're2js';
import { Lru } from '../../common/lru';

declare global {
  interface ErrorConstructor {
    /** How many stack frames an error keeps. V8 only, which runs this service everywhere. */
    stackTraceLimit: number;
  }
}

/** The most steps that one evaluation may take, about a millisecond. Beyond that it is false. */
export const EVALUATION_STEPS = 2_500;

/** One step evaluates one part of an expression, or looks through this much of a value. */
const WEIGHT_PER_STEP = 8;
const CHARACTERS_PER_WEIGHT = 16;
/** A visit is one instruction of a pattern at one character of a text. A search makes each at most once. */
const VISITS_PER_STEP = 32;
/** A value that nests deeper fails the evaluation. */
const MAX_VALUE_DEPTH = 32;

/** What the evaluations of one event may cost together. */
export interface StepBudget {
  /** Steps left. May fall below 0, because it cuts no evaluation short. */
  steps: number;
  /** How many evaluations took more than EVALUATION_STEPS, and so were false. */
  overruns: number;
}

/** For callers that ask about a single pair. */
export function unlimitedSteps(): StepBudget {
  return { steps: Infinity, overruns: 0 };
}

let left = 0;

/**
 * Thrown when the steps are spent. The library's loops, `&&` and `||` keep an error and go on, round by round, which
 * nobody would pay for. They tell an error by its class, and whoever asks for the class of this one is thrown out too.
 */
const EXHAUSTED: Error = new Proxy(new Error('the expression takes too many steps'), {
  getPrototypeOf() {
    throw EXHAUSTED;
  },
});

/** Whether it is `true` within its limit. `flat`: its cost before loops and long values. An error is false, and paid. */
export function isTrueWithin<Scope>(
  budget: StepBudget,
  flat: number,
  program: (scope: Scope) => unknown,
  scope: Scope,
): boolean {
  left = EVALUATION_STEPS - flat;
  let value: unknown = null;
  const { stackTraceLimit } = Error;
  // A loop may swallow an error in each round, and most of an error's cost is its stack.
  Error.stackTraceLimit = 0;
  try {
    value = program(scope);
  } catch {
    // An error fails the rule. Its text is dropped, because it may quote a player's state.
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const isOver = left < 0;
  budget.steps -= EVALUATION_STEPS - Math.max(left, 0);
  budget.overruns += isOver ? 1 : 0;
  return value === true && !isOver;
}

/** Begins a round of a loop: charges for its body, which may fail before it pays. Always true. The library calls it. */
export function round(parts: bigint): boolean {
  spend(Number(parts));
  return true;
}

/** Charges for looking through a value, and returns the value. Registered with the library. */
export function metered(value: unknown): unknown {
  spend((weightOf(value, 1 + left * WEIGHT_PER_STEP, 0) - 1) / WEIGHT_PER_STEP);
  return value;
}

/** Joins texts, unless looking through the result would take more steps than are left. Registered with the library. */
export function joined(texts: readonly unknown[], separator = ''): string {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) {
    if (typeof text !== 'string') {
      throw new TypeError('only texts can be joined');
    }
    length += text.length;
  }
  if (length / CHARACTERS_PER_WEIGHT / WEIGHT_PER_STEP > left) {
    spend(Infinity);
  }
  return texts.join(separator);
}

/** Whether the pattern occurs in the text. Registered with the library. */
export function matchesPattern(text: string, pattern: string): boolean {
  spend(1 + (patternOf(pattern).programSize() * text.length) / VISITS_PER_STEP);
  return isFound(pattern, text);
}

function spend(steps: number): void {
  left -= steps;
  if (left < 0) {
    throw EXHAUSTED;
  }
}

/** A scalar weighs 1, a text more by its length, a list or map 1 more than its entries. It stops looking above `most`. */
function weightOf(value: unknown, most: number, depth: number): number {
  if (typeof value === 'string') {
    return 1 + value.length / CHARACTERS_PER_WEIGHT;
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  if (depth > MAX_VALUE_DEPTH) {
    return Infinity;
  }
  let weight = 1;
  const isIterable = Array.isArray(value) || value instanceof Map;
  // `Object.values` of a map with a thousand keys takes four times as long.
  for (const each of isIterable ? value.values() : Object.keys(value)) {
    const entry: unknown = isIterable ? each : Reflect.get(value, each);
    weight += weightOf(entry, most - weight, depth + 1);
    if (weight > most) {
      break;
    }
  }
  return weight;
}

const MAX_PATTERN_LENGTH = 128;
const kept = new Lru<RE2JS>(500);

/** The compiled pattern. Throws if it is not in RE2's syntax. */
function patternOf(source: string): RE2JS {
  return kept.getOr(source, () => RE2JS.compile(source));
}

export function isFound(source: string, text: string): boolean {
  // `test` would build an automaton of up to 8 MB, which pays only for texts a thousand times as long.
  return patternOf(source).matcher(text).find();
}

export function patternProblem(source: string): string | null {
  if (source.length > MAX_PATTERN_LENGTH) {
    return `a pattern is longer than ${MAX_PATTERN_LENGTH} characters`;
  }
  try {
    patternOf(source);
    return null;
  } catch (error) {
    const what = error instanceof Error ? error.message : '';
    const reason = what.replace(/^error parsing regexp: /, '').replaceAll(/\s+/g, ' ');
    return `a pattern is no RE2 regular expression: ${reason}`;
  }
}
