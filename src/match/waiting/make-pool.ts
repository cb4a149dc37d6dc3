// The pool of a mode: tickets in, proposals out, in the order of time (docs/internals/design.md: What matching means).
// A cache of what the queue has saved: made anew from the tickets on wake, it finds the same matches again.

import type { TicketId } from '../../common/ids';
import type { BackfillProposal, OpenMatch, Pool, PoolOutcome, Work } from '../pool';
import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';
import type { Counters } from '../teams/steps';
import { byAge, type Entry, isWaiting } from './entry';
import { Events } from './events';
import { Queue } from './queue';
import { Outcome, Settling } from './settling';

/** A pool that tells what it has done, for benchmarks and operation. */
export interface CountingPool extends Pool {
  readonly counters: Readonly<Counters>;
  /** Tickets that wait or are reserved. */
  readonly size: number;
}

/** Steps of one call: some three milliseconds of a processor, twice that on a shared one. */
const CALL_STEPS = 6000;

/**
 * An empty pool. A changed mode needs a new one. `budget` bounds the steps of one call. What is left is done when
 * `advance` is called, which `nextAt` says is due at once. `queue`: one that holds tickets already, of which no two match.
 */
export function makePool(mode: Mode, budget = CALL_STEPS, queue = new Queue(mode)): CountingPool {
  return new WaitingPool(queue, budget);
}

class WaitingPool implements CountingPool {
  readonly counters: Counters;
  readonly #queue: Queue;
  readonly #settling: Settling;
  readonly #events: Events;

  constructor(queue: Queue, budget: number) {
    this.#queue = queue;
    this.#settling = new Settling(this.#queue);
    this.#events = new Events(this.#queue, this.#settling, budget);
    this.counters = this.#queue.counters;
  }

  enter(ticket: Ticket, now: number): PoolOutcome {
    if (this.has(ticket.id)) {
      return new Outcome();
    }
    return this.#happen(now, (at, out) => {
      const entry = this.#queue.add(ticket);
      const { patient } = this.#settling;
      if (entry !== null) {
        patient?.measure(entry, at);
      }
      patient?.observe(ticket, at);
      if (entry === null) {
        out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      } else {
        this.#wait([entry]);
      }
    });
  }

  refresh(ticket: Ticket, now: number): PoolOutcome {
    return this.#happen(now, (at, out) => {
      const before = this.#queue.find(ticket.id);
      if (before === undefined || !isWaiting(before)) {
        return;
      }
      this.#settling.reserve(before);
      const entry = this.#queue.replace(before, ticket);
      if (entry === null) {
        out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      } else {
        this.#settling.patient?.measure(entry, before.came?.at ?? at, at);
        this.#events.arrive([entry]);
      }
    });
  }

  leave(id: TicketId): void {
    this.#settling.games.free(id);
    this.#forget(id);
  }

  commit(tickets: readonly TicketId[]): void {
    for (const id of tickets) {
      this.#settling.games.taken(id);
      this.#forget(id);
    }
  }

  #forget(id: TicketId): void {
    const entry = this.#queue.find(id);
    if (entry !== undefined) {
      if (isWaiting(entry)) {
        this.#settling.reserve(entry);
      }
      this.#queue.forget(entry);
    }
  }

  release(tickets: readonly TicketId[], now: number): PoolOutcome {
    return this.#happen(now, () => {
      const back = new Set<Entry>();
      for (const id of tickets) {
        const entry = this.#queue.find(id);
        if (entry?.state === 'reserved') {
          this.#settling.games.free(id);
          back.add(entry);
        }
      }
      this.#wait([...back]);
    });
  }

  advance(now: number): PoolOutcome {
    return this.#happen(now, () => this.#events.goOn());
  }

  sweep(now: number): PoolOutcome {
    return this.#happen(now, (_, out) => {
      const before = out.matches.length + out.backfills.length;
      this.#events.sweep();
      this.counters.sweepFound += out.matches.length + out.backfills.length - before;
    });
  }

  offer(match: OpenMatch, now: number): PoolOutcome {
    return this.#happen(now, () => {
      this.#settling.games.offer(match);
      this.#events.arrive([]);
    });
  }

  withdraw(matchId: string): void {
    this.#settling.games.withdraw(matchId);
  }

  nextAt(): number | null {
    const { next } = this.#events;
    return next === Infinity ? null : Math.max(0, next);
  }

  work(): Work {
    return this.#events.work;
  }

  isLookedFor(id: TicketId): boolean {
    return this.#queue.find(id)?.state === 'waiting' && this.#events.work.searches > 0;
  }

  overruns(): number {
    return this.#queue.rules.overruns();
  }

  has(id: TicketId): boolean {
    return this.#queue.find(id) !== undefined;
  }

  get size(): number {
    return this.#queue.size;
  }

  restore(ticket: Ticket): void {
    const entry = this.#restored(ticket);
    if (entry !== null) {
      this.#events.restore(entry);
    }
  }

  restoreReserved(ticket: Ticket, backfill: BackfillProposal | null): void {
    if (this.#restored(ticket) !== null && backfill !== null) {
      this.#settling.games.promise(backfill, ticket.members.length);
    }
  }

  #restored(ticket: Ticket): Entry | null {
    const entry = this.has(ticket.id) ? null : this.#queue.add(ticket);
    if (entry !== null) {
      this.#settling.patient?.measure(entry, ticket.startedAt);
    }
    return entry;
  }

  /** First what is due up to `now`, then the event. */
  #happen(now: number, event: (at: number, out: Outcome) => void): PoolOutcome {
    const out = new Outcome();
    this.#settling.out = out;
    this.#events.proceed(now);
    event(this.#queue.now, out);
    return out;
  }

  /** Reserved tickets wait, except those whose time is over, which are dropped, eldest first. */
  #wait(entries: readonly Entry[]): void {
    const isOver = (entry: Entry): boolean => this.#queue.isOver(entry);
    entries
      .filter(isOver)
      .sort(byAge)
      .forEach((entry) => this.#settling.expire(entry));
    this.#events.arrive(entries.filter((entry) => !isOver(entry)));
  }
}
