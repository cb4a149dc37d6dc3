// Searches that were cut, until they are asked for again. A bounded number: one that is dropped
// starts anew when it is asked for, with the same outcome. Who has turns asks again and again, and
// there are fewer of them than searches are kept for; so whoever asks for the first time, perhaps
// never to come back, pushes out nothing but what others asked for the first time.

import type { Steps } from './steps';

/** Kept for those who have turns: more than there are of them at a time. */
const KEPT = 6;
/** Kept for those who ask for the first time. */
const GUESTS = 2;

export class OpenQuestions<T> {
  readonly #kept = new Map<string, T>();
  readonly #guests = new Map<string, T>();

  get isEmpty(): boolean {
    return this.#kept.size + this.#guests.size === 0;
  }

  get(question: string): T | undefined {
    return this.#kept.get(question) ?? this.#guests.get(question);
  }

  /**
   * Runs the question's search, where it was cut or from its beginning, as far as the steps reach. Cut
   * again it is kept; with an answer it is closed.
   */
  goOn<Answer>(
    question: string,
    steps: Steps,
    { begin, run }: { readonly begin: () => T; readonly run: (search: T) => Answer },
  ): Answer {
    const search = this.get(question) ?? begin();
    const answer = run(search);
    if (answer === 'open') {
      this.keep(question, steps, search);
    } else {
      this.close(question);
    }
    return answer;
  }

  /** Keeps a search that was cut, until it is closed; a glance is never asked for again. */
  keep(question: string, { asker }: Steps, search: T): void {
    if (asker === 'glance' || (asker === 'guest' && this.#kept.has(question))) {
      return;
    }
    const [into, most] = asker === 'guest' ? [this.#guests, GUESTS] : [this.#kept, KEPT];
    // Moved to the end: those kept for longest are dropped first.
    this.close(question);
    into.set(question, search);
    if (into.size > most) {
      for (const eldest of into.keys()) {
        into.delete(eldest);
        break;
      }
    }
  }

  close(question: string): void {
    if (!this.isEmpty) {
      this.#kept.delete(question);
      this.#guests.delete(question);
    }
  }
}
