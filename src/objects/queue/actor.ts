// A Queue object: the tickets of one mode of one config. It answers what lobbies, matches and the project ask.

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import { NEW_WORK_LIMIT_MS } from '../../common/limits';
import type { ReturnReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { Mode } from '../../match/rules/mode';
import type { QueueStats } from '../../lobby/view';
import type { Host } from '../host';
import { A_DAY, type JournalSettings } from '../kit/journal';
import type { FarEnd } from '../kit/ports';
import type { Offer } from '../match/contract';
import type { FormedPage, FormedQuery, QueueReport, QueueTrends } from '../reports';
import type { Entered, JournalPart, QueueEntry, QueueRpc, WaitReport } from './contract';
import { QueueCore } from './core';
import { enter } from './enter';
import { deliver, drive } from './form';
import { formedPage } from './matches';
import { ModeChange } from './mode-change';
import { queueReport } from './report';
import { endExplained, type SearchRecord, searchesOf } from './searches';
import { ROWS_A_SLICE } from './wake';
import { Why } from './why';

export class QueueActor implements QueueRpc {
  readonly #core: QueueCore;
  readonly #why: Why;
  readonly #change: ModeChange;

  /** `rows`: how many tickets one slice of work handles. */
  constructor(host: Host, journal: JournalSettings = A_DAY, rows = ROWS_A_SLICE) {
    this.#core = new QueueCore(host, { journal, rows }, { drive, deliver });
    this.#why = new Why(this.#core);
    this.#change = new ModeChange(this.#core);
  }

  async enter(entry: QueueEntry): Promise<Entered> {
    const behindMs = this.#core.host.behindMs();
    enter(this.#core, entry);
    const stats = await this.stats();
    return behindMs > NEW_WORK_LIMIT_MS ? { ...stats, behindMs } : stats;
  }

  async leave(ticketId: TicketId, reason?: ReturnReason): Promise<void> {
    this.#core.left.note(ticketId);
    this.#core.commit(() => this.#core.takeOut(ticketId, reason));
  }

  async stats(): Promise<QueueStats> {
    return this.#core.state.stats(this.#core.host.now());
  }

  async report(ticketId: TicketId | null): Promise<QueueReport> {
    return queueReport(this.#core, ticketId);
  }

  async matchFailed(matchId: MatchId, reason: string, detail: string | null): Promise<void> {
    const { host, journal } = this.#core;
    this.#core.commit(() =>
      journal.failed({ k: 'failed', t: host.now(), matchId, reason, detail }),
    );
  }

  async formed(query: FormedQuery): Promise<FormedPage> {
    return formedPage(this.#core.journal.rows, query);
  }

  async shown(lobbies: readonly LobbyId[]) {
    return { stats: await this.stats(), waits: lobbies.map((id) => this.#why.of(id)) };
  }

  async whyWaits(lobbyId: LobbyId): Promise<WaitReport | null> {
    return this.#why.of(lobbyId);
  }

  async trends(hours: number): Promise<QueueTrends> {
    return this.#core.journal.trends(hours);
  }

  async journal(from: number | null): Promise<JournalPart & { readonly mode: Mode | null }> {
    const { journal, state } = this.#core;
    return { ...journal.read(from), mode: state.meta?.mode ?? null };
  }

  async searches(player: PlayerId, from: number | null, since: number) {
    return searchesOf(this.#core.journal.rows, player, from, since);
  }

  async searchEnd(search: Pick<SearchRecord, 'ticketId' | 'row'>, mode: Mode) {
    return endExplained(this.#core.journal.rows, search, mode);
  }

  async offer(matchId: MatchId, offer: Offer): Promise<void> {
    this.#core.commit(() => this.#core.offered(matchId, offer));
  }

  modeChanged(mode: Mode | null, revision: number): Promise<void> {
    return this.#change.to(mode, revision);
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#core.watched.open();
  }

  alarm(): Promise<void> {
    return this.#core.onAlarm();
  }
}
