// The pool of a queue that has just woken, or whose mode has changed: its saved tickets are read and put
// back in pages, with other calls served between. No match is made before the last row is read: rows lie
// in the order of random ids, and those read first would else play before those who wait longer. What
// comes meanwhile is saved at once, and told to the pool afterwards: first who left, then who is free
// again, running matches from the eldest on, and who came or changed. An object that dies midway begins
// anew.

import type { TicketId } from '../../ids';
import { Outcome } from '../../match/waiting/outcome';
import type { OpenMatch, QueueStats } from '../../match/waiting/proposal';
import type { Work } from '../../match/waiting/work';
import type { Pool, PoolOutcome } from '../../match/pool';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { JournalSettings } from '../kit/journal';
import { Runs } from './runs';
import type { QueueState, TicketRow } from './state';

/** A pool as the queue calls it from day to day. */
export type LivePool = Omit<Pool, 'restore' | 'restoreReserved'>;

/** Rows read, or put back, in one slice: some three milliseconds. */
export const ROWS_A_SLICE = 128;
/** So many times as many are put in order in one slice: that takes less than reading them. */
const SORTED_A_SLICE = 8;
/** Calls that waited, told in one slice. */
const CALLS_A_SLICE = 8;

export interface QueueSettings {
  readonly journal: JournalSettings;
  /** Of tickets, read in one slice when it wakes. */
  readonly rows: number;
}

export interface Made {
  /** Restoring is not in the journal: the line `anew` says it. */
  readonly plain: Pool;
  readonly pool: LivePool;
}

export interface Around {
  readonly rows: number;
  readonly make: (mode: Mode) => Made;
  /** All is back: how many were free, how many taken, by the mode at waking and that of now. */
  readonly whole: (free: number, taken: number, modes: readonly [Mode, Mode]) => void;
}

export class Waking implements LivePool {
  readonly #state: QueueState;
  readonly #around: Around;
  readonly #runs = new Runs();
  /** Rows that were in memory, and how many of them are in order. */
  readonly #read: readonly TicketRow[];
  #sorted = 0;
  readonly #modeAtWaking: Mode;
  #mode: Mode;
  #made: Made;
  /** Tickets as they were saved, in the order of their wait, and how many the pool has. */
  readonly #order: Pick<TicketRow, 'ticket' | 'takenBy'>[] = [];
  #done = 0;
  /** The pool has all that was saved, */
  #isMade = false;
  /** and has heard who left since. */
  #isLive = false;
  readonly #gone: ((pool: LivePool) => void)[] = [];
  #goneTold = 0;
  readonly #freed = new Set<TicketId>();
  readonly #late = new Map<TicketId, Ticket>();
  /** Running matches with room that the pool has yet to hear of, the eldest last. */
  #offers: string[] = [];

  constructor(state: QueueState, mode: Mode, around: Around) {
    this.#state = state;
    this.#around = around;
    this.#modeAtWaking = mode;
    this.#mode = mode;
    this.#made = around.make(mode);
    this.#read = state.takeRead();
  }

  /** The pool itself, once nothing waits to be told to it. */
  get awake(): LivePool | null {
    const isTold = this.#isLive && this.#late.size + this.#offers.length === 0;
    return isTold ? this.#made.pool : null;
  }

  /** While no match can form: how many are read, then how many are back in the pool. */
  get progress(): { readonly step: 'reading' | 'sorting'; readonly done: number } | null {
    const { isWhole, tickets } = this.#state;
    return this.#isLive
      ? null
      : isWhole
        ? { step: 'sorting', done: this.#done }
        : { step: 'reading', done: tickets.size };
  }

  /** The pool has all that was saved: no other can take its place before this one is awake. */
  get isMade(): boolean {
    return this.#isMade;
  }

  /** Before it is made; what was put back is put back by that mode again. */
  changeMode(mode: Mode): void {
    this.#mode = mode;
    this.#made = this.#around.make(mode);
    this.#done = 0;
  }

  advance(now: number): PoolOutcome {
    const out = new Outcome();
    if (this.#sorted < this.#read.length) {
      const from = this.#sorted;
      this.#sorted += SORTED_A_SLICE * this.#around.rows;
      this.#runs.add(this.#read.slice(from, this.#sorted));
    } else if (!this.#state.isWhole) {
      this.#state.readPage(this.#around.rows);
      this.#runs.add(this.#state.takeRead());
    } else if (!this.#isLive) {
      this.#putBack(now, out);
    } else {
      this.#tell(now, out);
    }
    return out;
  }

  #putBack(now: number, out: Outcome): void {
    for (let count = 0; count < this.#around.rows; count += 1) {
      const known = this.#isMade ? null : (this.#order[this.#done] ?? this.#next());
      if (known !== null) {
        this.#done += 1;
        this.#restore(known);
      } else if (!this.#tellGone()) {
        this.#live(now, out);
        return;
      }
    }
  }

