// The pool of a mode: tickets in, proposals out, in time order (matching.md section 2). A cache of
// what the queue has saved: rebuilt from tickets on wake, it finds the same matches again.

import type { TicketId } from '../ids';
import { type Counters, newCounters } from './counters';
import { Engine } from './engine';
import { planOf } from './index-plan';
import { Store } from './index-store';
import type { Mode } from './mode';
import { Outcome } from './outcome';
import type { Pool, PoolOutcome } from './pool';
import type { OpenMatch, QueueStats } from './proposal';
import { roleProposals, symmetricProposals } from './proposals';
import { RoleSolver } from './role-solver';
import { RoleBook } from './role-wishes';
import { symmetricSolver } from './solver';
import type { Ticket } from './ticket';

/** A pool that tells what it has done, for benchmarks and operation. */
export interface CountingPool extends Pool {
  readonly counters: Readonly<Counters>;
}

/**
 * An empty pool. A changed mode needs a new one: the index follows the rules. `budget` bounds the
 * evaluations of one event; what is left is done at the next, which `nextAt` then says is due.
 */
export function makePool(mode: Mode, budget?: number): CountingPool {
  const counters = newCounters();
  const planned = planOf(mode);
  const plan = { ...planned, budget: budget ?? planned.budget };
  const composition = mode.teamComposition;
  const book = composition === null ? null : new RoleBook(composition);
  const solver = book === null ? symmetricSolver(mode, counters) : new RoleSolver(book, counters);
  const store = new Store(plan, solver, book !== null);
  const propose =
    book === null ? symmetricProposals(mode, plan, store) : roleProposals(book, plan, store);
  return new IndexedPool(
    store,
    new Engine({ mode, plan, counters, solver, store, propose }),
    counters,
  );
}

class IndexedPool implements CountingPool {
  readonly counters: Counters;
  readonly #store: Store;
  readonly #engine: Engine;

  constructor(store: Store, engine: Engine, counters: Counters) {
    this.#store = store;
    this.#engine = engine;
    this.counters = counters;
  }

  enter(ticket: Ticket, now: number): PoolOutcome {
    const out = new Outcome();
    if (this.has(ticket.id)) {
      return out;
    }
    this.counters.enters += 1;
    const at = this.#proceed(now, out);
    const slot = this.#store.add(ticket, at, 'reserved');
    this.#engine.holds?.observe(ticket, at);
    if (slot === null) {
      out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      this.#engine.holds?.forgetTicket(ticket.id);
    } else if (this.#store.isOverdue(slot, at)) {
      this.#engine.expire(slot, out);
    } else {
      this.#engine.arrive([slot], at, out);
    }
    return out;
  }

  refresh(ticket: Ticket, now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const slot = this.#store.slotOf(ticket.id);
    if (slot === undefined || !this.#store.isWaiting(slot)) {
      return out;
    }
    this.#engine.remove(slot);
    if (this.#store.replace(slot, ticket)) {
      this.#engine.holds?.measure(ticket, at);
      this.#engine.arrive([slot], at, out);
    } else {
      out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      this.#engine.forget(slot);
    }
    return out;
  }

  leave(id: TicketId): void {
    const slot = this.#store.slotOf(id);
    if (slot !== undefined) {
      this.#engine.games.free(id);
      if (this.#store.isWaiting(slot)) {
        this.#engine.remove(slot);
      }
      this.#engine.forget(slot);
    }
  }

  commit(tickets: readonly TicketId[]): void {
    for (const id of tickets) {
      const slot = this.#store.slotOf(id);
      if (slot !== undefined) {
        if (this.#store.isWaiting(slot)) {
          this.#engine.remove(slot);
        }
        this.#engine.forget(slot);
      }
    }
  }

  release(tickets: readonly TicketId[], now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const back: number[] = [];
    for (const id of tickets) {
      const slot = this.#store.slotOf(id);
      if (slot !== undefined && this.#store.stateOf(slot) === 'reserved' && !back.includes(slot)) {
        this.#engine.games.free(id);
        back.push(slot);
      }
    }
    const overdue = back.filter((slot) => this.#store.isOverdue(slot, at));
    for (const slot of overdue.sort(this.#store.ages.compare)) {
      this.#engine.expire(slot, out);
    }
    this.#engine.arrive(
      back.filter((slot) => !overdue.includes(slot)),
      at,
      out,
    );
    return out;
  }

  advance(now: number): PoolOutcome {
    const out = new Outcome();
    this.#proceed(now, out);
    return out;
  }

  sweep(now: number): PoolOutcome {
    const out = new Outcome();
    this.#engine.sweep(this.#proceed(now, out), out);
    return out;
  }

  nextAt(): number | null {
    const { next } = this.#engine;
    return next === Infinity ? null : Math.max(0, next);
  }

  offer(match: OpenMatch, now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    this.#engine.games.offer(match, at);
    this.#engine.arrive([], at, out);
    return out;
  }

  withdraw(matchId: string): void {
    this.#engine.games.withdraw(matchId);
  }

  has(id: TicketId): boolean {
    return this.#store.slotOf(id) !== undefined;
  }

  stats(now: number): QueueStats {
    const { tickets, players, meanStart } = this.#store.totals;
    return {
      playersSearching: players,
      lobbiesInQueue: tickets,
      avgWaitSeconds: tickets === 0 ? 0 : Math.round(Math.max(0, now - meanStart)) / 1000,
    };
  }

  restore(ticket: Ticket): void {
    const slot = this.#hold(ticket);
    if (slot !== null) {
      this.#engine.restore(slot);
    }
  }

  restoreReserved(ticket: Ticket): void {
    this.#hold(ticket);
  }

  #hold(ticket: Ticket): number | null {
    return this.has(ticket.id) ? null : this.#store.add(ticket, ticket.startedAt, 'reserved');
  }

  /** What happens on the way is counted apart: it needed no arrival. */
  #proceed(now: number, out: Outcome): number {
    const at = this.#engine.proceed(now, out);
    this.counters.matchesByTime += out.matches.length;
    return at;
  }
}
