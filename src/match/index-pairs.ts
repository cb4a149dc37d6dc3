// A hash table from two integers to one, by linear probing in flat arrays, without tombstones.

const EMPTY = -1;

export class PairTable {
  #left = new Int32Array(64);
  #right = new Int32Array(64);
  #value = new Int32Array(64).fill(EMPTY);
  #mask = 63;
  #size = 0;

  /** -1 when the pair is not there. */
  get(left: number, right: number): number {
    let at = hash(left, right) & this.#mask;
    for (;;) {
      const value = this.#value[at] ?? EMPTY;
      if (value === EMPTY || (this.#left[at] === left && this.#right[at] === right)) {
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
    let hole = hash(left, right) & this.#mask;
    while (this.#left[hole] !== left || this.#right[hole] !== right || this.#isFree(hole)) {
      if (this.#isFree(hole)) {
        return;
      }
      hole = (hole + 1) & this.#mask;
    }
    this.#size -= 1;
    // What was pushed past the hole by probing moves back, so that no search ends too early.
    for (let at = (hole + 1) & this.#mask; !this.#isFree(at); at = (at + 1) & this.#mask) {
      const home = hash(this.#left[at] ?? 0, this.#right[at] ?? 0) & this.#mask;
      if (((at - home) & this.#mask) >= ((at - hole) & this.#mask)) {
        this.#left[hole] = this.#left[at] ?? 0;
        this.#right[hole] = this.#right[at] ?? 0;
        this.#value[hole] = this.#value[at] ?? EMPTY;
        hole = at;
      }
    }
    this.#value[hole] = EMPTY;
  }

  #isFree(at: number): boolean {
    return this.#value[at] === EMPTY;
  }

  #place(left: number, right: number, value: number): void {
    let at = hash(left, right) & this.#mask;
    while (!this.#isFree(at)) {
      at = (at + 1) & this.#mask;
    }
    this.#left[at] = left;
    this.#right[at] = right;
    this.#value[at] = value;
  }

  #grow(): void {
    const left = this.#left;
    const right = this.#right;
    const values = this.#value;
    const length = 2 * values.length;
    this.#left = new Int32Array(length);
    this.#right = new Int32Array(length);
    this.#value = new Int32Array(length).fill(EMPTY);
    this.#mask = length - 1;
    for (const [at, value] of values.entries()) {
      if (value !== EMPTY) {
        this.#place(left[at] ?? 0, right[at] ?? 0, value);
      }
    }
  }
}

function hash(left: number, right: number): number {
  let mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
