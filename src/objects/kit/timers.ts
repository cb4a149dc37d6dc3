// The timers of a long-lived object. The runtime keeps a quarter of a kilobyte for each cleared timer for as
// long as the object lives (docs/internals/gotchas.md), and most timers are cleared. So this list holds the
// timers, and one platform timer, which is hardly ever cleared, waits for the earliest.

import type { Later } from '../../common/later';
import { SortedList } from '../../common/sorted-list';

interface Timer {
  at: number;
  /** How many timers were set before this one. */
  readonly number: number;
  readonly run: () => void;
  /** Whether it may run before its time. */
  readonly isEarly: boolean;
}

export class Timers {
  readonly #now: () => number;
  readonly #wake: Later;
  readonly #timers = new SortedList<Timer>((a, b) => a.at - b.at || a.number - b.number);
  /** The platform timers that are set, each with when it fires and how it is cleared. */
  readonly #set = new Set<{ readonly at: number; readonly clear: () => void }>();
  #count = 0;
  /** No timer runs later than that. */
  #until = Infinity;
  /** When the next platform timer fires; -Infinity: at once. Timers set for later fire too, and find nothing due. */
  #wakesAt = Infinity;
  #last = -Infinity;
  /** How far the clock was set back so far. Adding it keeps timers from waiting longer than they asked for. */
  #setBack = 0;

  /** `wake` sets a timer of the platform. */
  constructor(now: () => number, wake: Later) {
    this.#now = now;
    this.#wake = wake;
  }

  readonly later: Later = (ms, run, how) => {
    const now = this.#clock();
    const isEarly = how === 'early';
    const at = Math.min(now + Math.max(0, ms), isEarly ? this.#until : Infinity);
    if (Math.max(now, at) > this.#until) {
      return () => {};
    }
    const timer = { at, number: this.#count, run, isEarly };
    this.#count += 1;
    this.#timers.add(timer);
    this.#arm();
    return () => {
      this.#timers.delete(timer);
    };
  };

  /**
   * From now on no timer runs later than in `ms`. Those that may run early run then, as work waits for them. All others that are due
   * later are forgotten, and so is each that is set for later.
   */
  endWithin(ms: number): void {
    const until = this.#clock() + ms;
    this.#until = until;
    for (const timer of this.#timers) {
      if (timer.at > until) {
        this.#timers.delete(timer);
        if (timer.isEarly) {
          timer.at = until;
          this.#timers.add(timer);
        }
      }
    }
    for (const one of this.#set) {
      if (one.at > until) {
        one.clear();
        this.#set.delete(one);
      }
    }
    this.#wakesAt = Infinity;
    this.#arm();
  }

  /** The time in epoch ms. It never goes backwards, and is at least `least`. */
  #clock(least = -Infinity): number {
    const now = this.#now();
    this.#last = Math.max(this.#last, least, now + this.#setBack);
    this.#setBack = this.#last - now;
    return this.#last;
  }

  #arm(): void {
    const next = this.#timers.first?.at ?? Infinity;
    const now = this.#clock();
    // If the clock was set forward, the platform timer that is armed would fire far too late for a due timer.
    const at = next <= now ? -Infinity : next;
    if (at < this.#wakesAt) {
      this.#wakesAt = at;
      const ms = Math.max(0, next - now);
      const woken = (): void => {
        this.#set.delete(one);
        this.#woken(at);
      };
      const one = { at: now + ms, clear: this.#wake(ms, woken) };
      this.#set.add(one);
    }
  }

  #woken(at: number): void {
    const wakesAt = at === this.#wakesAt ? Infinity : this.#wakesAt;
    const now = this.#clock(at);
    const known = this.#count;
    // Timers that are set while this loop runs need no platform timer: the `finally` below arms one.
    this.#wakesAt = -Infinity;
    try {
      // Timers that are set in this loop wait for the next round, so that work in slices lets other work run.
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
      // If one timer throws, the others still run.
      this.#wakesAt = wakesAt;
      this.#arm();
    }
  }
}
