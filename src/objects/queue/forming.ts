// Forming a match in two phases: every lobby holds, then the Match decides
// (docs/internals/design.md: Forming a match).
//
// step                 saved                        a crash here leaves               who finishes it
// enter                ticket row (lobby: in_queue) a ticket without its reply        the lobby tells it again
// form                 proposal, tickets taken      lobbies not asked yet             the queue on wake: asks them
// hold                 each lobby: its hold         some held                         the queue on wake asks again; holds ask the match
// all held             nothing                      the match told, or not            the queue on wake asks again; if one holds
//                                                                                     no more, it asks the match
// commit               Match: the roster            the queue not told                the same: opening is idempotent
// commit unanswered    roster with the proposal     the match told, or not            the queue's outbox, until it answers
// one refused          tickets free or dropped,     some still held                   the queue's outbox; holds ask the match
//                      releases owed

import type { TicketId } from '../../ids';
import type { Ticket } from '../../match/ticket/ticket';
import { assertNever, must } from '../../result';
import type { HoldReply, PartySnapshot } from '../lobby/contract';
import { isAsTicketed } from '../match/teams';
import { within } from '../kit/within';
import type { QueueCore } from './core';
import type { QueueDebt } from './debts';
import { formedLine } from './report';
import {
  COMMIT_ANSWER_MS,
  commitOf,
  fateOf,
  partiesOf,
  tellMatch,
  type Commit,
  type MatchAnswer,
} from './handover';
import { idsOf, type ProposalRow } from './state';

/** A lobby that has not answered by then counts as silent; its hold is released and fenced. */
const HOLD_ANSWER_MS = 3_000;
/** A Match that could not be asked is asked again. */
const ASK_AGAIN_MS = 1_000;

type Replies = ReadonlyMap<TicketId, HoldReply | null>;

export class Forming {
  readonly #core: QueueCore;

  constructor(core: QueueCore) {
    this.#core = core;
  }

  /**
   * Asks every lobby of a proposal at once; decides when all have answered or their time is over.
   * `isTakenUp`: the object may have died after it had told the Match. A proposal is driven once at a
   * time, and until its commit is saved nothing else touches its row: it is the same after an await.
   */
  async drive(id: string, isTakenUp: boolean): Promise<void> {
    const core = this.#core;
    const row = core.state.proposals.get(id);
    if (row === undefined || row.commit !== null) {
      return;
    }
    const replies = new Map<TicketId, HoldReply | null>();
    await Promise.all(
      row.tickets.map(async (ticketId) => {
        replies.set(ticketId, await this.#askToHold(row, ticketId));
      }),
    );
    const { parties, changed } = this.#heldAsMade(row, replies);
    if (parties.length === row.tickets.length) {
      await this.#handOver(row, commitOf(core, row, parties));
      return;
    }
    const fate = isTakenUp ? await fateOf(core, row) : 'aborted';
    if (fate === null) {
      core.host.later(ASK_AGAIN_MS, () => core.drive(id, true));
    } else {
      core.commit(() => (fate === 'opened' ? this.#taken(row) : this.#fail(row, replies, changed)));
      core.after();
    }
  }

  async #askToHold(row: ProposalRow, ticketId: TicketId): Promise<HoldReply | null> {
    const waiting = this.#core.state.ticket(ticketId);
    if (waiting === undefined) {
      return { held: false, searches: false };
    }
    const { host } = this.#core;
    const { matchId, seq } = row;
    try {
      const { ticket, since, gaveUp } = waiting;
      const asked = host.peers
        .lobby(ticket.lobbyId)
        .hold({ ticketId, matchId, seq, since, gaveUp });
      return await within(host, HOLD_ANSWER_MS, asked);
    } catch (error) {
      host.log('hold_unanswered', { matchId, ticketId, error: String(error) });
      return null;
    }
  }

  /** Who holds as the proposal counted on; `changed`: who holds with other players. */
  #heldAsMade(
    row: ProposalRow,
    replies: Replies,
  ): { readonly parties: readonly PartySnapshot[]; readonly changed: readonly Ticket[] } {
    const { state } = this.#core;
    const { mode } = must(state.meta, 'the mode of a queue that forms a match');
    const parties: PartySnapshot[] = [];
    const changed: Ticket[] = [];
    for (const [ticketId, reply] of replies) {
      // A ticket that left meanwhile is gone, whatever its lobby said before.
      const ticket = state.ticket(ticketId)?.ticket;
      if (reply?.held !== true || ticket === undefined) {
        continue;
      }
      // The ticket may have been refreshed since: the proposal counted on those of then.
      const made = row.members?.[row.tickets.indexOf(ticketId)] ?? idsOf(ticket);
      if (isAsTicketed(made, reply.party, mode)) {
        parties.push(reply.party);
      } else {
        changed.push(ticket);
      }
    }
    return { parties, changed };
  }

  /** Who holds with other players waits, apart, for its release, and is asked who it is now. */
  #fail(row: ProposalRow, replies: Replies, changed: readonly Ticket[]): void {
    const counted = new Map(replies);
    for (const { id: ticketId, lobbyId } of changed) {
      counted.set(ticketId, null);
      this.#core.outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
    }
    this.#giveUp(row, counted);
  }

