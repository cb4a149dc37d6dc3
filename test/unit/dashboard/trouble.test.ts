// Which modes Overview names under "Needs attention".

import { expect, it } from 'vitest';
import { gamelessOf, troubleOf } from '../../../dashboard/trouble';

type Pair = readonly [ended: number, unmatched: number];

function trouble(hour: Pair, before: Pair): string | null {
  const of = ([ended, unmatched]: Pair) => ({ ended, unmatched, noGame: 0 });
  return troubleOf({ config: 'arena', mode: 'duel', hour: of(hour), before: of(before) });
}

it.each<readonly [string, Pair, Pair, RegExp | null]>([
  ['nobody searched', [0, 0], [0, 0], null],
  ['too few searched to tell', [4, 4], [100, 0], null],
  ['nobody found a match', [5, 5], [0, 0], /^matched nobody .*: 5 searches/],
  ['nobody ever finds one', [20, 20], [400, 400], /^matched nobody/],
  [
    'the share has risen',
    [20, 10],
    [200, 20],
    /^matches fewer: 50 % .* and 10 % in the day before/,
  ],
  ['it is as bad as always', [20, 10], [200, 90], null],
  ['it was never good, as far as is known', [20, 10], [0, 0], null],
  ['it has become better', [20, 1], [200, 100], null],
])('%s', (_, hour, before, says) => {
  const found = trouble(hour, before);
  if (says === null) {
    expect(found).toBe(null);
  } else {
    expect(found).toMatch(says);
  }
});

it.each<readonly [string, ended: number, noGame: number, RegExp | null]>([
  ['every match came to a game', 20, 0, null],
  ['few did not', 20, 3, null],
  ['many did not', 20, 4, /no game for its matches: 4 of 20 searches/],
  ['the first one did not', 2, 2, /no game for its matches: 2 of 2 searches/],
  ['they had formed before', 0, 2, /no game for its matches: 2 of 2 searches/],
])('%s', (_, ended, noGame, says) => {
  const before = { ended: 0, unmatched: 0, noGame: 0 };
  const hour = { ended, unmatched: 0, noGame };
  const found = gamelessOf({ config: 'arena', mode: 'duel', hour, before });
  expect(found).toEqual(says === null ? null : expect.stringMatching(says));
});
