// The reports that objects make about themselves for operators and the dashboard. Each report is bounded in
// size, however much the object holds, and making a report changes nothing.

import type { Match as Shown, MatchQuality, Outcome } from '../../../client/src/journal-types';
import type { Happening } from '../../common/happening';
import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { Fairness } from '../../match/explain/quality';
import type { SeenRule } from '../../match/explain/seen';
import type { Status } from '../../lobby/lobby';
import type { Reported } from '../../lobby/game';
import type { Explanation } from '../../match/explain/explain';
import type { Mode } from '../../match/rules/mode';
import type { QueueStats } from '../../lobby/view';
import type { FormedParty } from '../../match/journal/lines';
import type { Work } from '../../match/pool';
import type { Ticket } from '../../match/ticket/ticket';
import type { RatingChange } from './ratings';

/** Counts of the lobbies of one config. The directory only knows that a private lobby exists. */
export interface Census {
  /** Public lobbies. */
  readonly byStatus: Readonly<Partial<Record<Status, number>>>;
  /** Players in public lobbies. */
  readonly players: number;
  /** The matches that public lobbies are in. */
  readonly matches: number;
  readonly privates: number;
  /** The newest private lobbies, newest first; at most PRIVATE_IDS. */
  readonly privateIds: readonly LobbyId[];
}

export const PRIVATE_IDS = 20;

/** A waiting ticket, with what an operator needs to see why it waits. */
export interface WaitingTicket {
  readonly id: TicketId;
  readonly lobbyId: LobbyId;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly players: number;
  readonly acceptableRegions: readonly string[];
  readonly state: Ticket['state'];
  /** The roles that each eligible player accepts. */
  readonly roles: readonly (readonly string[])[];
  /** Whether the ticket belongs to a proposal whose lobbies are being asked. */
  readonly taken: boolean;
}

/** A match that the queue formed, or a running match that it backfilled. */
export interface FormedMatch {
  readonly matchId: MatchId;
  readonly kind: 'new' | 'backfill';
  /** Epoch ms. */
  readonly at: number;
  /** Whether every place was taken. */
  readonly full: boolean;
  /** Null for a backfill, because the match chose its region when it formed. */
  readonly region: string | null;
  readonly lobbies: number;
  readonly players: number;
  readonly longestWaitSeconds: number;
  /** The lobbies that had waited longest. */
  readonly lobbyIds: readonly LobbyId[];
}

/** Why one ticket waits. It is compared with at most COMPARED others, those that have waited longest. */
export interface Explained extends Explanation {
  readonly ticketId: TicketId;
  readonly lobbyId: LobbyId;
  /** An unfinished search may still find a match for the ticket. */
  readonly isLookedFor: boolean;
  /** How far that search is, in words. Null if nothing is left to search. */
  readonly unfinished: string | null;
}

/** The progress of a restore: a queue that woke reads its saved tickets, then sorts them by their wait. */
export interface Reading {
  readonly step: 'reading' | 'sorting';
  readonly done: number;
  /** About how many there are in total. Null: not known. */
  readonly of: number | null;
}

export const COMPARED = 500;

export interface QueueReport {
  /** The mode that the queue uses. Null before its first ticket. */
  readonly mode: Mode | null;
  readonly stats: QueueStats;
  /** Waiting tickets by the length of their wait, one count for each bin. */
  readonly waits: readonly number[];
  /** The tickets that have waited longest, longest first; at most OLDEST. */
  readonly oldest: readonly WaitingTicket[];
  /** Newest first. */
  readonly recent: readonly FormedMatch[];
  /** Running matches with open places (decision 30). */
  readonly openMatches: number;
  /** How many evaluations of expressions took too many steps since the queue woke. Those counted as false. */
  readonly overruns: number;
  /** The searches that the queue has begun and not finished. Null before its first ticket. */
  readonly work: Work | null;
  /** Not null during a restore: no match forms, and this report covers only the tickets read so far. */
  readonly reading: Reading | null;
  /** `work` and `reading` in words. Null if nothing is left to do. */
  readonly unfinished: string | null;
  /** Explains the ticket that was asked for, or the one that has waited longest. */
  readonly explanation: Explained | null;
}

