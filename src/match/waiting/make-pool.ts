// The pool of a mode: tickets in, proposals out, in time order (docs/internals/design.md: What matching means).
// A cache of what the queue has saved: rebuilt from tickets on wake, it finds the same matches again.

import type { TicketId } from '../../common/ids';
import { type Counters, newCounters } from './counters';
import { byAge, type Entry } from './entry';
import { Events } from './events';
import type { Mode } from '../rules/mode';
import { Outcome } from './outcome';
import { Pairs } from './pairs';
import { planOf } from './plan';
import type { Pool, PoolOutcome } from '../pool';
import type { BackfillProposal, OpenMatch, QueueStats } from './proposal';
import { Queue } from './queue';
import { Packing } from '../teams/packing';
import { RoleBook } from '../teams/role-book';
import { RoleSolver } from '../teams/role-solver';
import { Settling } from './settling';
import type { Ticket } from '../ticket/ticket';
import type { Work } from './work';

/** A pool that tells what it has done, for benchmarks and operation. */
export interface CountingPool extends Pool {
  readonly counters: Readonly<Counters>;
}

/** Steps of one call: some three milliseconds of a processor, and twice that on one that is shared. */
const CALL_STEPS = 6000;

/**
 * An empty pool. A changed mode needs a new one. `budget` bounds the steps of one call; what is left is done as
 * `advance` is called, which `nextAt` says is due at once.
 */
export function makePool(mode: Mode, budget = CALL_STEPS): CountingPool {
  const counters = newCounters();
  const composition = mode.teamComposition;
  const solver =
    composition === null
      ? new Packing(mode, counters)
      : new RoleSolver(new RoleBook(composition), counters);
  const plan = planOf(mode);
  const steps = { left: Infinity };
  const pairs = new Pairs(plan, counters, steps);
  const queue = new Queue(plan, solver);
  const settling = new Settling({ plan, queue, solver, pairs, counters });
  const { rules } = pairs;
  const limits = { counters, steps, budget, pollsTime: rules.pollsTime };
  const events = new Events(queue, settling, limits);
  return new WaitingPool(queue, settling, events, { counters, overruns: () => rules.overruns() });
}

class WaitingPool implements CountingPool {
  readonly counters: Counters;
  readonly overruns: () => number;
  readonly #queue: Queue;
  readonly #settling: Settling;
  readonly #events: Events;

  constructor(
    queue: Queue,
    settling: Settling,
    events: Events,
    told: { readonly counters: Counters; readonly overruns: () => number },
  ) {
    this.#queue = queue;
    this.#settling = settling;
    this.#events = events;
    this.counters = told.counters;
    this.overruns = told.overruns;
  }

  enter(ticket: Ticket, now: number): PoolOutcome {
    if (this.has(ticket.id)) {
      return new Outcome();
    }
    this.counters.enters += 1;
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
        this.#wait([entry], at);
      }
    });
  }

  refresh(ticket: Ticket, now: number): PoolOutcome {
    return this.#happen(now, (at, out) => {
      const before = this.#queue.find(ticket.id);
      if (before?.state !== 'waiting') {
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
    if (entry?.state === 'waiting') {
      this.#settling.reserve(entry);
    }
    if (entry !== undefined) {
      this.#queue.forget(entry);
    }
  }

  release(tickets: readonly TicketId[], now: number): PoolOutcome {
    return this.#happen(now, (at) => {
      const back = new Set<Entry>();
      for (const id of tickets) {
        const entry = this.#queue.find(id);
        if (entry?.state === 'reserved') {
          this.#settling.games.free(id);
          back.add(entry);
        }
      }
      this.#wait([...back], at);
    });
  }

  advance(now: number): PoolOutcome {
    return this.#happen(now, () => this.#events.goOn());
  }

  sweep(now: number): PoolOutcome {
    return this.#happen(now, () => this.#events.sweep());
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

  has(id: TicketId): boolean {
    return this.#queue.find(id) !== undefined;
  }

  stats(now: number): QueueStats {
    const { tickets, players, meanStart } = this.#queue.totals;
    return {
      playersSearching: players,
      lobbiesInQueue: tickets,
      avgWaitSeconds: tickets === 0 ? 0 : Math.round(Math.max(0, now - meanStart)) / 1000,
    };
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

  /** First what is due up to `now`; what of it makes a match is counted apart, for it needed no arrival. */
  #happen(now: number, event: (at: number, out: Outcome) => void): PoolOutcome {
    const out = new Outcome();
    this.#settling.out = out;
    const at = this.#events.proceed(now);
    this.counters.matchesByTime += out.matches.length;
    event(at, out);
    return out;
  }

  /** Reserved tickets wait, those that may; whose time is over are dropped, eldest first. */
  #wait(entries: readonly Entry[], at: number): void {
    const isOverdue = (entry: Entry): boolean => this.#queue.timeoutOf(entry) <= at;
    entries
      .filter(isOverdue)
      .sort(byAge)
      .forEach((entry) => this.#settling.expire(entry));
    const back = entries.filter((entry) => !isOverdue(entry));
    if (back.length > 0 || entries.length !== 1) {
      this.#events.arrive(back);
    }
  }
}
