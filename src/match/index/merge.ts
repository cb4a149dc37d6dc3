// Several lists of slots, each eldest first, walked as one. Of each the possible anchors for one newcomer.

import { type Ages, NONE } from './ages';
import { grownFloats, grownInts } from './arrays';
import type { Buckets } from './buckets';

const FEWEST = 64;

/** A heap of lists by their eldest slot, filled anew for each walk. */
export class Merge {
  readonly #ages: Ages;
  readonly #buckets: Buckets;
  /** Of each list: the slot it has come to, its age, and the newcomer it is walked for. */
  #next = new Int32Array(FEWEST);
  #start = new Float64Array(FEWEST);
  #sequence = new Float64Array(FEWEST);
  #newcomer = new Int32Array(FEWEST);
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
    if (this.#size === this.#next.length) {
      this.#grow();
    }
    let at = this.#size;
    this.#size += 1;
    const start = this.#ages.startedAt(slot);
    const sequence = this.#ages.sequence(slot);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(start, sequence, parent)) {
        break;
      }
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, slot, start, sequence);
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
      this.#sink(next, newcomer, this.#ages.startedAt(next), this.#ages.sequence(next));
    } else {
      this.#size -= 1;
      const last = this.#size;
      if (last > 0) {
        this.#sink(
          this.#next[last] ?? NONE,
          this.#newcomer[last] ?? NONE,
          this.#start[last] ?? 0,
          this.#sequence[last] ?? 0,
        );
      }
    }
  }

  /** Puts a list in place of the first. */
  #sink(slot: number, newcomer: number, start: number, sequence: number): void {
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const right = child + 1;
      if (
        right < this.#size &&
        this.#isBefore(this.#start[right] ?? 0, this.#sequence[right] ?? 0, child)
      ) {
        child = right;
      }
      if (this.#isBefore(start, sequence, child)) {
        break;
      }
      this.#move(child, at);
      at = child;
    }
    this.#put(at, slot, start, sequence);
    this.#newcomer[at] = newcomer;
  }

  /** True when somebody of this age comes before the list. */
  #isBefore(start: number, sequence: number, list: number): boolean {
    const other = this.#start[list] ?? 0;
    return start < other || (start === other && sequence < (this.#sequence[list] ?? 0));
  }

  #put(at: number, slot: number, start: number, sequence: number): void {
    this.#next[at] = slot;
    this.#start[at] = start;
    this.#sequence[at] = sequence;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#next[from] ?? NONE, this.#start[from] ?? 0, this.#sequence[from] ?? 0);
    this.#newcomer[to] = this.#newcomer[from] ?? NONE;
  }

  #grow(): void {
    this.#next = grownInts(this.#next, this.#size + 1);
    this.#start = grownFloats(this.#start, this.#size + 1);
    this.#sequence = grownFloats(this.#sequence, this.#size + 1);
    this.#newcomer = grownInts(this.#newcomer, this.#size + 1);
  }
}
