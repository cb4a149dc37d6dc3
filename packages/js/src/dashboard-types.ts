// The answers that only the dashboard reads. The service and its dashboard are always of one version, so these types change
// freely, and the package leaves them out.

import type { Build, Closed, Mode, ServerPage } from './admin-types.ts';
import type { Rule } from './rule-types.ts';
import type { LobbyPage, LobbyStatus, QueueStats, ServerStatus } from './types.ts';

/** Counts of the lobbies of one config. The directory only knows that a private lobby exists. */
export interface Census {
  /** Public lobbies. */
  readonly byStatus: Readonly<Partial<Record<LobbyStatus, number>>>;
  /** Players in public lobbies. */
  readonly players: number;
  /** The matches that public lobbies are in. */
  readonly matches: number;
  readonly privates: number;
  /** The newest private lobbies, newest first; at most PRIVATE_IDS. */
  readonly privateIds: readonly string[];
}

/** A waiting ticket, with what an operator needs to see why it waits. */
export interface WaitingTicket {
  readonly id: string;
  readonly lobbyId: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly players: number;
  readonly acceptableRegions: readonly string[];
  readonly state: Readonly<Record<string, unknown>>;
  /** The roles that each eligible player accepts. */
  readonly roles: readonly (readonly string[])[];
  /** Whether the ticket belongs to a proposal whose lobbies are being asked. */
  readonly taken: boolean;
}

export interface RuleRejections {
  /** Place in the mode's rules. */
  readonly index: number;
  readonly type: Rule['type'];
  /** The rule in words. */
  readonly rule: string;
  /** Other lobbies that this rule rejects now. */
  readonly rejects: number;
  /** How many of these would be eligible without the rule. */
  readonly rejectsAlone: number;
  /** How many of those it rejects lack the field that it reads. */
  readonly lacking: number;
  /**
   * For a rule with a distance, the lobby with the least gap among those that nothing else keeps away: how far apart
   * the two are, how far apart they may be now, and when they may play together (epoch ms; null if one of them times
   * out first, or if an expression reads waitSeconds).
   */
  readonly nearest: {
    readonly ticket: string;
    readonly gap: number;
    readonly limit: number;
    readonly opensAt: number | null;
  } | null;
}

export interface Explanation {
  readonly waitSeconds: number;
  /** Other tickets in the queue. */
  readonly others: number;
  /** How many of them pass all rules and accept a region that the ticket accepts. */
  readonly eligible: number;
  /** Players of the eligible tickets and of the ticket itself. */
  readonly players: number;
  /** Players of a full match. */
  readonly wanted: number;
  /** Tickets that pass all rules but accept no region that the ticket accepts. */
  readonly noSharedRegion: number;
  readonly rules: readonly RuleRejections[];
  /**
   * When the next ticket becomes eligible as rules widen, epoch ms. Null if none does, or if an expression reads
   * waitSeconds: nobody knows when that becomes true.
   */
  readonly opensAt: number | null;
  /** What stands in the way besides the rules' rejections, in words: a missing value, regions, roles, party sizes. */
  readonly obstacles: readonly string[];
}

