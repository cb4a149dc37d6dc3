// A heap of instants, at most one for each slot: what the pool has to look at next. An instant may
// be moved either way without leaving anything stale behind. Instants lie in the order of the heap, so
// that those compared lie side by side.

import { grownFloats, grownInts } from './arrays';

const NOWHERE = -1;

export class InstantHeap {
  /** By place in the heap: instant and slot. */
  #instants = new Float64Array(64);
  #slots = new Int32Array(64);
  /** Of each slot. */
  #place = new Int32Array(64).fill(NOWHERE);
  #size = 0;

  /** Infinity when there is none. */
  at(slot: number): number {
    return this.#isIn(slot) ? (this.#instants[this.#place[slot] ?? 0] ?? 0) : Infinity;
  }

  /** The earliest instant, Infinity when empty. */
  get next(): number {
    return this.#size === 0 ? Infinity : (this.#instants[0] ?? 0);
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
    if (this.#isIn(slot)) {
      this.#settle(this.#place[slot] ?? 0, slot, at);
      return;
    }
    this.#reserve(slot);
    this.#size += 1;
    this.#rise(this.#size - 1, slot, at);
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
    const last = this.#size;
    if (place < last) {
      this.#settle(place, this.#slots[last] ?? 0, this.#instants[last] ?? 0);
    }
  }

  #isIn(slot: number): boolean {
    return slot < this.#place.length && this.#place[slot] !== NOWHERE;
  }

  #reserve(slot: number): void {
    if (slot >= this.#place.length) {
      const known = this.#place.length;
      this.#place = grownInts(this.#place, slot + 1);
      this.#place.fill(NOWHERE, known);
    }
    if (this.#size >= this.#slots.length) {
      this.#slots = grownInts(this.#slots, this.#size + 1);
      this.#instants = grownFloats(this.#instants, this.#size + 1);
    }
  }

  /** Puts the slot at the place, or where it belongs above or below. */
  #settle(place: number, slot: number, at: number): void {
    if (place > 0 && (this.#instants[(place - 1) >> 1] ?? 0) > at) {
      this.#rise(place, slot, at);
    } else {
      this.#sink(place, slot, at);
    }
  }

  #put(place: number, slot: number, at: number): void {
    this.#instants[place] = at;
    this.#slots[place] = slot;
    this.#place[slot] = place;
  }

  #rise(from: number, slot: number, at: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#instants[parent] ?? 0;
      if (above <= at) {
        break;
      }
      this.#put(place, this.#slots[parent] ?? 0, above);
      place = parent;
    }
    this.#put(place, slot, at);
  }

  #sink(from: number, slot: number, at: number): void {
    let place = from;
    for (let child = 2 * place + 1; child < this.#size; child = 2 * place + 1) {
      const right = child + 1;
      if (right < this.#size && (this.#instants[right] ?? 0) < (this.#instants[child] ?? 0)) {
        child = right;
      }
      const below = this.#instants[child] ?? 0;
      if (below >= at) {
        break;
      }
      this.#put(place, this.#slots[child] ?? 0, below);
      place = child;
    }
    this.#put(place, slot, at);
  }
}
