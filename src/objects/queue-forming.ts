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
import type { BackfillProposal, Proposal } from '../match/proposal';
import { assertNever, must } from '../result';
import type { HoldReply, Offer, PartySnapshot, Roster } from './contracts';
import { isAsTicketed, membersOf } from './match-teams';
import { within } from './outbox';
import type { QueueCore, QueueDebt, QueueWork } from './queue-core';
import { formedMatch } from './queue-report';
import type { ProposalRow } from './queue-state';

/** A lobby that has not answered by then counts as silent; its hold is released and fenced. */
const HOLD_ANSWER_MS = 3_000;

type Replies = ReadonlyMap<TicketId, HoldReply | null>;

export class Forming implements QueueWork {
  readonly #core: QueueCore;

  constructor(core: QueueCore) {
    this.#core = core;
  }

  resume(): void {
    for (const id of this.#core.state.proposals.keys()) {
      this.#drive(id);
    }
  }

  propose(proposal: Proposal): void {
    const matchId = this.#core.host.uuid() as MatchId;
    this.#take(matchId, proposal.tickets, { kind: 'new', proposal });
  }

  proposeBackfill(proposal: BackfillProposal): void {
    const matchId = proposal.matchId as MatchId;
    this.#take(matchId, [proposal.ticket], { kind: 'backfill', proposal });
  }

