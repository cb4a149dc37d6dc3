// Why a lobby still waits, for its players. Each second only a limited number of lobbies gets an answer, which their
// isolates remember (src/objects/caches/shown-waits.ts).

import type { LobbyId } from '../../common/ids';
import { waitReason } from '../../match/explain/wait';
import type { WaitReport } from './contract';
import type { QueueCore } from './core';
import { readingInWords } from './unfinished';

/** How many lobbies are explained in a second. */
const A_SECOND = 40;
/** How many others each of them is compared with. */
const COMPARED = 200;

export class Why {
  readonly #core: QueueCore;
  #second = 0;
  #asked = 0;

  constructor(core: QueueCore) {
    this.#core = core;
  }

  /** Null: the lobby does not wait here, the mode does not explain waits, or too many lobbies ask at once. */
  of(lobbyId: LobbyId): WaitReport | null {
    const { host, state, journal, reading } = this.#core;
    if (reading !== null && state.meta?.mode.explainsWait !== false) {
      const because = `the queue is ${readingInWords(reading)}`;
      return { inReach: 0, compared: 0, because, opensInSeconds: null, estimate: null };
    }
    const now = host.now();
    const mode = state.meta?.mode;
    const ticket = state.ticketOf(lobbyId);
    if (mode === undefined || mode.explainsWait === false || ticket === null || !this.#may(now)) {
      return null;
    }
    const others = state.byWait[Symbol.iterator]()
      .filter(({ id }) => id !== ticket.id && state.takenBy(id) === undefined)
      .take(COMPARED)
      .toArray();
    const estimate = journal.waits.estimate(ticket.members.length, now);
    return { ...waitReason(mode, ticket, others, now), estimate };
  }

  #may(now: number): boolean {
    const second = Math.floor(now / 1000);
    this.#asked = second === this.#second ? this.#asked + 1 : 1;
    this.#second = second;
    return this.#asked <= A_SECOND;
  }
}
