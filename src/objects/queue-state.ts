// What a queue saves, and its transactions: one row a ticket, one a proposal under way.

import type { MatchId, TicketId } from '../ids';
import type { Mode } from '../match/mode';
import type { BackfillProposal, OpenMatch, Proposal } from '../match/proposal';
import type { Ticket } from '../match/ticket';
import type { Backfill, Roster } from './contracts';
import type { Store } from './host';
import { migrate } from './migrations';

const META = 'meta';
const TICKET = 'ticket:';
const PROPOSAL = 'proposal:';
const OFFER = 'offer:';

export interface QueueMeta {
  readonly mode: Mode;
  readonly modeRevision: number;
  /** Number of the last proposal; the fence of late holds. */
  readonly seq: number;
}

export interface TicketRow {
  readonly ticket: Ticket;
  /** Of the lobby, and of the mode, that the ticket was made from. */
  readonly revision: number;
  readonly modeRevision: number;
  /** The proposal that has taken it; or whose release its lobby has yet to acknowledge. */
  readonly takenBy: string | null;
}

/** A match to be formed, or one lobby on its way into a running match. */
export interface ProposalRow {
  /** The proposal's own name; several may lead into one running match. */
  readonly id: string;
  /** The match that its lobbies hold for. */
  readonly matchId: MatchId;
  readonly seq: number;
  readonly tickets: readonly TicketId[];
  readonly what:
    | { readonly kind: 'new'; readonly proposal: Proposal }
    | { readonly kind: 'backfill'; readonly proposal: BackfillProposal };
  /** Set once every lobby holds: from then on only the Match's word counts. */
  readonly commit:
    | { readonly kind: 'new'; readonly roster: Roster }
    | { readonly kind: 'backfill'; readonly backfill: Backfill }
    | null;
}

export class QueueState {
  readonly #store: Store;
  readonly tickets = new Map<TicketId, TicketRow>();
  readonly proposals = new Map<string, ProposalRow>();
  /** Running matches with room, as they offered themselves. */
  readonly offers = new Map<string, OpenMatch>();
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
      this.proposals.set(row.id, row);
    }
    for (const [, offer] of store.list<OpenMatch>(OFFER)) {
      this.offers.set(offer.matchId, offer);
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
  take(id: TicketId, takenBy: string | null): void {
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
    this.proposals.set(row.id, row);
    this.#store.put(PROPOSAL + row.id, row);
  }

  dropProposal(id: string): void {
    if (this.proposals.delete(id)) {
      this.#store.delete(PROPOSAL + id);
    }
  }

  putOffer(offer: OpenMatch): void {
    this.offers.set(offer.matchId, offer);
    this.#store.put(OFFER + offer.matchId, offer);
  }

  dropOffer(matchId: string): void {
    if (this.offers.delete(matchId)) {
      this.#store.delete(OFFER + matchId);
    }
  }
}
