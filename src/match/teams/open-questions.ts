// Searches that were cut, until they are asked for again. A bounded number: one that is dropped
// starts anew when it is asked for, with the same outcome. Who has turns asks again and again, and
// there are fewer of them than searches are kept for; so whoever asks for the first time, perhaps
// never to come back, pushes out nothing but what others asked for the first time.

import type { Search, Steps } from './steps';

/** Kept for those who have turns: more than there are of them at a time. */
const KEPT = 6;
/** Kept for those who ask for the first time. */
const GUESTS = 2;

export class OpenQuestions<T> {
  readonly #kept = new Map<string, Search<T>>();
  readonly #guests = new Map<string, Search<T>>();

  /** Runs the question's search, where it was cut or from its beginning, as far as the steps reach. */
  ask(question: string, steps: Steps, begin: () => Search<T>): T | 'open' {
    const isGuest = steps.asker === 'guest' && !this.#kept.has(question);
    const search = this.#kept.get(question) ?? this.#guests.get(question) ?? begin();
    const answer = search(steps);
    // Moved to the end, when it stays: those kept for longest are dropped first.
    this.#kept.delete(question);
    this.#guests.delete(question);
    // A glance is never asked for again.
    if (answer === 'open' && steps.asker !== 'glance') {
      const [into, most] = isGuest ? [this.#guests, GUESTS] : [this.#kept, KEPT];
      into.set(question, search);
      for (const eldest of into.size > most ? into.keys().take(1) : []) {
        into.delete(eldest);
      }
    }
    return answer;
  }
}
