// When tickets come into each other's reach as the difference rules widen: of each waiting ticket
// the next instant at which a pair with it opens (docs/internals/design.md: What matching means). Holds always:
// of a pair whose opening could complete a match at least one knows an instant no later; who comes
// last notes its pairs with all before it.

import { NONE } from './ages';
import { Arming, type Visitor } from './arming';
import { InstantHeap } from './heap';
import type { Plan } from './plan';
import type { TicketStore } from './store';
import type { Solver } from '../sets/solver';

/** What of a class a bucket must have beyond all use before pairs with more of it are left out. */
const PLENTY = 8;

/** Pairs looked at for one step. */
const PAIRS_PER_STEP = 16;

/** A bucket that a slot, whose own bucket is `home`, looks at, and the least gap to what is in it. */
interface Place {
  readonly bucket: number;
  readonly home: number;
  readonly slot: number;
  readonly gap: number;
}

export class Openings {
  readonly #plan: Plan;
  readonly #store: TicketStore;
  readonly #solver: Solver;
  readonly #heap = new InstantHeap();
  readonly #reach: number;
  readonly #arming: Arming;

  constructor(plan: Plan, store: TicketStore, solver: Solver) {
    this.#plan = plan;
    this.#store = store;
    this.#solver = solver;
    // No ticket waits longer than the timeout, so nothing ever widens beyond twice the rule.
    this.#reach = store.radius(plan.timeoutMs);
    this.#arming = new Arming(plan, store);
  }

  /** Infinity when nothing will open. */
  get next(): number {
    return this.#heap.next;
  }

  /** The slot for which something opens next. */
  get first(): number {
    return this.#heap.first;
  }

  /** Slots that are to be armed again, because pairs of theirs were left out that now count. */
  takeThinned(): readonly number[] {
    return this.#store.buckets.takeThinned();
  }

  forget(slot: number): void {
    this.#heap.remove(slot);
  }

  /** Something outside the queue opens for the slot: a game with room. */
  lower(slot: number, at: number): void {
    this.#heap.lower(slot, at);
  }

  /**
   * The anchors that from `since` to `now`, both to the millisecond, got a candidate more by a pair
   * of the slot; null when the steps do not reach to know.
   */
  openedBy(slot: number, since: number, now: number): ReadonlySet<number> | null {
    const opened = new Set<number>();
    const { columns, buckets } = this.#store;
    let walked = 0;
    let isOpen = false;
    const opens = (anchor: number, candidate: number): boolean => {
      walked += 1;
      const at = columns.opensAt(anchor, candidate, since - 1);
      isOpen ||= at === 'open';
      return at !== 'open' && at <= now;
    };
    this.#forEachList(slot, {
      visit: (list, me, them) => {
        for (let other = buckets.head(list); other !== NONE; other = buckets.next(other)) {
          if (me && other !== slot && opens(slot, other)) {
            opened.add(slot);
          }
          if (them && other !== slot && opens(other, slot)) {
            opened.add(other);
          }
          if (isOpen) {
            return false;
          }
        }
        return true;
      },
      isPast: () => false,
    });
    if (isOpen) {
      return null;
    }
    this.#store.steps.left -= (1 + walked) / PAIRS_PER_STEP;
    return opened;
  }

  /**
   * Notes when after `now` the next pair of the slot opens, whichever is its anchor; false when the
   * steps do not reach to know: then it is to be armed again.
   */
  arm(slot: number, now: number): boolean {
    this.#heap.remove(slot);
    const arming = this.#arming;
    arming.begin(slot, now);
    this.#forEachList(slot, arming);
    // What is known so far opens in any case.
    this.#heap.set(slot, arming.soonest);
    this.#store.steps.left -= arming.isOpen ? 0 : (1 + arming.walked) / PAIRS_PER_STEP;
    return !arming.isOpen;
  }

  /**
   * The lists around the slot with which a pair could open, from its own bucket outwards, each with
   * the least gap there can be.
   */
  #forEachList(slot: number, visitor: Visitor): void {
    const { buckets, columns } = this.#store;
    const [rule, second] = this.#plan.differences;
    if (rule === undefined) {
      return;
    }
    const own = this.#store.classOf(slot);
    const value = columns.number(slot, rule.column);
    const partition = this.#store.partitionOf(slot);
    const key = this.#store.keyOf(slot);
    const reach = this.#reach;
    const { window, bucketWidth: width } = this.#store;
    window.fetch(partition, key, reach);
    if (window.players(0, 2 * reach) <= own.players) {
      return;
    }
    const home = window.bucket(reach);
    // Where only one rule widens and all are within it, nothing is left to open.
    const within = second === undefined ? rule.max : -Infinity;
    const near = this.#nearOnes(key, within);
    for (let step = 0; step <= 2 * reach; step += 1) {
      const offset = (step & 1) === 0 ? step >> 1 : -((step + 1) >> 1);
      const bucket = window.bucket(reach + offset);
      if (bucket === NONE) {
        continue;
      }
      const distance = Math.abs(offset);
      if (distance > 1 && visitor.isPast((distance - 1) * width)) {
        return;
      }
      if (distance <= near || buckets.farthest(bucket, value) <= within) {
        continue;
      }
      const gap = buckets.nearest(bucket, value);
      if (visitor.isPast(gap)) {
        continue;
      }
      if (!this.#visitLists({ bucket, home, slot, gap }, visitor)) {
        return;
      }
    }
  }

  /** The lists of a bucket with which a pair of the slot, whose bucket is `home`, can matter. */
  #visitLists({ bucket, home, slot, gap }: Place, visitor: Visitor): boolean {
    const { buckets, kinds } = this.#store;
    const own = this.#store.classOf(slot);
    const ownId = this.#store.classIdOf(slot);
    for (let list = buckets.firstList(bucket); list !== NONE; list = buckets.nextList(list)) {
      const classId = buckets.classOf(list);
      const theirs = kinds.classAt(classId);
      if (kinds.areRelated(own, theirs)) {
        const me = own.canAnchor && theirs.canJoin && !this.#isSaturated(home, classId);
        const them = theirs.canAnchor && own.canJoin && !this.#isSaturated(bucket, ownId);
        if ((me || them) && !visitor.visit(list, me, them, gap)) {
          return false;
        }
      }
    }
    return true;
  }

  /** How far a bucket may lie so that, by where it lies, all pairs with it are within so much; -1 for none. */
  #nearOnes(key: number, within: number): number {
    const { bucketWidth: width } = this.#store;
    const isOutermost = this.#store.isOutermost(Math.abs(key) + this.#reach);
    return isOutermost || !(width > 0) ? -1 : Math.floor(within / width) - 1;
  }

  /**
   * True when every ticket of the bucket passes with as many of the class as could ever be used:
   * one more of them, further off, completes nothing that was not complete before. Pairs left out
   * so are noted after all when the bucket no longer has more of the class than can be used.
   */
  #isSaturated(bucket: number, classId: number): boolean {
    const { bucketing, isBucketingAll } = this.#plan;
    if (bucketing === null || !isBucketingAll || bucket === NONE) {
      return false;
    }
    const { buckets, kinds } = this.#store;
    const { shape, players } = kinds.classAt(classId);
    const cap = this.#solver.cap(shape);
    const plenty = 2 * cap + PLENTY;
    if (buckets.players(bucket) <= plenty * players || buckets.spread(bucket) > bucketing.max) {
      return false;
    }
    const list = buckets.listIn(bucket, classId);
    if (list === NONE || buckets.count(list) <= plenty) {
      return false;
    }
    buckets.leanOn(list, cap);
    return true;
  }
}
