// The order of the queue: by start of the wait, then by arrival (matching.md section 2). Keeps the
// waiting slots linked from the eldest to the youngest. Holds always: the order is total, and a
// ticket that comes back after a refused claim finds its old place.

import { grownFloats, grownInts } from './index-arrays';

export const NONE = -1;

export class Ages {
  #startedAt = new Float64Array(64);
  #sequence = new Float64Array(64);
  #younger = new Int32Array(64);
  #elder = new Int32Array(64);
  #eldest = NONE;
  #youngest = NONE;
  #nextSequence = 0;

  get eldest(): number {
    return this.#eldest;
  }

  startedAt(slot: number): number {
    return this.#startedAt[slot] ?? 0;
  }

  /** Sets when a slot began to wait, without taking a new place in the order of arrival. */
  pretendStart(slot: number, startedAt: number): void {
    this.#startedAt[slot] = startedAt;
  }

  /** Gives a new ticket its place in the order of arrival; `link` puts it into the queue. */
  arrive(slot: number, startedAt: number): void {
    if (slot >= this.#startedAt.length) {
      this.#startedAt = grownFloats(this.#startedAt, slot + 1);
      this.#sequence = grownFloats(this.#sequence, slot + 1);
      this.#younger = grownInts(this.#younger, slot + 1);
      this.#elder = grownInts(this.#elder, slot + 1);
    }
    this.#startedAt[slot] = startedAt;
    this.#sequence[slot] = this.#nextSequence;
    this.#nextSequence += 1;
  }

  isOlder(slot: number, than: number): boolean {
    const lead = (this.#startedAt[slot] ?? 0) - (this.#startedAt[than] ?? 0);
    return lead < 0 || (lead === 0 && (this.#sequence[slot] ?? 0) < (this.#sequence[than] ?? 0));
  }

  /** For sorting slots, eldest first. */
  readonly compare = (a: number, b: number): number => (this.isOlder(a, b) ? -1 : a === b ? 0 : 1);

  /** Nearly always at the young end: the walk from there is short. */
  link(slot: number): void {
    let elder = this.#youngest;
    while (elder !== NONE && this.isOlder(slot, elder)) {
      elder = this.#elder[elder] ?? NONE;
    }
    const younger = elder === NONE ? this.#eldest : (this.#younger[elder] ?? NONE);
    this.#elder[slot] = elder;
    this.#younger[slot] = younger;
    this.#join(elder, slot);
    this.#join(slot, younger);
  }

  unlink(slot: number): void {
    this.#join(this.#elder[slot] ?? NONE, this.#younger[slot] ?? NONE);
  }

  /** The next younger waiting slot, or NONE. */
  younger(slot: number): number {
    return this.#younger[slot] ?? NONE;
  }

  #join(elder: number, younger: number): void {
    if (elder === NONE) {
      this.#eldest = younger;
    } else {
      this.#younger[elder] = younger;
    }
    if (younger === NONE) {
      this.#youngest = elder;
    } else {
      this.#elder[younger] = elder;
    }
  }
}
