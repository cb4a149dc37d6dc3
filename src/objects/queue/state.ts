// What a queue saves: its mode, a row for each ticket, each proposal under way, and each running match with room. A
// ticket is taken while a proposal names it, and free otherwise: nothing else says so.

import type { TicketId } from '../../common/ids';
import { Lru } from '../../common/lru';
import type { OpenMatch } from '../../match/pool';
import { type Ticket, versionOf } from '../../match/ticket/ticket';
import { present } from '../../common/named';
import { must } from '../../common/result';
import type { Store } from '../kit/ports';
import type { Offer } from '../contracts/match';
import type { OfferRow, ProposalRow, QueueMeta } from './rows';
import type { TicketRow } from '../contracts/queue';
import type { TicketFeed } from './feed';
import { SavedTickets } from './tickets';

const META = 'meta';
const GONE = 'gone';
const PROPOSAL = 'proposal:';
const OFFER = 'offer:';

/** How many numbers of proposals one write reserves. A queue that wakes leaves out those that are left. */
export const NUMBERS = 256;

/** Of how many matches without room the last number is remembered. */
const MOST_WITHDRAWN = 1_000;

export class QueueState {
  readonly #store: Store;
  readonly tickets: SavedTickets;
  readonly proposals = new Map<string, ProposalRow>();
  /** The proposals by the tickets that they have taken. Other tickets are free. */
  readonly takenBy = new Map<TicketId, ProposalRow>();
  /** Running matches with room, by match. */
  readonly offers = new Map<string, OfferRow>();
  /** Those that run on another build than a new match would. The pool does not have their room (decision 56). */
  readonly closed = new Set<string>();
  /** The numbers of the last offers that took back all room. An older one may still come. */
  readonly #withdrawn = new Lru<number>(MOST_WITHDRAWN);
  /** Tickets that entered again since their lobbies were asked to hold. */
  readonly enteredAgain = new Set<TicketId>();
  meta: QueueMeta | null;
  /** Null: no matcher has asked. */
  feed: TicketFeed | null = null;
  /** What a change broke that always holds. Looked at as it is saved. */
  broken: { readonly which: string; readonly rows: unknown } | null = null;
  #seq: number;
  /** Proposals whose rows are to be written. */
  readonly #changed = new Set<string>();
  #goneRevision: number;

  constructor(store: Store) {
    this.#store = store;
    this.meta = store.get<QueueMeta>(META) ?? null;
    this.#seq = this.meta?.seq ?? 0;
    this.#goneRevision = store.get<number>(GONE) ?? 0;
    const found: TicketRow[] = [];
    for (const [, row] of store.list<ProposalRow>(PROPOSAL)) {
      const { newcomers = [], ...proposal } = row;
      this.#propose(proposal);
      found.push(...newcomers);
    }
    this.tickets = new SavedTickets(store, this.meta === null, found);
    for (const [, offer] of store.list<OfferRow>(OFFER)) {
      this.offers.set(offer.match.matchId, offer);
    }
  }

  setMeta(meta: QueueMeta): void {
    if (meta.modeRevision < (this.meta?.modeRevision ?? 0)) {
      this.broken = { which: 'a queue never goes back to an older mode', rows: [this.meta, meta] };
    }
    this.meta = meta;
    this.#store.put(META, meta);
  }

  /** Notes that the mode was deleted in this revision. Lobbies that have not heard of it may still enter. */
  setGone(revision: number): void {
    this.#goneRevision = Math.max(this.#goneRevision, revision);
    this.#store.put(GONE, this.#goneRevision);
  }

  /** Whether the mode of that revision has been deleted since. */
  isGone(modeRevision: number): boolean {
    return modeRevision <= this.#goneRevision;
  }

  /** As `SavedTickets.put`. */
  putTicket(row: TicketRow): Ticket {
    const ticket = this.tickets.put(row);
    this.#changeTaker(ticket.id);
    this.feed?.note(ticket.id);
    return ticket;
  }

