// What a queue saves: its mode, a row for each ticket, each proposal under way, and each running match with room. A
// ticket is taken while a proposal names it, and free otherwise: nothing else says so.

import type { LobbyId, TicketId } from '../../common/ids';
import { Lru } from '../../common/lru';
import { SortedList } from '../../common/sorted-list';
import type { OpenMatch } from '../../match/pool';
import { LeanTickets, versionOf, type Ticket } from '../../match/ticket/ticket';
import type { QueueStats } from '../../lobby/view';
import { present } from '../../common/named';
import { must } from '../../common/result';
import type { Store } from '../kit/ports';
import type { Offer } from '../contracts/match';
import type { OfferRow, ProposalRow, QueueMeta } from './rows';
import type { TicketRow } from '../contracts/queue';

const META = 'meta';
const GONE = 'gone';
const TICKET = 'ticket:';
const PROPOSAL = 'proposal:';
const OFFER = 'offer:';

/** How many numbers of proposals one write reserves. A queue that wakes leaves out those that are left. */
export const NUMBERS = 256;

/** Of how many matches without room the last number is remembered. */
const MOST_WITHDRAWN = 1_000;

export class QueueState {
  readonly #store: Store;
  /** Whether all saved tickets are in memory. */
  isWhole: boolean;
  /** The tickets read so far, in the order in which they were read or entered. */
  readonly tickets = new Map<TicketId, TicketRow>();
  /** The same tickets, longest wait first. */
  readonly byWait = new SortedList<Ticket>(
    (a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
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
  readonly #byLobby = new Map<LobbyId, TicketId>();
  readonly #lean = new LeanTickets();
  /** Rows that were read before their page, as they were saved. */
  readonly #early = new Map<TicketId, TicketRow>();
  #lastKey = TICKET;
  #players = 0;
  #starts = 0;
  meta: QueueMeta | null;
  /** What a change broke that always holds. Looked at as it is saved. */
  broken: { readonly which: string; readonly rows: unknown } | null = null;
  #seq: number;
  /** Tickets without a row of their own: they completed a proposal as they entered, and are in its row. */
  readonly #rowless = new Set<TicketId>();
  /** Proposals whose rows are to be written. */
  readonly #changed = new Set<string>();
  #goneRevision: number;

  constructor(store: Store) {
    this.#store = store;
    this.meta = store.get<QueueMeta>(META) ?? null;
    this.#seq = this.meta?.seq ?? 0;
    this.#goneRevision = store.get<number>(GONE) ?? 0;
    this.isWhole = this.meta === null;
    for (const [, row] of store.list<ProposalRow>(PROPOSAL)) {
      const { newcomers = [], ...proposal } = row;
      this.#propose(proposal);
      for (const newcomer of newcomers) {
        this.#rowless.add(newcomer.ticket.id);
        this.#early.set(newcomer.ticket.id, this.#hold(newcomer));
      }
    }
    for (const [, offer] of store.list<OfferRow>(OFFER)) {
      this.offers.set(offer.match.matchId, offer);
    }
  }

  /** The next rows, at most `limit`, as saved before this object woke. Tickets that entered since are left out. */
  readPage(limit: number): readonly TicketRow[] {
    const page = Array.from(this.#store.list<TicketRow>(TICKET, { after: this.#lastKey, limit }));
    this.#lastKey = page.at(-1)?.[0] ?? this.#lastKey;
    this.isWhole = page.length < limit;
    const saved: TicketRow[] = [];
    for (const [, row] of page) {
      const { id } = row.ticket;
      const early = this.#early.get(id);
      if (early !== undefined || !this.tickets.has(id)) {
        saved.push(early ?? this.#hold(row));
        this.#early.delete(id);
      }
    }
    // What is left of these has been deleted since.
    return this.isWhole ? [...saved, ...this.#early.values()] : saved;
  }

  /** The ticket's row. If its page has not been read yet, the row is read now. */
  ticket(id: TicketId): TicketRow | undefined {
    const known = this.tickets.get(id);
    const isRead = known !== undefined || this.isWhole;
    const saved = isRead ? undefined : this.#store.get<TicketRow>(TICKET + id);
    if (saved === undefined) {
      return known;
    }
    const row = this.#hold(saved);
    this.#early.set(id, row);
    return row;
  }

  /** Statistics of the tickets read so far. */
  stats(now: number): QueueStats {
    const { size: lobbiesInQueue } = this.tickets;
    const wait = lobbiesInQueue === 0 ? 0 : Math.max(0, now - this.#starts / lobbiesInQueue);
    const avgWaitSeconds = Math.round(wait) / 1000;
    return { playersSearching: this.#players, lobbiesInQueue, avgWaitSeconds };
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

  /** Holds the row in memory. Its ticket shares equal parts with other tickets. */
  #hold(given: TicketRow): TicketRow {
    const { id, lobbyId } = given.ticket;
    const known = this.tickets.get(id);
    const ticket = known?.ticket === given.ticket ? given.ticket : this.#lean.of(given.ticket);
    const row = { ...given, ticket };
    this.#byLobby.set(lobbyId, id);
    if (known?.ticket !== ticket) {
      this.#uncount(known);
      this.byWait.add(ticket);
      this.#players += ticket.members.length;
      this.#starts += ticket.startedAt;
    }
    this.tickets.set(id, row);
    return row;
  }

  #uncount(row: TicketRow | undefined): void {
    if (row !== undefined) {
      this.byWait.delete(row.ticket);
      this.#players -= row.ticket.members.length;
      this.#starts -= row.ticket.startedAt;
    }
  }

  /** Saves the row, and returns the ticket as it is held in memory. The pool must get that one. */
  putTicket(row: TicketRow): Ticket {
    const { id } = row.ticket;
    if (this.ticket(id) === undefined) {
      this.#rowless.add(id);
    }
    if (this.#rowless.has(id)) {
      this.#changeTaker(id);
    } else {
      this.#store.put(TICKET + id, row);
    }
    return this.#hold(row).ticket;
  }

  #changeTaker(id: TicketId): void {
    const proposal = this.takenBy.get(id);
    if (proposal !== undefined) {
      this.#changed.add(proposal.id);
    }
  }

  /** Call at the end of every transaction: writes the changed proposals, and the tickets that none of them has. */
  save(): void {
    for (const id of this.#rowless) {
      if (!this.takenBy.has(id)) {
        this.#rowless.delete(id);
        this.#store.put(TICKET + id, this.tickets.get(id));
      }
    }
    for (const id of this.#changed) {
      const row = this.proposals.get(id);
      if (row !== undefined) {
        const here = row.tickets.filter((each) => this.#rowless.has(each));
        const newcomers = here.flatMap((each) => this.tickets.get(each) ?? []);
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

  /** The ticket that the lobby entered last, if it is still in the queue. */
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
      this.#uncount(known);
      this.tickets.delete(id);
      this.enteredAgain.delete(id);
      if (this.#rowless.delete(id)) {
        this.#changeTaker(id);
      } else {
        this.#store.delete(TICKET + id);
      }
    }
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
