// The regular expressions of `matches`: RE2's syntax, in time linear in the text, by the library re2js, which only this
// file imports. Patterns are bounded when a config is saved and compiled once.

import { RE2JS } from 're2js';
import { Lru } from '../../common/lru';

const MAX_PATTERN_LENGTH = 128;
const kept = new Lru<RE2JS>(500);

/** The compiled pattern. Throws if it is not in RE2's syntax. */
function patternOf(source: string): RE2JS {
  const known = kept.get(source);
  if (known !== undefined) {
    return known;
  }
  const pattern = RE2JS.compile(source);
  kept.set(source, pattern);
  return pattern;
}

/** Instructions of the compiled pattern. A search visits each at most once for each character. */
export function patternSize(source: string): number {
  return patternOf(source).programSize();
}

/** Whether the pattern occurs in the text. */
export function isFound(source: string, text: string): boolean {
  // `test` would build an automaton of up to 8 MB, which pays only for texts a thousand times as long.
  return patternOf(source).matcher(text).find();
}

/** What is wrong with a pattern, in one line. Null if nothing is. */
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
