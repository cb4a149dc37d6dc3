// What a match may be asked, and what it promises.

import type { By } from '../../happening';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../ids';
import type { MatchUpdate } from '../../lobby/command';
import type { Hold } from '../../lobby/queueing';
import type { ReturnReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { SeenRule } from '../../match/explain/seen';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { OpenMatch, ProposedTeam } from '../../match/waiting/proposal';
import type { PartySnapshot } from '../lobby/contract';
import type { MatchRecord } from '../reports';
import type { ServerReport } from '../server/contract';

/** What the queue hands to the Match object: the decision, once saved there. */
export interface Roster {
  readonly matchId: MatchId;
  readonly project: string;
  readonly config: string;
  readonly mode: string;
  readonly rules: Mode;
  readonly region: string;
  readonly version: string | null;
  readonly anchor: Ticket;
  /** What each rule saw of the parties, in their order; absent where no journal is kept. */
  readonly seen?: readonly SeenRule[];
  readonly parties: readonly PartySnapshot[];
  readonly teams: readonly ProposedTeam[];
}

/** The room of a running match, as the match numbers its changes. */
export interface Offer {
  readonly seq: number;
  /** Null: it takes nobody, or not any more. */
  readonly match: OpenMatch | null;
}

/** A held lobby that comes into a running match (decision 30). */
export interface Backfill {
  readonly party: PartySnapshot;
  /** The number of the hold: one that was refused stays so, a later one may come in. */
  readonly seq: number;
  readonly team: number;
  /** The eligible players, who take the places. */
  readonly members: readonly PlayerId[];
  readonly roles: Readonly<Record<PlayerId, string>> | null;
}

/** What a lobby holds with, and for which proposal of the queue. */
export type HeldFor = Pick<Hold, 'ticketId' | 'seq'>;

export interface MatchRpc {
  /** 'aborted' when the match was given up before it was heard of; then it never will be. */
  open(roster: Roster): Promise<'opened' | 'aborted'>;
  /**
   * For a lobby whose hold grew old, and for a queue that cannot know whether it told the match.
   * A match nobody has heard of is aborted by the question.
   */
  outcome(lobbyId: LobbyId, hold: HeldFor): Promise<MatchUpdate | 'aborted'>;
  /** A party confirms as a unit. INVALID_STATE outside confirmation or after the deadline. */
  confirm(lobbyId: LobbyId, by?: PlayerId): Promise<Reply<MatchUpdate>>;
  /** Answers how the declining lobby now stands; null when it is not, or no longer, asked. */
  decline(lobbyId: LobbyId, reason: ReturnReason, by?: PlayerId): Promise<MatchUpdate | null>;
  /**
   * The lobby has left the match (deleted, or none of its players remain). It may have come in again
   * by another ticket: that stay is left alone.
   */
  left(lobbyId: LobbyId, ticketId?: TicketId): Promise<void>;
  /** Who of the match is still in the lobby; an older revision, or an earlier stay, never overwrites a newer one. */
  roster(
    lobbyId: LobbyId,
    revision: number,
    players: PartySnapshot['players'],
    ticketId?: TicketId,
  ): Promise<void>;
  /** A queued lobby joins the running match, whole, in one team; null: it has come in. */
  admit(backfill: Backfill): Promise<Offer | null>;
  /**
   * A host ended the match: the server stops, every lobby returns. One that says with which ticket
   * it was in the match has returned already, and is not told.
   */
  end(lobbyId: LobbyId, ticketId?: TicketId, by?: PlayerId): Promise<void>;
  /** The same, by an operator. False: there is no such match in that project, or it is over. */
  endByOperator(project: string, by: By): Promise<boolean>;
  /** For operators; null: there is none in that project. */
  record(project: string): Promise<MatchRecord | null>;
  /** False: the match does not know that server, which then has no owner. */
  serverReport(report: ServerReport): Promise<boolean>;
}
