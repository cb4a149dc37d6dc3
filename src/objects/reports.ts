// What objects tell operators of themselves: the dashboard's view of them. Each report is bounded
// in size, whatever the object holds, and making one changes nothing.

import type { Happening } from '../happening';
import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../ids';
import type { SeenRule } from '../match/explain/seen';
import type { Status } from '../lobby/lobby';
import type { Explanation } from '../match/explain/explain';
import type { Mode } from '../match/rules/mode';
import type { QueueStats } from '../match/waiting/proposal';
import type { FormedParty } from '../match/replay/lines';
import type { Work } from '../match/waiting/work';
import type { Ticket } from '../match/ticket/ticket';

/** The lobbies of one config, counted. Of private ones the directory knows only that they are. */
export interface Census {
  /** Public lobbies. */
  readonly byStatus: Readonly<Partial<Record<Status, number>>>;
  /** Players in public lobbies. */
  readonly players: number;
  /** Matches that public lobbies are in. */
  readonly matches: number;
  readonly privates: number;
  /** The newest private lobbies, newest first; at most PRIVATE_IDS. */
  readonly privateIds: readonly LobbyId[];
}

export const PRIVATE_IDS = 20;

/** A ticket that waits, as far as an operator needs it to see why. */
export interface WaitingTicket {
  readonly id: TicketId;
  readonly lobbyId: LobbyId;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly players: number;
  readonly acceptableRegions: readonly string[];
  readonly state: Ticket['state'];
  /** Roles each eligible player accepts. */
  readonly roles: readonly (readonly string[])[];
  /** It belongs to a proposal whose lobbies are being asked. */
  readonly taken: boolean;
}

/** A match the queue has formed, or a running one it has filled. */
export interface FormedMatch {
  readonly matchId: MatchId;
  readonly kind: 'new' | 'backfill';
  /** Epoch ms. */
  readonly at: number;
  /** Every place was taken. */
  readonly full: boolean;
  /** Null for a backfill: the match chose it before. */
  readonly region: string | null;
  readonly lobbies: number;
  readonly players: number;
  readonly longestWaitSeconds: number;
  /** The longest waiting ones. */
  readonly lobbyIds: readonly LobbyId[];
}

/** Why one ticket waits, compared with the longest waiting of the others, at most COMPARED. */
export interface Explained extends Explanation {
  readonly ticketId: TicketId;
  readonly lobbyId: LobbyId;
  /** A search that is not finished may find it a match yet. */
  readonly isLookedFor: boolean;
  /** How far the queue is with that, in words; null where nothing is left. */
  readonly unfinished: string | null;
}

/** A queue that woke reads its saved tickets, and then puts them in the order of their wait. */
export interface Reading {
  readonly step: 'reading' | 'sorting';
  readonly done: number;
  /** About so many; null: not known. */
  readonly of: number | null;
}

export const COMPARED = 500;

/** Upper ends of the histogram's bins, in seconds; the last bin has none. */
export const WAIT_BINS = [1, 2, 5, 10, 20, 30, 60, 120, 300] as const;

export interface QueueReport {
  /** The mode the queue works by; null before its first ticket. */
  readonly mode: Mode | null;
  readonly stats: QueueStats;
  /** Tickets that wait, by how long they have: one count a bin. */
  readonly waits: readonly number[];
  /** The longest waiting, eldest first; at most OLDEST. */
  readonly oldest: readonly WaitingTicket[];
  /** Newest first. */
  readonly recent: readonly FormedMatch[];
  /** Running matches with room (decision 30). */
  readonly openMatches: number;
  /** Evaluations of expressions that took too many steps, and so were false, since the queue woke. */
  readonly overruns: number;
  /** What the queue has begun to look for and not finished; null before its first ticket. */
  readonly work: Work | null;
  /** While it is not null no match forms, and this report is of the tickets read so far. */
  readonly reading: Reading | null;
  /** `work` and `reading` in words; null where nothing is left to do. */
  readonly unfinished: string | null;
  /** Of the ticket that was asked for, else of the eldest. */
  readonly explanation: Explained | null;
}

export const OLDEST = 25;
export const RECENT = 12;
/** Lobbies named of one formed match. */
export const NAMED_LOBBIES = 4;

/** How a match stands, or how it went out: it failed where no game came about. */
export type Outcome = 'confirming' | 'launching' | 'running' | 'ended' | 'failed';

/** A match as its operator reads it, for a while also after its end. Instants are epoch ms. */
export interface MatchRecord {
  readonly id: MatchId;
  readonly project: string;
  readonly config: string;
  readonly mode: string;
  readonly outcome: Outcome;
  /** Why it ended or failed, in one word. */
  readonly reason: string | null;
  readonly detail: string | null;
  readonly formedAt: number;
  readonly runningAt: number | null;
  readonly endedAt: number | null;
  readonly teams: readonly {
    readonly name: string | null;
    readonly lobbies: readonly {
      readonly lobbyId: LobbyId;
      readonly waitedSeconds: number;
      readonly players: readonly { readonly id: PlayerId; readonly role: string | null }[];
    }[];
  }[];
  readonly rules: readonly SeenRule[];
  /** Null where none was asked for. */
  readonly instanceId: InstanceId | null;
  /** Oldest first. */
  readonly history: readonly Happening[];
}

/** A match as the queue that formed it remembers it. */
export interface FormedRecord {
  readonly matchId: MatchId;
  readonly kind: 'new' | 'backfill';
  readonly at: number;
  readonly full: boolean;
  readonly region: string | null;
  readonly parties: readonly FormedParty[];
  /** It came to no game. */
  readonly failed: {
    readonly at: number;
    readonly reason: string;
    readonly detail: string | null;
  } | null;
}

/** Five minutes of a queue. */
export interface TrendPoint {
  /** Epoch ms of its begin. */
  readonly at: number;
  readonly matches: number;
  readonly failed: number;
  /** Seconds; null where nobody came into a match. */
  readonly waitP50: number | null;
  readonly waitP90: number | null;
  /** The most that waited at once. */
  readonly queued: number;
  readonly players: number;
}

export interface FormedQuery {
  readonly limit: number;
  /** Only matches that this player came into; null: all. */
  readonly player: PlayerId | null;
  readonly failedOnly: boolean;
}
