// The alarm of a box's object. It is a timer, because the platform would write its alarms into a second database.
// A timer is enough: nothing evicts a box, and starting a box creates its object. Alarms that are already due, as
// after a start, run in slices, so that requests can run in between.

import type { Clock } from '../../../common/later';
import type { Slices } from './slices';

/** The clock is read again after this long at most, because somebody may set it. */
const LONGEST_MS = 3_600_000;

export class OwnAlarm {
  readonly #clock: Clock;
  readonly #slices: Pick<Slices, 'add'>;
  readonly #ring: () => void;
  #cancel: () => void = () => {};

  constructor(clock: Clock, slices: Pick<Slices, 'add'>, ring: () => void) {
    this.#clock = clock;
    this.#slices = slices;
    this.#ring = ring;
  }

  /** Sets the alarm, epoch ms. It replaces the one that was set before. */
  set(at: number): void {
    this.#cancel();
    const ms = Math.min(LONGEST_MS, at - this.#clock.now());
    // An alarm that is due is armed for the next millisecond.
    this.#cancel = ms <= 1 ? this.#slices.add(this.#ring) : this.#clock.later(ms, this.#ring);
  }
}
