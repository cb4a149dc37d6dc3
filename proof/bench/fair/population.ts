// Who arrives, when and how strong: drawn from a seed, and the same for every policy.

import { random, type Random } from '../../../test/match/support/random';

/** A game of `teams` teams of `size` players. */
export interface Shape {
  readonly teams: number;
  readonly size: number;
}

/** What arrives and searches together. Ratings are on the scale of Elo: 400 points are ten to one. */
export interface Party {
  readonly id: number;
  /** ms. */
  readonly at: number;
  readonly ratings: readonly number[];
  /** Of its players. */
  readonly mean: number;
}

export interface Population {
  readonly name: string;
  readonly shape: Shape;
  /** How often parties of one, two, ... players come. */
  readonly sizes: readonly number[];
  /** A tenth of the players is spread twice as wide. */
  readonly isLongTailed?: boolean;
  /** The rate rises to 5/3 of its mean and falls to 1/3, once within the run. */
  readonly isDay?: boolean;
}

/** Half of the players come in parties of two to five. */
const WITH_PARTIES = [0.72, 0.16, 0.06, 0.03, 0.03];

export const DUELS: Population = {
  name: '1v1',
  shape: { teams: 2, size: 1 },
  sizes: [1],
};
export const SQUADS: Population = {
  name: '5v5',
  shape: { teams: 2, size: 5 },
  sizes: WITH_PARTIES,
};
export const FOURS: Population = {
  name: '4v4',
  shape: { teams: 2, size: 4 },
  sizes: [0.72, 0.18, 0.06, 0.04],
};
export const BRAWL: Population = {
  name: 'free for all of 8',
  shape: { teams: 8, size: 1 },
  sizes: [1],
};

const MEAN = 1500;
const DEVIATION = 300;
/** How far the members of a party are apart. */
const WITHIN = 100;

/** `rate`: parties a second. They come by chance, each independent of the others, for `seconds`. */
export function arrivals(
  { sizes, isLongTailed = false, isDay = false }: Population,
  rate: number,
  seconds: number,
  seed: number,
): readonly Party[] {
  const chance = random(seed);
  const parties: Party[] = [];
  for (let at = 0; ;) {
    const now = isDay ? rate * (1 + (2 / 3) * Math.sin((2 * Math.PI * at) / seconds)) : rate;
    at -= Math.log(1 - chance.unit()) / now;
    if (at >= seconds) {
      return parties;
    }
    const spread = isLongTailed && chance.chance(0.1) ? 2 * DEVIATION : DEVIATION;
    const middle = MEAN + spread * chance.normal();
    const players = sizeOf(sizes, chance);
    const ratings = Array.from({ length: players }, () =>
      Math.round(players === 1 ? middle : middle + WITHIN * chance.normal()),
    );
    const mean = ratings.reduce((sum, rating) => sum + rating, 0) / players;
    parties.push({ id: parties.length, at: Math.round(at * 1000), ratings, mean });
  }
}

function sizeOf(sizes: readonly number[], chance: Random): number {
  let left = chance.unit();
  for (const [index, part] of sizes.entries()) {
    left -= part;
    if (left < 0) {
      return index + 1;
    }
  }
  return 1;
}
