// What a lobby may be asked, and what it promises.

import type { By, Happening } from '../../happening';
import type { LobbyId, MemberId, PlayerId, TicketId } from '../../ids';
import type { JsonObject } from '../../json';
import type { Command, MatchUpdate } from '../../lobby/command';
import type { Status } from '../../lobby/lobby';
import type { NewLobby } from '../../lobby/members';
import type { Order } from '../../lobby/operate';
import type { Hold } from '../../lobby/queueing';
import type { ReturnReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { ForCaller, LobbyReading, LobbyView } from '../../lobby/view';
import type { Mode } from '../../match/rules/mode';
import type { FarEnd } from '../kit/ports';
import type { Watchable } from '../kit/watched';
import type { ServerReport } from '../server/contract';

/** Of a caller who applies answers as they come, whatever it has been told since (decision 39). */
interface MaybeBlind {
  readonly blind?: boolean;
}

export interface CreateInput extends MaybeBlind, Omit<NewLobby, 'code'> {
  readonly player: PlayerId;
  readonly state: JsonObject | null;
  readonly forceFresh: boolean;
}

export interface JoinInput extends MaybeBlind {
  readonly project: string;
  readonly config: string;
  readonly player: PlayerId;
  readonly state: JsonObject | null;
  /** The caller knows the lobby's id alone, which does not let it into a private one. */
  readonly byIdAlone?: boolean;
}

export interface Membership {
  readonly player: PlayerId;
  readonly memberId: MemberId;
}

/** What a lobby brings into a match, as of its hold (decision 36). */
export interface PartySnapshot {
  readonly lobbyId: LobbyId;
  readonly ticketId: TicketId;
  readonly name: string;
  readonly host: PlayerId;
  readonly startedAt: number;
  readonly settings: JsonObject;
  readonly players: readonly { readonly id: PlayerId; readonly state: JsonObject | null }[];
}

export type HoldReply =
  | { readonly held: true; readonly party: PartySnapshot }
  /** `searches`: with that very ticket, though it does not hold for this proposal. */
  | { readonly held: false; readonly searches: boolean };

/** A reply to a command: the caller's lobby, or null when the lobby was deleted by it. */
export interface Answer extends ForCaller {
  readonly lobby: LobbyView | null;
  /** Of the queue that was entered, where it is behind with its work. */
  readonly behindMs?: number;
}

/** The place that an operator's key and path name. */
export interface Site {
  readonly project: string;
  readonly config: string;
}

/** How a player is in a lobby. */
export interface MemberSeen {
  readonly lobbyStatus: Status;
  readonly streaming: boolean;
}

export interface LobbyRpc extends Watchable {
  /** Refuses ALREADY_IN_LOBBY, CODES_EXHAUSTED. */
  create(input: CreateInput): Promise<Reply<LobbyView>>;
  /** LOBBY_NOT_FOUND also when the lobby lives in another project or config. */
  join(input: JoinInput): Promise<Reply<LobbyView>>;
  execute(command: Command, blind?: boolean): Promise<Reply<Answer>>;
  /** A sign of life of the player. LOBBY_NOT_FOUND also for who is not in it. */
  read(player: PlayerId, blind?: boolean): Promise<Reply<LobbyReading>>;
  /**
   * An answer that shows a blind caller its lobby at that revision leaves the service now. `behindMs`: so
   * much longer than usual it may be on its way.
   */
  answered(player: PlayerId, revision: number, behindMs?: number): Promise<void>;
  /** For the server key: null unless the lobby lives in that project and config; null: in any. */
  adminRead(project: string, config: string | null): Promise<LobbyView | null>;
  adminDelete(project: string, config: string, by?: By): Promise<boolean>;
  /** An operator's order; LOBBY_NOT_FOUND unless the lobby lives in that project and config. */
  operate(site: Site, order: Order, by: By): Promise<Reply<Answer>>;
  adminMember(site: Site, player: PlayerId): Promise<MemberSeen | null>;
  /** Oldest first, for a while also of a lobby that is over; null: there is none. */
  history(site: Site): Promise<readonly Happening[] | null>;
  /** The caller's lobby goes away if this player hosts it: `forceFresh`. Answers whether it did. */
  deleteIfHost(player: PlayerId): Promise<boolean>;
  /** A line with the player's events. Lines are asked for by relays alone. */
  events(player: PlayerId, lastRevision: number | null): Promise<Reply<FarEnd>>;
  /** Whether the player is in, or is being taken in, under this membership. */
  knows(membership: Membership): Promise<boolean>;
  /** The fence: held only while in_queue with that very ticket. */
  hold(request: Hold): Promise<HoldReply>;
  /** Lets go of that hold. Answers whether the lobby still searches with that ticket. */
  release(request: Hold): Promise<boolean>;
  /** False: the lobby is not, or no longer, part of that match. */
  matchUpdate(update: MatchUpdate): Promise<boolean>;
  /** The mode changed while queued: the ticket is made anew under it, or given up (decision 32). */
  refresh(ticketId: TicketId, mode: Mode, modeRevision: number): Promise<boolean>;
  /** The queue gives the ticket back. */
  returned(ticketId: TicketId, reason: ReturnReason): Promise<void>;
  /** For servers the lobby started itself. False: it has no such server, which then has no owner. */
  serverReport(report: ServerReport): Promise<boolean>;
}
