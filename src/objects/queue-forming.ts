// Forming a match in two phases: every lobby holds, then the Match decides
// (architecture: Forming a match, steps 2 to 4).
//
// step                 saved                        a crash here leaves               who finishes it
// enter                ticket row (lobby: in_queue) a ticket without its reply        the lobby tells it again
// form                 proposal, tickets taken      lobbies not asked yet             the queue on wake: asks them
// hold                 each lobby: its hold         some held                         the queue on wake asks again; holds ask the match
// all held             roster with the proposal     the match not told                the queue's outbox, until it answers
// commit               Match: the roster            the queue not told                the same: opening is idempotent
// one refused          tickets free or dropped,     some still held                   the queue's outbox; holds ask the match
//                      releases owed

import type { MatchId, TicketId } from '../ids';
import type { Proposal } from '../match/proposal';
import { assertNever, must } from '../result';
import type { HoldReply, PartySnapshot, Roster } from './contracts';
import { within } from './outbox';
import type { QueueCore, QueueDebt, QueueWork } from './queue-core';
import type { ProposalRow } from './queue-state';

/** A lobby that has not answered by then counts as silent; its hold is released and fenced. */
const HOLD_ANSWER_MS = 3_000;

export class Forming implements QueueWork {
  readonly #core: QueueCore;

  constructor(core: QueueCore) {
    this.#core = core;
  }

  resume(): void {
    for (const matchId of this.#core.state.proposals.keys()) {
      this.#drive(matchId);
    }
  }

  propose(proposal: Proposal): void {
    const meta = must(this.#core.state.meta, 'the mode of a queue that forms a match');
    const seq = meta.seq + 1;
    const matchId = this.#core.host.uuid() as MatchId;
    this.#core.state.setMeta({ ...meta, seq });
    this.#core.state.putProposal({ matchId, seq, proposal, roster: null });
    for (const id of proposal.tickets) {
      this.#core.state.take(id, matchId);
    }
    this.#drive(matchId);
  }

  #drive(matchId: MatchId): void {
    this.#core.host.background(Promise.resolve().then(() => this.#hold(matchId)));
  }

  /** Asks every lobby at once; decides when all have answered or their time is over. */
  async #hold(matchId: MatchId): Promise<void> {
    const row = this.#core.state.proposals.get(matchId);
    if (row === undefined || row.roster !== null) {
      return;
    }
    const replies = new Map<TicketId, HoldReply | null>();
    await Promise.all(
      row.proposal.tickets.map(async (ticketId) => {
        replies.set(ticketId, await this.#askToHold(row, ticketId));
      }),
    );
    if (this.#core.state.proposals.get(matchId) !== row) {
      return;
    }
    this.#core.host.store.atomically(() => this.#decide(row, replies));
    this.#core.after();
  }

  async #askToHold(row: ProposalRow, ticketId: TicketId): Promise<HoldReply | null> {
    const ticket = this.#core.state.tickets.get(ticketId)?.ticket;
    if (ticket === undefined) {
      return { held: false };
    }
    const { matchId, seq } = row;
    const asked = this.#core.host.peers.lobby(ticket.lobbyId).hold({ ticketId, matchId, seq });
    try {
      return await within(this.#core.host, HOLD_ANSWER_MS, asked);
    } catch (error) {
      this.#core.host.log('hold_unanswered', { matchId, ticketId, error: String(error) });
      return null;
    }
  }

