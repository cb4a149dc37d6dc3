// The reports that objects make about themselves for operators. Each report is bounded in size, however much the object
// holds, and making a report changes nothing. Reports that only the dashboard reads: packages/js/src/dashboard-types.ts.

import type { Match as Shown } from '../../../packages/js/src/journal-types';
import type { Happening } from '../../common/happening';
import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { Reported } from '../../lobby/game';
import type { Votes } from '../../lobby/votes';
import type { QueueLine } from '../../match/journal/lines';
import type { RatingChange } from './ratings';

/** How many of each a report has at most. */
export const PRIVATE_IDS = 20;
export const COMPARED = 500;
export const OLDEST = 25;
export const RECENT = 12;
/** How many lobbies of a formed match are named. */
export const NAMED_LOBBIES = 4;

type SeenPlayer = { readonly id: PlayerId } & Omit<
  Shown['teams'][number]['lobbies'][number]['players'][number],
  'id'
>;

/** What makes a match a rematch of another: the same lobbies, in the same teams (decision 83). */
export interface RematchTerms {
  /** Those that were there at its end. `team`: of all of its players; null: that of each is in `players`. */
  readonly lobbies: readonly {
    readonly lobbyId: LobbyId;
    readonly ticketId: TicketId;
    readonly team: number | null;
    readonly players: readonly { readonly id: PlayerId; readonly team: number }[];
  }[];
  /** One for each team, in the order of their numbers. */
  readonly names: readonly (string | null)[];
  readonly region: string;
  readonly build: string | null;
  readonly rated: boolean;
}

/** A match as operators see it, while it lives and for a while after its end. Instants are epoch ms. */
export interface MatchRecord extends Pick<
  Shown,
  'config' | 'mode' | 'outcome' | 'reason' | 'detail' | 'build' | 'rules' | 'quality' | 'bots'
> {
  readonly id: MatchId;
  readonly project: string;
  readonly madeBy?: 'host' | 'key' | 'rematch';
  /** With `key` and `rematch`: what its maker calls it, and the digest of the order. */
  readonly ref?: string;
  readonly digest?: string;
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
  /** Null if no server was ordered. */
  readonly instanceId: InstanceId | null;
  /** Oldest first. */
  readonly history: readonly Happening[];
  /** Absent until one is reported. */
  readonly result?: Reported;
  /** Of whom a rematch would be made, and how. Absent: it is not over, was not played, or there can be none. */
  readonly again?: RematchTerms;
  readonly links?: Shown['links'];
  /** Absent: no player hosts the match. */
  readonly votes?: Votes;
  /** The project's backend is told of the match. Absent: it is not. */
  readonly hooks?: true;
  /** Absent if the match counts for no ladder. */
  readonly rating?: {
    readonly field: string;
    /** Players who took no place. */
    readonly aside: readonly PlayerId[];
    /** Players of each full team. Absent: the teams are alike. */
    readonly places?: readonly number[];
    /** Absent until the result is rated. */
    readonly changes?: readonly RatingChange[];
  };
}

/** A match that somebody made in a mode, as its queue is told of it. */
export type MadeMatch = Omit<Extract<QueueLine, { k: 'made' }>, 'k' | 't'>;

/** A match as the queue of its mode remembers it. */
export interface FormedRecord extends Pick<
  Extract<QueueLine, { k: 'formed' }>,
  'matchId' | 'kind' | 'full' | 'region' | 'parties'
> {
  /** Who made it, and what they call it. Null: the queue formed it. */
  readonly made: Pick<MadeMatch, 'by' | 'ref'> | null;
  readonly at: number;
  /** Set if the match never got a game. */
  readonly failed: {
    readonly at: number;
    readonly reason: string;
    readonly detail: string | null;
  } | null;
}

/** The length of a step of `QueueTrends`. */
export const STEP_MS = 300_000;

export interface FormedQuery {
  readonly limit: number;
  /** Only matches that this player was put in. Null: all. */
  readonly player: PlayerId | null;
  readonly failedOnly: boolean;
  /** Null: any. */
  readonly region: string | null;
  /** Only what its maker calls so. Null: any. */
  readonly ref: string | null;
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
