// The tickets of a queue: a row for each, and in memory those that have been read since the object woke. The tickets that
// complete a proposal as they enter are in its row, and have none of their own until the proposal is given up.

import type { LobbyId, TicketId } from '../../common/ids';
import { SortedList } from '../../common/sorted-list';
import type { QueueStats } from '../../lobby/view';
import { LeanTickets, type Ticket } from '../../match/ticket/ticket';
import type { TicketRow } from '../contracts/queue';
import type { Store } from '../kit/ports';

const TICKET = 'ticket:';

export class SavedTickets {
  readonly #store: Store;
  /** Whether all saved tickets are in memory. */
  isWhole: boolean;
  /** The tickets read so far, in the order in which they were read or entered. */
  readonly byId = new Map<TicketId, TicketRow>();
  /** The same tickets, longest wait first. */
  readonly byWait = new SortedList<Ticket>(
    (a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  /** Tickets without a row of their own. */
  readonly rowless = new Set<TicketId>();
  readonly #byLobby = new Map<LobbyId, TicketId>();
  readonly #lean = new LeanTickets();
  /** Rows that were read before their page, as they were saved. */
  readonly #early = new Map<TicketId, TicketRow>();
  #lastKey = TICKET;
  #players = 0;
  #starts = 0;

  /** `newcomers`: those that are in the rows of proposals. */
  constructor(store: Store, isWhole: boolean, newcomers: readonly TicketRow[]) {
    this.#store = store;
    this.isWhole = isWhole;
    for (const newcomer of newcomers) {
      this.rowless.add(newcomer.ticket.id);
      this.#early.set(newcomer.ticket.id, this.#hold(newcomer));
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
      if (early !== undefined || !this.byId.has(id)) {
        saved.push(early ?? this.#hold(row));
        this.#early.delete(id);
      }
    }
    // What is left of these has been deleted since.
    return this.isWhole ? [...saved, ...this.#early.values()] : saved;
  }

  /** The ticket's row. If its page has not been read yet, the row is read now. */
  get(id: TicketId): TicketRow | undefined {
    const known = this.byId.get(id);
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
    const { size: lobbiesInQueue } = this.byId;
    const wait = lobbiesInQueue === 0 ? 0 : Math.max(0, now - this.#starts / lobbiesInQueue);
    const avgWaitSeconds = Math.round(wait) / 1000;
    return { playersSearching: this.#players, lobbiesInQueue, avgWaitSeconds };
  }

  /** Holds the row in memory. Its ticket shares equal parts with other tickets. */
  #hold(saved: TicketRow): TicketRow {
    const { id, lobbyId } = saved.ticket;
    const known = this.byId.get(id);
    const ticket = known?.ticket === saved.ticket ? saved.ticket : this.#lean.of(saved.ticket);
    const row = { ...saved, ticket };
    this.#byLobby.set(lobbyId, id);
    if (known?.ticket !== ticket) {
      this.#uncount(known);
      this.byWait.add(ticket);
      this.#players += ticket.members.length;
      this.#starts += ticket.startedAt;
    }
    this.byId.set(id, row);
    return row;
  }

  #uncount(row: TicketRow | undefined): void {
    if (row !== undefined) {
      this.byWait.delete(row.ticket);
      this.#players -= row.ticket.members.length;
      this.#starts -= row.ticket.startedAt;
    }
  }

  /** Saves the row, and returns the ticket as it is held in memory. The pool must get that one. A new one has no row yet. */
  put(row: TicketRow): Ticket {
    const { id } = row.ticket;
    if (this.get(id) === undefined) {
      this.rowless.add(id);
    }
    if (!this.rowless.has(id)) {
      this.#store.put(TICKET + id, row);
    }
    return this.#hold(row).ticket;
  }

  /** Gives the ticket a row of its own. */
  giveRow(id: TicketId): void {
    this.rowless.delete(id);
    this.#store.put(TICKET + id, this.byId.get(id));
  }

  /** The ticket that the lobby entered last, if it is still in the queue. */
  latestOf(lobbyId: LobbyId): Ticket | null {
    const id = this.#byLobby.get(lobbyId);
    return (id === undefined ? undefined : this.byId.get(id)?.ticket) ?? null;
  }

  /** Deletes the ticket. Does nothing if it is unknown. */
  drop(id: TicketId): void {
    const known = this.get(id);
    if (known !== undefined) {
      if (this.#byLobby.get(known.ticket.lobbyId) === id) {
        this.#byLobby.delete(known.ticket.lobbyId);
      }
      this.#uncount(known);
      this.byId.delete(id);
      if (!this.rowless.delete(id)) {
        this.#store.delete(TICKET + id);
      }
    }
  }
}
