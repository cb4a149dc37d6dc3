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
import type { QueueState, TicketRow } from './state';

/** How many late calls the pool is told in one slice. */
const CALLS_A_SLICE = 8;

export class Waking {
  readonly #state: QueueState;
  readonly #rows: number;
  /** The mode when the restore began. */
  readonly modeBefore: Mode;
  #mode: Mode;
  /** While `restoring`, no match forms. While `settling`, matches form and late calls are told. */
  #stage: 'restoring' | 'settling' | 'awake' = 'restoring';
  /** Tickets as they were saved, in the order in which the pool gets them. */
  readonly #saved: TicketRow[];
  #done = 0;
  #taken = 0;
  #isWhole = false;
  /** Leaves and commits, which the pool is told once it has all tickets. */
  readonly #gone: PoolCall[] = [];
  /** Tickets that were released. */
  readonly #freed = new Set<TicketId>();
  /** Tickets that entered or were refreshed. */
  readonly #late = new Map<TicketId, Ticket>();
  /** Running matches that the pool must still be told of, the oldest last. */
  #offers: string[] = [];

  /** `rows`: tickets in one slice. Tickets in memory count as saved just now. */
  constructor(state: QueueState, mode: Mode, rows: number) {
    this.#state = state;
    this.#rows = rows;
    this.modeBefore = mode;
    this.#mode = mode;
    this.#saved = [...state.tickets.values()];
  }

  get stage(): 'restoring' | 'settling' | 'awake' {
    return this.#stage;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Whether the pool has all saved tickets. From then on, another restore must wait until this one has ended. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** How many restored tickets the pool has, and how many of these are taken. */
  get restored(): { readonly done: number; readonly taken: number } {
    return { done: this.#done, taken: this.#taken };
  }

  /** Starts over with an empty pool for that mode. */
  changeMode(mode: Mode): void {
    this.#mode = mode;
    this.#done = 0;
    this.#taken = 0;
  }

  /** True if the call must not be told to the pool now: it waits, or its effect is saved and will be restored. */
  keeps(call: PoolCall): boolean {
    const isRestoring = this.#stage === 'restoring';
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
        if (isRestoring) {
          this.#gone.push(call);
        }
        break;
      case 'release':
        if (isRestoring) {
          call.ids.forEach((id) => this.#freed.add(id));
        }
        break;
      default:
    }
    return isRestoring;
  }

  /** Does the next slice of work. Returns the calls that the pool must now be told. */
  slice(pool: Pool, now: number): readonly PoolCall[] {
    if (this.#stage !== 'restoring') {
      return this.#lateCalls(pool, now);
    }
    const page = this.#saved.slice(this.#done, this.#done + this.#rows);
    if (!this.#state.isWhole) {
      this.#saved.push(...this.#state.readPage(this.#rows));
    } else if (page.length > 0) {
      page.forEach((row) => this.#restore(pool, row));
    } else if (!this.#isWhole) {
      this.#isWhole = true;
    } else if (this.#gone.length > 0) {
      return this.#gone.splice(0, this.#rows).map((call) => ({ ...call, t: now }));
    } else {
      return this.#settle(now);
    }
    return [];
  }

  /** A ticket that was released meanwhile is restored as taken, because the pool is told of its release later. */
  #restore(pool: Pool, { ticket }: TicketRow): void {
    const { id } = ticket;
    const proposal = this.#state.takenBy(id);
    this.#done += 1;
    if (proposal === undefined && !this.#freed.has(id)) {
      pool.restore(ticket);
      return;
    }
    const what = proposal?.what;
    this.#taken += 1;
    pool.restoreReserved(ticket, what?.kind === 'backfill' ? what.proposal : null);
  }

  #settle(t: number): readonly PoolCall[] {
    this.#stage = 'settling';
    this.#offers = [...this.#state.offers.values()]
      .map(({ match }) => match)
      .sort((a, b) => b.startedAt - a.startedAt)
      .map(({ matchId }) => matchId);
    this.#endIfTold();
    const ids = [...this.#freed];
    return ids.length === 0 ? [] : [{ k: 'release', t, ids }];
  }

  #lateCalls(pool: Pool, t: number): readonly PoolCall[] {
    const calls: PoolCall[] = [];
    for (let count = 0; count < CALLS_A_SLICE; count += 1) {
      const matchId = this.#offers.pop();
      const offer = matchId === undefined ? undefined : this.#state.offers.get(matchId);
      const [late] = this.#late;
      if (offer !== undefined) {
        calls.push({ k: 'offer', t, match: offer.match });
      } else if (matchId === undefined && late !== undefined) {
        const [id, ticket] = late;
        this.#late.delete(id);
        calls.push({ k: pool.has(id) ? 'refresh' : 'enter', t, ticket });
      }
    }
    this.#endIfTold();
    return calls;
  }

  #endIfTold(): void {
    if (this.#late.size + this.#offers.length === 0) {
      this.#stage = 'awake';
    }
  }
}
