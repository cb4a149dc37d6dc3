// What a queue does until its pool is whole: its saved tickets are read and put back in pages, with other calls served
// between. No match is made before the last row is read: rows lie in the order of random ids, and those read first
// would else play before those who wait longer. What comes meanwhile is saved at once and told to the pool
// afterwards: first who left, then who is free again, running matches from the eldest on, and who came or changed.
// An object that dies midway begins anew.

import type { TicketId } from '../../common/ids';
import type { Pool } from '../../match/pool';
import type { PoolCall } from '../../match/replay/lines';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import { SortedList } from '../../common/sorted-list';
import type { QueueState, TicketRow } from './state';

/** So many times as many are put in order in one slice: that takes less than reading them. */
const SORTED_A_SLICE = 8;
/** Calls that waited, told in one slice. */
const CALLS_A_SLICE = 8;

/**
 * `reading`, then `restoring` until the pool has all that was saved, then `settling`: matches form, and what came
 * meanwhile is told.
 */
type Stage = 'reading' | 'restoring' | 'settling' | 'awake';

/** What a slice asks for: saved tickets put back into the pool, or calls to tell it. */
export type Slice =
  | { readonly restore: readonly TicketRow[] }
  /** The pool has these tickets of before, and has not looked for matches. */
  | { readonly whole: { readonly free: number; readonly taken: number } }
  | { readonly tell: readonly PoolCall[] };

export class Waking {
  readonly #state: QueueState;
  readonly #rows: number;
  readonly #modeAtWaking: Mode;
  #mode: Mode;
  #stage: Stage = 'reading';
  /** Rows that were in memory, and how many of them are in order. */
  readonly #known: readonly TicketRow[];
  #sorted = 0;
  /** Tickets as they were saved, in the order of their wait, and which of them the pool has. */
  readonly #order = new SortedList<TicketRow>(byWait);
  #left: Iterator<TicketRow> | null = null;
  #done = 0;
  /** Who left, by their own word or into a match. */
  readonly #gone: PoolCall[] = [];
  #isWhole = false;
  readonly #freed = new Set<TicketId>();
  readonly #late = new Map<TicketId, Ticket>();
  /** Running matches with room that the pool has yet to hear of, the eldest last. */
  #offers: string[] = [];

  /** `rows`: in a slice. All tickets in memory count as saved just now. */
  constructor(state: QueueState, mode: Mode, rows: number) {
    this.#state = state;
    this.#rows = rows;
    this.#modeAtWaking = mode;
    this.#mode = mode;
    state.readAgain();
    this.#known = state.takeRead();
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** The mode at waking, and that of now. */
  get modes(): readonly [Mode, Mode] {
    return [this.#modeAtWaking, this.#mode];
  }

  /** The pool has all that was saved: no other can take its place before this one is awake. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** How many are back in the pool. */
  get done(): number {
    return this.#done;
  }

  /** All that was put back is put back into a pool of that mode again. */
  changeMode(mode: Mode): void {
    this.#mode = mode;
    this.#left = null;
    this.#done = 0;
  }

  /** True if the call waits for later, or needs not be told at all because what it says is saved. */
  keeps(call: PoolCall): boolean {
    switch (call.k) {
      case 'enter':
      case 'refresh':
        this.#late.set(call.ticket.id, call.ticket);
        return true;
      case 'sweep':
        // A pass over all follows anyway.
        return true;
      case 'leave':
      case 'commit':
        for (const id of call.k === 'leave' ? [call.id] : call.ids) {
          this.#late.delete(id);
          this.#freed.delete(id);
        }
        if (this.#stage !== 'settling') {
          this.#gone.push(call);
        }
        break;
      case 'release':
        if (this.#stage !== 'settling') {
          call.ids.forEach((id) => this.#freed.add(id));
        }
        break;
      default:
    }
    return this.#stage !== 'settling';
  }

  /** The next slice of work on that pool. */
  slice(pool: Pool, now: number): Slice {
    switch (this.#stage) {
      case 'reading':
        this.#read();
        return { tell: [] };
      case 'restoring':
        return this.#restore(pool, now);
      default:
        return { tell: this.#tell(pool, now) };
    }
  }

  #read(): void {
    if (this.#sorted < this.#known.length) {
      const from = this.#sorted;
      this.#sorted += SORTED_A_SLICE * this.#rows;
      this.#known.slice(from, this.#sorted).forEach((row) => this.#order.add(row));
    } else if (!this.#state.isWhole) {
      this.#state.readPage(this.#rows);
      this.#state.takeRead().forEach((row) => this.#order.add(row));
    }
    if (this.#sorted >= this.#known.length && this.#state.isWhole) {
      this.#stage = 'restoring';
    }
  }

  #restore(pool: Pool, now: number): Slice {
    if (!this.#isWhole) {
      this.#left ??= this.#order[Symbol.iterator]();
      const restore: TicketRow[] = [];
      for (let next = this.#left.next(); next.done !== true; next = this.#left.next()) {
        restore.push(next.value);
        this.#done += 1;
        this.#state.toEnd(next.value.ticket.id);
        if (restore.length >= this.#rows) {
          return { restore };
        }
      }
      if (restore.length > 0) {
        return { restore };
      }
      this.#isWhole = true;
      const taken = [...this.#order].filter(({ takenBy }) => takenBy !== null).length;
      return { whole: { free: this.#order.size - taken, taken } };
    }
    if (this.#gone.length > 0) {
      return { tell: this.#gone.splice(0, this.#rows).map((call) => ({ ...call, t: now })) };
    }
    this.#stage = 'settling';
    for (const id of this.#late.keys()) {
      if (!pool.has(id)) {
        this.#state.toEnd(id);
      }
    }
    this.#offers = [...this.#state.offers.values()]
      .map(({ match }) => match)
      .sort((a, b) => b.startedAt - a.startedAt)
      .map(({ matchId }) => matchId);
    this.#wakeIfTold();
    const ids = [...this.#freed];
    return { tell: ids.length === 0 ? [] : [{ k: 'release', t: now, ids }] };
  }

  #tell(pool: Pool, t: number): readonly PoolCall[] {
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
    this.#wakeIfTold();
    return calls;
  }

  #wakeIfTold(): void {
    if (this.#late.size + this.#offers.length === 0) {
      this.#stage = 'awake';
    }
  }
}

/** Those of one instant stay in the order of their ids, as in storage. */
function byWait({ ticket: a }: TicketRow, { ticket: b }: TicketRow): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