  #decide(row: ProposalRow, replies: ReadonlyMap<TicketId, HoldReply | null>): void {
    const parties: PartySnapshot[] = [];
    for (const reply of replies.values()) {
      if (reply?.held === true) {
        parties.push(reply.party);
      }
    }
    const { matchId } = row;
    if (parties.length === row.proposal.tickets.length) {
      this.#core.state.putProposal({ ...row, roster: this.#roster(row, parties) });
      this.#core.outbox.add([{ to: 'match', matchId }]);
      return;
    }
    this.#giveUp(row, replies);
  }

  #roster(row: ProposalRow, parties: readonly PartySnapshot[]): Roster {
    const { matchId, proposal } = row;
    const [project, config, mode] = this.#core.host.name;
    const order = new Map(proposal.tickets.map((id, index) => [id, index]));
    const byWait = [...parties].sort(
      (a, b) => (order.get(a.ticketId) ?? 0) - (order.get(b.ticketId) ?? 0),
    );
    return {
      matchId,
      project: must(project, 'the project of a queue'),
      config: must(config, 'the config of a queue'),
      mode: must(mode, 'the mode of a queue'),
      rules: must(this.#core.state.meta, 'the mode of a queue that forms a match').mode,
      region: proposal.region,
      version: proposal.version,
      anchor: must(this.#core.state.tickets.get(proposal.anchor), 'the anchor of a match').ticket,
      parties: byWait,
      teams: proposal.teams,
    };
  }

  /**
   * The match does not come about. Who held goes back at once with its original wait; who
   * refused is dropped; who was silent stays out of the pool until its release is acknowledged.
   */
  #giveUp(row: ProposalRow, replies: ReadonlyMap<TicketId, HoldReply | null>): void {
    const { matchId, seq, proposal } = row;
    this.#core.state.dropProposal(matchId);
    const free: TicketId[] = [];
    for (const ticketId of proposal.tickets) {
      const ticket = this.#core.state.tickets.get(ticketId)?.ticket;
      const reply = replies.get(ticketId) ?? null;
      if (reply?.held === false) {
        this.#core.pool?.leave(ticketId);
        this.#core.state.dropTicket(ticketId);
      } else if (ticket !== undefined) {
        const { lobbyId } = ticket;
        this.#core.outbox.add([{ to: 'release', lobbyId, ticketId, matchId, seq }]);
        if (reply !== null) {
          this.#core.state.take(ticketId, null);
          free.push(ticketId);
        }
      }
    }
    this.#giveFree(free);
  }

  #giveFree(tickets: readonly TicketId[]): void {
    const pool = must(this.#core.pool, 'the pool of a queue that formed a match');
    const now = this.#core.host.now();
    this.#core.settle(pool.release(tickets, now));
    for (const id of tickets) {
      const row = this.#core.state.tickets.get(id);
      if (row !== undefined && row.takenBy === null && pool.has(id)) {
        // Its data may have been refreshed while it was taken.
        this.#core.settle(pool.refresh(row.ticket, now));
      }
    }
  }

  async deliver(debt: QueueDebt): Promise<void> {
    const { peers } = this.#core.host;
    switch (debt.to) {
      case 'return':
        return peers.lobby(debt.lobbyId).returned(debt.ticketId, debt.reason);
      case 'release': {
        const searches = await peers.lobby(debt.lobbyId).release(debt);
        this.#released(debt, searches);
        return;
      }
      case 'match':
        return this.#commit(debt.matchId);
      default:
        return assertNever(debt);
    }
  }

  #released(debt: Extract<QueueDebt, { to: 'release' }>, searches: boolean): void {
    if (this.#core.state.tickets.get(debt.ticketId)?.takenBy !== debt.matchId) {
      return;
    }
    this.#core.host.store.atomically(() => {
      if (searches) {
        this.#core.state.take(debt.ticketId, null);
        this.#giveFree([debt.ticketId]);
      } else {
        this.#core.pool?.leave(debt.ticketId);
        this.#core.state.dropTicket(debt.ticketId);
      }
    });
    this.#core.after();
  }

  /** Hands the roster over; from the moment it was saved only the Match's answer decides. */
  async #commit(matchId: MatchId): Promise<void> {
    const row = this.#core.state.proposals.get(matchId);
    if (row === undefined || row.roster === null) {
      return;
    }
    const outcome = await this.#core.host.peers.match(matchId).open(row.roster);
    if (!this.#core.state.proposals.has(matchId)) {
      return;
    }
    this.#core.host.store.atomically(() => {
      if (outcome === 'opened') {
        this.#core.state.dropProposal(matchId);
        this.#core.pool?.commit(row.proposal.tickets);
        row.proposal.tickets.forEach((id) => this.#core.state.dropTicket(id));
      } else {
        const held = row.roster?.parties.map(
          (party) => [party.ticketId, { held: true, party }] as const,
        );
        this.#giveUp(row, new Map(held));
      }
    });
    this.#core.after();
  }
}
