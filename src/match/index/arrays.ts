// Typed arrays that grow. The index keeps its tickets in flat arrays, some numbers a ticket: an
// object each would cost several times the memory. Holds always: an
// array has room for whole rows, and arrays that began with as many rows grow to as many.

/** Rows that an array begins with, unless more are asked for. */
const FEWEST = 64;

/** Room for half as many rows again, and at least `rows`, of `width` numbers; the content is kept. */
export function grownInts(array: Int32Array, rows: number, width = 1): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(grownLength(array.length, rows, width));
  grown.set(array);
  return grown;
}

export function grownFloats(
  array: Float64Array,
  rows: number,
  width = 1,
): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(grownLength(array.length, rows, width));
  grown.set(array);
  return grown;
}

function grownLength(length: number, rows: number, width: number): number {
  const before = Math.floor(length / width);
  return Math.max(FEWEST, rows, before + (before >> 1)) * width;
}
