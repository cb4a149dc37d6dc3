// A hash table from two integers to one, by linear probing in one flat array, without tombstones.
// An entry is four numbers side by side, so that a look-up touches one line of memory.

const EMPTY = -1;
const STRIDE = 4;

export class PairTable {
  /** Of each entry: left, right, value, nothing. */
  #entries = new Int32Array(64 * STRIDE).fill(EMPTY);
  #mask = 63;
  #size = 0;

  /** -1 when the pair is not there. */
  get(left: number, right: number): number {
    const entries = this.#entries;
    let at = hash(left, right) & this.#mask;
    for (;;) {
      const value = entries[at * STRIDE + 2] ?? EMPTY;
      if (
        value === EMPTY ||
        (entries[at * STRIDE] === left && entries[at * STRIDE + 1] === right)
      ) {
        return value;
      }
      at = (at + 1) & this.#mask;
    }
  }

  /** Adds a pair that is not there yet; `value` is not negative. */
  add(left: number, right: number, value: number): void {
    if (2 * (this.#size + 1) > this.#mask + 1) {
      this.#grow();
    }
    this.#place(left, right, value);
    this.#size += 1;
  }

  delete(left: number, right: number): void {
    const entries = this.#entries;
    let hole = hash(left, right) & this.#mask;
    for (;;) {
      if (entries[hole * STRIDE + 2] === EMPTY) {
        return;
      }
      if (entries[hole * STRIDE] === left && entries[hole * STRIDE + 1] === right) {
        break;
      }
      hole = (hole + 1) & this.#mask;
    }
    this.#size -= 1;
    // What was pushed past the hole by probing moves back, so that no search ends too early.
    let at = (hole + 1) & this.#mask;
    while (entries[at * STRIDE + 2] !== EMPTY) {
      const home = hash(entries[at * STRIDE] ?? 0, entries[at * STRIDE + 1] ?? 0) & this.#mask;
      if (((at - home) & this.#mask) >= ((at - hole) & this.#mask)) {
        entries.copyWithin(hole * STRIDE, at * STRIDE, at * STRIDE + STRIDE);
        hole = at;
      }
      at = (at + 1) & this.#mask;
    }
    entries[hole * STRIDE + 2] = EMPTY;
  }

  #place(left: number, right: number, value: number): void {
    const entries = this.#entries;
    let at = hash(left, right) & this.#mask;
    while (entries[at * STRIDE + 2] !== EMPTY) {
      at = (at + 1) & this.#mask;
    }
    entries[at * STRIDE] = left;
    entries[at * STRIDE + 1] = right;
    entries[at * STRIDE + 2] = value;
  }

  #grow(): void {
    const before = this.#entries;
    this.#entries = new Int32Array(before.length * 2).fill(EMPTY);
    this.#mask = this.#mask * 2 + 1;
    for (let at = 0; at < before.length; at += STRIDE) {
      const value = before[at + 2] ?? EMPTY;
      if (value !== EMPTY) {
        this.#place(before[at] ?? 0, before[at + 1] ?? 0, value);
      }
    }
  }
}

/** Eight neighbours on the right stay neighbours: they are asked for together. */
function hash(left: number, right: number): number {
  let mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right >> 3, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 13)) << 3) + (right & 7);
}
