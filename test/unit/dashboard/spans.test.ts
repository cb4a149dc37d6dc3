// The time line of a lobby and of a match.

import { expect, it } from 'vitest';
import { spansOf } from '../../../dashboard/spans';

/** `[kind, second]`, as `[doing, seconds]`. */
function line(
  happened: readonly (readonly [string, number])[],
  now: number,
): readonly (readonly [string, number])[] {
  const items = happened.map(([kind, second]) => ({
    kind,
    at: new Date(second * 1000).toISOString(),
  }));
  return spansOf(items, now * 1000).map(({ doing, from, to }) => [doing, (to - from) / 1000]);
}

it.each<readonly [string, Parameters<typeof line>[0], number, ReturnType<typeof line>]>([
  ['nothing has happened', [], 9, []],
  [
    'a lobby that waits, searches, plays and is deleted',
    [
      ['created', 0],
      ['joined', 2],
      ['entered', 5],
      ['matched', 65],
      ['launched', 65],
      ['running', 67],
      ['returned', 100],
      ['deleted', 110],
    ],
    999,
    [
      ['waiting', 5],
      ['in queue', 60],
      ['in game', 35],
      ['waiting', 10],
    ],
  ],
  [
    'what is under way lasts until now',
    [
      ['created', 0],
      ['entered', 5],
    ],
    30,
    [
      ['waiting', 5],
      ['in queue', 25],
    ],
  ],
  [
    'a match that is confirmed, launches, runs and ends',
    [
      ['formed', 0],
      ['confirmed', 3],
      ['launching', 4],
      ['server_launching', 4],
      ['server_running', 6],
      ['server_stopped', 60],
      ['ended', 60],
    ],
    999,
    [
      ['confirming', 4],
      ['launching', 2],
      ['running', 54],
    ],
  ],
  [
    'what goes on is one span',
    [
      ['created', 0],
      ['left_queue', 4],
      ['constructor', 5],
    ],
    10,
    [['waiting', 10]],
  ],
])('%s', (_, happened, now, spans) => {
  expect(line(happened, now)).toEqual(spans);
});
