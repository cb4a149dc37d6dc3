// How far behind the one thread of a box is: how late a timer comes. It runs only while there are
// calls. The Worker and its object share an isolate on a box, so the Worker reads it here.

const TICK_MS = 25;
const WINDOW_MS = 30_000;
/** A tick so late went with the object whose timer it was: another call starts the next. */
const LOST_MS = 2_000;
/** No timer is so late: the clock was set on, or the machine slept. */
const JUMP_MS = 60_000;

export class Lag {
  #ms = 0;
  #calls = 0;
  #dueAt = 0;
  /** The longest of this half of a minute, and of the one before. */
  #longest = { since: 0, now: 0, before: 0 };
  #isTicking = false;
  /** The ticks that go on: one may have gone with its object, or come very late after all. */
  #round = 0;

  /**
   * Milliseconds that work waited, by the timers that have come. For one object among others of a process:
   * its timer may stay away because others keep the loop busy.
   */
  get ms(): number {
    return this.#ms;
  }

  /** Milliseconds that work waits before it is done; 0 where nothing measures it. */
  msAt(now: number): number {
    // A thread with much to do looks at no timer: that this one has not come yet says as much.
    return this.#isTicking ? Math.max(this.#ms, lateBy(now, this.#dueAt)) : 0;
  }

  /** The longest that work had to wait within the last half minute or minute, in milliseconds. */
  longest(now: number): number {
    this.#turn(now);
    return Math.max(this.#longest.now, this.#longest.before);
  }

  #turn(now: number): void {
    const { since, now: longest } = this.#longest;
    if (now - since >= WINDOW_MS) {
      const before = now - since < 2 * WINDOW_MS ? longest : 0;
      this.#longest = { since: now, now: 0, before };
    }
  }

  /** A call has come. `later`: a timer of the object that all calls go through. */
  note(now: () => number, later: (run: () => void, ms: number) => unknown): void {
    this.#calls += 1;
    if (!this.#isTicking || now() - this.#dueAt > LOST_MS) {
      this.#isTicking = true;
      this.#round += 1;
      // What was measured long ago says little of now.
      this.#ms = 0;
      this.#next(now, later);
    }
  }

  #next(now: () => number, later: (run: () => void, ms: number) => unknown): void {
    this.#dueAt = now() + TICK_MS;
    const [round, dueAt] = [this.#round, this.#dueAt];
    later(() => {
      this.#measure(now(), dueAt);
      if (round === this.#round) {
        this.#tick(now, later);
      }
    }, TICK_MS);
  }

  #measure(at: number, dueAt: number): void {
    const late = lateBy(at, dueAt);
    this.#turn(at);
    this.#longest.now = Math.max(this.#longest.now, late);
    // It rises at once and falls by half a tick, so that one quiet moment does not let all in.
    this.#ms = Math.max(late, this.#ms / 2);
  }

  #tick(now: () => number, later: (run: () => void, ms: number) => unknown): void {
    // Any timer comes a millisecond late now and then: were that a reason to go on, an object that
    // nobody calls would stay awake by its own ticks.
    const isQuiet = this.#calls === 0 && this.#ms < TICK_MS;
    this.#calls = 0;
    if (isQuiet) {
      this.#ms = 0;
      this.#isTicking = false;
    } else {
      this.#next(now, later);
    }
  }
}

function lateBy(at: number, dueAt: number): number {
  const late = Math.max(0, at - dueAt);
  return late < JUMP_MS ? late : 0;
}

/** Of this isolate. */
export const lag = new Lag();
