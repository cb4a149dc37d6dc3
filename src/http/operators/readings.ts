// The types of what only the dashboard reads. It imports them.

import type { ServerPage } from '../../../client/src/admin-types';
import type { LobbyPage } from '../../../client/src/types';
import type { Build } from '../../fleet/build';
import type { Closed } from '../../lobby/config';
import type { LobbyView, QueueStats } from '../../lobby/view';
import type { ProjectDocument, ServerGroup } from '../../objects/contracts/project';
import type { SearchRecord } from '../../objects/contracts/queue';
import type {
  Census,
  HourPoint,
  QueueReport,
  QueueTrends,
  TrendPoint,
} from '../../objects/contracts/reports';
import type { Overload } from '../overloads';

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

/** Searches that ended, those of them that ended without a match, and those whose match came to no game. */
export type Ended = Pick<TrendPoint, 'ended' | 'unmatched' | 'noGame'>;

/** The answer of `GET /admin/attention`. */
export interface AttentionView {
  /** Every mode, in the last hour and in the day before it. */
  readonly modes: readonly {
    readonly config: string;
    readonly mode: string;
    readonly hour: Ended;
    readonly before: Ended;
  }[];
  /** The last line that the last server of each failing build printed. Builds of which none is known are left out. */
  readonly said: readonly { readonly build: string; readonly line: string }[];
  /** Servers that launch and are late, such as to open their ports; the newest, at most ten. */
  readonly late: readonly {
    readonly id: string;
    readonly build: string | null;
    readonly detail: string;
  }[];
  /** The fleets that do not answer, and what happened instead. */
  readonly fleets: readonly { readonly name: string; readonly detail: string }[];
}

export interface LobbiesView {
  readonly census: Census;
  readonly page: LobbyPage;
}

export interface ServersView {
  readonly page: ServerPage;
  /** All servers that are listed, counted, whatever the page shows. */
  readonly groups: readonly ServerGroup[];
}

/** The snapshot of each view. */
export interface Readings {
  readonly overview: Overview;
  readonly project: ProjectDocument;
  readonly lobbies: LobbiesView;
  readonly lobby: { readonly lobby: LobbyView | null };
  readonly queue: { readonly report: QueueReport; readonly saved: boolean };
  readonly servers: ServersView;
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
  /** Only of one queue that is named. */
  readonly day?: readonly (Omit<HourPoint, 'at'> & { readonly at: string })[];
}

/** A player's search, as the journal of its queue tells it. */
export interface SearchSeen extends SearchRecord {
  readonly config: string;
  readonly mode: string;
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
  /** The text has the form of a match's id. The match's page shows whether the match exists. */
  | { readonly kind: 'match'; readonly id: string };
