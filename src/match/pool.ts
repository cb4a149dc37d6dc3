// The pool's face to the Queue object. What binds it: docs/internals/design.md: What matching means.
// The pool is a cache: the queue saves tickets and proposals; a pool is rebuilt from them on wake.
// No call computes for long. What a call cannot finish is left, `nextAt` is then 0, and each
// `advance` does a slice of it; other calls may come in between.

import type { TicketId } from '../common/ids';
import type { BackfillProposal, OpenMatch, Proposal, QueueStats } from './waiting/proposal';
import type { Ticket } from './ticket/ticket';
import type { Work } from './waiting/work';

/**
 * How late a call may come for what is due to happen in its order, as it would have at its instant. A
 * ticket that timed out before that has given up, and so has every ticket whose time is over when a pool
 * is made anew. Such a ticket comes into no match, not even a short one (decision 44; A5 and A15 in
 * docs/internals/design.md).
 */
export const LATE_MS = 1_000;

/** Why a ticket leaves the pool without a match. */
export type Dropped = { readonly ticket: TicketId; readonly reason: 'timeout' | 'unmatchable' };

/** All that one event of the queue brought about, in the order in which it happened. */
export interface PoolOutcome {
  /** Tickets of these are reserved in the pool until `commit` or `release`. */
  readonly matches: readonly Proposal[];
  /** Reserved likewise. */
  readonly backfills: readonly BackfillProposal[];
  /** Already out of the pool. */
  readonly dropped: readonly Dropped[];
}

export interface Pool {
  /** Adds a ticket at `now` and settles what that makes possible. Idempotent by ticket id. */
  enter(ticket: Ticket, now: number): PoolOutcome;
  /** Replaces a waiting ticket's data, keeping its wait and place. Unknown or reserved: nothing. */
  refresh(ticket: Ticket, now: number): PoolOutcome;
  /** Takes a ticket out, reserved or not. Unknown: nothing. */
  leave(ticket: TicketId): void;
  /**
   * The reserved tickets have gone into a match: they are forgotten. A place that a backfill took stays
   * taken until the match offers its new room, unless it has done so since the place was promised.
   */
  commit(tickets: readonly TicketId[]): void;
  /** Reserved tickets go back with their original wait; those due meanwhile are dropped. */
  release(tickets: readonly TicketId[], now: number): PoolOutcome;
  /**
   * What is due up to `now`, in time order: widening, ended patience, timeouts; and a
   * slice of what earlier calls left. Who timed out LATE_MS ago, or earlier, is dropped first.
   */
  advance(now: number): PoolOutcome;
  /** The 60 s safety net: a full pass over all anchors. Finds nothing when all is well. */
  sweep(now: number): PoolOutcome;
  /** The exact next instant at which `advance` can do anything, or null. */
  nextAt(): number | null;
  /**
   * Matches with room, for backfill; replaces what was known of them. Places promised to tickets that
   * are still reserved are taken off what is offered.
   */
  offer(match: OpenMatch, now: number): PoolOutcome;
  withdraw(matchId: string): void;
  /** What has been begun and not finished. */
  work(): Work;
  /** True while a search that is not finished may find the waiting ticket a match. */
  isLookedFor(ticket: TicketId): boolean;
  has(ticket: TicketId): boolean;
  stats(now: number): QueueStats;
  /** Evaluations of expressions that took too many steps, and so were false, since the pool was made. */
  overruns(): number;
  /** Puts a saved ticket back on wake, without looking for matches (`settle` does). */
  restore(ticket: Ticket): void;
  /**
   * Puts a saved ticket back as reserved: it belongs to a proposal under way. A place in a running
   * match that `backfill` promises it stays promised; null for a proposal of another kind.
   */
  restoreReserved(ticket: Ticket, backfill: BackfillProposal | null): void;
}