  #restore({ ticket, takenBy }: Pick<TicketRow, 'ticket' | 'takenBy'>): void {
    if (takenBy === null) {
      this.#made.plain.restore(ticket);
      return;
    }
    const what = this.#state.proposals.get(takenBy)?.what;
    this.#made.plain.restoreReserved(ticket, what?.kind === 'backfill' ? what.proposal : null);
  }

  /** The next who left meanwhile; false when there are no more. */
  #tellGone(): boolean {
    if (!this.#isMade) {
      this.#isMade = true;
      const taken = this.#order.filter(({ takenBy }) => takenBy !== null).length;
      const modes = [this.#modeAtWaking, this.#mode] as const;
      this.#around.whole(this.#order.length - taken, taken, modes);
      this.#order.length = 0;
    }
    const tell = this.#gone[this.#goneTold];
    this.#goneTold += 1;
    tell?.(this.#made.pool);
    return tell !== undefined;
  }

  #next(): Pick<TicketRow, 'ticket' | 'takenBy'> | null {
    const row = this.#runs.next();
    if (row === null) {
      return null;
    }
    const { ticket, takenBy } = row;
    const known = { ticket, takenBy };
    this.#order.push(known);
    this.#state.toEnd(ticket.id);
    return known;
  }

  #live(now: number, out: Outcome): void {
    const { pool } = this.#made;
    this.#isLive = true;
    for (const id of this.#late.keys()) {
      if (!pool.has(id)) {
        this.#state.toEnd(id);
      }
    }
    if (this.#freed.size > 0) {
      add(out, pool.release([...this.#freed], now));
    }
    this.#offers = [...this.#state.offers.values()]
      .map(({ match }) => match)
      .sort((a, b) => b.startedAt - a.startedAt)
      .map(({ matchId }) => matchId);
  }

  #tell(now: number, out: Outcome): void {
    const { pool } = this.#made;
    for (let count = 0; count < CALLS_A_SLICE; count += 1) {
      const matchId = this.#offers.pop();
      const offer = matchId === undefined ? undefined : this.#state.offers.get(matchId);
      const [late] = this.#late;
      if (offer !== undefined) {
        add(out, pool.offer(offer.match, now));
      } else if (matchId === undefined && late !== undefined) {
        const [id, ticket] = late;
        this.#late.delete(id);
        add(out, pool.has(id) ? pool.refresh(ticket, now) : pool.enter(ticket, now));
      }
    }
  }

  enter(ticket: Ticket): PoolOutcome {
    this.#late.set(ticket.id, ticket);
    return new Outcome();
  }

  refresh(ticket: Ticket): PoolOutcome {
    return this.enter(ticket);
  }

  leave(id: TicketId): void {
    this.#forget([id], (pool) => pool.leave(id));
  }

  commit(ids: readonly TicketId[]): void {
    this.#forget(ids, (pool) => pool.commit(ids));
  }

  #forget(ids: readonly TicketId[], tell: (pool: LivePool) => void): void {
    for (const id of ids) {
      this.#late.delete(id);
      this.#freed.delete(id);
    }
    if (this.#isLive) {
      tell(this.#made.pool);
    } else {
      this.#gone.push(tell);
    }
  }

  release(ids: readonly TicketId[], now: number): PoolOutcome {
    if (this.#isLive) {
      return this.#made.pool.release(ids, now);
    }
    ids.forEach((id) => this.#freed.add(id));
    return new Outcome();
  }

  /** It is saved, and so told when all is back. */
  offer(match: OpenMatch, now: number): PoolOutcome {
    return this.#isLive ? this.#made.pool.offer(match, now) : new Outcome();
  }

  withdraw(matchId: string): void {
    if (this.#isLive) {
      this.#made.pool.withdraw(matchId);
    }
  }

  /** Its own pass over all follows, since the pool has just been made. */
  sweep(): PoolOutcome {
    return new Outcome();
  }

  nextAt(): number {
    return 0;
  }

  work(): Work {
    const work = this.#made.pool.work();
    return this.#isLive ? work : { ...work, toArm: Math.max(1, this.#state.tickets.size) };
  }

  isLookedFor(): boolean {
    return true;
  }

  has(id: TicketId): boolean {
    return this.#isLive && this.#made.pool.has(id);
  }

  stats(now: number): QueueStats {
    return this.#isLive ? this.#made.pool.stats(now) : this.#state.stats(now);
  }

  overruns(): number {
    return this.#made.pool.overruns();
  }
}

function add(out: Outcome, { matches, backfills, dropped }: PoolOutcome): void {
  out.matches.push(...matches);
  out.backfills.push(...backfills);
  out.dropped.push(...dropped);
}