  dropTicket(id: TicketId): void {
    this.#changeTaker(id);
    this.tickets.drop(id);
    this.feed?.note(id);
    this.enteredAgain.delete(id);
  }

  /** The row of a proposal holds its tickets that have none. */
  #changeTaker(id: TicketId): void {
    const proposal = this.takenBy.get(id);
    if (proposal !== undefined && this.tickets.rowless.has(id)) {
      this.#changed.add(proposal.id);
    }
  }

  /** Call at the end of every transaction: writes the changed proposals, and the tickets that none of them has. */
  save(): void {
    for (const id of this.tickets.rowless) {
      if (!this.takenBy.has(id)) {
        this.tickets.giveRow(id);
      }
    }
    for (const id of this.#changed) {
      const row = this.proposals.get(id);
      if (row !== undefined) {
        const here = row.tickets.filter((each) => this.tickets.rowless.has(each));
        const newcomers = here.flatMap((each) => this.tickets.byId.get(each) ?? []);
        this.#store.put(PROPOSAL + id, here.length === 0 ? row : { ...row, newcomers });
      }
    }
    this.#changed.clear();
  }

  /** The number of the next proposal. It is above all that came before, also before this object woke. */
  nextNumber(): number {
    const meta = must(this.meta, 'the mode of a queue that forms a match');
    this.#seq += 1;
    if (this.#seq > meta.seq) {
      this.setMeta({ ...meta, seq: meta.seq + NUMBERS });
    }
    return this.#seq;
  }

  /** Saves the proposal, which takes the tickets that it names. */
  putProposal(row: ProposalRow): void {
    const others = row.tickets.flatMap((id) => this.takenBy.get(id) ?? []);
    const other = others.find(({ id }) => id !== row.id);
    if (other !== undefined) {
      this.broken = { which: 'a ticket is in one proposal', rows: [other, row] };
    }
    this.#propose(row);
    this.#changed.add(row.id);
  }

  #propose(row: ProposalRow): void {
    this.proposals.set(row.id, row);
    row.tickets.forEach((id) => this.takenBy.set(id, row));
  }

  /** Gives the proposal up. It stays while it has `silent` tickets, and frees its others. */
  giveUp(row: ProposalRow, silent: readonly TicketId[]): void {
    this.dropProposal(row);
    if (silent.length > 0) {
      this.putProposal({ ...row, tickets: silent, commit: null, isGivenUp: true });
    }
  }

  dropProposal({ id, tickets }: Pick<ProposalRow, 'id' | 'tickets'>): void {
    tickets.forEach((each) => this.takenBy.delete(each));
    if (this.proposals.delete(id)) {
      this.#store.delete(PROPOSAL + id);
    }
  }

  /** The number of the last offer of that match. 0: none is known. */
  offerSeq(matchId: string): number {
    return this.offers.get(matchId)?.seq ?? this.#withdrawn.get(matchId) ?? 0;
  }

  /** The match as the pool may fill it, by what is saved now (decision 56). Null: it takes nobody. */
  room(matchId: string): OpenMatch | null {
    const { match, seq } = this.offers.get(matchId) ?? {};
    const { mode, modeRevision } = this.meta ?? { modeRevision: 0 };
    const isMeant = mode?.allowBackfill === true || match?.forming !== undefined;
    const isOpen = mode !== undefined && isMeant && !this.isGone(modeRevision);
    return match === undefined || !isOpen || this.closed.has(matchId)
      ? null
      : {
          ...match,
          ...present({ seq }),
          version: versionOf(match.anchor, mode.useVersionFromState),
        };
  }

  setOffer(matchId: string, { seq, match }: Offer): void {
    this.closed.delete(matchId);
    if (match !== null) {
      this.offers.set(matchId, { seq, match });
      this.#store.put(OFFER + matchId, { seq, match });
      return;
    }
    this.#withdrawn.set(matchId, seq);
    if (this.offers.delete(matchId)) {
      this.#store.delete(OFFER + matchId);
    }
  }
}
