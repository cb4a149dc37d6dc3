// Restores the pool from the saved tickets, when the queue wakes and when its mode changes. Tickets are read and
// restored in slices, and other calls are served in between. No match forms before the last ticket is restored:
// rows are in the order of random ids, so those read first would otherwise match before those who wait longer.
// Calls that arrive meanwhile are saved at once and told to the pool afterwards: leaves first, then releases, then
// running matches (the oldest first), then entries and refreshes. If the object dies meanwhile, it starts over.

import type { TicketId } from '../../common/ids';
import type { PoolCall } from '../../match/journal/lines';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import { makePool, type Pool } from '../../match/waiting/make-pool';
import type { Reading } from '../contracts/reports';
import type { QueueJournal } from './journal';
import type { TicketRow } from '../contracts/queue';
import type { QueueState } from './state';

/** Tickets that one slice reads or restores, in some three milliseconds. */
export const ROWS_A_SLICE = 128;
/** How many late calls the pool is told in one slice. */
const CALLS_A_SLICE = 8;

/** `rows`: tickets in one slice. `before`: the mode so far. Tickets in memory count as saved just now. */
export function waking(state: QueueState, journal: QueueJournal, rows: number, before: Mode) {
  let mode = before;
  /** Made by `anew`, which comes before the first slice. */
  let pool: Pool;
  /** Tickets as they were saved, in the order in which the pool gets them. */
  const saved = [...state.tickets.values()];
  let now = 0;
  let done = 0;
  let taken = 0;
  let isWhole = false;
  /** Leaves and commits, which the pool is told once it has all tickets. */
  const gone: PoolCall[] = [];
  /** Tickets that were released. */
  const freed = new Set<TicketId>();
  /** Tickets that entered or were refreshed. */
  const late = new Map<TicketId, Ticket>();

  /** A ticket that was released meanwhile is restored as taken, because the pool is told of its release later. */
  function restore({ ticket }: TicketRow): void {
    const proposal = state.takenBy.get(ticket.id);
    done += 1;
    if (proposal === undefined && !freed.has(ticket.id)) {
      pool.restore(ticket);
      return;
    }
    const what = proposal?.what;
    taken += 1;
    pool.restoreReserved(ticket, what?.kind === 'backfill' ? what.proposal : null);
  }

  function* lateCalls(): Generator<PoolCall> {
    const { offers } = state;
    if (freed.size > 0) {
      yield { k: 'release', t: now, ids: [...freed] };
    }
    const oldest = [...offers.values()].sort((a, b) => a.match.startedAt - b.match.startedAt);
    for (const { match } of oldest) {
      const room = state.room(match.matchId);
      if (room !== null) {
        yield { k: 'offer', t: now, match: room };
      }
    }
    // Tickets that come while these are told are told too.
    for (const [id, ticket] of late) {
      late.delete(id);
      yield { k: pool.has(id) ? 'refresh' : 'enter', t: now, ticket };
    }
  }

  function* run(): Generator<readonly PoolCall[], readonly PoolCall[]> {
    while (!state.isWhole) {
      saved.push(...state.readPage(rows));
      yield [];
    }
    while (done < saved.length) {
      saved.slice(done, done + rows).forEach(restore);
      yield [];
    }
    isWhole = true;
    // The journal has no line for each restored ticket: the line `anew` stands for all of them.
    const line = { k: 'anew', t: now, free: done - taken, taken } as const;
    journal.note({ ...line, mode: before, before: null }, true);
    if (mode !== before) {
      journal.note({ ...line, mode, before });
    }
    yield gone.map((call) => ({ ...call, t: now }));
    let calls: PoolCall[] = [];
    for (const call of lateCalls()) {
      calls.push(call);
      if (calls.length === CALLS_A_SLICE) {
        yield calls;
        calls = [];
      }
    }
    return calls;
  }
  const slices = run();

  return {
    /**
     * How many tickets have been read, then how many the pool has. Until it has all, no match forms. Null from then
     * on: matches form, late calls are told, and another restore must wait until this one has ended.
     */
    get reading(): Reading | null {
      if (isWhole) {
        return null;
      }
      const { size } = state.tickets;
      return state.isWhole
        ? { step: 'sorting', done, of: size }
        : { step: 'reading', done: size, of: journal.rows.last?.head.waiting ?? null };
    },

    /** Starts over with an empty pool for that mode, and returns it. */
    anew(newest: Mode): Pool {
      mode = newest;
      pool = makePool(mode);
      done = 0;
      taken = 0;
      return pool;
    },

    /** True if the call must not be told to the pool now: it waits, or its effect is saved and will be restored. */
    keeps(call: PoolCall): boolean {
      switch (call.k) {
        case 'enter':
        case 'refresh':
          late.set(call.ticket.id, call.ticket);
          return true;
        case 'sweep':
          // A pass over all tickets follows anyway.
          return true;
        case 'leave':
        case 'commit':
          for (const id of call.k === 'leave' ? [call.id] : call.ids) {
            late.delete(id);
            freed.delete(id);
          }
          gone.push(call);
          break;
        case 'release':
          call.ids.forEach((id) => freed.add(id));
          break;
        default:
      }
      return !isWhole;
    },

    /** Does the next slice of work. Its value are the calls that the pool must now be told. */
    slice(at: number): IteratorResult<readonly PoolCall[], readonly PoolCall[]> {
      now = at;
      return slices.next();
    },
  };
}
