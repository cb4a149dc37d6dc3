// How far behind a thread is, measured by how late two timers in a row fire, while there are calls. A single late timer may be a
// pause of the machine, after which nothing waits. Work that waits makes the next timer late too. On a box the Worker and its
// object share an isolate and its one thread, so the Worker reads the lag here.

const TICK_MS = 25;
const WINDOW_MS = 30_000;
/** A tick this late is lost: its object is gone, and its timer with it. The next call starts a new tick. */
const LOST_MS = 2_000;
/** No timer fires this late. The clock was set forward, or the machine slept. */
const JUMP_MS = 60_000;

type SetTimer = (run: () => void, ms: number) => unknown;

export class Lag {
  #ms = 0;
  /** How late the last timer was. */
  #late = 0;
  #calls = 0;
  #dueAt = 0;
  /** The longest lag of this half minute and of the half minute before. */
  #longest = { since: 0, now: 0, before: 0 };
  #isTicking = false;
  /** The current chain of ticks. A tick of an older chain that fires after all must not go on. */
  #round = 0;

  /** Milliseconds that work waited, by timers that fired. Other objects of the process may make a timer late. */
  get ms(): number {
    return this.#ms;
  }

  /** Milliseconds that work waits before it is done. 0 if nothing measures it. */
  msAt(now: number): number {
    // A busy thread runs no timers, so a timer that is overdue counts as well.
    const overdue = Math.min(this.#late, lateBy(now, this.#dueAt));
    return this.#isTicking ? Math.max(this.#ms, overdue) : 0;
  }

  /** The longest wait within the last 30 to 60 seconds, in milliseconds. */
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

  /** Call for every call that arrives. `later` sets a timer of the object that all calls go through. */
  note(now: () => number, later: SetTimer): void {
    this.#calls += 1;
    if (!this.#isTicking || now() - this.#dueAt > LOST_MS) {
      this.#isTicking = true;
      this.#round += 1;
      // An old measurement says little about now.
      [this.#ms, this.#late] = [0, 0];
      this.#next(now, later);
    }
  }

  #next(now: () => number, later: SetTimer): void {
    const [round, dueAt] = [this.#round, now() + TICK_MS];
    this.#dueAt = dueAt;
    later(() => {
      const at = now();
      const late = lateBy(at, dueAt);
      this.#turn(at);
      this.#longest.now = Math.max(this.#longest.now, late);
      // The lag rises with the second late timer and halves with each tick, so one quiet moment does not let all requests in.
      this.#ms = Math.max(Math.min(late, this.#late), this.#ms / 2);
      this.#late = late;
      if (round !== this.#round) {
        return;
      }
      // Timers are often a millisecond late. That must not keep an object awake that nobody calls.
      const isQuiet = this.#calls === 0 && Math.max(late, this.#ms) < TICK_MS;
      this.#calls = 0;
      if (isQuiet) {
        this.#ms = 0;
        this.#isTicking = false;
      } else {
        this.#next(now, later);
      }
    }, TICK_MS);
  }
}

function lateBy(at: number, dueAt: number): number {
  const late = Math.max(0, at - dueAt);
  return late < JUMP_MS ? late : 0;
}

/** The isolate's lag. */
export const lag = new Lag();
