// Our regular expressions against those of RE2, on patterns made from its grammar and on strings of
// its signs: what is taken, and what is found. Then what they cost, in steps: time would be guessed.

import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { compileRegex, type Regex, search } from '../../src/match/regex';

const RUNS = { seed: 20_261, numRuns: 4_000 };

/** What a pattern finds in each text; null when it is refused. */
function ours(pattern: string, texts: readonly string[]): readonly boolean[] | null {
  try {
    const regex = compileRegex(pattern);
    return texts.map((text) => search(regex, text).found);
  } catch {
    return null;
  }
}

function oracle(pattern: string, texts: readonly string[]): readonly boolean[] | null {
  try {
    const regex = RE2JS.compile(pattern);
    return texts.map((text) => regex.test(text));
  } catch {
    return null;
  }
}

/** Of the characters that patterns below name, and those that sit beside them. */
const signs = fc.constantFrom(
  ...Array.from('abcABkK\u212as\u017fz07_-][^$.\\{}()|*+? \n\t\u000béÉßλΛж漢😀𐐀𐐨\u0000~@'),
);
const texts = fc.array(fc.string({ unit: signs, maxLength: 8 }), { minLength: 1, maxLength: 8 });

/** One of the words of a text. */
function oneOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(' '));
}

const literals = fc.oneof(
  oneOf('a b ab k s é λ Ж 😀 \u{10400} - ] { }'),
  oneOf(String.raw`\. \[ \\ \n \t \x61 \x{1F600} \101 \0 \v \_ \Qa.b\E \Q(\E {,2} {x} a{01}`),
  fc.constantFrom(' ', '\\ ', '\n', '\\\n', '\\~'),
);
const sets = oneOf(
  String.raw`. \d \D \w \W \s \S \pL \PL \p{Lu} \P{Lu} \p{^Lu} \P{^Ll} \p{Greek} \p{Any} \pN \p{Zs}`,
);
const members = fc.oneof(
  oneOf(String.raw`a b-z a-c 0-9 A-Z k s - ^ . [ $ é λ \] \- \n \x41-\x{43}`),
  oneOf(String.raw`\d \W \s \S \w \pL \P{Lu} [:alpha:] [:^digit:] [:punct:] [:space:] [:upper:]`),
  oneOf(
    '[:word:] [:cntrl:] [:graph:] [:print:] [:xdigit:] [:blank:] [:ascii:] [:lower:] [:alnum:]',
  ),
);
const classes = fc
  .tuple(oneOf('[ [^ [] [^] [-'), fc.array(members, { minLength: 1, maxLength: 4 }))
  .map(([open, inner]) => `${open}${inner.join('')}]`);
const anchors = oneOf(String.raw`^ $ \A \z \b \B`);
const groups = oneOf('( (?: (?i: (?s: (?m: (?-i: (?P<n> (?ims: (?U:');
const repeats = oneOf('* + ? *? +? ?? {2} {0} {1,} {0,2} {1,3}?');

const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    literals,
    sets,
    classes,
    anchors,
    fc.constantFrom('(?i)', '(?s)', '(?m)', '(?-i)', '(?im-s)'),
    fc.tuple(groups, tie('pattern')).map(([open, inner]) => `${open}${inner})`),
    fc
      .tuple(groups, tie('pattern'), repeats)
      .map(([open, inner, times]) => `${open}${inner})${times}`),
    fc.tuple(fc.oneof(sets, classes, literals), repeats).map(([set, times]) => `${set}${times}`),
  ),
  pattern: fc.oneof(
    fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((branches) => branches.join('|')),
  ),
}));

/** Signs in any order: most are no pattern at all. */
const soup = fc
  .array(
    fc.oneof(
      oneOf('( ) [ ] ^ $ | * + ? { } - , : . a b 1 2 0 (? P< < > = ! i [: :] alpha {2} {2, é'),
      oneOf(String.raw`\ \b \d \p \Q \E \x \1 \k \z \C \Z \u`),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))
  // The oracle takes this for the name of a class; RE2 itself does not.
  .filter((text) => !text.includes('[:]'));

