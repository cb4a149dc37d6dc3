// A Queue object: the tickets of one mode of one config, as lobbies and the project speak to it.

import type { MatchId, TicketId } from '../ids';
import type { Mode } from '../match/mode';
import type { OpenMatch, QueueStats } from '../match/proposal';
import { must } from '../result';
import type { QueueEntry, QueueRpc } from './contracts';
import type { Host } from './host';
import { QueueCore } from './queue-core';
import { Forming } from './queue-forming';
import type { TicketRow } from './queue-state';

const NOBODY: QueueStats = { playersSearching: 0, lobbiesInQueue: 0, avgWaitSeconds: 0 };

export class QueueActor implements QueueRpc {
  readonly #core: QueueCore;

  constructor(host: Host) {
    this.#core = new QueueCore(host, (core) => new Forming(core));
  }

  async put(entry: QueueEntry): Promise<QueueStats> {
    const { ticket, revision } = entry;
    this.#core.host.store.atomically(() => {
      this.#core.useMode(entry.mode, entry.modeRevision);
      const pool = must(this.#core.pool, 'the pool of a queue with a mode');
      const row = { ticket, revision, modeRevision: entry.modeRevision };
      const known = this.#core.state.tickets.get(ticket.id);
      if (known === undefined) {
        this.#core.state.putTicket({ ...row, takenBy: null });
        this.#core.settle(pool.enter(ticket, this.#core.host.now()));
      } else if (isNewer(row, known)) {
        const refreshed = { ...ticket, startedAt: known.ticket.startedAt };
        this.#core.state.putTicket({ ...row, ticket: refreshed, takenBy: known.takenBy });
        this.#core.settle(pool.refresh(refreshed, this.#core.host.now()));
      }
      if (entry.modeRevision < must(this.#core.state.meta, 'the mode of a queue').modeRevision) {
        // The lobby had not heard of the mode as it is now: it makes its ticket anew.
        const { id: ticketId, lobbyId } = ticket;
        this.#core.outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
      }
    });
    this.#core.after();
    return this.stats();
  }

  async leave(ticketId: TicketId): Promise<void> {
    this.#core.host.store.atomically(() => {
      this.#core.pool?.leave(ticketId);
      this.#core.state.dropTicket(ticketId);
    });
    this.#core.after();
  }

  async stats(): Promise<QueueStats> {
    return this.#core.pool?.stats(this.#core.host.now()) ?? NOBODY;
  }

  async offer(match: OpenMatch): Promise<void> {
    const core = this.#core;
    core.host.store.atomically(() => {
      core.state.putOffer(match);
      if (core.pool !== null) {
        core.settle(core.pool.offer(match, core.host.now()));
      }
    });
    core.after();
  }

  async withdraw(matchId: MatchId): Promise<void> {
    this.#core.host.store.atomically(() => this.#core.state.dropOffer(matchId));
    this.#core.pool?.withdraw(matchId);
  }

  async modeChanged(mode: Mode | null, revision: number): Promise<void> {
    const core = this.#core;
    core.host.store.atomically(() => {
      for (const { ticket, takenBy } of core.state.tickets.values()) {
        const { id: ticketId, lobbyId } = ticket;
        if (mode === null && takenBy === null) {
          core.giveBack(ticketId, 'config_changed');
        } else if (mode !== null) {
          core.outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
        }
      }
      if (mode !== null) {
        core.useMode(mode, revision);
      }
    });
    core.after();
  }

  async alarm(): Promise<void> {
    this.#core.onAlarm();
  }
}

/** A ticket made under a newer mode, or under the same one from a newer state of its lobby. */
function isNewer(a: Omit<TicketRow, 'takenBy'>, b: TicketRow): boolean {
  return a.modeRevision === b.modeRevision
    ? a.revision > b.revision
    : a.modeRevision > b.modeRevision || a.revision > b.revision;
}
