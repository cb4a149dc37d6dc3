// How long who turned down matches may not search (a mode's declineCooldown).

import { expect, it } from 'vitest';
import type { MatchId } from '../../src/common/ids';
import { coolsUntil, withDecline, type Decline } from '../../src/lobby/cooldown';

const MINUTE = 60_000;

const no = (at: number): Decline => ({ matchId: `match at ${at}` as MatchId, at });
const after = (...at: readonly number[]): readonly Decline[] =>
  at.reduce<readonly Decline[]>((before, each) => withDecline(before, no(each)), []);

it('begins with the seconds of the mode, and lets the player search then', () => {
  expect(coolsUntil([], 30, 0)).toBeNull();
  expect(coolsUntil(after(0), 30, 0)).toBe(30_000);
  expect(coolsUntil(after(0), 30, 29_999)).toBe(30_000);
  expect(coolsUntil(after(0), 30, 30_000)).toBeNull();
});

it('doubles with each further one within the hour, up to eight times', () => {
  const lengths = [1, 2, 3, 4, 5, 6].map((count) => {
    const times = Array.from({ length: count }, (_, index) => index * MINUTE);
    const last = times.at(-1) ?? 0;
    return ((coolsUntil(after(...times), 30, last) ?? 0) - last) / 1000;
  });
  expect(lengths).toEqual([30, 60, 120, 240, 240, 240]);
});

it('forgets each of them after an hour', () => {
  const declines = after(0, 50 * MINUTE);
  expect(coolsUntil(declines, 600, 50 * MINUTE)).toBe(70 * MINUTE);
  expect(coolsUntil(declines, 600, 60 * MINUTE)).toBeNull();
  expect(withDecline(declines, no(65 * MINUTE))).toHaveLength(2);
});

it('counts a match once', () => {
  const declines = after(0);
  expect(withDecline(declines, { ...no(0), at: 5_000 })).toBe(declines);
});