  #take(matchId: MatchId, tickets: readonly TicketId[], what: ProposalRow['what']): void {
    const { state, host } = this.#core;
    const meta = must(state.meta, 'the mode of a queue that forms a match');
    const seq = meta.seq + 1;
    const id = host.uuid();
    state.setMeta({ ...meta, seq });
    state.putProposal({ id, matchId, seq, tickets, what, commit: null });
    for (const ticketId of tickets) {
      state.take(ticketId, id);
    }
    this.#drive(id);
  }

  #drive(id: string): void {
    this.#core.host.background(Promise.resolve().then(() => this.#hold(id)));
  }

  /** Asks every lobby at once; decides when all have answered or their time is over. */
  async #hold(id: string): Promise<void> {
    const { state, host } = this.#core;
    const row = state.proposals.get(id);
    if (row === undefined || row.commit !== null) {
      return;
    }
    const replies = new Map<TicketId, HoldReply | null>();
    await Promise.all(
      row.tickets.map(async (ticketId) => {
        replies.set(ticketId, await this.#askToHold(row, ticketId));
      }),
    );
    if (state.proposals.get(id) !== row) {
      return;
    }
    host.store.atomically(() => this.#decide(row, replies));
    this.#core.after();
  }

  async #askToHold(row: ProposalRow, ticketId: TicketId): Promise<HoldReply | null> {
    const waiting = this.#core.state.tickets.get(ticketId);
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

  #decide(row: ProposalRow, replies: Replies): void {
    const { state, outbox } = this.#core;
    const { mode } = must(state.meta, 'the mode of a queue that forms a match');
    const counted = new Map(replies);
    const parties: PartySnapshot[] = [];
    for (const [ticketId, reply] of replies) {
      // A ticket that left meanwhile is gone, whatever its lobby said before.
      const ticket = state.tickets.get(ticketId)?.ticket;
      if (reply?.held !== true || ticket === undefined) {
        continue;
      }
      if (isAsTicketed(ticket, reply.party, mode)) {
        parties.push(reply.party);
      } else {
        // It waits, apart, for its release, and is asked who it is now.
        counted.set(ticketId, null);
        outbox.add([{ to: 'refresh', lobbyId: ticket.lobbyId, ticketId }]);
      }
    }
    if (parties.length < row.tickets.length) {
      this.#giveUp(row, counted);
      return;
    }
    state.putProposal({ ...row, commit: this.#commitOf(row, parties) });
    outbox.add([{ to: 'match', proposalId: row.id }]);
  }

  #commitOf(row: ProposalRow, parties: readonly PartySnapshot[]): ProposalRow['commit'] {
    if (row.what.kind === 'new') {
      return { kind: 'new', roster: this.#roster(row.matchId, row.what.proposal, parties) };
    }
    const { team, roles } = row.what.proposal;
    const party = must(parties[0], 'the party of a backfill');
    const { mode } = must(this.#core.state.meta, 'the mode of a queue that fills a match');
    const members = membersOf(party.players, mode);
    return { kind: 'backfill', backfill: { party, seq: row.seq, team, members, roles } };
  }

  #roster(matchId: MatchId, proposal: Proposal, parties: readonly PartySnapshot[]): Roster {
    const { state, host } = this.#core;
    const [project, config, mode] = host.name;
    const order = new Map(proposal.tickets.map((id, index) => [id, index]));
    const byWait = parties.toSorted(
      (a, b) => (order.get(a.ticketId) ?? 0) - (order.get(b.ticketId) ?? 0),
    );
    return {
      matchId,
      project: must(project, 'the project of a queue'),
      config: must(config, 'the config of a queue'),
      mode: must(mode, 'the mode of a queue'),
      rules: must(state.meta, 'the mode of a queue that forms a match').mode,
      region: proposal.region,
      version: proposal.version,
      anchor: must(state.tickets.get(proposal.anchor), 'the anchor of a match').ticket,
      parties: byWait,
      teams: proposal.teams,
    };
  }

  /**
   * The match does not come about. Who held goes back at once with its original wait; who
   * refused is dropped; who was silent stays out of the pool until its release is acknowledged.
   */
  #giveUp(row: ProposalRow, replies: Replies): void {
    const { state, outbox, pool } = this.#core;
    const { id: proposalId, matchId, seq } = row;
    state.dropProposal(proposalId);
    const free: TicketId[] = [];
    for (const ticketId of row.tickets) {
      const ticket = state.tickets.get(ticketId)?.ticket;
      const reply = replies.get(ticketId) ?? null;
      const refused = reply?.held === false;
      if (refused && !reply.searches) {
        pool?.leave(ticketId);
        state.dropTicket(ticketId);
      } else if (ticket !== undefined) {
        if (!refused) {
          const { lobbyId } = ticket;
          outbox.add([{ to: 'release', lobbyId, ticketId, matchId, seq, proposalId }]);
        }
        if (reply !== null) {
          state.free(ticketId, seq);
          free.push(ticketId);
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
      const row = core.state.tickets.get(id);
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
    if (core.state.tickets.get(debt.ticketId)?.takenBy !== debt.proposalId) {
      return;
    }
    core.host.store.atomically(() => {
      if (searches) {
        core.state.free(debt.ticketId, debt.seq);
        this.#giveFree([debt.ticketId]);
      } else {
        core.pool?.leave(debt.ticketId);
        core.state.dropTicket(debt.ticketId);
      }
    });
    core.after();
  }

  /** Hands it to the Match; from the moment it was saved only the Match's answer decides. */
  async #commit(id: string): Promise<void> {
    const core = this.#core;
    const row = core.state.proposals.get(id);
    if (row === undefined || row.commit === null) {
      return;
    }
    const { commit } = row;
    const match = core.host.peers.match(row.matchId);
    let taken = false;
    let offer: Offer | null = null;
    if (commit.kind === 'new') {
      taken = (await match.open(commit.roster)) === 'opened';
    } else {
      offer = await match.admit(commit.backfill);
      taken = offer === null;
    }
    if (!core.state.proposals.has(id)) {
      return;
    }
    core.host.store.atomically(() => {
      if (offer !== null) {
        core.offered(row.matchId, offer);
      }
      if (taken) {
        this.#taken(row);
      } else {
        this.#refused(row);
      }
    });
    core.after();
  }

  #taken(row: ProposalRow): void {
    const { state, pool, host } = this.#core;
    state.dropProposal(row.id);
    const formed = formedMatch(row, host.now());
    if (formed !== null) {
      state.noteFormed(formed);
    }
    pool?.commit(row.tickets);
    row.tickets.forEach((ticketId) => {
      state.dropTicket(ticketId);
      this.#core.left.note(ticketId);
    });
  }

  /** The Match was given up before it was heard of, or has no room any more. */
  #refused(row: ProposalRow): void {
    const { commit } = row;
    const parties =
      commit?.kind === 'new'
        ? commit.roster.parties
        : commit === null
          ? []
          : [commit.backfill.party];
    const held = parties.map((party) => [party.ticketId, { held: true, party }] as const);
    this.#giveUp(row, new Map(held));
  }
}
