// The pool of a mode: tickets in, proposals out, in time order (docs/internals/design.md: What matching means).
// A cache of what the queue has saved: rebuilt from tickets on wake, it finds the same matches again.

import type { TicketId } from '../../ids';
import { type Counters, newCounters } from './counters';
import { Engine } from './engine';
import { planOf } from '../index/plan';
import { TicketStore } from '../index/store';
import type { Mode } from '../rules/mode';
import { Outcome } from './outcome';
import type { Pool, PoolOutcome } from '../pool';
import type { BackfillProposal, OpenMatch, QueueStats } from './proposal';
import { roleProposals, symmetricProposals } from './proposals';
import { RoleSolver } from '../roles/solver';
import { RoleBook } from '../roles/wishes';
import { symmetricSolver } from '../sets/solver';
import type { Ticket } from '../ticket/ticket';
import type { Work } from './work';

/** A pool that tells what it has done, for benchmarks and operation. */
export interface CountingPool extends Pool {
  readonly counters: Readonly<Counters>;
}

/** Steps of one call: some three milliseconds of a processor, and twice that on one that is shared. */
const CALL_STEPS = 6000;

/**
 * An empty pool. A changed mode needs a new one: the index follows the rules. `budget` bounds the
 * steps of one call; what is left is done as `advance` is called, which `nextAt` says is due at once.
 */
export function makePool(mode: Mode, budget = CALL_STEPS): CountingPool {
  const counters = newCounters();
  const plan = planOf(mode);
  const composition = mode.teamComposition;
  const book = composition === null ? null : new RoleBook(composition);
  const solver = book === null ? symmetricSolver(mode, counters) : new RoleSolver(book, counters);
  const store = new TicketStore(plan, solver, book !== null);
  const expressions = [...plan.asAnchor, ...plan.asCandidate, ...plan.pairwise];
  const propose =
    book === null ? symmetricProposals(mode, plan, store) : roleProposals(book, plan, store);
  return new IndexedPool(
    store,
    new Engine({ mode, plan, counters, solver, store, propose, budget }),
    counters,
    () => expressions.reduce((sum, expression) => sum + expression.overruns(), 0),
  );
}

class IndexedPool implements CountingPool {
  readonly counters: Counters;
  readonly overruns: () => number;
  readonly #store: TicketStore;
  readonly #engine: Engine;

  constructor(store: TicketStore, engine: Engine, counters: Counters, overruns: () => number) {
    this.overruns = overruns;
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
    this.#engine.patient?.observe(ticket, at);
    if (slot === null) {
      out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      this.#engine.patient?.forgetTicket(ticket.id);
    } else if (this.#store.isOverdue(slot, at)) {
      this.#engine.expire(slot, out);
    } else {
      this.#engine.arriveAlone(slot, at, out);
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
      this.#engine.patient?.measure(ticket, at);
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
        this.#engine.games.taken(id);
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
    const at = this.#proceed(now, out);
    this.#engine.goOn(at, out);
    return out;
  }

  work(): Work {
    return this.#engine.work;
  }

  isLookedFor(id: TicketId): boolean {
    const slot = this.#store.slotOf(id);
    return slot !== undefined && this.#store.isWaiting(slot) && this.#engine.isLookedFor(slot);
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
    const slot = this.#reserve(ticket);
    if (slot !== null) {
      this.#engine.restore(slot);
    }
  }

  restoreReserved(ticket: Ticket, backfill: BackfillProposal | null): void {
    if (this.#reserve(ticket) !== null && backfill !== null) {
      this.#engine.games.promise(backfill, ticket.members.length);
    }
  }

  #reserve(ticket: Ticket): number | null {
    return this.has(ticket.id) ? null : this.#store.add(ticket, ticket.startedAt, 'reserved');
  }

  /** What happens on the way is counted apart: it needed no arrival. */
  #proceed(now: number, out: Outcome): number {
    const at = this.#engine.proceed(now, out);
    this.counters.matchesByTime += out.matches.length;
    return at;
  }
}
