// An overload is two lines of the log, however many requests it refuses.

import { expect, it } from 'vitest';
import { Overloads } from '../../../src/http/wire/overloads';

it('an overload is told when it begins and, with its counts, when nothing was refused for ten seconds', () => {
  const lines: unknown[] = [];
  const overloads = new Overloads((event, facts) => lines.push([event, facts]));
  overloads.answered(500);
  for (const now of [1_000, 1_001, 4_000, 13_999]) {
    overloads.answered(now);
    overloads.refused(now);
  }
  overloads.answered(23_998);
  expect(lines).toEqual([['overload_began', {}]]);
  overloads.answered(23_999);
  overloads.answered(30_000);
  overloads.refused(40_000);
  expect(lines.slice(1)).toEqual([
    ['overload_ended', { refused: 4, seconds: 13 }],
    ['overload_began', {}],
  ]);
  overloads.refused(60_000);
  expect(overloads.shown(60_001)).toEqual({ since: 60_000, refused: 1, isOver: false });
  expect(lines.slice(3)).toEqual([
    ['overload_ended', { refused: 1, seconds: 0 }],
    ['overload_began', {}],
  ]);
  overloads.answered(80_000);
  expect(overloads.shown(80_000)).toEqual({ since: 60_000, refused: 1, isOver: true });
  expect(overloads.shown(60_000 + 3_600_001)).toBeNull();
});
