// What the pool proposes: who plays with whom, in which teams, where, and on which build.

import type { PlayerId, TicketId } from '../../common/ids';
import type { Ticket } from '../ticket/ticket';

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
