// A heap of instants, at most one for each slot: what the pool has to look at next. An instant may
// be moved either way without leaving anything stale behind.

import { grownFloats, grownInts } from './arrays';

const NOWHERE = -1;

export class InstantHeap {
  /** Instant of each slot; meaningful while the slot is in the heap. */
  #at = new Float64Array(64);
  #place = new Int32Array(64).fill(NOWHERE);
  #slots = new Int32Array(64);
  #size = 0;

  /** Infinity when there is none. */
  at(slot: number): number {
    return this.#isIn(slot) ? (this.#at[slot] ?? 0) : Infinity;
  }

  /** The earliest instant, Infinity when empty. */
  get next(): number {
    return this.#size === 0 ? Infinity : this.at(this.#slots[0] ?? 0);
  }

  /** The slot of the earliest instant. */
  get first(): number {
    return this.#slots[0] ?? 0;
  }

  /** Sets the slot's instant; Infinity takes it out. */
  set(slot: number, at: number): void {
    if (at === Infinity) {
      this.remove(slot);
      return;
    }
    this.#reserve(slot);
    const before = this.at(slot);
    if (before === Infinity) {
      this.#slots[this.#size] = slot;
      this.#place[slot] = this.#size;
      this.#size += 1;
    }
    this.#at[slot] = at;
    if (at < before) {
      this.#rise(this.#place[slot] ?? 0);
    } else {
      this.#sink(this.#place[slot] ?? 0);
    }
  }

  /** Sets the instant if it comes before the present one. */
  lower(slot: number, at: number): void {
    if (at < this.at(slot)) {
      this.set(slot, at);
    }
  }

  remove(slot: number): void {
    if (!this.#isIn(slot)) {
      return;
    }
    const place = this.#place[slot] ?? 0;
    this.#place[slot] = NOWHERE;
    this.#size -= 1;
    if (place < this.#size) {
      const moved = this.#slots[this.#size] ?? 0;
      this.#slots[place] = moved;
      this.#place[moved] = place;
      this.#rise(place);
      this.#sink(this.#place[moved] ?? 0);
    }
  }

  #isIn(slot: number): boolean {
    return slot < this.#place.length && this.#place[slot] !== NOWHERE;
  }

  #reserve(slot: number): void {
    if (slot >= this.#at.length) {
      const known = this.#at.length;
      this.#at = grownFloats(this.#at, slot + 1);
      this.#place = grownInts(this.#place, slot + 1);
      this.#place.fill(NOWHERE, known);
    }
    if (this.#size >= this.#slots.length) {
      this.#slots = grownInts(this.#slots, this.#size + 1);
    }
  }

  #rise(from: number): void {
    let place = from;
    const slot = this.#slots[place] ?? 0;
    const at = this.#at[slot] ?? 0;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#slots[parent] ?? 0;
      if ((this.#at[above] ?? 0) <= at) {
        break;
      }
      this.#slots[place] = above;
      this.#place[above] = place;
      place = parent;
    }
    this.#slots[place] = slot;
    this.#place[slot] = place;
  }

  #sink(from: number): void {
    let place = from;
    const slot = this.#slots[place] ?? 0;
    const at = this.#at[slot] ?? 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) {
        break;
      }
      const right = child + 1;
      if (
        right < this.#size &&
        (this.#at[this.#slots[right] ?? 0] ?? 0) < (this.#at[this.#slots[child] ?? 0] ?? 0)
      ) {
        child = right;
      }
      const below = this.#slots[child] ?? 0;
      if ((this.#at[below] ?? 0) >= at) {
        break;
      }
      this.#slots[place] = below;
      this.#place[below] = place;
      place = child;
    }
    this.#slots[place] = slot;
    this.#place[slot] = place;
  }
}
