// Typed arrays that grow. The index keeps its tickets in flat arrays, one number a ticket and fact:
// an object each would cost several times the memory (matching.md section 10, 1).

/** Half as much again as before, and at least `least` long; the content is kept. */
export function grownInts(array: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(grownLength(array.length, least));
  grown.set(array);
  return grown;
}

export function grownFloats(array: Float64Array, least: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(grownLength(array.length, least));
  grown.set(array);
  return grown;
}

function grownLength(length: number, least: number): number {
  return Math.max(64, least, length + (length >> 1));
}
