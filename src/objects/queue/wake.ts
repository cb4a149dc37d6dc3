// Restores the pool from the saved tickets, when the queue wakes and when its mode changes. Tickets are restored in
// slices, and other calls are served in between. No match forms before the last ticket is restored: rows are in the
// order of random ids, so those read first would otherwise match before those who wait longer. Calls that arrive
// meanwhile are saved at once and told to the pool afterwards: leaves first, then releases, then running matches (the
// oldest first), then entries and refreshes. If the object dies meanwhile, it starts over.

import type { Reading } from '../../../packages/js/src/dashboard-types';
import type { TicketId } from '../../common/ids';
import { must } from '../../common/result';
import type { PoolCall } from '../../match/journal/lines';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import { makePool, type Pool } from '../../match/waiting/make-pool';
import type { QueueJournal } from './journal';
import type { TicketRow } from '../contracts/queue';
import type { QueueState } from './state';

/** Tickets that one slice reads or restores, in some three milliseconds. */
export const ROWS_A_SLICE = 128;
/** How many late calls the pool is told in one slice. */
const CALLS_A_SLICE = 8;

/** The calls that the pool must be told after a slice. Done: there is no further slice. */
type Slice = IteratorResult<readonly PoolCall[], readonly PoolCall[]>;

/** One restore: it reads the tickets, restores them, and then tells the pool what came late. From then on matches form. */
export class Waking {
  readonly #state: QueueState;
  readonly #journal: QueueJournal;
  readonly #rows: number;
  readonly #before: Mode;
  #mode: Mode;
  /** Made by `anew`, which comes before the first slice. */
  #pool: Pool | null = null;
  #isTelling = false;
  /** Tickets as they were saved, in the order in which the pool gets them. */
  readonly #saved: TicketRow[];
  #now = 0;
  #done = 0;
  #taken = 0;
  /** Leaves and commits, which the pool is told once it has all tickets. */
  readonly #gone: PoolCall[] = [];
  /** Tickets that were released. */
  readonly #freed = new Set<TicketId>();
  /** Tickets that entered or were refreshed. */
  readonly #late = new Map<TicketId, Ticket>();
  readonly #slices: Generator<readonly PoolCall[], readonly PoolCall[]>;

  /** `rows`: tickets in one slice. `before`: the mode so far. Tickets in memory count as saved just now. */
  constructor(state: QueueState, journal: QueueJournal, rows: number, before: Mode) {
    this.#state = state;
    this.#journal = journal;
    this.#rows = rows;
    this.#before = before;
    this.#mode = before;
    this.#saved = [...state.tickets.byId.values()];
    this.#slices = this.#work();
  }

  /** Starts over with an empty pool for that mode, and returns it. Not while it tells. */
  anew(newest: Mode): Pool {
    this.#mode = newest;
    this.#pool = makePool(newest);
    this.#done = 0;
    this.#taken = 0;
    return this.#pool;
  }

  /**
   * How many tickets have been read, then how many the pool has. Until it has all, no match forms. Null from then
   * on: matches form, late calls are told, and another restore must wait until this one has ended.
   */
  get reading(): Reading | null {
    const { byId, isWhole } = this.#state.tickets;
    if (this.#isTelling) {
      return null;
    }
    return isWhole
      ? { step: 'sorting', done: this.#done, of: byId.size }
      : { step: 'reading', done: byId.size, of: this.#journal.rows.last?.head.waiting ?? null };
  }

  /** True if the call must not be told to the pool now: it waits, or its effect is saved and will be restored. */
  keeps(call: PoolCall): boolean {
    switch (call.k) {
      case 'enter':
      case 'refresh':
        this.#late.set(call.ticket.id, call.ticket);
        return true;
      case 'sweep':
        // A pass over all tickets follows anyway.
        return true;
      case 'leave':
      case 'commit':
        for (const id of call.k === 'leave' ? [call.id] : call.ids) {
          this.#late.delete(id);
          this.#freed.delete(id);
        }
        this.#gone.push(call);
        break;
      case 'release':
        call.ids.forEach((id) => this.#freed.add(id));
        break;
      default:
    }
    return !this.#isTelling;
  }

  slice(now: number): Slice {
    this.#now = now;
    return this.#slices.next();
  }

  *#work(): Generator<readonly PoolCall[], readonly PoolCall[]> {
    while (!this.#state.tickets.isWhole) {
      this.#saved.push(...this.#state.tickets.readPage(this.#rows));
      yield [];
    }
    // `anew` may begin this once more.
    while (this.#done < this.#saved.length) {
      const pool = must(this.#pool, 'the pool that `anew` made');
      const next = this.#saved.slice(this.#done, this.#done + this.#rows);
      next.forEach((row) => this.#restore(pool, row));
      yield [];
    }
    this.#isTelling = true;
    this.#noteAnew();
    yield this.#gone.map((call) => ({ ...call, t: this.#now }));
    let calls: PoolCall[] = [];
    for (const call of this.#told()) {
      calls.push(call);
      if (calls.length === CALLS_A_SLICE) {
        yield calls;
        calls = [];
      }
    }
    return calls;
  }

  /** The journal has no line for each restored ticket: the line `anew` stands for all of them. */
  #noteAnew(): void {
    const [t, before, mode] = [this.#now, this.#before, this.#mode];
    const line = { k: 'anew', t, free: this.#done - this.#taken, taken: this.#taken } as const;
    this.#journal.note({ ...line, mode: before, before: null }, true);
    if (mode !== before) {
      this.#journal.note({ ...line, mode, before });
    }
  }

  /** A ticket that was released meanwhile is restored as taken, because the pool is told of its release later. */
  #restore(pool: Pool, { ticket }: TicketRow): void {
    const proposal = this.#state.takenBy.get(ticket.id);
    this.#done += 1;
    if (proposal === undefined && !this.#freed.has(ticket.id)) {
      pool.restore(ticket, this.#now);
      return;
    }
    const what = proposal?.what;
    this.#taken += 1;
    pool.restoreReserved(ticket, what?.kind === 'backfill' ? what.proposal : null);
  }

  *#told(): Generator<PoolCall> {
    if (this.#freed.size > 0) {
      yield { k: 'release', t: this.#now, ids: [...this.#freed] };
    }
    const offers = [...this.#state.offers.values()];
    for (const { match } of offers.sort((a, b) => a.match.startedAt - b.match.startedAt)) {
      const room = this.#state.room(match.matchId);
      if (room !== null) {
        yield { k: 'offer', t: this.#now, match: room };
      }
    }
    // Tickets that arrive in the meantime are included.
    for (const [id, ticket] of this.#late) {
      this.#late.delete(id);
      const isKnown = must(this.#pool, 'the pool that `anew` made').has(id);
      yield { k: isKnown ? 'refresh' : 'enter', t: this.#now, ticket };
    }
  }
}
