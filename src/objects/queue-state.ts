// What a queue saves, and its transactions: one row a ticket, one a proposal under way.

import type { MatchId, TicketId } from '../ids';
import type { Mode } from '../match/mode';
import type { Proposal } from '../match/proposal';
import type { Ticket } from '../match/ticket';
import type { Roster } from './contracts';
import type { Store } from './host';
import { migrate } from './migrations';

const META = 'meta';
const TICKET = 'ticket:';
const PROPOSAL = 'proposal:';

export interface QueueMeta {
  readonly mode: Mode;
  readonly modeRevision: number;
  /** Number of the last proposal; the fence of late holds. */
  readonly seq: number;
}

export interface TicketRow {
  readonly ticket: Ticket;
  readonly revision: number;
  /** The proposal that has taken it; or whose release its lobby has yet to acknowledge. */
  readonly takenBy: MatchId | null;
}

export interface ProposalRow {
  readonly matchId: MatchId;
  readonly seq: number;
  readonly proposal: Proposal;
  /** Set once every lobby holds: from then on only the Match's word counts. */
  readonly roster: Roster | null;
}

export class QueueState {
  readonly #store: Store;
  readonly tickets = new Map<TicketId, TicketRow>();
  readonly proposals = new Map<MatchId, ProposalRow>();
  #meta: QueueMeta | null;

  constructor(store: Store) {
    migrate(store, []);
    this.#store = store;
    this.#meta = store.get<QueueMeta>(META) ?? null;
    const rows = [...store.list<TicketRow>(TICKET)].map(([, row]) => row);
    // The order of the wait; rows lie in the order of their random ids.
    rows.sort((a, b) => a.ticket.startedAt - b.ticket.startedAt);
    for (const row of rows) {
      this.tickets.set(row.ticket.id, row);
    }
    for (const [, row] of store.list<ProposalRow>(PROPOSAL)) {
      this.proposals.set(row.matchId, row);
    }
  }

  get meta(): QueueMeta | null {
    return this.#meta;
  }

  setMeta(meta: QueueMeta): void {
    this.#meta = meta;
    this.#store.put(META, meta);
  }

  putTicket(row: TicketRow): void {
    this.tickets.set(row.ticket.id, row);
    this.#store.put(TICKET + row.ticket.id, row);
  }

  /** Marks a ticket as taken, or as free again. */
  take(id: TicketId, takenBy: MatchId | null): void {
    const row = this.tickets.get(id);
    if (row !== undefined && row.takenBy !== takenBy) {
      this.putTicket({ ...row, takenBy });
    }
  }

  dropTicket(id: TicketId): void {
    if (this.tickets.delete(id)) {
      this.#store.delete(TICKET + id);
    }
  }

  putProposal(row: ProposalRow): void {
    this.proposals.set(row.matchId, row);
    this.#store.put(PROPOSAL + row.matchId, row);
  }

  dropProposal(id: MatchId): void {
    if (this.proposals.delete(id)) {
      this.#store.delete(PROPOSAL + id);
    }
  }
}
