// How strong a player is, and the points that games and ladders show for it (record 0047). Rules read the points back.

/** How strong a player is: the mean, and how uncertain that is (one standard deviation). */
export type Skill = { readonly mu: number; readonly sigma: number };

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