describe('against RE2', () => {
  it.each([
    ['patterns of its grammar', pattern, 0.9],
    ['strings of its signs', soup, 0.15],
  ] as const)(
    '%s are taken, and find, alike',
    (what, patterns, share) => {
      const counted = { taken: 0, refused: 0, found: 0, missed: 0 };
      fc.assert(
        fc.property(patterns, texts, (each, some) => {
          const expected = oracle(each, some);
          expect(ours(each, some), each).toEqual(expected);
          counted.taken += expected === null ? 0 : 1;
          counted.refused += expected === null ? 1 : 0;
          counted.found += expected?.filter((found) => found).length ?? 0;
          counted.missed += expected?.filter((found) => !found).length ?? 0;
        }),
        RUNS,
      );
      console.log(`${what}: ${JSON.stringify(counted)}`);
      expect(counted.taken).toBeGreaterThan(RUNS.numRuns * share);
      expect(counted.found).toBeGreaterThan(RUNS.numRuns / 4);
      expect(counted.missed).toBeGreaterThan(RUNS.numRuns / 4);
    },
    60_000,
  );
});

function refusalOf(each: string): string {
  try {
    return `taken, with ${compileRegex(each).size} instructions`;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('what is refused says what it is, and where', () => {
  it.each([
    ['a(?=b)', 'look-ahead ((?=) at character 2'],
    ['(?!b)', 'look-ahead ((?!) at character 1'],
    ['ab(?<=a)', 'look-behind ((?<=) at character 3'],
    ['(?<!a)b', 'look-behind ((?<!) at character 1'],
    ['(a)\\1', 'a back-reference (\\1) at character 4'],
    ['(?P<n>a)(?P=n)', 'a back-reference ((?P=) at character 9'],
    ['(?>a)', 'this kind of group ((?) at character 1'],
    ['(?<n>a)(?P<n>b)', 'a second group of one name at character 8'],
    ['a(b', 'an unclosed ( at character 2'],
    ['ab)', 'an unopened ) at character 3'],
    ['a[b', 'an unclosed [ at character 2'],
    ['[z-a]', 'a range that ends before it begins at character 2'],
    ['[[:letter:]]', 'an unknown class at character 2'],
    ['\\p{Klingon}', 'this property (\\p) at character 1'],
    ['a\\Z', 'this escape (\\Z) at character 2'],
    ['[\\b]', 'this escape (\\b) at character 2'],
    ['a\\', 'an escape of nothing (\\) at character 2'],
    ['*a', 'a repetition of nothing at character 1'],
    ['a|*', 'a repetition of nothing at character 3'],
    ['a**', 'a second repetition at character 3'],
    ['a{2,1}', 'a repetition that is not 0 to 1000 times, least first, at character 2'],
    ['a{1001}', 'a repetition that is not 0 to 1000 times, least first, at character 2'],
    ['((a{30}){30}){30}', 'it needs more than 1000 states'],
    ['((((){1000}){1000}){1000}){1000}', 'it repeats too much'],
  ])('%s', (each, message) => {
    expect(refusalOf(each)).toBe(message);
    expect(oracle(each, [])).toBeNull();
  });
});

describe('a match takes time linear in the text, however the pattern is made', () => {
  const most = ({ size }: Regex, length: number): number => 2 * size * (length + 1);

  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*)*x',
    '((((a*)*)*)*)*b',
    '^(([a-z])+.)+[A-Z]$',
    '(a?){50}a{50}b',
    '(x+x+)+y',
    '(^|a|\\b)*(a|$|\\B)*c',
    '(?i)([\\p{L}a]|a|\\w)+!',
  ])('%s', (each) => {
    const regex = compileRegex(each);
    const steps = [1_024, 2_048, 16_384].map((length) => {
      const text = 'a'.repeat(length);
      const searched = search(regex, text);
      expect(searched.found).toBe(RE2JS.compile(each).test(text));
      expect(searched.steps).toBeLessThanOrEqual(most(regex, length));
      return searched.steps;
    });
    // Twice the text, twice the steps.
    expect((steps[1] ?? 0) / (steps[0] ?? 1)).toBeLessThan(2.1);
    expect((steps[2] ?? 0) / (steps[0] ?? 1)).toBeLessThan(17);
  });

  it('whatever the pattern and the text', () => {
    let worst = 0;
    fc.assert(
      fc.property(pattern, texts, (each, some) => {
        if (oracle(each, []) === null) {
          return;
        }
        const regex = compileRegex(each);
        for (const text of some) {
          const { steps } = search(regex, text);
          expect(steps).toBeLessThanOrEqual(most(regex, text.length));
          worst = Math.max(worst, steps / most(regex, text.length));
        }
      }),
      RUNS,
    );
    console.log(`most steps, of what is allowed: ${(100 * worst).toFixed(0)} %`);
    expect(worst).toBeGreaterThan(0.1);
  }, 60_000);

  it('and one that can only begin at the start stops where it fails', () => {
    const searched = search(compileRegex('^ab+$'), 'b'.repeat(16_384));
    expect(searched).toEqual({ found: false, steps: 3 });
  });
});
