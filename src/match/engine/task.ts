// Work that an event began and whose steps did not reach: what is to be done, and how far it came.
// Between two slices anything may happen to a ticket, so those it names are looked up again.

import type { Age } from '../index/ages';
import type { TicketStore } from '../index/store';

/** Slots as they were named: a slot that has been given to another ticket does not count. */
export class Named {
  readonly #store: TicketStore;
  readonly slots: readonly number[];
  readonly #sequences: readonly number[];

  constructor(store: TicketStore, slots: readonly number[]) {
    this.#store = store;
    this.slots = slots;
    this.#sequences = slots.map((slot) => store.ages.sequence(slot));
  }

  isWaiting(index: number): boolean {
    const slot = this.slots[index] ?? -1;
    return (
      this.#store.isWaiting(slot) && this.#store.ages.sequence(slot) === this.#sequences[index]
    );
  }

  waiting(): number[] {
    return this.slots.filter((_, index) => this.isWaiting(index));
  }

  /** The index from `from` on at which one waits, or the number of all. */
  next(from: number): number {
    let index = from;
    while (index < this.slots.length && !this.isWaiting(index)) {
      index += 1;
    }
    return index;
  }
}

export type TaskKind = 'arrival' | 'instant' | 'arming';

/** Which phase arms the subjects of a task, and up to which it looks for full matches. */
export const ARMS_IN: Readonly<Record<TaskKind, number>> = { arrival: 1, instant: 2, arming: 0 };
/** Which phase tells the patient anchors who came; Infinity where nobody came. */
const TELLS_IN: Readonly<Record<TaskKind, number>> = {
  arrival: 4,
  instant: Infinity,
  arming: 1,
};

/** Slices after which a task goes behind those that wait for turns. */
const FIRST_SHARE = 64;

export class Task {
  readonly kind: TaskKind;
  /** The instant of its event. */
  readonly at: number;
  /** Who came, for whom something opened, or who is to be armed; eldest first. */
  readonly subjects: Named;
  /** For an instant: since when the pair of each subject is open. */
  readonly since: readonly number[];
  /** Anchors that got a candidate more, as they are found; then eldest first. */
  readonly opened = new Set<number>();
  /** When arming for other tasks: who came by these, and of whom the patient anchors have yet to be told. */
  newcomers: Named | null = null;
  anchors: Named | null = null;
  /** Slots for which a game has room; then all that are to be asked, eldest first. */
  readonly roomFor: number[] = [];
  asked: Named | null = null;
  phase = 0;
  /** How far the phase came: an index, or an age. */
  done = 0;
  from: Age | null = null;
  /** Anchors that could be asked, and those that have been. */
  of = 0;
  tried = 0;
  #slices = 0;
  #share = FIRST_SHARE;

  constructor(kind: TaskKind, at: number, subjects: Named, since: readonly number[] = []) {
    this.kind = kind;
    this.at = at;
    this.subjects = subjects;
    this.since = since;
  }

  /** Counts a slice; true when it is time to let others have turns. Each time it may take longer. */
  hasHadItsShare(): boolean {
    this.#slices += 1;
    if (this.#slices < this.#share) {
      return false;
    }
    this.#slices = 0;
    this.#share *= 2;
    return true;
  }
}

/** The subjects of which it is not yet known when something opens for them. */
export function unarmedOf({ kind, phase, subjects, done }: Task): readonly number[] {
  const arms = ARMS_IN[kind];
  return phase > arms ? [] : subjects.slots.slice(phase === arms ? done : 0);
}

/** Who came by the task, and of whom the patient anchors have not been told. */
export function untoldOf({ kind, phase, subjects, newcomers, done }: Task): readonly number[] {
  const tells = TELLS_IN[kind];
  const named = kind === 'arming' ? newcomers : subjects;
  return phase > tells || tells === Infinity
    ? []
    : (named?.slots ?? []).slice(phase === tells ? done : 0);
}