  /**
   * The match does not come about. Who held goes back at once with its original wait; who
   * refused is dropped; who was silent stays out of the pool until its release is acknowledged.
   */
  #giveUp(row: ProposalRow, replies: Replies): void {
    const { state, outbox } = this.#core;
    const { id: proposalId, matchId, seq } = row;
    this.#core.journal.note({
      k: 'refused',
      t: this.#core.host.now(),
      matchId,
      by: refusers(replies),
    });
    state.dropProposal(proposalId);
    const free: TicketId[] = [];
    for (const ticketId of row.tickets) {
      const ticket = state.ticket(ticketId)?.ticket;
      const reply = replies.get(ticketId) ?? null;
      const refused = reply?.held === false;
      if (refused && !reply.searches) {
        this.#core.takeOut(ticketId);
      } else if (ticket !== undefined) {
        if (!refused) {
          const { lobbyId } = ticket;
          outbox.add([{ to: 'release', lobbyId, ticketId, matchId, seq, proposalId }]);
        }
        if (reply !== null) {
          state.free(ticketId, seq);
          free.push(ticketId);
        } else {
          state.keepTaken(ticketId);
        }
      }
    }
    this.#giveFree(free);
  }

  #giveFree(tickets: readonly TicketId[]): void {
    const core = this.#core;
    const { modeRevision } = must(core.state.meta, 'the mode of a queue that formed a match');
    if (core.state.isGone(modeRevision)) {
      tickets.forEach((id) => core.giveBack(id, 'config_changed'));
      return;
    }
    const pool = must(core.pool, 'the pool of a queue that formed a match');
    const now = core.host.now();
    core.settle(pool.release(tickets, now));
    for (const id of tickets) {
      const row = core.state.ticket(id);
      if (row !== undefined && row.takenBy === null && pool.has(id)) {
        // Its data may have been refreshed while it was taken.
        core.settle(pool.refresh(row.ticket, now));
      }
    }
  }

  async deliver(debt: QueueDebt): Promise<void> {
    const { peers } = this.#core.host;
    switch (debt.to) {
      case 'return':
        return peers.lobby(debt.lobbyId).returned(debt.ticketId, debt.reason);
      case 'release': {
        const { lobbyId, ticketId, matchId, seq } = debt;
        this.#released(debt, await peers.lobby(lobbyId).release({ ticketId, matchId, seq }));
        return;
      }
      case 'refresh': {
        const { lobbyId, ticketId } = debt;
        const { mode, modeRevision } = must(this.#core.state.meta, 'the mode of a queue');
        if (!(await peers.lobby(lobbyId).refresh(ticketId, mode, modeRevision))) {
          this.#core.forget(ticketId);
        }
        return;
      }
      case 'match':
        return this.#commit(debt.proposalId);
      default:
        return assertNever(debt);
    }
  }

  #released(debt: Extract<QueueDebt, { to: 'release' }>, searches: boolean): void {
    const core = this.#core;
    if (core.state.ticket(debt.ticketId)?.takenBy !== debt.proposalId) {
      return;
    }
    core.commit(() => {
      if (searches) {
        core.state.free(debt.ticketId, debt.seq);
        this.#giveFree([debt.ticketId]);
      } else {
        core.takeOut(debt.ticketId);
      }
    });
    core.after();
  }

  /** One that the Match does not answer is saved: from then on only the Match's word counts. */
  async #handOver(row: ProposalRow, commit: Commit): Promise<void> {
    const { host, state, outbox } = this.#core;
    const ready = { ...row, commit };
    const told = within(host, COMMIT_ANSWER_MS, tellMatch(host, row.matchId, commit));
    const answer = await told.catch((error: unknown) => {
      host.log('commit_unanswered', { matchId: row.matchId, error: String(error) });
      return null;
    });
    if (answer !== null) {
      this.#told(ready, answer);
    } else {
      this.#core.commit(() => {
        state.putProposal(ready);
        outbox.add([{ to: 'match', proposalId: row.id }]);
      });
      this.#core.after();
    }
  }

  async #commit(id: string): Promise<void> {
    const row = this.#core.state.proposals.get(id);
    if (row !== undefined && row.commit !== null) {
      this.#told(row, await tellMatch(this.#core.host, row.matchId, row.commit));
    }
  }

  #told(row: ProposalRow, { isTaken, offer }: MatchAnswer): void {
    const core = this.#core;
    if (!core.state.proposals.has(row.id)) {
      return;
    }
    core.commit(() => {
      if (offer !== null) {
        core.offered(row.matchId, offer);
      }
      if (isTaken) {
        this.#taken(row);
      } else {
        this.#refused(row);
      }
    });
    core.after();
  }

  #taken(row: ProposalRow): void {
    const { state, pool, host, journal } = this.#core;
    state.dropProposal(row.id);
    const formed = formedLine(row, host.now());
    if (formed !== null) {
      journal.formed(formed);
    }
    pool?.commit(row.tickets);
    row.tickets.forEach((ticketId) => {
      state.dropTicket(ticketId);
      this.#core.left.note(ticketId);
    });
  }

  /** The Match was given up before it was heard of, or has no room any more. */
  #refused(row: ProposalRow): void {
    const parties = row.commit === null ? [] : partiesOf(row.commit);
    const held = parties.map((party) => [party.ticketId, { held: true, party }] as const);
    this.#giveUp(row, new Map(held));
  }
}

/** Who did not hold as asked, and how that was. */
function refusers(
  replies: Replies,
): readonly { readonly ticketId: TicketId; readonly how: string }[] {
  return [...replies].flatMap(([ticketId, reply]) =>
    reply === null
      ? [{ ticketId, how: 'silent or changed' }]
      : reply.held
        ? []
        : [{ ticketId, how: reply.searches ? 'bound elsewhere' : 'searches no more' }],
  );
}
