// What operators are told of the past: the answers' types, which the dashboard shares.

import type { LobbyConfig } from '../../lobby/config';
import type { MatchRecord, Outcome, TrendPoint } from '../../objects/reports';

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
  /** It began with places open. */
  readonly short: boolean;
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
  'project' | 'formedAt' | 'runningAt' | 'endedAt' | 'instanceId' | 'history'
> {
  readonly formedAt: string;
  readonly runningAt: string | null;
  readonly endedAt: string | null;
  /** Null where no server was asked for, or nobody remembers it. */
  readonly server: {
    readonly id: string;
    readonly status: string;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly detail: string | null;
  } | null;
  readonly history: readonly HappeningView[];
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
}

export interface Trends {
  /** How long matches and lobbies are remembered; 0: nothing is (JOURNAL_HOURS). */
  readonly keptHours: number;
  /** Seconds. */
  readonly step: number;
  readonly points: readonly (Omit<TrendPoint, 'at'> & { readonly at: string })[];
}

export interface RevisionView {
  readonly revision: number;
  readonly savedAt: string;
  /** Who saved it, by the fingerprint of the key; null: not known. */
  readonly key: string | null;
  /** Null: it was deleted then. */
  readonly config: LobbyConfig | null;
}
