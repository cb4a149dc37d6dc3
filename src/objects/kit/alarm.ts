// The one alarm of an object, at or before the earliest of its times, which the actor lists from
// what it has saved. An alarm already armed earlier is left alone: it fires, finds nothing due and
// arms the next. That spares a write for every deadline that only moves away (decision 0007).
//
// A handler that throws, or waits for what cannot be reached, is run again, for as long as it takes.
// One that waits has armed before: the object may die meanwhile.

import type { Ports } from './ports';
import { within } from './within';

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** A handler that waits longer for others has failed. */
const HANDLER_LIMIT_MS = 30_000;

export class Alarm {
  readonly #host: Ports;
  readonly #times: () => readonly (number | null)[];
  /** Null: none, or none that is known of, as after waking. */
  #armed: number | null = null;
  #failures = 0;

  /** `times`: every instant at which the object has something to do, epoch ms; null for never. */
  constructor(host: Ports, times: () => readonly (number | null)[]) {
    this.#host = host;
    this.#times = times;
  }

  /** After every save. */
  arm(): void {
    const at = this.#earliest();
    if (at !== null && (this.#armed === null || at < this.#armed)) {
      this.#set(at);
    }
  }

  /**
   * The platform's alarm: does all that is due, then arms for what comes next. `againMs`: when it is
   * run again should the object die in the middle of it; where that is when the next is due anyway,
   * it spares a write.
   */
  async fired(work: () => Promise<void> | void, againMs = FIRST_RETRY_MS): Promise<void> {
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    // It has come, also where the clock was set back since.
    this.#armed = null;
    try {
      const now = this.#host.now();
      const under = work();
      if (under !== undefined) {
        // It may have ended the object already: then arming throws, and nobody waits for the work.
        under.catch(() => {});
        this.#set(now + Math.max(againMs, wait));
        await within(this.#host, HANDLER_LIMIT_MS, under);
      }
    } catch (error) {
      this.#host.log('alarm_failed', { attempts: this.#failures, error: String(error) });
      this.#set(this.#host.now() + wait);
      return;
    }
    this.#failures = 0;
    const next = this.#earliest();
    if (next !== this.#armed) {
      this.#set(next);
    }
  }

  /** After the store was cleared, the alarm with it. */
  cleared(): void {
    this.#armed = null;
  }

  /** Never at or before now: the platform may lose such an alarm set from its own handler. */
  #earliest(): number | null {
    const times = this.#times().filter((at) => at !== null);
    return times.length === 0
      ? null
      : Math.max(Math.ceil(Math.min(...times)), this.#host.now() + 1);
  }

  #set(at: number | null): void {
    this.#host.store.setAlarm(at);
    this.#armed = at;
  }
}
