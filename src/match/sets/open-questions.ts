// Searches that were cut, until they are asked for again. A bounded number: one that is dropped
// starts anew when it is asked for, with the same outcome.

export class OpenQuestions<T> {
  readonly #kept = new Map<string, T>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The search kept for the question, or a new one; it stays kept until it is closed. */
  resume(question: string, begin: () => T): T {
    const search = this.#kept.get(question) ?? begin();
    // Moved to the end: those asked for longest ago are dropped first.
    this.#kept.delete(question);
    this.#kept.set(question, search);
    if (this.#kept.size > this.#most) {
      for (const eldest of this.#kept.keys()) {
        this.#kept.delete(eldest);
        break;
      }
    }
    return search;
  }

  close(question: string): void {
    this.#kept.delete(question);
  }
}
