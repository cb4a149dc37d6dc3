// When the next pair of one slot opens, as the lists around it are walked. One object for all walks, one
// after the other: every arrival makes such a walk.

import { NONE } from './ages';
import { ROUNDING_MS, waitToOpen } from './columns';
import type { Plan } from './plan';
import type { TicketStore } from './store';

/** Who looks at the lists around a slot. */
export interface Visitor {
  /**
   * `me`, `them`: whether a new pair can matter to the slot as anchor, and to the other one. False
   * ends the walk: an expression could not be evaluated.
   */
  visit(list: number, me: boolean, them: boolean, gap: number): boolean;
  /** Dismisses a bucket by the least gap there can be. */
  isPast(gap: number): boolean;
}

export class Arming implements Visitor {
  readonly #plan: Plan;
  readonly #store: TicketStore;
  /** Of the rule by which pairs are looked for. */
  readonly #max: number;
  /** A pair opens at the same instant whichever is its anchor. */
  readonly #isSymmetric: boolean;
  #slot = NONE;
  #now = 0;
  /** Infinity when nothing opens. */
  soonest = Infinity;
  /** Pairs looked at. */
  walked = 0;
  /** The steps did not reach to know. */
  isOpen = false;

  constructor(plan: Plan, store: TicketStore) {
    this.#plan = plan;
    this.#store = store;
    this.#max = plan.differences[0]?.max ?? Infinity;
    this.#isSymmetric = plan.pairwise.length === 0 && plan.bands.length === 0;
  }

  /** A walk around the slot begins, for what opens after `now`. */
  begin(slot: number, now: number): void {
    this.#slot = slot;
    this.#now = now;
    this.soonest = Infinity;
    this.walked = 0;
    this.isOpen = false;
  }

  visit(list: number, me: boolean, them: boolean, gap: number): boolean {
    const { ages, buckets } = this.#store;
    const slot = this.#slot;
    const isSymmetric = this.#isSymmetric;
    for (let other = buckets.head(list); other !== NONE; other = buckets.next(other)) {
      // Those that follow are younger still, and open no sooner.
      if (this.#earliest(ages.isOlder(other, slot) ? other : slot, gap) >= this.soonest) {
        break;
      }
      if (other !== slot && (me || isSymmetric)) {
        this.#note(slot, other);
      }
      if (other !== slot && them && !isSymmetric) {
        this.#note(other, slot);
      }
      if (this.isOpen) {
        return false;
      }
    }
    return true;
  }

  isPast(gap: number): boolean {
    const { eldest } = this.#store.ages;
    return this.#earliest(eldest === NONE ? this.#slot : eldest, gap) >= this.soonest;
  }

  #note(anchor: number, candidate: number): void {
    const at = this.#store.columns.opensAt(anchor, candidate, this.#now, this.soonest);
    this.walked += 1;
    if (at === 'open') {
      this.isOpen = true;
    } else if (at < this.soonest) {
      this.soonest = at;
    }
  }

  /** A lower bound for a pair so far apart in the first rule, the elder of which is given. */
  #earliest(elder: number, gap: number): number {
    const wait = waitToOpen(gap, this.#max, this.#plan.timeoutMs);
    return this.#store.ages.startedAt(elder) + wait - ROUNDING_MS;
  }
}
