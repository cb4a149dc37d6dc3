// Regular expressions as rules use them: RE2's syntax and no more, the answers that the engine of
// JavaScript gives where both read a pattern alike, and time linear in the text for patterns on which
// that engine would never end.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFound, patternProblem } from '../../src/match/expression/meter';
import { timed } from '../support/cpu';

const RUNS = { seed: 20_261, numRuns: 4_000 };

/** One of the words of a text. */
function oneOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(' '));
}

const signs = fc.constantFrom(...Array.from('abcABk07_-][^$.|*+? \n\téßλ漢😀'));
const texts = fc.array(fc.string({ unit: signs, maxLength: 8 }), { minLength: 1, maxLength: 8 });

/** What RE2 and JavaScript (flag u) read alike. */
const literals = oneOf(String.raw`a b ab c k é λ 😀 0 _ \. \[ \* \n \t \x61`);
const sets = oneOf(
  String.raw`. \d \D \w \W \p{Lu} \P{Lu} \p{Script=Greek} [ab] [^a-c] [a-c0-9] [\d_]`,
);
const anchors = oneOf(String.raw`^ $ \b \B`);
const groups = oneOf('( (?:');
const repeats = oneOf('* + ? *? +? ?? {2} {1,} {0,2} {1,3}?');
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    literals,
    sets,
    anchors,
    fc.tuple(groups, tie('pattern')).map(([open, inner]) => `${open}${inner})`),
    fc
      .tuple(groups, tie('pattern'), repeats)
      .map(([open, inner, times]) => `${open}${inner})${times}`),
    fc.tuple(sets, repeats).map(([set, times]) => `${set}${times}`),
  ),
  pattern: fc.oneof(
    fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((branches) => branches.join('|')),
  ),
}));

describe('patterns find what JavaScript finds', () => {
  it('whatever the pattern and the text', () => {
    const counted = { found: 0, missed: 0 };
    fc.assert(
      fc.property(pattern, texts, (each, some) => {
        const ours = each.replaceAll('Script=', '');
        const oracle = new RegExp(each, 'u');
        for (const text of some) {
          const expected = oracle.test(text);
          expect(isFound(ours, text), `${each} in ${JSON.stringify(text)}`).toBe(expected);
          counted[expected ? 'found' : 'missed'] += 1;
        }
      }),
      RUNS,
    );
    console.log(JSON.stringify(counted));
    expect(counted.found).toBeGreaterThan(RUNS.numRuns / 4);
    expect(counted.missed).toBeGreaterThan(RUNS.numRuns / 4);
  });
});

describe('what RE2 has no syntax for is refused, in one line', () => {
  it.each([
    ['a(?=b)', /\(\?=/],
    ['(?!b)', /\(\?!/],
    ['ab(?<=a)', /\(\?</],
    ['(?<!a)b', /\(\?</],
    ['(a)\\1', /\\1/],
    ['(?P<n>a)(?P=n)', /\(\?P/],
    ['(?>a)', /\(\?>/],
    ['(?<n>a)(?P<n>b)', /duplicate/],
    ['a(b', /missing closing \)/],
    ['ab)', /unexpected \)/],
    ['a[b', /missing closing \]/],
    ['[z-a]', /range/],
    ['[[:letter:]]', /range/],
    ['\\p{Klingon}', /Klingon/],
    ['a\\Z', /\\Z/],
    ['a\\', /trailing backslash/],
    ['*a', /missing argument to repetition/],
    ['a|*', /missing argument to repetition/],
    ['a**', /nested repetition/],
    ['a{2,1}', /repeat count/],
    ['a{1001}', /repeat count/],
    ['((a{30}){30}){30}', /repeat count/],
    ['((((){1000}){1000}){1000}){1000}', /too large/],
    ['\n(', /missing closing/],
    ['a'.repeat(129), /longer than 128 characters/],
  ])('%j', (each, reason) => {
    const problem = patternProblem(each);
    expect(problem).toMatch(reason);
    expect(problem).not.toContain('\n');
  });
});

describe('a match takes time linear in the text, however the pattern is made', () => {
  it.each([
    ['(a+)+$', true],
    ['(a|a)*b', false],
    ['(a|aa)+$', true],
    ['(.*)*x', false],
    ['((((a*)*)*)*)*b', false],
    ['^(([a-z])+.)+[A-Z]$', false],
    ['(a?){50}a{50}b', false],
    ['(x+x+)+y', false],
    ['(^|a|\\b)*(a|$|\\B)*c', false],
    ['(?i)([\\p{L}a]|a|\\w)+!', false],
    ['[ab]*a[ab]{30}c', false],
  ])('%s', (each, found) => {
    const lengths = [256, 4_096, 16_384];
    const [all, ms] = timed(() => lengths.map((length) => isFound(each, 'a'.repeat(length))));
    expect(all).toEqual(lengths.map(() => found));
    // Tens of milliseconds; an engine that tries one way after another needs longer than the sun.
    expect(ms).toBeLessThan(5_000);
  });
});
