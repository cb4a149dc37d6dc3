// Lobbies that name many regions, for the cases on which calls into the pool took longest.

import type { Case } from './play';

export const REGIONS = Array.from({ length: 16 }, (_, at) => `region-${at}`);

/** Each lobby has regions that no other lobby names. The last few lobbies take any region. */
export const ownRegions: Case['draw'] = (_, index) => ({
  regions: index < INVENTORS ? REGIONS.map((name) => `${name}-${index}`) : [],
});
/** Each lobby has that many of 3,000 region names. The last few lobbies take any region. */
export const sharedRegions: Case['draw'] = (chance, index) => ({
  regions: index < INVENTORS ? REGIONS.map(() => `region-${chance.below(3000)}`) : [],
});
/** Each lobby has that many of 3,000 region names, and one in a hundred takes any region. */
export const manyRegions: Case['draw'] = (chance) => ({
  regions: chance.chance(0.01) ? [] : REGIONS.map(() => `region-${chance.below(3000)}`),
});
/** Each lobby has another 6 of 16 regions, all 8,008 of them in turn. The last few lobbies take any region. */
export const choices: Case['draw'] = (_, index) => ({
  size: index < 2 * SIX_OF_16.length ? 3 : 1,
  regions: index < 2 * SIX_OF_16.length ? (SIX_OF_16[index % SIX_OF_16.length] ?? []) : [],
});
/** Each lobby measured 16 of 3,000 regions. One after the other comes within reach. */
export const manyPings: Case['draw'] = (chance) => ({
  pings: Object.fromEntries(
    REGIONS.map(() => [`region-${chance.below(3000)}`, [chance.below(150), 100]]),
  ),
});
const SIX_OF_16 = chosen(REGIONS, 6);
export const INVENTORS = 1000;

function chosen(names: readonly string[], count: number): readonly (readonly string[])[] {
  return count === 0
    ? [[]]
    : names.flatMap((name, at) =>
        chosen(names.slice(at + 1), count - 1).map((others) => [name, ...others]),
      );
}
