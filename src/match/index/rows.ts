// One row a ticket for what a search reads of it: sixty-four bytes side by side, a line of memory, where an
// array each would be ten lines. Who owns a number says so here; the owners read and write it themselves.

import { grownRows } from './arrays';

/** Numbers of 64 bits in a row, and of 32 bits. */
export const FLOATS = 8;
export const INTS = 16;

// Of the order of the queue, in 64 bits: start of the wait, place in the order of arrival.
export const START = 0;
export const SEQUENCE = 1;
/** In 64 bits: the number in the first column. */
export const VALUE = 2;
// Of the store, in 32 bits.
export const CLASS = 6;
export const PARTITION = 7;
export const PLACE = 8;
export const STATE = 9;
export const KEY = 10;
// Of the buckets: the list it is in, its neighbours there.
export const OWNER = 11;
export const NEXT = 12;
export const PREVIOUS = 13;
// Of the order of the queue: the next younger, the next elder.
export const YOUNGER = 14;
export const ELDER = 15;

const FEWEST = 64;

export class Rows {
  /** Both views are of the same rows, and are replaced when these grow. */
  floats = new Float64Array(FEWEST * FLOATS);
  ints = new Int32Array(this.floats.buffer);

  /** Makes room for the slot. */
  reserve(slot: number): void {
    const rows = this.floats.length / FLOATS;
    if (slot >= rows) {
      const grown = new Float64Array(grownRows(rows, slot + 1) * FLOATS);
      grown.set(this.floats);
      this.floats = grown;
      this.ints = new Int32Array(grown.buffer);
    }
  }
}
