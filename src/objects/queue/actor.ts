// A Queue object: the tickets of one mode of one config, as lobbies and the project speak to it.

import type { LobbyId, MatchId, TicketId } from '../../common/ids';
import type { Mode } from '../../match/rules/mode';
import type { QueueStats } from '../../match/waiting/proposal';
import { NEW_WORK_LIMIT_MS } from '../../common/limits';
import type { Offer } from '../match/contract';
import type { ReturnReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { Host } from '../host';
import type { FarEnd } from '../kit/ports';
import { QueueCore } from './core';
import { enter } from './enter';
import { deliver, drive } from './form';
import { ROWS_A_SLICE } from './pool';
import { queueReport } from './report';
import { A_DAY, type JournalSettings } from '../kit/journal';
import type { FormedQuery, FormedRecord, QueueReport, TrendPoint } from '../reports';
import type { JournalPart, WaitReport } from './contract';
import type { Entered, QueueEntry, QueueRpc } from './contract';
import { Why } from './why';

export class QueueActor implements QueueRpc {
  readonly #core: QueueCore;
  readonly #why: Why;
  /** The last change of the mode, while tickets are gone through for it. */
  #change: { readonly of: string; readonly done: Promise<void> } | null = null;

  /** `rows`: of tickets, read in one slice when it wakes. */
  constructor(host: Host, journal: JournalSettings = A_DAY, rows = ROWS_A_SLICE) {
    this.#core = new QueueCore(host, { journal, rows }, { drive, deliver });
    this.#why = new Why(this.#core);
  }

  async enter(entry: QueueEntry): Promise<Entered> {
    const behindMs = this.#core.host.behindMs();
    enter(this.#core, entry);
    this.#core.after();
    const stats = await this.stats();
    return behindMs > NEW_WORK_LIMIT_MS ? { ...stats, behindMs } : stats;
  }

  async leave(ticketId: TicketId, reason?: ReturnReason): Promise<void> {
    this.#core.left.note(ticketId);
    this.#core.commit(() => this.#core.takeOut(ticketId, reason));
    this.#core.after();
  }

  async stats(): Promise<QueueStats> {
    return this.#core.pool.stats(this.#core.host.now());
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
    await core.pool.read();
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
