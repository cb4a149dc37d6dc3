// Why a lobby still waits, as often as it may be asked: an answer serves for some seconds, and beyond a
// budget a lobby gets none until the next second.

import type { LobbyId } from '../../common/ids';
import { waitReason } from '../../match/explain/wait';
import { Lru } from '../../common/lru';
import type { Ticket } from '../../match/ticket/ticket';
import type { WaitReport } from './contract';
import type { QueueCore } from './core';
import { readingInWords } from './unfinished';

const KEPT_MS = 5_000;
const REMEMBERED = 5_000;
/** Lobbies that are explained in a second, and others that each is compared with. */
const A_SECOND = 40;
const COMPARED = 200;

export class Why {
  readonly #core: QueueCore;
  readonly #told = new Lru<{ readonly at: number; readonly report: WaitReport }>(REMEMBERED);
  #second = 0;
  #asked = 0;

  constructor(core: QueueCore) {
    this.#core = core;
  }

  /** Null: it does not wait here, the mode does not tell, or too many ask at once. */
  of(lobbyId: LobbyId): WaitReport | null {
    const { host, state, journal, reading } = this.#core;
    if (reading !== null && state.meta?.mode.explainsWait !== false) {
      const because = `the queue is ${readingInWords(reading)}`;
      return { inReach: 0, compared: 0, because, opensInSeconds: null, estimate: null };
    }
    const now = host.now();
    const known = this.#told.get(lobbyId);
    if (known !== undefined && now - known.at < KEPT_MS) {
      return known.report;
    }
    const mode = state.meta?.mode;
    const ticket = state.ticketOf(lobbyId);
    if (mode === undefined || mode.explainsWait === false || ticket === null || !this.#may(now)) {
      return null;
    }
    const others: Ticket[] = [];
    for (const row of state.tickets.values()) {
      if (
        row.takenBy === null &&
        row.ticket.id !== ticket.id &&
        others.push(row.ticket) === COMPARED
      ) {
        break;
      }
    }
    const estimate = journal.waits.estimate(ticket.members.length, now);
    const report = { ...waitReason(mode, ticket, others, now), estimate };
    this.#told.set(lobbyId, { at: now, report });
    return report;
  }

  #may(now: number): boolean {
    const second = Math.floor(now / 1000);
    this.#asked = second === this.#second ? this.#asked + 1 : 1;
    this.#second = second;
    return this.#asked <= A_SECOND;
  }
}
