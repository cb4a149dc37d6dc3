// Several lists of slots, each eldest first, walked as one.

import { type Ages, NONE } from './ages';
import type { Buckets } from './buckets';

/** A list of possible anchors for one newcomer, walked from its eldest. */
export interface Group {
  next: number;
  readonly newcomer: number;
}

/** A heap of groups by their eldest slot. */
export class Merge {
  readonly #groups: Group[];
  readonly #ages: Ages;
  readonly #buckets: Buckets;

  /** Takes the groups over; those that are empty do not count. */
  constructor(groups: readonly Group[], ages: Ages, buckets: Buckets) {
    this.#groups = groups.filter(({ next }) => next !== NONE);
    this.#ages = ages;
    this.#buckets = buckets;
    for (let at = (this.#groups.length >> 1) - 1; at >= 0; at -= 1) {
      this.#sink(at);
    }
  }

  /** The group with the eldest slot; undefined when all have been walked. */
  get first(): Group | undefined {
    return this.#groups[0];
  }

  /** Moves the first group on. A newcomer stands for itself, in a group of its own. */
  advance(): void {
    const [group] = this.#groups;
    if (group === undefined) {
      return;
    }
    const isItself = group.next === group.newcomer;
    group.next = isItself ? NONE : this.#buckets.next(group.next);
    if (group.next === group.newcomer) {
      group.next = this.#buckets.next(group.newcomer);
    }
    if (group.next === NONE) {
      const last = this.#groups.pop();
      if (last !== undefined && last !== group) {
        this.#groups[0] = last;
      }
    }
    this.#sink(0);
  }

  #sink(from: number): void {
    const groups = this.#groups;
    for (let at = from; ;) {
      let eldest = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2; child += 1) {
        if (this.#isOlder(groups[child], groups[eldest])) {
          eldest = child;
        }
      }
      const [one, other] = [groups[at], groups[eldest]];
      if (eldest === at || one === undefined || other === undefined) {
        return;
      }
      groups[at] = other;
      groups[eldest] = one;
      at = eldest;
    }
  }

  #isOlder(a: Group | undefined, b: Group | undefined): boolean {
    return a !== undefined && b !== undefined && this.#ages.isOlder(a.next, b.next);
  }
}
