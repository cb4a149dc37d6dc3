// The pool as the Queue object sees it (docs/internals/design.md: What matching means). The pool is a cache: the queue
// saves tickets and proposals, and a pool is made anew from them on wake. No call computes for long. If a call cannot
// finish, `nextAt` is 0, and each `advance` does a slice of what is left. Other calls may come in between.

import type { PlayerId, TicketId } from '../common/ids';
import type { Ticket } from './ticket/ticket';

/**
 * How late a call may come, ms: within this, what was due still happens in its order, each at its own instant. A ticket
 * that timed out earlier has given up, and so has every ticket that has timed out when a pool is made anew. Such a
 * ticket gets into no match, not even a short one (decision 44; A5 and A15 in docs/internals/design.md).
 */
export const LATE_MS = 1_000;

export interface ProposedTeam {
  /** From teamComposition; null in a mode without roles. */
  readonly name: string | null;
  readonly tickets: readonly TicketId[];
  /** The role of each eligible player; null in a mode without roles. */
  readonly roles: Readonly<Record<PlayerId, string>> | null;
}

export interface Proposal {
  readonly anchor: TicketId;
  /** Eldest first, the anchor among them. */
  readonly tickets: readonly TicketId[];
  readonly teams: readonly ProposedTeam[];
  /** The server's region (spec: Rule semantics 7). */
  readonly region: string;
  /** The value of useVersionFromState that all share; null if the mode has no such field or all lack it. */
  readonly version: string | null;
  readonly full: boolean;
}

/** A running match with room, as the queue offers it for backfill (decision 30). */
export interface OpenMatch {
  readonly matchId: string;
  /** Open matches are tried in this order, oldest first. */
  readonly startedAt: number;
  /** The anchor's ticket as it was when the match formed. */
  readonly anchor: Ticket;
  readonly region: string;
  readonly version: string | null;
  /** Players missing in each team, and the roles missing in modes with roles. */
  readonly open: readonly {
    readonly name: string | null;
    readonly slots: number;
    readonly roles: Readonly<Record<string, number>> | null;
  }[];
}

export interface BackfillProposal {
  readonly matchId: string;
  readonly ticket: TicketId;
  readonly team: number;
  readonly roles: Readonly<Record<PlayerId, string>> | null;
}

/** What has been begun and not finished, for the pool's report and for people who ask why. Zeros if nothing is left. */
export interface Work {
  /** Events whose matches are still being looked for. */
  readonly searches: number;
  /** Lobbies that may complete a match because of these events, and how many of them have been tried. */
  readonly anchors: { readonly tried: number; readonly of: number };
  /** Tickets of which it is not known yet when a rule next widens to another. */
  readonly toArm: number;
}

/** Why a ticket leaves the pool without a match. */
export type Dropped = { readonly ticket: TicketId; readonly reason: 'timeout' | 'unmatchable' };

/** Everything that one event of the queue brought about, in the order in which it happened. */
export interface PoolOutcome {
  /** Their tickets stay reserved in the pool until `commit` or `release`. */
  readonly matches: readonly Proposal[];
  /** Their tickets are reserved in the same way. */
  readonly backfills: readonly BackfillProposal[];
  /** Already out of the pool. */
  readonly dropped: readonly Dropped[];
}

export interface Pool {
  /** Adds a ticket at `now` and settles what that makes possible. Idempotent by ticket id. */
  enter(ticket: Ticket, now: number): PoolOutcome;
  /** Replaces the data of a waiting ticket, which keeps its wait and place. Does nothing for others. */
  refresh(ticket: Ticket, now: number): PoolOutcome;
  /** Takes a ticket out, reserved or not. Does nothing if it is unknown. */
  leave(ticket: TicketId): void;
  /**
   * The reserved tickets have gone into a match and are forgotten. A place that a backfill took stays taken until the
   * match offers its new room, unless it has done so since the place was promised.
   */
  commit(tickets: readonly TicketId[]): void;
  /** Reserved tickets wait again with their original wait. Those that have timed out meanwhile are dropped. */
  release(tickets: readonly TicketId[], now: number): PoolOutcome;
  /**
   * Does what is due up to `now`, in the order of time (widening, ended patience, timeouts), and a slice of what earlier
   * calls left. Tickets that timed out LATE_MS ago or earlier are dropped first.
   */
  advance(now: number): PoolOutcome;
  /** The 60 s safety net: a full pass over all anchors. Finds nothing when all is well. */
  sweep(now: number): PoolOutcome;
  /** The next instant at which `advance` can do anything; 0 for at once, null for never. */
  nextAt(): number | null;
  /**
   * A match with room, for backfill. Replaces what was known of it. Places promised to tickets that are still reserved
   * are subtracted from what is offered.
   */
  offer(match: OpenMatch, now: number): PoolOutcome;
  withdraw(matchId: string): void;
  /** What has been begun and is not finished. */
  work(): Work;
  /** True while an unfinished search may still find a match for the waiting ticket. */
  isLookedFor(ticket: TicketId): boolean;
  has(ticket: TicketId): boolean;
  /** How many evaluations of expressions took too many steps, and so were false, since the pool was made. */
  overruns(): number;
  /** Puts a saved ticket back on wake. The next `advance` looks for matches. */
  restore(ticket: Ticket): void;
  /**
   * Puts a saved ticket back as reserved, because it belongs to a proposal under way. `backfill` is that proposal if it
   * promises a place in a running match, which then stays promised; else null.
   */
  restoreReserved(ticket: Ticket, backfill: BackfillProposal | null): void;
}
