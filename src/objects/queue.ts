// A Queue object: the tickets of one mode of one config, as lobbies and the project speak to it.

import type { MatchId, TicketId } from '../ids';
import type { Mode } from '../match/mode';
import type { QueueStats } from '../match/proposal';
import { must } from '../result';
import type { Offer, QueueEntry, QueueRpc } from './contracts';
import type { Host } from './host';
import { QueueCore } from './queue-core';
import { Forming } from './queue-forming';
import { queueReport } from './queue-report';
import type { QueueReport } from './reports';
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
      if (this.#core.state.isGone(entry.modeRevision)) {
        this.#core.turnAway(ticket);
        return;
      }
      this.#core.useMode(entry.mode, entry.modeRevision);
      const pool = must(this.#core.pool, 'the pool of a queue with a mode');
      const { seq, modeRevision } = must(this.#core.state.meta, 'the mode of a queue');
      const row = { ticket, revision, modeRevision: entry.modeRevision };
      const known = this.#core.state.tickets.get(ticket.id);
      const past = known === undefined ? this.#core.past(ticket) : 'no';
      if (past === 'yes') {
        return;
      }
      if (known === undefined) {
        this.#core.state.putTicket({ ...row, takenBy: null, since: seq, gaveUp: 0 });
        this.#core.settle(pool.enter(ticket, this.#core.host.now()));
      } else if (isNewer(row, known)) {
        const refreshed = { ...ticket, startedAt: known.ticket.startedAt };
        this.#core.state.putTicket({ ...known, ...row, ticket: refreshed });
        this.#core.settle(pool.refresh(refreshed, this.#core.host.now()));
      }
      if (past === 'unsure' || entry.modeRevision < modeRevision) {
        // It may have left before, or had not heard of the mode as it is now: the lobby is asked.
        const { id: ticketId, lobbyId } = ticket;
        this.#core.outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
      }
    });
    this.#core.after();
    return this.stats();
  }

  async leave(ticketId: TicketId): Promise<void> {
    this.#core.left.note(ticketId);
    this.#core.host.store.atomically(() => {
      this.#core.pool?.leave(ticketId);
      this.#core.state.dropTicket(ticketId);
    });
    this.#core.after();
  }

  async stats(): Promise<QueueStats> {
    return this.#core.pool?.stats(this.#core.host.now()) ?? NOBODY;
  }

  async report(ticketId: TicketId | null): Promise<QueueReport> {
    const stats = await this.stats();
    return queueReport(this.#core.state, { stats, ticketId, now: this.#core.host.now() });
  }

  async offer(matchId: MatchId, offer: Offer): Promise<void> {
    this.#core.host.store.atomically(() => this.#core.offered(matchId, offer));
    this.#core.after();
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
      } else {
        core.state.setGone(revision);
      }
    });
    core.after();
  }

  async alarm(): Promise<void> {
    this.#core.onAlarm();
  }
}

/** A ticket made under a newer mode, or under the same one from a newer state of its lobby. */
function isNewer(a: Pick<TicketRow, 'revision' | 'modeRevision'>, b: TicketRow): boolean {
  return a.modeRevision === b.modeRevision
    ? a.revision > b.revision
    : a.modeRevision > b.modeRevision || a.revision > b.revision;
}
