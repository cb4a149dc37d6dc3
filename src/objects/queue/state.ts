// What a queue saves, and its transactions: one row a ticket, one a proposal under way.

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { Mode } from '../../match/rules/mode';
import type {
  BackfillProposal,
  OpenMatch,
  Proposal,
  QueueStats,
} from '../../match/waiting/proposal';
import { LeanTickets } from '../../match/ticket/lean';
import type { Ticket } from '../../match/ticket/ticket';
import type { Backfill, Roster } from '../match/contract';
import type { Store } from '../kit/ports';
import { deleteLarge, listLarge, putLarge } from '../kit/large';
import { Waits } from './waits';

const META = 'meta';
const GONE = 'gone';
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
  /** The fence: the last proposal that its lobby held for and that was given up; 0 for none. */
  readonly gaveUp: number;
}

/** A match to be formed, or one lobby on its way into a running match. */
export interface ProposalRow {
  /** The proposal's own name; several may lead into one running match. */
  readonly id: string;
  /** The match that its lobbies hold for. */
  readonly matchId: MatchId;
  readonly seq: number;
  readonly tickets: readonly TicketId[];
  /** Whom each was made for, as the ticket was then. */
  readonly members: readonly (readonly PlayerId[])[];
  readonly what:
    | { readonly kind: 'new'; readonly proposal: Proposal }
    | { readonly kind: 'backfill'; readonly proposal: BackfillProposal };
  /** Set once every lobby holds: from then on only the Match's word counts. */
  readonly commit:
    | { readonly kind: 'new'; readonly roster: Roster }
    | { readonly kind: 'backfill'; readonly backfill: Backfill }
    | null;
}

/** A running match with room, and the number of that telling. */
export interface OfferRow {
  readonly seq: number;
  readonly match: OpenMatch;
}

export class QueueState {
  readonly #store: Store;
  readonly tickets = new Map<TicketId, TicketRow>();
  /** How long the tickets have waited. */
  readonly waits = new Waits();
  readonly proposals = new Map<string, ProposalRow>();
  /** Running matches with room, as they offered themselves. */
  readonly offers = new Map<string, OfferRow>();
  readonly #byLobby = new Map<LobbyId, TicketId>();
  readonly #lean = new LeanTickets();
  /** Rows that were read, and not yet taken by `takeRead`. */
  #read: TicketRow[] = [];
  #lastKey = TICKET;
  #isWhole = false;
  #players = 0;
  #starts = 0;
  #meta: QueueMeta | null;
  #goneRevision: number;

  constructor(store: Store) {
    this.#store = store;
    this.#meta = store.get<QueueMeta>(META) ?? null;
    this.#goneRevision = store.get<number>(GONE) ?? 0;
    this.#isWhole = this.#meta === null;
    for (const row of listLarge<ProposalRow>(store, PROPOSAL)) {
      this.proposals.set(row.id, row);
      row.tickets.forEach((id) => this.take(id, row.id));
    }
    // As the proposals have them.
    this.#read = this.#read.map((row) => this.tickets.get(row.ticket.id) ?? row);
    for (const [, offer] of store.list<OfferRow>(OFFER)) {
      this.offers.set(offer.match.matchId, offer);
    }
  }

  /** Whether all rows of tickets are in memory. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads the next rows of tickets, so many at most. */
  readPage(limit: number): void {
    const page = Array.from(this.#store.list<TicketRow>(TICKET, { after: this.#lastKey, limit }));
    for (const [, row] of page) {
      if (!this.tickets.has(row.ticket.id)) {
        this.#come(row);
      }
    }
    this.#lastKey = page.at(-1)?.[0] ?? this.#lastKey;
    this.#isWhole = page.length < limit;
  }

  /** Rows as they were saved, that were read since it was asked last. */
  takeRead(): readonly TicketRow[] {
    const read = this.#read;
    this.#read = [];
    return read;
  }

  /** All tickets in memory count as read just now. */
  readAgain(): void {
    this.#read = [...this.tickets.values()];
  }

  #come(row: TicketRow): void {
    this.#hold(row);
    this.#read.push(row);
  }

  /** The ticket, whose row is read at once where its page has not been. */
  ticket(id: TicketId): TicketRow | undefined {
    const known = this.tickets.get(id);
    if (known !== undefined || this.#isWhole) {
      return known;
    }
    const row = this.#store.get<TicketRow>(TICKET + id);
    if (row !== undefined) {
      this.#come(row);
    }
    return row;
  }

