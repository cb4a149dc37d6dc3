// Reports to the log and the dashboard when the service begins to refuse work as OVERLOADED, and when that is over.

import type { Overload } from '../../../packages/js/src/dashboard-types';
import { logEvent, type Facts } from '../../common/log';

/** An overload is over once nothing has been refused for this long. */
const QUIET_MS = 10_000;

/** How long operators are shown the last overload. */
const SHOWN_MS = 3_600_000;

export class Overloads {
  readonly #log: (event: string, facts: Facts) => void;
  /** The current overload, or else the last one. */
  #newest = { since: 0, last: -Infinity, refused: 0, isOver: true };

  constructor(log: (event: string, facts: Facts) => void) {
    this.#log = log;
  }

  /** Call for each request that was refused as OVERLOADED. `now`: epoch ms. */
  refused(now: number): void {
    this.answered(now);
    if (this.#newest.isOver) {
      this.#newest = { since: now, last: now, refused: 0, isOver: false };
      this.#log('overload_began', {});
    }
    this.#newest.last = now;
    this.#newest.refused += 1;
  }

  /** Call for each answer. The first one after the quiet time reports the end, so that no timer has to. */
  answered(now: number): void {
    const { since, last, refused, isOver } = this.#newest;
    if (!isOver && now - last >= QUIET_MS) {
      this.#newest.isOver = true;
      this.#log('overload_ended', { refused, seconds: Math.round((last - since) / 1000) });
    }
  }

  /** The current overload, or the last one of this hour. */
  shown(now: number): Overload | null {
    const { since, last, refused } = this.#newest;
    return now - last > SHOWN_MS ? null : { since, refused, isOver: now - last >= QUIET_MS };
  }
}

/** Of this isolate. */
export const overloads = new Overloads(logEvent);
