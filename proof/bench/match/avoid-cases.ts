// Lobbies that avoid each other, for the cases on which calls into the pool took longest.

import { mode } from '../../../test/match/support/make';
import type { Case } from './play';

const LISTED = 50;

/** Parties of 3, each of which avoids all 50 singles, whom it needs. */
const avoidTheFew: Case['draw'] = (_, index) =>
  index % 100 === 0
    ? {}
    : { size: 3, avoids: Array.from({ length: LISTED }, (__, at) => `t${100 * at}.0`) };
/** Each avoids 50 of the 100 who came before. */
const avoidHalf: Case['draw'] = (chance, index) => {
  const before = Array.from({ length: 2 * LISTED }, (_, back) => `t${index - back - 1}.0`);
  return { avoids: before.filter(() => chance.chance(0.55)).slice(0, LISTED) };
};

const fives = mode({
  playersPerTeam: 5,
  rules: [{ type: 'avoid', field: 'avoid', afterSeconds: 20 }],
});
const THE_FEW = { mode: fives, tickets: 5_000, draw: avoidTheFew } as const;

export const AVOID_CASES: readonly (Case & { readonly name: string })[] = [
  {
    name: 'avoid, 5,000 lobbies with 50 ids each in 5v5, of whom most avoid those whom they need',
    ...THE_FEW,
    plays: 'enters',
  },
  {
    name: 'avoid, the same who came at one instant, and may meet at one',
    ...THE_FEW,
    plays: 'opening',
  },
  { name: 'avoid, the same when the pool wakes', ...THE_FEW, plays: 'wake' },
  {
    name: 'avoid in 5v5, each avoids 50 of the 100 before',
    mode: fives,
    tickets: 5_000,
    draw: avoidHalf,
    plays: 'enters',
  },
];
