// Which parties play, and on which teams, so that every role is filled exactly. An exact search begins alone. If it takes
// long, swaps take turns with it. Either may find the answer, and both do the same every time.

import type { RoleBook } from './role-book';
import { RoleSearch, type Seat, type Unit } from './role-search';
import { searchOf, type Slices, type Steps } from './steps';
import { swapped } from './swaps';

/** Steps of one turn. */
const PIECE = 200;
/** Steps of the exact search before swaps begin. It mostly needs fewer. */
const ALONE = 1000;
/** The share of all steps that swaps get from then on. */
const SWAP_SHARE = 0.7;

/** The seats of all parties of two or more that play; null if the teams cannot be filled. */
export function* seatParties(
  book: RoleBook,
  units: readonly Unit[],
  steps: Steps,
): Slices<readonly Seat[] | null> {
  const exact = searchOf((own) => new RoleSearch(book, units, own).run());
  const swaps = searchOf((own) => swapped(book, units, own));
  let [all, bySwaps] = [0, 0];
  for (;;) {
    const isSwaps = all > ALONE && bySwaps < all * SWAP_SHARE;
    const piece = { left: PIECE };
    const found = (isSwaps ? swaps : exact)(piece);
    const spent = PIECE - piece.left;
    all += spent;
    bySwaps += isSwaps ? spent : 0;
    steps.left -= spent;
    if (found !== 'open') {
      return found;
    }
    if (steps.left <= 0) {
      yield;
    }
  }
}