export const OLDEST = 25;
export const RECENT = 12;
/** How many lobbies of a formed match are named. */
export const NAMED_LOBBIES = 4;

type SeenPlayer = { readonly id: PlayerId } & Omit<
  Shown['teams'][number]['lobbies'][number]['players'][number],
  'id'
>;

/** A match as operators see it, while it lives and for a while after its end. Instants are epoch ms. */
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
      /** Each player stands once: where they first took a place, or else where they first came in (decision 58). */
      readonly players: readonly SeenPlayer[];
    }[];
  }[];
  /** The tickets that came in. Absent: an earlier release made the record. */
  readonly tickets?: readonly TicketId[];
  readonly rules: readonly SeenRule[];
  /** Absent if nothing says how even the match is. */
  readonly quality?: MatchQuality;
  /** Null if no server was ordered. */
  readonly instanceId: InstanceId | null;
  /** Null: not known, or none was launched. */
  readonly build: string | null;
  /** Oldest first. */
  readonly history: readonly Happening[];
  /** Absent until one is reported. */
  readonly result?: Reported;
  /** The project's backend is told of the match. Absent: it is not. */
  readonly hooks?: true;
  /** Absent if the match counts for no ladder. */
  readonly rating?: {
    readonly field: string;
    /** Players who took no place. */
    readonly aside: readonly PlayerId[];
    /** Absent until the result is rated. */
    readonly changes?: readonly RatingChange[];
  };
}

/** A match as the queue that formed it remembers it. */
export interface FormedRecord {
  readonly matchId: MatchId;
  readonly kind: 'new' | 'backfill';
  readonly at: number;
  readonly full: boolean;
  readonly region: string | null;
  readonly parties: readonly FormedParty[];
  /** Set if the match came to no game. */
  readonly failed: {
    readonly at: number;
    readonly reason: string;
    readonly detail: string | null;
  } | null;
}

/** How long searches took. */
export interface Waits {
  /** Searches that ended, and those of them that ended without a match. */
  readonly ended: number;
  readonly unmatched: number;
  /**
   * Searches of matches that came to no game, such as those that no server was found for. They are counted when the
   * match fails, so a little later than among the ended ones, and by the region of the match.
   */
  readonly noGame: number;
  /** Seconds within which half of the searches had a match, or more. Null if no search ended. */
  readonly waitP50: number | null;
  readonly waitP90: number | null;
}

/** The figures of five minutes of a queue. */
export interface TrendPoint extends Waits {
  /** The start of the five minutes, epoch ms. */
  readonly at: number;
  readonly matches: number;
  readonly failed: number;
  /** Means over the step, to a tenth: lobbies and players that searched. */
  readonly queued: number;
  readonly players: number;
}

/** The figures of an hour of a queue. */
export interface HourPoint extends Waits, Fairness {
  /** The start of the hour, epoch ms. */
  readonly at: number;
}

/** The length of a step of `QueueTrends`. */
export const STEP_MS = 300_000;

export interface QueueTrends {
  /** Oldest first, without steps in which nothing happened and nobody waited. */
  readonly points: readonly TrendPoint[];
  /** By the region of the lobby; `other` if it is not known, or beyond those that a step tells apart. */
  readonly waits: readonly (Waits & { readonly region: string })[];
  /** The hours of the last day in which searches ended, oldest first. Absent if not asked for. */
  readonly day?: readonly HourPoint[];
}

export interface FormedQuery {
  readonly limit: number;
  /** Only matches that this player was put in. Null: all. */
  readonly player: PlayerId | null;
  readonly failedOnly: boolean;
  /** Null: any. */
  readonly region: string | null;
  /** Only matches whose ids begin with this. */
  readonly id?: string;
  /** Only matches to which a request with this id led. */
  readonly requestId?: string;
  /** Only matches that formed at or after `since` and before `until`, epoch ms. */
  readonly since: number;
  readonly until: number;
}

/** Matches, newest first. Those that formed at the same instant are on the same page, so it can exceed the limit. */
export interface FormedPage {
  readonly matches: readonly FormedRecord[];
  /** The matches before this instant were not looked at. Null: all were. */
  readonly reached: number | null;
}
