// How far behind the one thread of a box is, measured by how late a timer fires, while there are calls. The Worker and its object
// share an isolate on a box, so the Worker reads the lag here. A single late timer may be a pause of the machine, after which
// nothing waits. Work that waits makes the next timer late too, so only two late timers in a row count as lag of the Worker.

const TICK_MS = 25;
const WINDOW_MS = 30_000;
/** A tick this late is lost: its object is gone, and its timer with it. The next call starts a new tick. */
const LOST_MS = 2_000;
/** No timer fires this late. The clock was set forward, or the machine slept. */
const JUMP_MS = 60_000;

type SetTimer = (run: () => void, ms: number) => unknown;

export class Lag {
  #ms = 0;
  /** How late the last timer was, and the lag by it and the one before. */
  #last = { late: 0, twice: 0 };
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

  /** Milliseconds that work waits before it is done. 0 if nothing measures it, and after a single pause. */
  msAt(now: number): number {
    const { late, twice } = this.#last;
    // A busy thread runs no timers, so a timer that is overdue counts as well.
    return this.#isTicking ? Math.max(twice, Math.min(late, lateBy(now, this.#dueAt))) : 0;
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
      this.#ms = 0;
      this.#last = { late: 0, twice: 0 };
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
      // The lag rises at once and halves with each tick, so one quiet moment does not let all requests in.
      this.#ms = Math.max(late, this.#ms / 2);
      const twice = Math.max(Math.min(late, this.#last.late), this.#last.twice / 2);
      this.#last = { late, twice };
      if (round !== this.#round) {
        return;
      }
      // Timers are often a millisecond late. That must not keep an object awake that nobody calls.
      const isQuiet = this.#calls === 0 && this.#ms < TICK_MS;
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
