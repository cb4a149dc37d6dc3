// What a queue may be asked, and what it promises.

import type {
  Explanation,
  QueueReport,
  QueueTrends,
  SearchSeen,
} from '../../../packages/js/src/dashboard-types';
import type { ModeOutlook, QueueStats as ShownStats } from '../../../packages/js/src/types';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { LeaveReason } from '../../lobby/reasons';
import type { QueueStats } from '../../lobby/view';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { Offer } from './match';
import type { Watchable } from '../kit/listeners';
import type { FormedPage, FormedQuery, MadeMatch } from './reports';

export interface JournalPart {
  /** Whole lines. */
  readonly text: string;
  /** The row to go on from. Null: there are no more. */
  readonly next: number | null;
  /** How many tickets waited where the text begins. */
  readonly waiting: number;
  /** The mode in use. Null: the queue knows none yet. */
  readonly mode: Mode | null;
}

/** What the players of a waiting lobby are told about its wait. */
export type WaitReport = NonNullable<ShownStats['wait']>;

/** A player's search, before the answer names its queue. */
export interface SearchRecord extends Omit<SearchSeen, 'config' | 'mode'> {
  readonly ticketId: TicketId;
  readonly lobbyId: LobbyId;
  readonly ended: (NonNullable<SearchSeen['ended']> & { readonly matchId: MatchId | null }) | null;
}

/** What stood in the way when a search ended. */
export interface SearchEnd {
  readonly explanation: Explanation;
  /** The lobbies that are nearest by a rule, which `explanation` has by their tickets. */
  readonly nearest: readonly Pick<Ticket, 'id' | 'lobbyId' | 'players'>[];
}

interface Entered extends QueueStats {
  /** How far the queue is behind, if that is too far for new work. */
  readonly behindMs?: number;
}

/** What changed in a queue since its matcher last asked. */
export interface TicketPage {
  /** Those that came or changed. */
  readonly tickets: readonly Ticket[];
  readonly gone: readonly TicketId[];
  /** Where the next page begins. */
  readonly next: string;
  /** It is the first page of all tickets: what was known before counts no more. */
  readonly isWhole: boolean;
}

export interface QueueRpc extends Watchable {
  /**
   * Enters a ticket, or refreshes the ticket of that id if `revision` is newer. Answers when the ticket is saved,
   * while the search goes on. The queue takes over `mode` if its revision is the newest it has seen.
   */
  enter(entry: QueueEntry): Promise<Entered>;
  /** `reason`: why the search ended, for statistics. An earlier release gives none. */
  leave(ticketId: TicketId, reason?: LeaveReason): Promise<void>;
  stats(): Promise<QueueStats>;
  /** For the game's own matcher: at most a page of what came, changed or went since `after`, as soon as there is any, or `waitMs` have passed. */
  changed(after: string, waitMs: number): Promise<TicketPage>;
  /** The statistics, and how long players alone waited lately. */
  outlook(): Promise<Omit<ModeOutlook, 'mode'>>;
  /** The statistics, and why each of those lobbies still waits. Null: it does not wait, or too many ask at once. */
  shown(
    lobbies: readonly LobbyId[],
  ): Promise<{ readonly stats: QueueStats; readonly waits: readonly (WaitReport | null)[] }>;
  /** For operators. Explains the wait of that ticket, or of the longest waiting one if it is null or gone. */
  report(ticketId: TicketId | null): Promise<QueueReport>;
  /** A match never got a game: for operators, and for the brake (brake.ts) unless it was `made`. The note may be lost. */
  matchFailed(
    matchId: MatchId,
    reason: string,
    detail: string | null,
    made?: 'made',
  ): Promise<void>;
  /** A match was made in its mode: for the lists of matches alone. Told again, it is listed once. */
  matchMade(match: MadeMatch): Promise<void>;
  /** Formed and made matches, newest first. */
  formed(query: FormedQuery): Promise<FormedPage>;
  /** Oldest first. */
  trends(hours: number, withDay?: boolean): Promise<QueueTrends>;
  /**
   * The player's searches in the journal, newest first. `from`: the row to go on from; null: the newest. `next`: null
   * if there are no more since `since`.
   */
  searches(
    player: PlayerId,
    from: number | null,
    since: number,
  ): Promise<{ readonly searches: readonly SearchRecord[]; readonly next: number | null }>;
  /** What stood in the way of a search when it ended, by the rules of `mode`. Null: that is not known. */
  searchEnd(search: Pick<SearchRecord, 'ticketId' | 'row'>, mode: Mode): Promise<SearchEnd | null>;
  /** Lines of the journal from that row on (null: from the oldest). */
  journal(from: number | null): Promise<JournalPart>;
  /** The room of a running match. The match tells it again whenever it changes, and older offers are ignored. */
  offer(matchId: MatchId, offer: Offer): Promise<void>;
  /** The mode as it is saved now. Null: it was deleted, and all tickets are returned (decision 32). */
  modeChanged(mode: Mode | null, revision: number): Promise<void>;
}

/** A ticket as the queue saves it. */
export interface TicketRow {
  readonly ticket: Ticket;
  /** The lobby's revision when it made the ticket, so that an older refresh never overwrites a newer one. */
  readonly revision: number;
  /** The revision of the mode that the ticket was made for. */
  readonly modeRevision: number;
  /** The last proposal that the lobby held for and that was given up, by its `seq`; 0 for none (record 0038). */
  readonly gaveUp: number;
}

export interface QueueEntry extends Omit<TicketRow, 'gaveUp'> {
  readonly mode: Mode;
}
