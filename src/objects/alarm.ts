// One alarm an object, at or before the earliest instant its saved state asks for.
// An alarm already armed earlier is left alone: it fires, finds nothing due and arms the next.
// That spares a write for every deadline that only moves away (platform: billed per write).

import type { Host } from './host';

export class Alarm {
  readonly #host: Host;
  #armed: number | null = null;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Never at or before now: the platform may lose such an alarm set from its own handler. */
  arm(at: number | null): void {
    if (at === null || (this.#armed !== null && this.#armed <= at)) {
      return;
    }
    const time = Math.max(Math.ceil(at), this.#host.now() + 1);
    this.#host.store.setAlarm(time);
    this.#armed = time;
  }

  /** First thing in the handler: the platform has taken the alarm away. */
  fired(): void {
    this.#armed = null;
  }

  /** After the store was cleared, the alarm with it. */
  cleared(): void {
    this.#armed = null;
  }
}
