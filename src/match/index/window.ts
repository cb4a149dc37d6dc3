// A stretch of neighbouring buckets of one partition, fetched once for an event, with running sums
// of its players, so that most of it can be dismissed without a look at a single ticket.

import { NONE } from './ages';
import type { Buckets } from './buckets';

export class Window {
  readonly #buckets: Buckets;
  #found = new Int32Array(16);
  #sums = new Int32Array(17);
  #length = 0;

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  /** How many buckets, from `center - reach` to `center + reach`. */
  get length(): number {
    return this.#length;
  }

  fetch(partition: number, center: number, reach: number): void {
    this.#length = 2 * reach + 1;
    if (this.#length > this.#found.length) {
      this.#found = new Int32Array(2 * this.#length);
      this.#sums = new Int32Array(2 * this.#length + 1);
    }
    this.#buckets.findRow(partition, center - reach, this.#length, this.#found);
    let sum = 0;
    for (let at = 0; at < this.#length; at += 1) {
      const bucket = this.bucket(at);
      sum += bucket === NONE ? 0 : this.#buckets.players(bucket);
      this.#sums[at + 1] = sum;
    }
  }

  /** The bucket at a position, or NONE. */
  bucket(at: number): number {
    return this.#found[at] ?? NONE;
  }

  /** The first list of the bucket at a position, or NONE. */
  firstList(at: number): number {
    const bucket = this.bucket(at);
    return bucket === NONE ? NONE : this.#buckets.firstList(bucket);
  }

  /** Players in the buckets from position `from` to `to`, both included. */
  players(from: number, to: number): number {
    const first = Math.max(0, from);
    const last = Math.min(this.#length - 1, to);
    return (this.#sums[last + 1] ?? 0) - (this.#sums[first] ?? 0);
  }
}
