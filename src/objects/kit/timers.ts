// The timers of an object that lives long. The runtime keeps a quarter of a kilobyte of each timer
// that was cleared for as long as the object lives (docs/internals/gotchas.md), and most timers are
// cleared. So they lie in a heap here. One of the platform's, which is never cleared, waits for the earliest.

import type { Now } from '../../clock';
import type { Later } from '../../later';
import { InstantHeap } from '../../match/index/heap';

export class Timers {
  readonly #now: Now;
  /** The platform's. */
  readonly #wake: (run: () => void, ms: number) => unknown;
  readonly #heap = new InstantHeap();
  readonly #runs: ((() => void) | null)[] = [];
  /** How many were set before each. */
  readonly #numbers: number[] = [];
  #count = 0;
  readonly #free: number[] = [];
  /**
   * When the next of the platform's comes, -Infinity for at once; those for later times come too, and
   * find nothing.
   */
  #wakesAt = Infinity;
  #last = -Infinity;
  /** By how much the clock was set back so far: nobody waits longer for that. */
  #setBack = 0;

  constructor(now: Now, wake: (run: () => void, ms: number) => unknown) {
    this.#now = now;
    this.#wake = wake;
  }

  readonly later: Later = (ms, run) => {
    const slot = this.#free.pop() ?? this.#runs.length;
    const mine = (): void => run();
    this.#runs[slot] = mine;
    this.#numbers[slot] = this.#count;
    this.#count += 1;
    this.#heap.set(slot, this.#clock() + Math.max(0, ms));
    this.#arm();
    return () => {
      if (this.#runs[slot] === mine) {
        this.#take(slot);
      }
    };
  };

  /** Never before `least`, nor before what it was. */
  #clock(least = -Infinity): number {
    const now = this.#now();
    this.#last = Math.max(this.#last, least, now + this.#setBack);
    this.#setBack = this.#last - now;
    return this.#last;
  }

  #take(slot: number): void {
    this.#heap.remove(slot);
    this.#runs[slot] = null;
    this.#free.push(slot);
  }

  #arm(): void {
    const { next } = this.#heap;
    const now = this.#clock();
    // After the clock was turned forward, the platform's would come far too late for what is due.
    const at = next <= now ? -Infinity : next;
    if (at < this.#wakesAt) {
      this.#wakesAt = at;
      this.#wake(() => this.#woken(at), Math.max(0, next - now));
    }
  }

  #woken(at: number): void {
    const wakesAt = at === this.#wakesAt ? Infinity : this.#wakesAt;
    const now = this.#clock(at);
    const known = this.#count;
    // None is needed for what is set while they run.
    this.#wakesAt = -Infinity;
    try {
      // Those that they set wait for another turn: work in slices lets others go between.
      while (this.#heap.next <= now && (this.#numbers[this.#heap.first] ?? 0) < known) {
        const { first } = this.#heap;
        const run = this.#runs[first];
        this.#take(first);
        run?.();
      }
    } finally {
      // Also where one has thrown: the others come all the same.
      this.#wakesAt = wakesAt;
      this.#arm();
    }
  }
}
