// The budget of one evaluation, counted in values touched: in a Worker the clock stands still while
// code computes, so nothing else can stop an expensive expression (matching.md 0.7, section 5).
// Evaluations are synchronous and never nest, so one counter serves all of them.

import { compileRegex, type Regex, search } from './regex';

/** Values an evaluation may touch in its loops and regular expressions. */
const GAS = 10_000;

const MAX_PATTERN_LENGTH = 128;
/** Instructions times characters that cost one gas. */
const STEPS_PER_GAS = 64;
const MAX_KEPT_PATTERNS = 200;

let gas = 0;

/** One error for all: loops may swallow it many times, and a stack each would cost more. */
const EXHAUSTED = new Error('the expression is too expensive');

/** Runs one evaluation within the budget; null when it ran out, whatever the result was. */
export function withinBudget<T>(evaluate: () => T): T | null {
  gas = GAS;
  const value = evaluate();
  return gas < 0 ? null : value;
}

/** The value itself, once its size is paid for. Registered with the library. */
export function metered(value: unknown): unknown {
  charge(value, 0);
  return value;
}

function spend(amount: number): void {
  gas -= amount;
  if (gas < 0) {
    throw EXHAUSTED;
  }
}

function charge(value: unknown, depth: number): void {
  spend(typeof value === 'string' ? 1 + value.length / 16 : 1);
  if (typeof value !== 'object' || value === null || depth > 32) {
    return;
  }
  const inner = Array.isArray(value) || value instanceof Map ? value.values() : own(value);
  for (const each of inner) {
    charge(each, depth + 1);
  }
}

function own(value: object): Iterable<unknown> {
  return Object.values(value);
}

const kept = new Map<string, Regex>();

/** Whether the pattern occurs in the text, in time linear in both. Registered with the library. */
export function matchesPattern(text: string, pattern: string): boolean {
  const compiled = compiledPattern(pattern);
  spend(1 + (text.length * compiled.size) / STEPS_PER_GAS);
  return search(compiled, text).found;
}

/** What is wrong with a pattern, in one line, or null. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return `a pattern is longer than ${MAX_PATTERN_LENGTH} characters`;
  }
  try {
    compiledPattern(pattern);
    return null;
  } catch (error) {
    const what = error instanceof RangeError ? 'too large' : 'no RE2 regular expression';
    return `a pattern is ${what}: ${error instanceof Error ? error.message : ''}`;
  }
}

function compiledPattern(pattern: string): Regex {
  const known = kept.get(pattern);
  if (known !== undefined) {
    return known;
  }
  const compiled = compileRegex(pattern);
  if (kept.size >= MAX_KEPT_PATTERNS) {
    kept.clear();
  }
  kept.set(pattern, compiled);
  return compiled;
}
