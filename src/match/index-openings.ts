// When tickets come into each other's reach as the difference rules widen: of each waiting ticket
// the next instant at which it can have a candidate more (matching.md section 0, 3). Holds always:
// an opening that could complete a match is never missed; one that could not may be left out.

import { NONE } from './index-ages';
import { InstantHeap } from './index-heap';
import type { Plan } from './index-plan';
import type { TicketClass } from './index-kinds';
import type { Store } from './index-store';
import { Window } from './index-window';
import type { Solver } from './solver';

export class Openings {
  readonly #plan: Plan;
  readonly #store: Store;
  readonly #solver: Solver;
  readonly #heap = new InstantHeap();
  readonly #window: Window;
  readonly #reach: number;

  constructor(plan: Plan, store: Store, solver: Solver) {
    this.#plan = plan;
    this.#store = store;
    this.#solver = solver;
    this.#window = new Window(store.buckets);
    // No ticket waits longer than the timeout, so nothing ever widens beyond twice the rule.
    this.#reach = store.radius(plan.timeoutMs);
  }

  /** Infinity when nothing will open. */
  get next(): number {
    return this.#heap.next;
  }

  /** The slots for which something opens up to `now`, eldest first; they are to be re-armed. */
  take(now: number): number[] {
    const due: number[] = [];
    while (this.#heap.next <= now) {
      due.push(this.#heap.first);
      this.#heap.remove(this.#heap.first);
    }
    return due.sort(this.#store.ages.compare);
  }

  forget(slot: number): void {
    this.#heap.remove(slot);
  }

  /** Something outside the queue opens for the slot: a game with room. */
  lower(slot: number, at: number): void {
    this.#heap.lower(slot, at);
  }

  /** True when at `now`, to the millisecond, the slot as anchor gets a candidate more. */
  isOpening(slot: number, now: number): boolean {
    // The first opening after the millisecond before.
    this.rearm(slot, now - 1);
    const next = this.#heap.at(slot);
    this.#heap.remove(slot);
    return next === now;
  }

  /** Notes all pairs of a newcomer that are still to open, for it and for the others. */
  arrive(newcomer: number, now: number): void {
    if (this.#plan.differences.length > 0) {
      this.#scan(newcomer, now, true);
    }
  }

  /** Sets the slot's own next opening after `now` anew. */
  rearm(slot: number, now: number): void {
    if (this.#plan.differences.length > 0) {
      this.#scan(slot, now, false);
    }
  }

  #scan(slot: number, now: number, tellsOthers: boolean): void {
    const { buckets, kinds, columns } = this.#store;
    const own = this.#store.classOf(slot);
    const partition = this.#store.partitionOf(slot);
    this.#window.fetch(partition, this.#store.keyOf(slot), this.#reach);
    const home = this.#window.bucket(this.#reach);
    const isSymmetric = this.#plan.pairwise.length === 0 && this.#plan.bands.length === 0;
    let next = Infinity;
    for (let at = 0; at < this.#window.length; at += 1) {
      const bucket = this.#window.bucket(at);
      for (
        let list = bucket === NONE ? NONE : buckets.firstList(bucket);
        list !== NONE;
        list = buckets.nextList(list)
      ) {
        const theirs = kinds.classAt(buckets.classOf(list));
        if (!kinds.areRelated(own, theirs)) {
          continue;
        }
        const concernsMe =
          own.canAnchor && theirs.canJoin && !this.#isSaturated(home, buckets.classOf(list), theirs);
        const concernsThem =
          tellsOthers &&
          theirs.canAnchor &&
          own.canJoin &&
          !this.#isSaturated(bucket, this.#store.classIdOf(slot), own);
        if (!concernsMe && !concernsThem) {
          continue;
        }
        for (let other = buckets.head(list); other !== NONE; other = buckets.next(other)) {
          if (other === slot) {
            continue;
          }
          const mine = concernsMe || isSymmetric ? columns.opensAt(slot, other) : Infinity;
          if (concernsMe && mine > now && mine < next) {
            next = mine;
          }
          if (concernsThem) {
            const opening = isSymmetric ? mine : columns.opensAt(other, slot);
            if (opening > now && opening < Infinity) {
              this.#heap.lower(other, opening);
            }
          }
        }
      }
    }
    this.#heap.set(slot, next);
  }

  /**
   * True when every ticket of the bucket passes with as many of the class as could ever be used:
   * one more of them, further off, completes nothing that was not complete before.
   */
  #isSaturated(bucket: number, classId: number, ticketClass: TicketClass): boolean {
    const { bucketing, isBucketingAll } = this.#plan;
    if (bucketing === null || !isBucketingAll) {
      return false;
    }
    const { buckets } = this.#store;
    const list = buckets.listIn(bucket, classId);
    return (
      list !== NONE &&
      buckets.count(list) > this.#solver.cap(ticketClass.shape) &&
      buckets.spread(bucket) <= bucketing.max
    );
  }
}
