// What the pool proposes: who plays with whom, in which teams, where, on which build.

import type { PlayerId, TicketId } from '../../common/ids';
import type { Ticket } from '../ticket/ticket';

export interface ProposedTeam {
  /** From teamComposition; null in a symmetric mode. */
  readonly name: string | null;
  readonly tickets: readonly TicketId[];
  /** Role given to each eligible player; null in a symmetric mode. */
  readonly roles: Readonly<Record<PlayerId, string>> | null;
}

export interface Proposal {
  readonly anchor: TicketId;
  /** Oldest first; the anchor among them. */
  readonly tickets: readonly TicketId[];
  readonly teams: readonly ProposedTeam[];
  /** The server's region (spec: Rule semantics 7). */
  readonly region: string;
  /** Value of useVersionFromState shared by all; null when the mode has none or all lack it. */
  readonly version: string | null;
  readonly full: boolean;
}

/** A running match with room, as the queue offers it for backfill (decision 30). */
export interface OpenMatch {
  readonly matchId: string;
  /** Order in which open matches are tried: oldest first. */
  readonly startedAt: number;
  /** The anchor's ticket as it was when the match formed. */
  readonly anchor: Ticket;
  readonly region: string;
  readonly version: string | null;
  /** Players missing per team, and the roles missing in asymmetric modes. */
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

export interface QueueStats {
  readonly playersSearching: number;
  readonly lobbiesInQueue: number;
  readonly avgWaitSeconds: number;
}
