// The alarm of a box's object: a timer, because the platform writes its alarms into a second database. Nothing
// evicts a box, and whoever starts it makes its object. What is due already, as after a start, is work in slices:
// requests go between.

import type { Clock } from '../../../later';
import type { Slices } from './slices';

/** The clock is looked at again after so long at most: somebody may set it. */
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

  /** Epoch ms, in place of what was set before. */
  set(at: number): void {
    this.#cancel();
    const ms = Math.min(LONGEST_MS, at - this.#clock.now());
    // What is due is armed for the next millisecond.
    this.#cancel = ms <= 1 ? this.#slices.add(this.#ring) : this.#clock.later(ms, this.#ring);
  }
}
