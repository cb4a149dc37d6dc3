// What a queue may be asked, and what it promises.

import type { LobbyId, MatchId, TicketId } from '../../common/ids';
import type { ReturnReason } from '../../lobby/reasons';
import type { WaitReason } from '../../match/explain/wait';
import type { QueueStats } from '../../match/waiting/proposal';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { Offer } from '../match/contract';
import type { Watchable } from '../kit/watched';
import type { FormedQuery, FormedRecord, QueueReport, TrendPoint } from '../reports';

/** A part of the journal. */
export interface JournalPart {
  /** Whole lines. */
  readonly text: string;
  /** Where to go on; null: that was all. */
  readonly next: number | null;
  /** Tickets that waited where the text begins. */
  readonly waiting: number;
}

export interface Estimate {
  /** Seconds from entering, within which half of like parties have a match. */
  readonly p50: number;
  /** The same for nine of ten; null where too many have waited without one for anybody to know. */
  readonly p90: number | null;
  /** So many parties it rests on. */
  readonly of: number;
}

/** What a lobby's own players are told of its wait. */
export interface WaitReport extends WaitReason {
  /** How long like parties waited of late, in seconds; null where too few did. */
  readonly estimate: Estimate | null;
}

export interface Entered extends QueueStats {
  /** How far the queue is behind, where that is too far for new work. */
  readonly behindMs?: number;
}

export interface QueueRpc extends Watchable {
  /**
   * Enters a ticket, or refreshes the one of that id when `revision` is newer; answers after it
   * is saved, while the search goes on. `mode` counts if its revision is the newest seen.
   */
  enter(entry: QueueEntry): Promise<Entered>;
  /** `reason`: why its search ended, for the figures. An earlier release gives none. */
  leave(ticketId: TicketId, reason?: ReturnReason): Promise<void>;
  stats(): Promise<QueueStats>;
  /** The same with why each of those lobbies still waits. */
  shown(
    lobbies: readonly LobbyId[],
  ): Promise<{ readonly stats: QueueStats; readonly waits: readonly (WaitReport | null)[] }>;
  /** Why that lobby still waits; null: it does not, or too many ask at once. */
  whyWaits(lobbyId: LobbyId): Promise<WaitReport | null>;
  /** For operators. Explains that ticket's wait; null, or one that is gone: the eldest's. */
  report(ticketId: TicketId | null): Promise<QueueReport>;
  /** A match came to no game: for operators alone, and may be lost. */
  matchFailed(matchId: MatchId, reason: string, detail: string | null): Promise<void>;
  /** Of the last that it formed, newest first; the steps of its trends come oldest first. */
  matches(query: FormedQuery): Promise<readonly FormedRecord[]>;
  trends(hours: number): Promise<readonly TrendPoint[]>;
  /** Lines of its journal from that row on (null: from the oldest), and the mode it works by. */
  journal(from: number | null): Promise<JournalPart & { readonly mode: Mode | null }>;
  /** The room of a running match; told again whenever it changes, an older telling is ignored. */
  offer(matchId: MatchId, offer: Offer): Promise<void>;
  /** The mode as saved now; null: the mode is gone and all tickets return (decision 32). */
  modeChanged(mode: Mode | null, revision: number): Promise<void>;
}

export interface QueueEntry {
  readonly ticket: Ticket;
  /** The lobby's revision, so that an older refresh never undoes a newer one. */
  readonly revision: number;
  readonly mode: Mode;
  readonly modeRevision: number;
}