/** Why one ticket waits. It is compared with at most COMPARED others, those that have waited longest. */
export interface Explained extends Explanation {
  readonly ticketId: string;
  readonly lobbyId: string;
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

/** What has been begun and not finished, for the pool's report and for people who ask why. Zeros if nothing is left. */
export interface Work {
  /** Events whose matches are still being looked for. */
  readonly searches: number;
  /** Lobbies that may complete a match because of these events, and how many of them have been tried. */
  readonly anchors: { readonly tried: number; readonly of: number };
  /** Tickets of which it is not known yet when a rule next widens to another. */
  readonly toArm: number;
}

export interface QueueReport {
  /** The mode that the queue uses. Null before its first ticket. */
  readonly mode: Mode | null;
  readonly stats: QueueStats;
  /** Waiting tickets by the length of their wait, one count for each bin. */
  readonly waits: readonly number[];
  /** The tickets that have waited longest, longest first; at most OLDEST. */
  readonly oldest: readonly WaitingTicket[];
  /** Matches that the queue formed, and running matches that it backfilled, newest first. */
  readonly recent: readonly {
    readonly matchId: string;
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
    readonly lobbyIds: readonly string[];
  }[];
  /** Running matches with open places. */
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

/** How long searches took. */
export interface Waits {
  /** Searches that ended, and those of them that ended without a match. */
  readonly ended: number;
  readonly unmatched: number;
  /**
   * Searches of matches that never got a game, such as those that no server was found for. They are counted when the
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

/** How even the matches of a while were. */
export interface Fairness {
  /** How many points of a hundred their chances were off even ones. Null: none had chances. */
  readonly uneven: {
    readonly p50: number;
    readonly p90: number;
    /** The part of them that was off by no more than 5 points, which is 55 to 45. */
    readonly within5: number;
  } | null;
  /** How far apart their teams were. Null: of none it is known. */
  readonly gap: { readonly p50: number; readonly p90: number } | null;
}

/** The figures of an hour of a queue. */
export interface HourPoint extends Waits, Fairness {
  /** The start of the hour, epoch ms. */
  readonly at: number;
}

export interface QueueTrends {
  /** Oldest first, without steps in which nothing happened and nobody waited. */
  readonly points: readonly TrendPoint[];
  /** By the region of the lobby; `other` if it is not known, or beyond those that a step tells apart. */
  readonly waits: readonly (Waits & { readonly region: string })[];
  /** The hours of the last day in which searches ended, oldest first. Absent if not asked for. */
  readonly day?: readonly HourPoint[];
}

/** A queue, by its names. */
export interface InQueue {
  readonly config: string;
  readonly mode: string;
}

/** A player's search, as the journal of its queue tells it. */
export interface SearchSeen extends InQueue {
  readonly ticketId: string;
  readonly lobbyId: string;
  /** The row of the journal that says how it began. */
  readonly row: number;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Null: it goes on, or its end is not written yet. */
  readonly ended: {
    /** Epoch ms. */
    readonly endedAt: number;
    /** `matched`, or why it ended without a match. */
    readonly reason: string;
    readonly matchId: string | null;
    /** Why its match never got a game. Null: there was no match, or it got one as far as is known. */
    readonly noGame: string | null;
  } | null;
}

/** How many servers of the list are alike. */
export interface ServerGroup {
  /** `waiting`: matches in line, for which no server has room. `warm`: of the running ones, those that wait for a match. */
  readonly state: ServerStatus | 'failed' | 'waiting' | 'warm';
  readonly build: string | null;
  readonly region: string;
  readonly fleet: string | null;
  readonly count: number;
  /** Of those that wait: since when the first does. */
  readonly since?: string;
  /** Of warm ones: how many are starting, how many the build wants, and how many ended soon after their start, in a row. */
  readonly warm?: { readonly starting: number; readonly wanted: number; readonly failed: number };
}

export interface Overload {
  /** Epoch ms. */
  readonly since: number;
  readonly refused: number;
  readonly isOver: boolean;
}

/** A config in use: a saved one, or just a name that lobbies were created with. */
export interface ConfigOverview {
  readonly name: string;
  readonly saved: boolean;
  readonly enabled: boolean;
  /** Null: open. */
  readonly closed: Closed | null;
  readonly census: Census;
  readonly modes: readonly { readonly name: string; readonly stats: QueueStats }[];
}

export interface Overview {
  readonly configs: readonly ConfigOverview[];
  readonly servers: readonly ServerGroup[];
  readonly builds: number;
  /** Builds whose last launches failed, since when, and why the last one did. */
  readonly failing: readonly Pick<Build, 'name' | 'failure' | 'failingSince'>[];
  /** Other builds whose last launch failed. */
  readonly stumbling: readonly Pick<Build, 'name' | 'failure'>[];
  /** The overload that lasts, or the last one of this hour. Null: none. */
  readonly overload: Overload | null;
}

/** Searches that ended, those of them that ended without a match, and those whose match never got a game. */
export type Ended = Pick<TrendPoint, 'ended' | 'unmatched' | 'noGame'>;

export interface LobbiesView {
  readonly census: Census;
  readonly page: LobbyPage;
}

export interface ServersView {
  readonly page: ServerPage;
  /** All servers that are listed, counted, whatever the page shows. */
  readonly groups: readonly ServerGroup[];
}

export interface Trends {
  /** How long matches and lobbies are remembered (JOURNAL_HOURS). 0: not at all. */
  readonly keptHours: number;
  /** Seconds. */
  readonly step: number;
  readonly points: readonly (Omit<TrendPoint, 'at'> & { readonly at: string })[];
  /** The searches that ended in all of that time. */
  readonly waits: readonly (QueueTrends['waits'][number] & InQueue)[];
  /** Only of one queue that is named. */
  readonly day?: readonly (Omit<HourPoint, 'at'> & { readonly at: string })[];
}

/** A result of a search. */
export type Hit =
  | { readonly kind: 'lobby'; readonly config: string; readonly id: string; readonly name: string }
  | {
      readonly kind: 'player';
      readonly id: string;
      /** Null: in no lobby. */
      readonly config: string | null;
      readonly lobbyId: string | null;
    }
  | { readonly kind: 'server'; readonly id: string; readonly name: string }
  | { readonly kind: 'config'; readonly id: string }
  /** The text has the form of a match's id. The match's page shows whether the match exists. */
  | { readonly kind: 'match'; readonly id: string };

/** Whether two lobbies would match, and why not. */
export interface Preview {
  /** Why a lobby cannot queue. Null if it can. */
  readonly refused: { readonly a: string | null; readonly b: string | null };
  /** Empty if one of them cannot queue. */
  readonly rules: readonly {
    readonly index: number;
    readonly type: Rule['type'];
    readonly passes: boolean;
    /** The rule and the values that decide, in words. */
    readonly because: string;
  }[];
  /**
   * Seconds until all rules let them through if both go on waiting; 0 is now. Null if one of them times out first, or if
   * it is not known because an expression reads waitSeconds.
   */
  readonly passInSeconds: number | null;
  /** The two would make a match now, by themselves. */
  readonly matchesNow: boolean;
  /** Players of a full match. */
  readonly matchPlayers: number;
  /** Players of the two together. */
  readonly players: number;
}
