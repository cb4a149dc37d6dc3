// The timers of an object that lives long. The runtime keeps a quarter of a kilobyte of each timer
// that was cleared for as long as the object lives (docs/internals/gotchas.md), and most timers are
// cleared. So they lie in a list here. One of the platform's, which is never cleared, waits for the earliest.

import type { Now } from '../../clock';
import type { Later } from '../../later';
import { SortedList } from '../../sorted-list';

interface Timer {
  readonly at: number;
  /** How many were set before it. */
  readonly number: number;
  readonly run: () => void;
}

export class Timers {
  readonly #now: Now;
  /** The platform's. */
  readonly #wake: (run: () => void, ms: number) => unknown;
  readonly #timers = new SortedList<Timer>((a, b) => a.at - b.at || a.number - b.number);
  #count = 0;
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
    const timer = { at: this.#clock() + Math.max(0, ms), number: this.#count, run };
    this.#count += 1;
    this.#timers.add(timer);
    this.#arm();
    return () => {
      this.#timers.delete(timer);
    };
  };

  /** Never before `least`, nor before what it was. */
  #clock(least = -Infinity): number {
    const now = this.#now();
    this.#last = Math.max(this.#last, least, now + this.#setBack);
    this.#setBack = this.#last - now;
    return this.#last;
  }

  #arm(): void {
    const next = this.#timers.first?.at ?? Infinity;
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
      for (const timer of this.#timers) {
        if (timer.at > now) {
          break;
        }
        if (timer.number < known) {
          this.#timers.delete(timer);
          timer.run();
        }
      }
    } finally {
      // Also where one has thrown: the others come all the same.
      this.#wakesAt = wakesAt;
      this.#arm();
    }
  }
}
