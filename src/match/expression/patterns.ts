// The regular expressions of `matches`: RE2's syntax, in time linear in the text, by the library re2js, which only this
// file imports. Patterns are bounded when a config is saved and compiled once. They remember the texts they were asked
// about, because players of one queue send the same few.

import { RE2JS } from 're2js';
import { Lru } from '../../common/lru';

const MAX_PATTERN_LENGTH = 128;
const MAX_KEPT_PATTERNS = 500;
/** Longer texts are not kept, so that MAX_KEPT_TEXTS of them take at most 10 MB. */
const MAX_KEPT_TEXT = 256;
const MAX_KEPT_TEXTS = 20_000;

/** Text to whether the pattern occurs in it. */
type Answers = Map<string, boolean>;

export interface Pattern {
  /** Instructions of the compiled pattern. A search visits each at most once for each character. */
  readonly size: number;
  readonly regex: RE2JS;
  readonly answers: Answers;
}

const kept = new Lru<Pattern>(MAX_KEPT_PATTERNS);
/** The answers that hold any text. */
const keeping = new Set<Answers>();
let texts = 0;

/** The compiled pattern. Throws if it is not in RE2's syntax. */
export function patternOf(source: string): Pattern {
  const known = kept.get(source);
  if (known !== undefined) {
    return known;
  }
  const regex = RE2JS.compile(source);
  const pattern = { size: regex.programSize(), regex, answers: new Map() };
  kept.set(source, pattern);
  return pattern;
}

/** Whether the pattern occurs in the text. Undefined if it was not searched before. */
export function knownAnswer(pattern: Pattern, text: string): boolean | undefined {
  return pattern.answers.get(text);
}

/** Whether the pattern occurs in the text. */
export function search(pattern: Pattern, text: string): boolean {
  // `test` would build an automaton of up to 8 MB, which pays only for texts a thousand times as long.
  const found = pattern.regex.matcher(text).find();
  if (text.length <= MAX_KEPT_TEXT) {
    remember(pattern.answers, text, found);
  }
  return found;
}

function remember(answers: Answers, text: string, found: boolean): void {
  if (texts >= MAX_KEPT_TEXTS) {
    for (const old of keeping) {
      old.clear();
    }
    keeping.clear();
    texts = 0;
  }
  keeping.add(answers);
  answers.set(text, found);
  texts += 1;
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
