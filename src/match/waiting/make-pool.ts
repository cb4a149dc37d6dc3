// The pool of a mode: tickets in, proposals out, in the order of time (docs/internals/design.md: What matching means).

import type { Work } from '../../../packages/js/src/dashboard-types';
import type { TicketId } from '../../common/ids';
import type { BackfillProposal, OpenMatch, PoolOutcome } from '../pool';
import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';
import type { Counters } from '../teams/steps';
import { byAge, type Entry, isWaiting } from './entry';
import { Events } from './events';
import { Queue } from './queue';
import { Outcome, Settling } from './settling';

/** Steps of one call: some three milliseconds of a processor, twice that on a shared one. */
const CALL_STEPS = 6000;

/**
 * An empty pool. A changed mode needs a new one. `budget` bounds the steps of one call. What is left is done when
 * `advance` is called, which `nextAt` says is due at once. `queue`: one that already holds tickets, no two of which match.
 */
export function makePool(mode: Mode, budget = CALL_STEPS, queue = new Queue(mode)): Pool {
  return new Pool(queue, budget);
}

export class Pool {
  readonly counters: Readonly<Counters>;
  readonly #queue: Queue;
  readonly #settling: Settling;
  readonly #events: Events;

  constructor(queue: Queue, budget: number) {
    this.#queue = queue;
    this.#settling = new Settling(this.#queue);
    this.#events = new Events(this.#queue, this.#settling, budget);
    this.counters = this.#queue.counters;
  }

  /** Adds a ticket at `now` and settles what that makes possible. Idempotent by ticket id. */
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
      patient?.arrivals.observe(ticket, at);
      if (entry === null) {
        out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      } else {
        this.#wait([entry]);
      }
    });
  }

  /** Replaces the data of a waiting ticket, which keeps its wait and place. Does nothing for others. */
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

  /** Takes a ticket out, reserved or not. Does nothing if it is unknown. */
  leave(id: TicketId): void {
    this.#settling.games.free(id);
    this.#forget(id);
  }

  /**
   * The reserved tickets have gone into a match and are forgotten. A place that a backfill took stays taken until the
   * match offers its new room, unless it has done so since the place was promised.
   */
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

  /** Reserved tickets wait again with their original wait. Those that have timed out meanwhile are dropped. */
  release(tickets: readonly TicketId[], now: number): PoolOutcome {
    return this.#happen(now, () => {
      const back = new Set<Entry>();
      for (const id of tickets) {
        const entry = this.#queue.find(id);
        if (entry?.state === 'reserved') {
          this.#settling.games.free(id);
          back.add(this.#queue.grown(entry));
        }
      }
      this.#wait([...back]);
    });
  }

  /** Does what is due by `now`, in order, and a slice of what is left. First drops tickets that timed out LATE_MS ago. */
  advance(now: number): PoolOutcome {
    return this.#happen(now, () => this.#events.goOn());
  }

  /** The 60 s safety net: a full pass over all anchors. Finds nothing when all is well. */
  sweep(now: number): PoolOutcome {
    return this.#happen(now, (_, out) => {
      const before = out.matches.length + out.backfills.length;
      this.#events.sweep();
      this.#queue.counters.sweepFound += out.matches.length + out.backfills.length - before;
    });
  }

  /** A match with room, in place of what was known of it. Places promised to reserved tickets are subtracted. */
  offer(match: OpenMatch, now: number): PoolOutcome {
    return this.#happen(now, () => {
      this.#settling.games.offer(match);
      this.#events.arrive([]);
    });
  }

  withdraw(matchId: string): void {
    this.#settling.games.withdraw(matchId);
  }

  /** The next instant at which `advance` can do anything; 0 for at once, null for never. */
  nextAt(): number | null {
    const { next } = this.#events;
    return next === Infinity ? null : Math.max(0, next);
  }

  /** What has been begun and is not finished. */
  work(): Work {
    return this.#events.work;
  }

  /** True while an unfinished search may still find a match for the waiting ticket. */
  isLookedFor(id: TicketId): boolean {
    return this.#queue.find(id)?.state === 'waiting' && this.#events.work.searches > 0;
  }

  /** How many evaluations of expressions took too many steps, and so were false, since the pool was made. */
  overruns(): number {
    return this.#queue.rules.overruns();
  }

  has(id: TicketId): boolean {
    return this.#queue.find(id) !== undefined;
  }

  get size(): number {
    return this.#queue.size;
  }

  /** Puts a saved ticket back on wake. The next `advance` looks for matches, with less to do if `now` is given here. */
  restore(ticket: Ticket, now = ticket.startedAt): void {
    const entry = this.#restored(ticket, now);
    if (entry !== null) {
      this.#events.restore(entry);
    }
  }

  /**
   * Puts a saved ticket back as reserved, for a proposal under way. The place that `backfill` promises stays promised.
   */
  restoreReserved(ticket: Ticket, backfill: BackfillProposal | null): void {
    if (this.#restored(ticket, ticket.startedAt) !== null && backfill !== null) {
      this.#settling.games.promise(backfill, ticket);
    }
  }

  #restored(ticket: Ticket, now: number): Entry | null {
    const entry = this.has(ticket.id) ? null : this.#queue.add(ticket, now);
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
