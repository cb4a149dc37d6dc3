// The types of the answers about the past, for operators. The dashboard imports them.

import type { Result } from '../../../client/src/result-types';
import type { Build } from '../../fleet/build';
import type { JsonObject } from '../../common/json';
import type { LobbyConfig } from '../../lobby/config';
import type { Ban } from '../../objects/project/bans';
import type { Deed } from '../../objects/project/audit';
import type { SearchRecord } from '../../objects/queue/searches';
import type { RatingChange } from '../../objects/ratings/contract';
import type { MatchRecord, Outcome, QueueTrends, TrendPoint } from '../../objects/reports';

/** How a match went for one player. */
export interface OwnResult {
  /** Its team's; 1 is the best. Null: the game reports scores. */
  readonly rank: number | null;
  /** The player's own, else its team's. Null: none was reported. */
  readonly score: number | null;
  readonly abandoned: boolean;
}

/** A match in a list. */
export interface MatchSummary {
  readonly id: string;
  readonly config: string;
  readonly mode: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly formedAt: string;
  readonly endedAt: string | null;
  readonly players: number;
  /** Whether the match began with open places. */
  readonly short: boolean;
  /** Null for a backfill. */
  readonly region: string | null;
  /** Null: not known, or none was launched. */
  readonly build: string | null;
  /** The longest wait of its lobbies. */
  readonly waitedSeconds: number;
  /** From when its server ran until its end. Null unless it ran and has ended. */
  readonly playedSeconds: number | null;
  /** Only in a player's own list. Absent: no result was reported. */
  readonly result?: OwnResult;
}

export interface HappeningView {
  readonly at: string;
  readonly kind: string;
  readonly by: string | null;
  readonly lobbyId: string | null;
  readonly playerId: string | null;
  readonly matchId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

export interface MatchView extends Omit<
  MatchRecord,
  | 'project'
  | 'formedAt'
  | 'runningAt'
  | 'endedAt'
  | 'instanceId'
  | 'history'
  | 'result'
  | 'hooks'
  | 'rating'
> {
  readonly formedAt: string;
  readonly runningAt: string | null;
  readonly endedAt: string | null;
  /** Null if no server was ordered, or if it is forgotten. */
  readonly server: {
    readonly id: string;
    readonly status: string;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly detail: string | null;
  } | null;
  readonly history: readonly HappeningView[];
  /** Absent until one is reported. */
  readonly result?: Result & { readonly at: string };
  /** What the result did to the players' ratings, in points. Absent until then. */
  readonly rating?: { readonly field: string; readonly changes: readonly RatingChange[] };
}

interface BanView extends Omit<Ban, 'by'> {
  readonly by: string;
}

export interface PlayerSeen {
  readonly id: string;
  readonly places: readonly {
    readonly config: string;
    readonly lobbyId: string;
    readonly lobbyStatus: string;
    readonly streaming: boolean;
  }[];
  readonly matches: readonly MatchSummary[];
  /** What the backend says of the player. */
  readonly attributes: JsonObject;
  /** Those that hold. */
  readonly bans: readonly BanView[];
}

export interface Trends {
  /** How long matches and lobbies are remembered (JOURNAL_HOURS). 0: not at all. */
  readonly keptHours: number;
  /** Seconds. */
  readonly step: number;
  readonly points: readonly (Omit<TrendPoint, 'at'> & { readonly at: string })[];
  /** The searches that ended in all of that time. */
  readonly waits: readonly (QueueTrends['waits'][number] & {
    readonly config: string;
    readonly mode: string;
  })[];
}

/** A player's search, as the journal of its queue tells it. */
export interface SearchSeen extends SearchRecord {
  readonly config: string;
  readonly mode: string;
}

/** What operators did, newest first. */
export interface AuditPage {
  readonly items: readonly {
    readonly at: string;
    readonly kind: Deed['kind'];
    /** `operator:` and the name or fingerprint of the key. */
    readonly by: string;
    readonly on: string | null;
    readonly detail: string | null;
  }[];
  readonly next: string | null;
}

interface Saved {
  readonly revision: number;
  readonly savedAt: string;
  /** The name or fingerprint of the key that saved this revision. Null: not known. */
  readonly key: string | null;
}

export interface BuildRevisionView extends Saved {
  /** Null: this revision deleted the build. */
  readonly build: Build | null;
}

export interface RevisionView extends Saved {
  /** Null: this revision deleted the config. */
  readonly config: LobbyConfig | null;
}
