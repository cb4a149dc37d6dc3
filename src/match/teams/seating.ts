// Which parties play, and on which teams, so that every role of an asymmetric mode is filled exactly: an exact
// search, and, once it has had its steps, swaps in turn with it. Either may find the answer; both begin the same
// way each time.

import type { RoleBook } from './role-book';
import { RoleSearch, type Seat, type Unit } from './role-search';
import { searchOf, type Slices, type Steps } from './steps';
import { swapped } from './swaps';

/** Each goes on for so many steps at a time. */
const PIECE = 200;
/** What the exact search has to itself: it mostly needs less. */
const ALONE = 1000;
/** Then swaps get this share of all steps. */
const SWAP_SHARE = 0.7;

/** Where all parties of two and more sit that play; null when the teams cannot be filled. */
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
