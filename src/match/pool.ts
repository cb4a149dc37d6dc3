// The pool as the Queue object sees it (docs/internals/design.md: What matching means): a cache, made anew from saved
// tickets and proposals. No call computes for long. If a call cannot finish, `nextAt` is 0, and each `advance` does a
// slice of what is left. Other calls may come in between.

import type { PlayerId, TicketId } from '../common/ids';
import type { Avoider } from './ticket/avoids';
import type { Ticket } from './ticket/ticket';

/**
 * How late a call may come, ms: within this, what was due still happens in its order, each at its own instant. A ticket
 * that timed out earlier has given up, and so has every ticket that has timed out when a pool is made anew. Such a
 * ticket gets into no match, not even a short one (decision 44; A5 and A15 in docs/internals/design.md).
 */
export const LATE_MS = 1_000;

export type PlayerRoles = Readonly<Record<PlayerId, string>>;

export interface ProposedTeam {
  /** From teamComposition; null in a mode without roles. */
  readonly name: string | null;
  readonly tickets: readonly TicketId[];
  /** The role of each eligible player; null in a mode without roles. */
  readonly roles: PlayerRoles | null;
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
  /** Bots take the places that are left, so all teams are listed. Absent: no bots. */
  readonly bots?: true;
}

export interface BuildVersion {
  readonly name: string;
  /** It rises with each save of the build. */
  readonly version: number;
}

/** A running match with room, or one that is forming again, as the queue offers it (decision 30). */
export interface OpenMatch {
  readonly matchId: string;
  /** The number of the offer: one that is told again is no new room. Absent: each is. */
  readonly seq?: number;
  /** Open matches are tried in this order, oldest first. */
  readonly startedAt: number;
  /** What newcomers are judged against: the anchor's ticket or, once it has left, that of who waited longest of those there. */
  readonly anchor: Ticket;
  readonly region: string;
  readonly version: string | null;
  /** What its server runs, for the queue (decision 56). Absent: not known. */
  readonly build?: BuildVersion;
  /** Players missing in each team, and the roles missing in modes with roles. */
  readonly open: readonly {
    readonly name: string | null;
    readonly slots: number;
    readonly roles: Readonly<Record<string, number>> | null;
    /** In a mode that keeps players apart: who is on the team, and whom they avoid. */
    readonly here?: Avoider;
  }[];
  /** It takes no party with one of them: its game has put them out, they have just said no, or they left it twice. */
  readonly kicked?: readonly PlayerId[];
  /** By team, the tickets in a match that forms again after a no; empty lists in a mode that compares no teams. */
  readonly forming?: readonly (readonly Ticket[])[];
}

export interface BackfillProposal {
  readonly matchId: string;
  readonly ticket: TicketId;
  readonly team: number;
  readonly roles: PlayerRoles | null;
  /** The number of the offer that the place is out of. */
  readonly offer?: number;
  /** The anchor that it was judged against. Absent: an earlier release proposed it. */
  readonly against?: TicketId;
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
