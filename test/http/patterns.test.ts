// Patterns lean on the engine for single characters: this is the engine they run in.

import { describe, expect, it } from 'vitest';
import { compileRegex, search } from '../../src/match/regex';

describe('inside workerd a pattern', () => {
  it.each([
    ['^\\p{Lu}\\p{Greek}+$', 'Αθήνα', 'Athens'],
    ['(?i)^[k-s]\\W$', '\u212a!', 'kk'],
    ['(?i)^\\P{Lu}$', '1', 'a'],
    ['^[[:alpha:]_]{2,3}$', 'a_b', 'a-b'],
    ['^[^\\d\\s]$', '😀', '7'],
  ])('%s finds %s, not %s', (pattern, text, other) => {
    const regex = compileRegex(pattern);
    expect([text, other].map((each) => search(regex, each).found)).toEqual([true, false]);
  });
});
