// A histogram of the waits in a queue. Tickets are counted by the tenth of a second in which they began to wait, so
// the cost of a report depends on the width of the histogram and not on the number of tickets.

import { WAIT_BINS } from '../reports';

const GRAIN_MS = 100;
/** Longer waits all fall into the last bin. */
const LONGEST_MS = Math.max(...WAIT_BINS) * 1000;

export class Waits {
  readonly #begun = new Map<number, number>();
  /** Tickets that began before this tenth are in the last bin, and only counted in total. */
  #mergedBefore = -Infinity;
  #merged = 0;

  /** Adds or removes a ticket that began to wait at `startedAt`, epoch ms. */
  note(startedAt: number, change: 1 | -1): void {
    const tenth = Math.floor(startedAt / GRAIN_MS);
    if (tenth < this.#mergedBefore) {
      this.#merged += change;
      return;
    }
    const count = (this.#begun.get(tenth) ?? 0) + change;
    if (count === 0) {
      this.#begun.delete(tenth);
    } else {
      this.#begun.set(tenth, count);
    }
  }

  /** One count for each bin of WAIT_BINS. A wait within a tenth of a second of a bin's end may be in the next bin. */
  bins(now: number): readonly number[] {
    const counts = [...WAIT_BINS.map(() => 0), 0];
    const before = Math.floor((now - LONGEST_MS) / GRAIN_MS);
    for (const [tenth, count] of this.#begun) {
      if (tenth < before) {
        this.#begun.delete(tenth);
        this.#merged += count;
      } else {
        const waited = (now - tenth * GRAIN_MS) / 1000;
        const found = WAIT_BINS.findIndex((end) => waited < end);
        const bin = found < 0 ? WAIT_BINS.length : found;
        counts[bin] = (counts[bin] ?? 0) + count;
      }
    }
    this.#mergedBefore = Math.max(this.#mergedBefore, before);
    counts[WAIT_BINS.length] = (counts[WAIT_BINS.length] ?? 0) + this.#merged;
    return counts;
  }
}
