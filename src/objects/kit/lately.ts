// What was forgotten lately, by id. A request may come late, after what it speaks of is over: it
// must not bring that back. Kept in memory only; what this incarnation of an object cannot know
// is `unsure`, and has to be asked of those who know.

/** Longer than a request is given up after (outbox), and than any delay to be expected. */
const REMEMBER_MS = 60_000;
/** By how much the clocks of two machines may differ. */
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
   * Whether it has been over before. `from`: the earliest it can have been, epoch ms by another's
   * clock; null: as long ago as a request can be under way.
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
