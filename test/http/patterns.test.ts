// What patterns find inside workerd, where the Worker runs them.

import { describe, expect, it } from 'vitest';
import { isFound } from '../../src/match/expression/meter';

describe('inside workerd a pattern', () => {
  it.each([
    ['^\\p{Lu}\\p{Greek}+$', 'Αθήνα', 'Athens'],
    ['(?i)^[k-s]\\W$', '\u212a!', 'kk'],
    ['(?i)^\\P{Lu}$', '1', 'a'],
    ['^[[:alpha:]_]{2,3}$', 'a_b', 'a-b'],
    ['^[^\\d\\s]$', '😀', '7'],
  ])('%s finds %s, not %s', (pattern, text, other) => {
    expect([text, other].map((each) => isFound(pattern, each))).toEqual([true, false]);
  });
});
