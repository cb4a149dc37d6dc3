// Restores the pool from the saved tickets, when the queue wakes and when its mode changes. Tickets are read and
// restored in slices, and other calls are served in between. No match forms before the last ticket is restored:
// rows are in the order of random ids, so those read first would otherwise match before those who wait longer.
// Calls that arrive meanwhile are saved at once and told to the pool afterwards: leaves first, then releases, then
// running matches (the oldest first), then entries and refreshes. If the object dies meanwhile, it starts over.

import type { TicketId } from '../../common/ids';
import type { Pool } from '../../match/pool';
import type { PoolCall } from '../../match/replay/lines';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import { makePool } from '../../match/waiting/make-pool';
import type { Reading } from '../reports';
import type { QueueJournal } from './journal';
import type { TicketRow } from './rows';
import type { QueueState } from './state';

/** Tickets that one slice reads or restores, in some three milliseconds. */
export const ROWS_A_SLICE = 128;
/** How many late calls the pool is told in one slice. */
const CALLS_A_SLICE = 8;

export class Waking {
  readonly #state: QueueState;
  readonly #journal: QueueJournal;
  readonly #rows: number;
  /** The mode when the restore began. */
  readonly #modeBefore: Mode;
  #mode: Mode;
  #pool: Pool;
  /** Tickets as they were saved, in the order in which the pool gets them. */
  readonly #saved: TicketRow[];
  readonly #slices = this.#run();
  #now = 0;
  #done = 0;
  #taken = 0;
  #isWhole = false;
  /** Leaves and commits, which the pool is told once it has all tickets. */
  readonly #gone: PoolCall[] = [];
  /** Tickets that were released. */
  readonly #freed = new Set<TicketId>();
  /** Tickets that entered or were refreshed. */
  readonly #late = new Map<TicketId, Ticket>();

  /** `rows`: tickets in one slice. `mode`: the mode so far. Tickets in memory count as saved just now. */
  constructor(state: QueueState, journal: QueueJournal, rows: number, mode: Mode) {
    this.#state = state;
    this.#journal = journal;
    this.#rows = rows;
    this.#modeBefore = mode;
    this.#mode = mode;
    this.#pool = makePool(mode);
    this.#saved = [...state.tickets.values()];
  }

  /**
   * How many tickets have been read, then how many the pool has. Until it has all, no match forms. Null from then on:
   * matches form, late calls are told, and another restore must wait until this one has ended.
   */
  get reading(): Reading | null {
    if (this.#isWhole) {
      return null;
    }
    const { isWhole, tickets } = this.#state;
    return isWhole
      ? { step: 'sorting', done: this.#done, of: tickets.size }
      : { step: 'reading', done: tickets.size, of: this.#journal.rows.last?.head.waiting ?? null };
  }

  /** Starts over with an empty pool for that mode, and returns it. */
  anew(mode: Mode): Pool {
    this.#mode = mode;
    this.#pool = makePool(mode);
    this.#done = 0;
    this.#taken = 0;
    return this.#pool;
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
    return !this.#isWhole;
  }

  /** Does the next slice of work. Its value are the calls that the pool must now be told. */
  slice(now: number): IteratorResult<readonly PoolCall[], readonly PoolCall[]> {
    this.#now = now;
    return this.#slices.next();
  }

  *#run(): Generator<readonly PoolCall[], readonly PoolCall[]> {
    const rows = this.#rows;
    while (!this.#state.isWhole) {
      this.#saved.push(...this.#state.readPage(rows));
      yield [];
    }
    while (this.#done < this.#saved.length) {
      this.#saved.slice(this.#done, this.#done + rows).forEach((row) => this.#restore(row));
      yield [];
    }
    this.#isWhole = true;
    // The journal has no line for each restored ticket: the line `anew` stands for all of them.
    const [mode, before] = [this.#mode, this.#modeBefore];
    const counts = { free: this.#done - this.#taken, taken: this.#taken };
    const line = { k: 'anew', t: this.#now, ...counts } as const;
    this.#journal.note({ ...line, mode: before, before: null }, true);
    if (mode !== before) {
      this.#journal.note({ ...line, mode, before });
    }
    yield this.#gone.map((call) => ({ ...call, t: this.#now }));
    let calls: PoolCall[] = [];
    for (const call of this.#lateCalls()) {
      calls.push(call);
      if (calls.length === CALLS_A_SLICE) {
        yield calls;
        calls = [];
      }
    }
    return calls;
  }

  /** A ticket that was released meanwhile is restored as taken, because the pool is told of its release later. */
  #restore({ ticket }: TicketRow): void {
    const { id } = ticket;
    const proposal = this.#state.takenBy.get(id);
    this.#done += 1;
    if (proposal === undefined && !this.#freed.has(id)) {
      this.#pool.restore(ticket);
      return;
    }
    const what = proposal?.what;
    this.#taken += 1;
    this.#pool.restoreReserved(ticket, what?.kind === 'backfill' ? what.proposal : null);
  }

  *#lateCalls(): Generator<PoolCall> {
    const { offers } = this.#state;
    if (this.#freed.size > 0) {
      yield { k: 'release', t: this.#now, ids: [...this.#freed] };
    }
    const oldest = [...offers.values()].sort((a, b) => a.match.startedAt - b.match.startedAt);
    for (const { match } of oldest) {
      const offer = offers.get(match.matchId);
      if (offer !== undefined) {
        yield { k: 'offer', t: this.#now, match: offer.match };
      }
    }
    // Tickets that come while these are told are told too.
    for (const [id, ticket] of this.#late) {
      this.#late.delete(id);
      yield { k: this.#pool.has(id) ? 'refresh' : 'enter', t: this.#now, ticket };
    }
  }
}
