// How uncertain a ladder becomes of players who do not play (record 0087).

import { describe, expect, it } from 'vitest';
import { decayed, points, START, type Skill } from '../../src/match/rules/skill';
import { random } from './support/random';

const DAY_MS = 86_400_000;
const T0 = 1_700_000_000_000;
const DECAY = { afterDays: 30, sigma: 50 };
const settled: Skill = { mu: 30, sigma: 80 / 48 };
const after = (days: number, skill = settled): Skill =>
  decayed({ ...skill, ratedAt: T0 }, T0 + days * DAY_MS, DECAY);

describe('the uncertainty of a player who does not play', () => {
  it('grows by one step for each whole time, as the pages say', () => {
    const grown = [0, 29.99, 30, 59, 60, 90, 180, 360, 3_600].map(
      (days) => points(after(days)).uncertainty,
    );
    expect(grown).toEqual([80, 80, 94, 94, 107, 118, 146, 191, 400]);
  });

  it('never goes beyond a new player, never falls, and leaves the mean', () => {
    const { unit: rng } = random(87);
    for (let run = 0; run < 2_000; run += 1) {
      const skill = { mu: 60 * rng() - 10, sigma: 0.01 + (START.sigma - 0.01) * rng() };
      const decay = { afterDays: 1 + Math.floor(90 * rng()), sigma: 1 + Math.floor(400 * rng()) };
      const at = (days: number) => decayed({ ...skill, ratedAt: T0 }, T0 + days * DAY_MS, decay);
      let before = skill.sigma;
      for (let days = 0; days < 1_000; days += 40 * rng()) {
        const now = at(days);
        expect(now.mu).toBe(skill.mu);
        expect(now.sigma).toBeGreaterThanOrEqual(before);
        expect(now.sigma).toBeLessThanOrEqual(START.sigma);
        expect(days >= decay.afterDays || now.sigma === skill.sigma).toBe(true);
        before = now.sigma;
      }
    }
  });

  it('stays where the clock was set back, nothing is set, or nobody knows since when', () => {
    const old = { ...settled, ratedAt: T0 };
    expect(decayed(old, T0 - 400 * DAY_MS, DECAY).sigma).toBe(settled.sigma);
    expect(decayed(old, T0 + 400 * DAY_MS, undefined)).toBe(old);
    expect(decayed(settled, T0, DECAY)).toBe(settled);
  });

  it('stays where an import made it larger than that of a new player', () => {
    expect(after(400, { mu: 25, sigma: 20 }).sigma).toBe(20);
  });
});
