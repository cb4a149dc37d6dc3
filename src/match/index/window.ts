// A stretch of neighbouring buckets of one partition, fetched once for an event, with running sums
// of its players, so that most of it can be dismissed without a look at a single ticket.

import { NONE } from './ages';
import type { Buckets } from './buckets';

export class Window {
  readonly #buckets: Buckets;
  #found = new Int32Array(16);
  #sums = new Int32Array(17);
  #length = 0;
  /** Where what has been found lies, and of which state of the buckets it is true. */
  #partition = NONE;
  #first = 0;
  #count = 0;
  #version = -1;
  /** Where among what has been found the window begins. */
  #offset = 0;

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  /** How many buckets, from `center - reach` to `center + reach`. */
  get length(): number {
    return this.#length;
  }

  /** Looks at the buckets; those that have been found and lie as they lay are not looked for again. */
  fetch(partition: number, center: number, reach: number): void {
    const buckets = this.#buckets;
    const length = 2 * reach + 1;
    const first = center - reach;
    this.#length = length;
    this.#offset = first - this.#first;
    if (
      this.#version === buckets.version &&
      this.#partition === partition &&
      this.#offset >= 0 &&
      this.#offset + length <= this.#count
    ) {
      return;
    }
    this.#version = buckets.version;
    this.#partition = partition;
    this.#first = first;
    this.#count = length;
    this.#offset = 0;
    if (length > this.#found.length) {
      this.#found = new Int32Array(2 * length);
      this.#sums = new Int32Array(2 * length + 1);
    }
    buckets.findRow(partition, first, length, this.#found);
    let sum = 0;
    for (let at = 0; at < length; at += 1) {
      const bucket = this.#found[at] ?? NONE;
      sum += bucket === NONE ? 0 : buckets.players(bucket);
      this.#sums[at + 1] = sum;
    }
  }

  /** The bucket at a position, or NONE. */
  bucket(at: number): number {
    return this.#found[this.#offset + at] ?? NONE;
  }

  /** The first list of the bucket at a position, or NONE. */
  firstList(at: number): number {
    const bucket = this.bucket(at);
    return bucket === NONE ? NONE : this.#buckets.firstList(bucket);
  }

  /** Players in the buckets from position `from` to `to`, both included. */
  players(from: number, to: number): number {
    const first = this.#offset + Math.max(0, from);
    const last = this.#offset + Math.min(this.#length - 1, to);
    return (this.#sums[last + 1] ?? 0) - (this.#sums[first] ?? 0);
  }
}
