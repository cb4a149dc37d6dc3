// Typed arrays that grow. The index keeps its tickets in flat arrays, some numbers a ticket: an
// object each would cost several times the memory. Holds always: an
// array has room for whole rows, and arrays that began with as many rows grow to as many.

/** Rows that an array begins with, unless more are asked for. */
const FEWEST = 64;

/** Beyond, what is not used yet would weigh more than to copy once more. */
const MANY = 10_000;

/** Room for half as many rows again, a quarter where they are many, and at least `rows`, of `width` numbers; the content is kept. */
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
  return grownRows(Math.floor(length / width), rows) * width;
}

/** So many rows in place of those before, `rows` at least. */
export function grownRows(before: number, rows: number): number {
  return Math.max(FEWEST, rows, before + (before >> (before < MANY ? 1 : 2)));
}
