// A Queue object: the tickets of one mode of one config, as lobbies and the project speak to it.

import type { LobbyId, MatchId, TicketId } from '../../ids';
import type { Mode } from '../../match/rules/mode';
import type { QueueStats } from '../../match/waiting/proposal';
import { must } from '../../result';
import { NEW_WORK_LIMIT_MS } from '../../limits';
import type { Offer } from '../match/contract';
import type { Reply } from '../../lobby/refusals';
import type { Host } from '../host';
import type { FarEnd } from '../kit/ports';
import { QueueCore } from './core';
import { Forming } from './forming';
import { queueReport } from './report';
import { A_DAY, type JournalSettings } from '../kit/journal';
import type { FormedQuery, FormedRecord, QueueReport, TrendPoint } from '../reports';
import type { JournalPart, WaitReport } from './contract';
import type { Entered, QueueEntry, QueueRpc } from './contract';
import type { TicketRow } from './state';
import { ROWS_A_SLICE } from './waking';
import { Why } from './why';

const NOBODY: QueueStats = { playersSearching: 0, lobbiesInQueue: 0, avgWaitSeconds: 0 };

export class QueueActor implements QueueRpc {
  readonly #core: QueueCore;
  readonly #forming: Forming;
  readonly #why: Why;
  /** The last change of the mode, while tickets are gone through for it. */
  #change: { readonly of: string; readonly done: Promise<void> } | null = null;

  /** `rows`: of tickets, read in one slice when it wakes. */
  constructor(host: Host, journal: JournalSettings = A_DAY, rows = ROWS_A_SLICE) {
    this.#core = new QueueCore(
      host,
      { journal, rows },
      (id, isTakenUp) => this.#forming.drive(id, isTakenUp),
      (debt) => this.#forming.deliver(debt),
    );
    this.#forming = new Forming(this.#core);
    this.#why = new Why(this.#core);
  }

  async enter(entry: QueueEntry): Promise<Entered> {
    const behindMs = this.#core.host.behindMs();
    const { ticket, revision } = entry;
    this.#core.commit(() => {
      if (this.#core.state.isGone(entry.modeRevision)) {
        this.#core.turnAway(ticket);
        return;
      }
      this.#core.useMode(entry.mode, entry.modeRevision);
      const pool = must(this.#core.pool, 'the pool of a queue with a mode');
      const { seq, modeRevision } = must(this.#core.state.meta, 'the mode of a queue');
      const row = { ticket, revision, modeRevision: entry.modeRevision };
      const known = this.#core.state.ticket(ticket.id);
      const past = known === undefined ? this.#core.past(ticket) : 'no';
      if (past === 'yes') {
        return;
      }
      if (known === undefined) {
        const held = this.#core.state.putTicket({ ...row, takenBy: null, since: seq, gaveUp: 0 });
        this.#core.journal.came(held);
        this.#core.settle(pool.enter(held, this.#core.host.now()));
      } else if (isNewer(row, known)) {
        const refreshed = { ...ticket, startedAt: known.ticket.startedAt };
        const held = this.#core.state.putTicket({ ...known, ...row, ticket: refreshed });
        this.#core.settle(pool.refresh(held, this.#core.host.now()));
      }
      if (past === 'unsure' || entry.modeRevision < modeRevision) {
        // It may have left before, or had not heard of the mode as it is now: the lobby is asked.
        const { id: ticketId, lobbyId } = ticket;
        this.#core.outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
      }
    });
    this.#core.after();
    const stats = await this.stats();
    return behindMs > NEW_WORK_LIMIT_MS ? { ...stats, behindMs } : stats;
  }

  async leave(ticketId: TicketId): Promise<void> {
    this.#core.left.note(ticketId);
    this.#core.commit(() => this.#core.takeOut(ticketId));
    this.#core.after();
  }

  async stats(): Promise<QueueStats> {
    return this.#core.pool?.stats(this.#core.host.now()) ?? NOBODY;
  }

  async report(ticketId: TicketId | null): Promise<QueueReport> {
    const stats = await this.stats();
    const { state, pool, host, journal, reading } = this.#core;
    const { recent } = journal;
    return queueReport(state, {
      stats,
      ticketId,
      now: host.now(),
      pool,
      reading,
      recent,
    });
  }

  async matchFailed(matchId: MatchId, reason: string, detail: string | null): Promise<void> {
    const { host, journal } = this.#core;
    this.#core.commit(() =>
      journal.failed({ k: 'failed', t: host.now(), matchId, reason, detail }),
    );
  }

  async matches({ limit, player, failedOnly }: FormedQuery): Promise<readonly FormedRecord[]> {
    const found = this.#core.journal.recent.filter(
      ({ kind, parties, failed }) =>
        (kind === 'new' || player !== null) &&
        (!failedOnly || failed !== null) &&
        (player === null || parties.some(({ players }) => players.includes(player))),
    );
    return found.slice(0, limit);
  }

  async shown(lobbies: readonly LobbyId[]) {
    return { stats: await this.stats(), waits: lobbies.map((id) => this.#why.of(id)) };
  }

  async whyWaits(lobbyId: LobbyId): Promise<WaitReport | null> {
    return this.#why.of(lobbyId);
  }

  async trends(hours: number): Promise<readonly TrendPoint[]> {
    return this.#core.journal.trends(hours);
  }

  async journal(from: number | null): Promise<JournalPart & { readonly mode: Mode | null }> {
    const { journal, state } = this.#core;
    return { ...journal.read(from), mode: state.meta?.mode ?? null };
  }

  async offer(matchId: MatchId, offer: Offer): Promise<void> {
    this.#core.commit(() => this.#core.offered(matchId, offer));
    this.#core.after();
  }

  async modeChanged(mode: Mode | null, revision: number): Promise<void> {
    const core = this.#core;
    core.commit(() => {
      if (mode === null) {
        core.state.setGone(revision);
      } else {
        core.useMode(mode, revision);
      }
    });
    core.after();
    const of = `${mode === null} ${revision}`;
    if (this.#change?.of !== of) {
      const done = this.#goThrough(mode, revision).finally(() => {
        this.#change = this.#change?.done === done ? null : this.#change;
      });
      this.#change = { of, done };
    }
    // Of many tickets it takes longer than the project waits: when it asks again, it joins in.
    await this.#change.done;
  }

  async #goThrough(mode: Mode | null, revision: number): Promise<void> {
    const core = this.#core;
    await core.read();
    await core.forEachTicket(({ ticket, takenBy, modeRevision }) => {
      const { id: ticketId, lobbyId } = ticket;
      if (mode !== null && modeRevision < revision) {
        core.outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
      } else if (mode === null && takenBy === null && core.state.isGone(modeRevision)) {
        core.giveBack(ticketId, 'config_changed');
      }
    });
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#core.watched.open();
  }

  alarm(): Promise<void> {
    return this.#core.onAlarm();
  }
}

/** A ticket made under a newer mode, or under the same one from a newer state of its lobby. */
function isNewer(a: Pick<TicketRow, 'revision' | 'modeRevision'>, b: TicketRow): boolean {
  return a.modeRevision === b.modeRevision
    ? a.revision > b.revision
    : a.modeRevision > b.modeRevision || a.revision > b.revision;
}