  /** Puts a ticket behind all others: `tickets` is in the order of the wait. */
  toEnd(id: TicketId): void {
    const row = this.tickets.get(id);
    if (row !== undefined) {
      this.tickets.delete(id);
      this.tickets.set(id, row);
    }
  }

  /** Of the tickets read so far. */
  stats(now: number): QueueStats {
    const { size } = this.tickets;
    const wait = size === 0 ? 0 : Math.max(0, now - this.#starts / size);
    return {
      playersSearching: this.#players,
      lobbiesInQueue: size,
      avgWaitSeconds: Math.round(wait) / 1000,
    };
  }

  get meta(): QueueMeta | null {
    return this.#meta;
  }

  setMeta(meta: QueueMeta): void {
    this.#meta = meta;
    this.#store.put(META, meta);
  }

  /** The mode was taken out in this revision: lobbies that have not heard of it still come. */
  setGone(revision: number): void {
    this.#goneRevision = Math.max(this.#goneRevision, revision);
    this.#store.put(GONE, this.#goneRevision);
  }

  /** Whether the mode, as it was in that revision, is there no more. */
  isGone(modeRevision: number): boolean {
    return modeRevision <= this.#goneRevision;
  }

  /** Holds the row in memory, a new one last. Answers the ticket as it is held. */
  #hold(given: TicketRow): Ticket {
    const { id, lobbyId, startedAt } = given.ticket;
    const known = this.tickets.get(id);
    const ticket = known?.ticket === given.ticket ? given.ticket : this.#lean.of(given.ticket);
    const row = { ...given, ticket };
    this.#byLobby.set(lobbyId, id);
    if (known?.ticket.startedAt !== startedAt) {
      if (known !== undefined) {
        this.waits.note(known.ticket.startedAt, -1);
      }
      this.waits.note(startedAt, 1);
    }
    this.#count(known, -1);
    this.#count(row, 1);
    this.tickets.set(id, row);
    return ticket;
  }

  #count(row: TicketRow | undefined, change: 1 | -1): void {
    this.#players += change * (row?.ticket.members.length ?? 0);
    this.#starts += change * (row?.ticket.startedAt ?? 0);
  }

  /** The ticket as it is held: the pool is to hold no other. */
  putTicket(row: TicketRow): Ticket {
    const ticket = this.#hold(row);
    this.#store.put(TICKET + ticket.id, row);
    return ticket;
  }

  /** A ticket is taken by a proposal, whose row says so. */
  take(id: TicketId, takenBy: string): void {
    const row = this.ticket(id);
    if (row !== undefined) {
      this.tickets.set(id, { ...row, takenBy });
    }
  }

  /** The proposal that took it ends, and it stays taken: nobody knows whether its lobby holds. */
  keepTaken(id: TicketId): void {
    const row = this.ticket(id);
    if (row !== undefined) {
      this.putTicket(row);
    }
  }

  /** Gives a ticket up again; `heldFor`: the number of the proposal, where its lobby said that it holds for it. */
  free(id: TicketId, heldFor: number | null): void {
    const row = this.ticket(id);
    if (row !== undefined) {
      this.putTicket({ ...row, takenBy: null, gaveUp: heldFor ?? row.gaveUp });
    }
  }

  /** The ticket that the lobby entered last, while it is here. */
  ticketOf(lobbyId: LobbyId): Ticket | null {
    const id = this.#byLobby.get(lobbyId);
    return (id === undefined ? undefined : this.tickets.get(id)?.ticket) ?? null;
  }

  dropTicket(id: TicketId): void {
    const known = this.ticket(id);
    if (known !== undefined) {
      if (this.#byLobby.get(known.ticket.lobbyId) === id) {
        this.#byLobby.delete(known.ticket.lobbyId);
      }
      this.#count(known, -1);
      this.tickets.delete(id);
      this.waits.note(known.ticket.startedAt, -1);
      this.#store.delete(TICKET + id);
    }
  }

  putProposal(row: ProposalRow): void {
    this.proposals.set(row.id, row);
    putLarge(this.#store, PROPOSAL + row.id, row);
  }

  dropProposal(id: string): void {
    if (this.proposals.delete(id)) {
      deleteLarge(this.#store, PROPOSAL + id);
    }
  }

  putOffer(offer: OfferRow): void {
    const { matchId } = offer.match;
    this.offers.set(matchId, offer);
    this.#store.put(OFFER + matchId, offer);
  }

  dropOffer(matchId: string): void {
    if (this.offers.delete(matchId)) {
      this.#store.delete(OFFER + matchId);
    }
  }
}
