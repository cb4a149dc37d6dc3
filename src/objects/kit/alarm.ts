// The one alarm of an object. It is armed for the earliest of the deadlines that the actor lists from its saved state,
// or for an earlier time. An alarm that is armed too early is left alone: it fires, finds nothing due and arms the
// next, which spares a write for every deadline that only moves away (decision 0007). Only an alarm that would fire
// soon, and for nothing, is moved when the object is saved: firing would cost more.
//
// A handler that throws or times out is run again until it succeeds. A handler that has to wait arms the retry first,
// because the object may die while it waits.

import { backoff, within } from '../../common/later';
import type { Ports } from './ports';

const RETRIES = { first: 2_000, last: 60_000 };
/** A handler that waits for other objects longer than this has failed. */
const HANDLER_LIMIT_MS = 30_000;
/** An alarm within this time is moved if nothing is due until then. */
const SOON_MS = 60_000;

export class Alarm {
  readonly #ports: Ports;
  readonly #times: () => readonly (number | null)[];
  /** Null: no alarm is armed, or the object just woke and does not know. */
  #armed: number | null = null;
  #failures = 0;

  /** `times`: every instant at which the object has something to do, epoch ms; null for never. */
  constructor(ports: Ports, times: () => readonly (number | null)[]) {
    this.#ports = ports;
    this.#times = times;
  }

  /** Call after every save. `before`: what is due later needs no alarm yet, because somebody else asks until then. */
  arm(before = Infinity): void {
    const at = this.#earliest();
    const soon = this.#ports.now() + SOON_MS;
    const isVain = this.#armed !== null && this.#armed < soon && at !== null && at > soon;
    if (at !== null && at < before && (this.#armed === null || at < this.#armed || isVain)) {
      this.#set(at);
    }
  }

  /**
   * Call when the platform's alarm fires. Does everything that is due, then arms the next alarm. `againMs`: how soon
   * the handler runs again if the object dies in the middle of it. The next deadline's time, if known, spares a write.
   */
  async fired(work: () => Promise<void> | void, againMs = RETRIES.first): Promise<void> {
    const wait = backoff(this.#failures, RETRIES);
    this.#failures += 1;
    // The alarm has fired, even if the clock was set back since and says that it is not due yet.
    this.#armed = null;
    try {
      const now = this.#ports.now();
      const under = work();
      if (under !== undefined) {
        // The work may have ended the object already. Then arming throws, and nobody is left to await the work.
        under.catch(() => {});
        this.#set(now + Math.max(againMs, wait));
        await within(this.#ports, HANDLER_LIMIT_MS, under);
      }
    } catch (error) {
      this.#ports.log('alarm_failed', { attempts: this.#failures, error: String(error) });
      this.#set(this.#ports.now() + wait);
      return;
    }
    this.#failures = 0;
    const next = this.#earliest();
    if (next !== this.#armed) {
      this.#set(next);
    }
  }

  /** Call after the store was cleared. That removes the alarm too. */
  cleared(): void {
    this.#armed = null;
  }

  /** Always later than now: the platform may lose an alarm that its own handler sets for now or earlier. */
  #earliest(): number | null {
    const times = this.#times().filter((at) => at !== null);
    const next = Math.max(Math.ceil(Math.min(...times)), this.#ports.now() + 1);
    return times.length === 0 ? null : next;
  }

  #set(at: number | null): void {
    this.#ports.store.setAlarm(at);
    this.#armed = at;
  }
}
