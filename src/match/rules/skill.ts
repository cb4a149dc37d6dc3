// How strong a player is, and the points that games and ladders show for it (record 0047). Rules read the points back.

import type { RatingDecay } from '../../../packages/js/src/rating-types';

/** How strong a player is: the mean, and how uncertain that is (one standard deviation). */
export type Skill = {
  readonly mu: number;
  readonly sigma: number;
  /** Since when it decays, epoch ms. Absent: it does not. */
  readonly ratedAt?: number;
};

/** A player whom no result has rated. */
export const START: Skill = { mu: 25, sigma: 25 / 3 };

/** Shown points of one unit of skill. */
const POINTS = 400 / START.sigma;

/** The number that ladders are sorted by: three deviations below the mean, which the player is almost surely above. */
export function cautious({ mu, sigma }: Skill): number {
  return mu - 3 * sigma;
}

/** The number and its uncertainty as games see them, in whole points. A new player has 1000 and 400. */
export function points(skill: Skill): { readonly rating: number; readonly uncertainty: number } {
  return {
    rating: Math.round(1000 + POINTS * cautious(skill)),
    uncertainty: Math.round(POINTS * skill.sigma),
  };
}

export const DAY_MS = 86_400_000;

/** What the skill says now: the mean stays, and the uncertainty grows in steps, up to that of a new player. */
export function decayed(skill: Skill, now: number, decay: RatingDecay | undefined): Skill {
  const { mu, sigma, ratedAt = now } = skill;
  const steps = decay ? Math.floor((now - ratedAt) / (decay.afterDays * DAY_MS)) : 0;
  if (!decay || steps < 1) {
    return skill;
  }
  const grown = Math.sqrt(sigma ** 2 + steps * (decay.sigma / POINTS) ** 2);
  return { mu, sigma: Math.max(sigma, Math.min(grown, START.sigma)) };
}

/** The skill of a player with these points; null: the start. Without an uncertainty above 0, a new player's counts. */
export function skillAt(rating: number | null, uncertainty: number | null): Skill {
  if (rating === null) {
    return START;
  }
  const sigma = Math.max(0, uncertainty ?? 0) / POINTS || START.sigma;
  return { mu: (rating - 1000) / POINTS + 3 * sigma, sigma };
}

/** How far the chance of a team is from an even one at most, 0 to 1. */
export function unevenOf(win: readonly number[]): number {
  return Math.max(...win.map((chance) => Math.abs(chance - 1 / win.length)));
}
