// The newest state once more, a while after the last answer. A client that applies answers and events as they arrive may
// have handled an answer so late that it undid an event. The state that is said once more mends its view (decision 64).
// Only the relay does this, so the lobby can sleep, and it keeps a state only while the time runs.

import type { Clock } from '../../common/later';
import type { Message } from '../../common/line';

/** The client drops a state that it has seen within two seconds. */
const AFTER_MS = 2_200;

export class OnceMore {
  readonly #clock: Clock;
  readonly #say: (newest: Message) => void;
  #newest: Message | null = null;
  /** What the last answer shows, and when its state is due. */
  #last = { revision: 0, dueAt: 0 };
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, say: (newest: Message) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /** Call when an answer that shows the lobby at that revision leaves. */
  answered(revision: number): void {
    this.#last = { revision, dueAt: this.#clock.now() + AFTER_MS };
    // A timer for each answer would be too many of a client that asks all the time.
    if (this.#cancel === null) {
      this.#wait(AFTER_MS);
    }
  }

  /** Call with each event. All players of a box share the text of a state, so to keep it costs nothing. */
  heard(said: Message): void {
    const isState = said.event === 'connected' || said.event === 'lobby_updated';
    if (isState && this.#cancel !== null) {
      this.#newest = said;
    }
  }

  /** The player is out of the lobby, or the client is gone. */
  forget(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#newest = null;
  }

  #wait(ms: number): void {
    this.#cancel = this.#clock.later(ms, () => {
      const left = this.#last.dueAt - this.#clock.now();
      // A clock that was set back makes nobody wait for longer.
      if (left > 0 && left <= AFTER_MS) {
        this.#wait(left);
        return;
      }
      const newest = this.#newest;
      this.forget();
      // If the answer is newer than every event so far, an event that is still to come shows its state.
      if (newest !== null && (newest.id ?? 0) >= this.#last.revision) {
        this.#say({ ...newest, event: 'lobby_updated' });
      }
    });
  }
}
