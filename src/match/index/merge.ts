// Several lists of slots, each eldest first, walked as one. Of each the possible anchors for one newcomer.

import { type Ages, NONE } from './ages';
import type { Buckets } from './buckets';

/** A heap of lists by their eldest slot, filled anew for each walk. */
export class Merge {
  readonly #ages: Ages;
  readonly #buckets: Buckets;
  /** Of each list: the slot it has come to, and the newcomer it is walked for. */
  readonly #next: number[] = [];
  readonly #newcomer: number[] = [];
  #size = 0;

  constructor(ages: Ages, buckets: Buckets) {
    this.#ages = ages;
    this.#buckets = buckets;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Adds a list from this slot on, NONE for an empty one. A newcomer stands for itself, in a list of its own. */
  add(slot: number, newcomer: number): void {
    if (slot === NONE) {
      return;
    }
    let at = this.#size;
    this.#size += 1;
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = (at - 1) >> 1;
      const above = this.#next[parent] ?? NONE;
      if (!this.#ages.isOlder(slot, above)) {
        break;
      }
      this.#next[at] = above;
      this.#newcomer[at] = this.#newcomer[parent] ?? NONE;
    }
    this.#next[at] = slot;
    this.#newcomer[at] = newcomer;
  }

  /** The eldest slot; NONE when all have been walked. */
  get first(): number {
    return this.#size === 0 ? NONE : (this.#next[0] ?? NONE);
  }

  /** The newcomer for which the eldest slot is looked at. */
  get newcomer(): number {
    return this.#newcomer[0] ?? NONE;
  }

  /** Moves the first list on. */
  advance(): void {
    const { newcomer } = this;
    let next = this.first === newcomer ? NONE : this.#buckets.next(this.first);
    if (next !== NONE && next === newcomer) {
      next = this.#buckets.next(newcomer);
    }
    if (next !== NONE) {
      this.#sink(next, newcomer);
    } else {
      this.#size -= 1;
      if (this.#size > 0) {
        this.#sink(this.#next[this.#size] ?? NONE, this.#newcomer[this.#size] ?? NONE);
      }
    }
  }

  /** Puts a list in place of the first. */
  #sink(slot: number, newcomer: number): void {
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const right = child + 1;
      if (
        right < this.#size &&
        this.#ages.isOlder(this.#next[right] ?? NONE, this.#next[child] ?? NONE)
      ) {
        child = right;
      }
      const below = this.#next[child] ?? NONE;
      if (!this.#ages.isOlder(below, slot)) {
        break;
      }
      this.#next[at] = below;
      this.#newcomer[at] = this.#newcomer[child] ?? NONE;
      at = child;
    }
    this.#next[at] = slot;
    this.#newcomer[at] = newcomer;
  }
}
