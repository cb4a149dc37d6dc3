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
    const { buckets, kinds } = this.#store;
    const own = this.#store.classOf(slot);
    this.#window.fetch(this.#store.partitionOf(slot), this.#store.keyOf(slot), this.#reach);
    const home = this.#window.bucket(this.#reach);
    this.#heap.remove(slot);
    for (let at = 0; at < this.#window.length; at += 1) {
      const bucket = this.#window.bucket(at);
      for (let list = this.#window.firstList(at); list !== NONE; list = buckets.nextList(list)) {
        const classId = buckets.classOf(list);
        const theirs = kinds.classAt(classId);
        if (kinds.areRelated(own, theirs)) {
          this.#note(slot, list, now, {
            me: own.canAnchor && theirs.canJoin && !this.#isSaturated(home, classId, theirs),
            them:
              tellsOthers &&
              theirs.canAnchor &&
              own.canJoin &&
              !this.#isSaturated(bucket, this.#store.classIdOf(slot), own),
          });
        }
      }
    }
  }

  /** Notes when the slot and the tickets of one list open to each other, as far as it concerns. */
  #note(
    slot: number,
    list: number,
    now: number,
    concerns: { readonly me: boolean; readonly them: boolean },
  ): void {
    if (!concerns.me && !concerns.them) {
      return;
    }
    const { buckets, columns } = this.#store;
    const isSymmetric = this.#plan.pairwise.length === 0 && this.#plan.bands.length === 0;
    for (let other = buckets.head(list); other !== NONE; other = buckets.next(other)) {
      if (other === slot) {
        continue;
      }
      const mine = concerns.me || isSymmetric ? columns.opensAt(slot, other) : Infinity;
      const theirs = isSymmetric || !concerns.them ? mine : columns.opensAt(other, slot);
      if (concerns.me && mine > now && mine < Infinity) {
        this.#heap.lower(slot, mine);
      }
      if (concerns.them && theirs > now && theirs < Infinity) {
        this.#heap.lower(other, theirs);
      }
    }
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
    const cap = this.#solver.cap(ticketClass.shape);
    if (bucket === NONE || buckets.players(bucket) <= cap * ticketClass.players) {
      return false;
    }
    const list = buckets.listIn(bucket, classId);
    return list !== NONE && buckets.count(list) > cap && buckets.spread(bucket) <= bucketing.max;
  }
}
