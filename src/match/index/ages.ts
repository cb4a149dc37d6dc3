// The order of the queue: by start of the wait, then by arrival (docs/internals/design.md: What matching means).
// Keeps the waiting slots linked from the eldest to the youngest. Holds always: the order is total,
// and a ticket that comes back after a refused claim finds its old place.

import { ELDER, FLOATS, INTS, Rows, SEQUENCE, START, YOUNGER } from './rows';

export const NONE = -1;

/** A place in the order of the queue, whether or not its ticket is still there. */
export interface Age {
  readonly startedAt: number;
  readonly sequence: number;
}

export class Ages {
  /** Of each slot the order of the queue, and whatever else is read with it. */
  readonly rows = new Rows();
  #eldest = NONE;
  #youngest = NONE;
  /** A slot that is linked, or NONE. */
  #linkedLast = NONE;
  #nextSequence = 0;

  get eldest(): number {
    return this.#eldest;
  }

  startedAt(slot: number): number {
    return this.rows.floats[slot * FLOATS + START] ?? 0;
  }

  /** Sets when a slot began to wait, without taking a new place in the order of arrival. */
  pretendStart(slot: number, startedAt: number): void {
    this.rows.floats[slot * FLOATS + START] = startedAt;
  }

  /** Gives a new ticket its place in the order of arrival; `link` puts it into the queue. */
  arrive(slot: number, startedAt: number): void {
    this.rows.reserve(slot);
    this.rows.floats[slot * FLOATS + START] = startedAt;
    this.rows.floats[slot * FLOATS + SEQUENCE] = this.#nextSequence;
    this.#nextSequence += 1;
  }

  isOlder(slot: number, than: number): boolean {
    const { floats } = this.rows;
    const one = slot * FLOATS;
    const other = than * FLOATS;
    const lead = (floats[one + START] ?? 0) - (floats[other + START] ?? 0);
    return (
      lead < 0 || (lead === 0 && (floats[one + SEQUENCE] ?? 0) < (floats[other + SEQUENCE] ?? 0))
    );
  }

  /** The slot's place in the order of arrival: no other ticket ever has the same. */
  sequence(slot: number): number {
    return this.rows.floats[slot * FLOATS + SEQUENCE] ?? 0;
  }

  ageOf(slot: number): Age {
    return { startedAt: this.startedAt(slot), sequence: this.sequence(slot) };
  }

  isBefore(slot: number, age: Age): boolean {
    const startedAt = this.startedAt(slot);
    return startedAt === age.startedAt
      ? this.sequence(slot) < age.sequence
      : startedAt < age.startedAt;
  }

  /** For sorting slots, eldest first. */
  readonly compare = (a: number, b: number): number => (this.isOlder(a, b) ? -1 : a === b ? 0 : 1);

  /**
   * Nearly always at the young end; else beside the one linked last, as when tickets come back in the
   * order of their age. The walk from there is short.
   */
  link(slot: number): void {
    let elder = this.#youngest;
    if (elder !== NONE && this.isOlder(slot, elder) && this.#linkedLast !== NONE) {
      elder = this.#linkedLast;
      let next = this.younger(elder);
      while (next !== NONE && this.isOlder(next, slot)) {
        elder = next;
        next = this.younger(elder);
      }
    }
    while (elder !== NONE && this.isOlder(slot, elder)) {
      elder = this.#elder(elder);
    }
    this.#linkedLast = slot;
    const younger = elder === NONE ? this.#eldest : this.younger(elder);
    this.#join(elder, slot);
    this.#join(slot, younger);
  }

  unlink(slot: number): void {
    if (slot === this.#linkedLast) {
      this.#linkedLast = this.#elder(slot);
    }
    this.#join(this.#elder(slot), this.younger(slot));
  }

  /** The next younger waiting slot, or NONE. */
  younger(slot: number): number {
    return this.rows.ints[slot * INTS + YOUNGER] ?? NONE;
  }

  #elder(slot: number): number {
    return this.rows.ints[slot * INTS + ELDER] ?? NONE;
  }

  #join(elder: number, younger: number): void {
    if (elder === NONE) {
      this.#eldest = younger;
    } else {
      this.rows.ints[elder * INTS + YOUNGER] = younger;
    }
    if (younger === NONE) {
      this.#youngest = elder;
    } else {
      this.rows.ints[younger * INTS + ELDER] = elder;
    }
  }
}
