// Codes as people send them: by voice, through phones that correct them, and from chats that add characters nobody sees.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeAt, codeSpace, normalCode, randomCode } from '../../src/lobby/codes';

const CUSTOM = fc.record({
  type: fc.constantFrom('numeric', 'alphanumeric', 'alphabetic'),
  length: fc.integer({ min: 1, max: 16 }),
  prefix: fc.option(fc.stringMatching(/^[!-~]{1,8}$/)),
});
const CODES = fc
  .tuple(
    fc.option(CUSTOM),
    fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  )
  .map(([config, chances]) => randomCode(config, () => chances.next().value ?? 0));

/** What people, phones and chats put into a code, or in the place of its dash. */
const DASHES = ' -\u2010\u2011\u2013\u2014\u2212\uff0d\u30fc';
const UNSEEN = '\u00a0\u200b\u200d\u2060\ufeff\u00ad\u202e\u2066\ufe0f\t\n';
const NOISE = fc.constantFrom('', ...Array.from(DASHES + UNSEEN));
const wide = (each: string): string => String.fromCharCode(each.charCodeAt(0) + 0xfee0);

describe('a code', () => {
  it.each([
    ['meow-7k2qxd', 'its case'],
    ['MEOW7K2QXD', 'no dash'],
    ['meow 7k2 qxd', 'blanks'],
    ['MEOW\u20137K2QXD', 'a dash that a phone corrected'],
    ['MEOW\u30fc7K2QXD', 'the dash of a Japanese keyboard'],
    ['\u200bMEOW-7K2QXD\ufeff', 'invisible characters'],
    ['ＭＥＯＷ－７Ｋ２ＱＸＤ', 'characters of full width'],
    ['𝐌𝐄𝐎𝐖-𝟕𝐊𝟐𝐐𝐗𝐃', 'letters of mathematics'],
    ['MÉOW-7K2QXD', 'an accent'],
  ])('%s is read as MEOW-7K2QXD: %s', (typed) => {
    expect(normalCode(typed)).toBe(normalCode('MEOW-7K2QXD'));
  });

  it.each(['mint-2', 'm\u0131nt-2', 'M\u0130NT-2', 'mi\u0307nt-2'])(
    '%s has an I in any language',
    (typed) => {
      expect(normalCode(typed)).toBe(normalCode('MINT-2'));
    },
  );

  it('is found with whatever is put around and between its characters', () => {
    const typed = fc.tuple(CODES, fc.infiniteStream(NOISE), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(typed, ([code, noise, isLow, isWide]) => {
        const cased = isLow ? code.toLowerCase() : code;
        const spoilt = Array.from(cased).map(
          (each) => (noise.next().value ?? '') + (isWide ? wide(each) : each),
        );
        expect(normalCode(spoilt.join(''))).toBe(normalCode(code));
      }),
    );
  });

  it('stays another than each other code of its config, and is not read away', () => {
    fc.assert(
      fc.property(CUSTOM, fc.nat(), fc.nat(), (config, one, other) => {
        const space = codeSpace(config);
        const [a, b] = [codeAt(config, one % space), codeAt(config, other % space)];
        expect(normalCode(a ?? '') === normalCode(b ?? '')).toBe(a === b);
        expect(normalCode(a ?? '').length).toBeGreaterThanOrEqual(config.length);
      }),
    );
  });

  it('is read to what it is read to', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 128 }), (text) => {
        const read = normalCode(text);
        expect(normalCode(read)).toBe(read);
      }),
      { numRuns: 2_000 },
    );
  });
});
