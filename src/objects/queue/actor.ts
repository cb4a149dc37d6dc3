// A Queue object: the tickets of one mode of one config. It answers what lobbies, matches and the project ask.

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import { pause } from '../../common/later';
import { IN_GAME_LIMIT_MS, NEW_WORK_LIMIT_MS } from '../../common/limits';
import { must } from '../../common/result';
import type { LeaveReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { QueueStats } from '../../lobby/view';
import type { Mode } from '../../match/rules/mode';
import type { ActorPorts } from '../contracts/actor-ports';
import { A_DAY } from '../../common/happening';
import type { FarEnd } from '../kit/ports';
import type { Offer } from '../contracts/match';
import type { FormedQuery, MadeMatch } from '../contracts/reports';
import type { QueueEntry, QueueRpc, SearchRecord } from '../contracts/queue';
import { QueueCore } from './core';
import { TicketFeed } from './feed';
import { payQueueDebt, drive } from './form';
import { endExplained, formedPage, searchesOf } from './past';
import { explainer, queueReport } from './report';
import { buildOf, tellGames } from './running';
import { ROWS_A_SLICE } from './wake';

export class QueueActor implements QueueRpc {
  readonly #core: QueueCore;
  readonly #why: ReturnType<typeof explainer>;
  /** The change of the mode for which tickets are being gone through, or were last. */
  #change = '';
  #changed: Promise<void> = Promise.resolve();

  /** `rows`: how many tickets one slice of work handles. `gameLimitMs`: how long a game may last. */
  constructor(
    ports: ActorPorts,
    journal = A_DAY,
    rows = ROWS_A_SLICE,
    gameLimitMs = IN_GAME_LIMIT_MS,
  ) {
    const games = (core: QueueCore): Promise<void> => tellGames(core, gameLimitMs);
    const verbs = { drive, deliver: payQueueDebt, buildOf, tellGames: games };
    this.#core = new QueueCore(ports, journal, rows, verbs);
    this.#why = explainer(this.#core);
  }

  async enter(entry: QueueEntry): ReturnType<QueueRpc['enter']> {
    const behindMs = this.#core.ports.behindMs();
    this.#core.commit(() => this.#enter(entry));
    return { ...(await this.stats()), ...(behindMs > NEW_WORK_LIMIT_MS ? { behindMs } : {}) };
  }

  /** A new ticket is saved and searches; a known one is refreshed. Idempotent by ticket and revision. */
  #enter({ ticket, revision, mode, modeRevision }: QueueEntry): void {
    const core = this.#core;
    const { state, ports, life } = core;
    const { id: ticketId, lobbyId } = ticket;
    if (state.isGone(modeRevision)) {
      if (state.tickets.get(ticketId) === undefined) {
        life.owe([{ to: 'return', lobbyId, ticketId, reason: 'config_changed' }]);
      }
      return;
    }
    core.useMode(mode, modeRevision);
    const known = state.tickets.get(ticketId);
    const isTaken = state.takenBy.has(ticketId);
    // A ticket that a proposal names, and that the queue does not have, left before.
    const unknown = isTaken ? 'yes' : core.left.past(ticketId, ticket.startedAt);
    const past = known === undefined ? unknown : 'no';
    if (past === 'yes') {
      return;
    }
    if (isTaken) {
      state.enteredAgain.add(ticketId);
    }
    // New, made under a newer mode, or under the same mode from a newer state of its lobby.
    if (!known || modeRevision > known.modeRevision || revision > known.revision) {
      const { startedAt } = known?.ticket ?? ticket;
      const { pace } = known?.ticket ?? {};
      const { pacing, opponents } = core.journal;
      const paced = pace === undefined ? pacing.paced(ticket, ports.now()) : { ...ticket, pace };
      const apart = opponents.avoided(paced);
      const row = { ticket: { ...apart, startedAt }, revision, modeRevision };
      const held = state.putTicket({ gaveUp: 0, ...known, ...row });
      core.tell({ k: known ? 'refresh' : 'enter', t: ports.now(), ticket: held });
    }
    if (past === 'unsure' || modeRevision < must(state.meta, 'the mode of a queue').modeRevision) {
      // The ticket may have left before, or its lobby has not heard of the newest mode. The lobby is asked.
      life.owe([{ to: 'refresh', lobbyId, ticketId }]);
    }
  }

  async leave(ticketId: TicketId, reason?: LeaveReason): Promise<void> {
    this.#core.left.note(ticketId);
    this.#core.commit(() => this.#core.takeOut(ticketId, reason));
  }

  async stats(): Promise<QueueStats> {
    return this.#core.state.tickets.stats(this.#core.ports.now());
  }

  async changed(...asked: Parameters<QueueRpc['changed']>): ReturnType<QueueRpc['changed']> {
    const { ports, state } = this.#core;
    await this.#ticketsRead();
    state.feed ??= new TicketFeed(ports, state.tickets);
    return state.feed.read(...asked);
  }

  async outlook(): ReturnType<QueueRpc['outlook']> {
    const { ports, journal, state } = this.#core;
    const isTold = state.meta?.mode.explainsWait !== false;
    return {
      ...(await this.stats()),
      estimate: isTold ? journal.waits.estimate(1, ports.now()) : null,
    };
  }

  async report(ticketId: TicketId | null): ReturnType<QueueRpc['report']> {
    return queueReport(this.#core, ticketId);
  }

  async matchFailed(...[matchId, reason, detail, made]: Parameters<QueueRpc['matchFailed']>) {
    const { ports, journal } = this.#core;
    const line = { k: 'failed', t: ports.now(), matchId, reason, detail } as const;
    if (reason === 'launch_failed' && made === undefined) {
      this.#core.brake.failed();
    }
    this.#core.commit(() => journal.failed(line, made));
  }

  async matchMade(match: MadeMatch): Promise<void> {
    const { ports, journal } = this.#core;
    this.#core.commit(() => journal.made({ k: 'made', t: ports.now(), ...match }));
  }

  async formed(query: FormedQuery): ReturnType<QueueRpc['formed']> {
    return formedPage(this.#core.journal.rows, query);
  }

  async shown(lobbies: readonly LobbyId[]) {
    return { stats: await this.stats(), waits: lobbies.map((id) => this.#why(id)) };
  }

  async trends(hours: number, withDay?: boolean): ReturnType<QueueRpc['trends']> {
    return this.#core.journal.trends(hours, withDay);
  }

  async journal(from: number | null): ReturnType<QueueRpc['journal']> {
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

  /** Resolves when all tickets are done. A repeated call joins the first. */
  async modeChanged(mode: Mode | null, revision: number): Promise<void> {
    const core = this.#core;
    core.commit(() => {
      if (mode === null) {
        core.state.setGone(revision);
      } else {
        core.useMode(mode, revision);
      }
    });
    const change = `${mode === null} ${revision}`;
    if (this.#change !== change) {
      this.#change = change;
      this.#changed = this.#adapt(mode, revision).catch((error: unknown) => {
        // The project asks again, and that begins anew.
        this.#change = this.#change === change ? '' : this.#change;
        throw error;
      });
    }
    // With many tickets this takes longer than the project waits. The project then asks again.
    await this.#changed;
  }

  /** The queue reads its tickets a slice at a time. Resolves once it has all. */
  async #ticketsRead(): Promise<void> {
    while (!this.#core.state.tickets.isWhole) {
      await pause(0, this.#core.ports);
    }
  }

  /** Asks lobbies for tickets of the new mode, or returns those of a deleted one, longest wait first, in saved slices. */
  async #adapt(mode: Mode | null, revision: number): Promise<void> {
    const { ports, state, rows, life } = this.#core;
    await this.#ticketsRead();
    const ids = [...state.tickets.byWait].map(({ id }) => id);
    for (let from = 0; from < ids.length; from += rows) {
      if (from > 0) {
        await pause(0, ports);
      }
      this.#core.commit(() => {
        const slice = ids.slice(from, from + rows).flatMap((id) => state.tickets.get(id) ?? []);
        for (const { ticket, modeRevision } of slice) {
          const { id: ticketId, lobbyId } = ticket;
          if (mode !== null && modeRevision < revision) {
            life.owe([{ to: 'refresh', lobbyId, ticketId }]);
          } else if (mode === null && state.isGone(modeRevision) && !state.takenBy.has(ticketId)) {
            this.#core.giveBack(ticketId, 'config_changed');
          }
        }
      });
    }
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#core.watched.open();
  }

  alarm(): Promise<void> {
    return this.#core.onAlarm();
  }
}
