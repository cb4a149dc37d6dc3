// Tombstones: the ids of things that ended lately, which a late request must not bring back. They are in memory only.
// If this incarnation of an object cannot know, the answer is `unsure`, and the caller has to ask an object that knows.

/** Longer than the outbox waits for a request, and longer than any expected delay. */
const REMEMBER_MS = 60_000;
/** How far the clocks of two machines may differ. */
const SKEW_MS = 5_000;

export class Lately<Id extends string> {
  readonly #now: () => number;
  readonly #since: number;
  /** Oldest first. */
  readonly #over = new Map<Id, number>();

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  note(id: Id): void {
    const now = this.#now();
    this.#over.delete(id);
    this.#over.set(id, now);
    for (const [oldest, at] of this.#over) {
      if (at > now - REMEMBER_MS) {
        return;
      }
      this.#over.delete(oldest);
    }
  }

  /**
   * Whether the id has ended. `from`: the earliest time at which it can have ended, in epoch ms by another machine's
   * clock. Null: as long ago as a request can be under way.
   */
  past(id: Id, from: number | null): 'no' | 'yes' | 'unsure' {
    if (this.#over.has(id)) {
      return 'yes';
    }
    const remembered = this.#now() - REMEMBER_MS;
    const earliest = from === null ? remembered : from - SKEW_MS;
    return earliest >= Math.max(this.#since, remembered) ? 'no' : 'unsure';
  }
}
