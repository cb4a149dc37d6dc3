// The contract of a Lobby object: its methods and what they promise.

import type { By, Happening } from '../../common/happening';
import type { MatchId, MemberId, PlayerId, TicketId } from '../../common/ids';
import type { Json, JsonObject } from '../../common/json';
import type { Attributes } from '../../lobby/attributes';
import type { BookingRequest, Unbooked } from '../../lobby/bookings';
import type { Command, MatchUpdate, RematchUpdate } from '../../lobby/command';
import type { Candidate } from '../../lobby/hosting';
import type { LastResult, NewLobby, Status } from '../../lobby/lobby';
import type { Order } from '../../lobby/decide';
import type { Hold } from '../../lobby/queueing';
import type { ReturnReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { ForCaller, LobbyReading, LobbyView, Seat } from '../../lobby/view';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { FarEnd } from '../kit/ports';
import type { Watchable } from '../kit/listeners';
import type { PartySnapshot } from './party';
import type { ServerReport } from './server';

/** `isSdk`: the caller is the hosted service's SDK, or one like it, which applies answers as they arrive, even after newer events (decision 39). */
interface CallerFacts {
  readonly isSdk?: boolean;
  /** The attributes in the player's token (decision 46). */
  readonly claim?: JsonObject;
}

export interface CreateInput extends CallerFacts, Omit<NewLobby, 'code'> {
  readonly player: PlayerId;
  readonly state: JsonObject | null;
  readonly forceFresh: boolean;
  /** A Directory asks so. */
  readonly isQuick?: boolean;
  /** A match is being made of its player, who has no lobby (decision 76): it is founded as booked for it. */
  readonly booking?: BookingRequest;
  /** The Directory founds it for this key (docs/finding-lobbies.md). */
  readonly key?: string;
}

export interface JoinInput extends CallerFacts {
  readonly project: string;
  readonly config: string;
  readonly player: PlayerId;
  readonly state: JsonObject | null;
  /** The caller knows only the lobby's id, which does not let it into a private lobby. */
  readonly byIdAlone?: boolean;
  /** A Directory chose the lobby. */
  readonly isQuick?: boolean;
  /** To watch. Absent: to play. */
  readonly as?: 'spectator' | undefined;
}

export interface Membership {
  readonly player: PlayerId;
  readonly memberId: MemberId;
}

export type HoldReply =
  | { readonly held: true; readonly party: PartySnapshot }
  /** `searches`: whether the lobby still searches with that very ticket, although it refuses this hold. */
  | { readonly held: false; readonly searches: boolean };

/** A reply to a command: the caller's lobby, or null if the command deleted the lobby. */
export interface LobbyAnswer extends ForCaller {
  readonly lobby: LobbyView | null;
  /** What a change makes the streams of the lobby carry in all. Absent in a lobby of few streams. */
  readonly toldKiB?: number;
  /** How far the queue that was entered is behind with its work. Absent if it is not behind. */
  readonly behindMs?: number;
  /** How many seats a move has claimed. */
  readonly claimed?: number;
}

/** What a player says to others of its match or lobby (record 0070). */
export interface PeerSignal {
  readonly from: PlayerId;
  /** Null: to all others. */
  readonly to: PlayerId | null;
  readonly data: Json;
  /** The config in the path of the sender's request. */
  readonly under?: string;
  /** The term of the match's host, as the sender's lobby knows it. */
  readonly term?: number | undefined;
}

/** Whom a signal was for, how many of them had a stream, and how many lobbies were asked. */
export interface Reception {
  readonly players: number;
  readonly streams: number;
  readonly lobbies: number;
}

/** How a stream is opened (decision 75). */
export interface StreamOpening {
  /** The client asks for changes instead of whole lobbies. */
  readonly changes?: boolean;
  /** The lobby of which the client saw the last revision. */
  readonly lobby?: string | null;
  /** The config in the path of the request: only a lobby of that config answers. Absent: any. */
  readonly under?: string;
}

/** Where a lobby lives. */
export interface Site {
  readonly project: string;
  readonly config: string;
}

/** A player's standing in a lobby. */
interface MemberSeen {
  readonly lobbyStatus: Status;
  readonly streaming: boolean;
  /** The mode that the lobby searches or plays. Null: none. */
  readonly mode: string | null;
  readonly code: string;
  /** It only watches. */
  readonly as?: 'spectator';
}

/** A place that a lobby keeps for a player who is not there. */
export interface KeptPlace extends Pick<MemberSeen, 'mode' | 'code'> {
  /** Epoch ms. Null: for as long as the game lasts. */
  readonly until: number | null;
}

/** `ticket`: as it would search in the match's mode, or why it could not. */
export type BookingReply =
  | {
      readonly held: true;
      readonly party: PartySnapshot;
      readonly ticket: Reply<Ticket>;
    }
  | ({ readonly held: false } & Unbooked);

export interface LobbyRpc extends Watchable {
  /** Refuses ALREADY_IN_LOBBY, CODES_EXHAUSTED. */
  create(input: CreateInput): Promise<Reply<LobbyView>>;
  /** Refuses LOBBY_NOT_FOUND also if the lobby lives in another project or config. */
  join(input: JoinInput): Promise<Reply<LobbyView>>;
  execute(command: Command, isSdk?: boolean): Promise<Reply<LobbyAnswer>>;
  /**
   * Counts as a sign of life of the player. Refuses LOBBY_NOT_FOUND also if the player is not in the lobby, or if it is of another
   * config than `under`, that of the path.
   */
  read(player: PlayerId, isSdk?: boolean, under?: string): Promise<Reply<LobbyReading>>;
  /**
   * Call when an answer that shows the SDK its lobby at that revision leaves the service. `behindMs`: how
   * much longer than usual the answer may take to arrive.
   */
  answered(player: PlayerId, revision: number, behindMs?: number): Promise<void>;
  /** For the server key. Null unless the lobby lives in that project and config. A null `config` means any. */
  adminRead(project: string, config: string | null): Promise<LobbyView | null>;
  adminDelete(project: string, config: string, by?: By): Promise<boolean>;
  /**
   * Carries out an operator's order. Refuses LOBBY_NOT_FOUND unless the lobby lives in that project and config, or has moved to
   * the one that the order names.
   */
  operate(site: Site, order: Order, by: By): Promise<Reply<LobbyAnswer>>;
  /** It is no sign of life, and saves nothing. Of a spectator, the status and mode that spectators are shown. */
  adminMember(site: Site, player: PlayerId): Promise<MemberSeen | null>;
  /** The config that the lobby has moved to with the player since it was in that one. Null: it has not. It saves nothing. */
  movedTo(site: Site, player: PlayerId): Promise<string | null>;
  /** The same as `adminMember`, of a place that is kept. */
  keptFor(site: Site, player: PlayerId): Promise<KeptPlace | null>;
  /** The lobby's history, oldest first. A deleted lobby's history is kept for a while. Null: there is none. */
  history(site: Site): Promise<readonly Happening[] | null>;
  /** Deletes the lobby if this player hosts it, for `forceFresh`. Returns whether it did. */
  deleteIfHost(player: PlayerId): Promise<boolean>;
  /** Opens a line with the player's events. Only relays call it. */
  events(
    player: PlayerId,
    lastRevision: number | null,
    how?: StreamOpening,
  ): Promise<Reply<FarEnd>>;
  /** The player's seat in the game that the lobby plays. Null: none. It is no sign of life. */
  seat(player: PlayerId): Promise<Seat | null>;
  /**
   * Hands a member's signal to the open streams of its lobby and match. It saves nothing and is no sign of life. Not
   * idempotent: each call is a signal. Refuses LOBBY_NOT_FOUND also if the sender is not in the lobby.
   */
  signal(said: PeerSignal): Promise<Reply<Reception>>;
  /** The same, from another lobby of that match. Nobody hears it if the lobby is not in the match. */
  signalled(match: MatchId, said: PeerSignal): Promise<Reception>;
  /** Whether the player is in the lobby, or is just joining it, under this membership. */
  knows(membership: Membership): Promise<boolean>;
  /** The fence: takes a hold on the lobby, only while it is `in_queue` with that very ticket. */
  hold(request: Hold): Promise<HoldReply>;
  /**
   * Promises the lobby to a match that is being made of named lobbies, only while it waits or searches (decision 76). A hold of
   * a queue is waited for. Its players see nothing until the match tells it.
   */
  book(site: Site, request: BookingRequest): Promise<BookingReply>;
  /** That match is not made. A lobby that was founded for it ends. */
  unbook(booking: Pick<BookingRequest, 'matchId' | 'ticketId'>): Promise<void>;
  /** Releases that hold. Returns whether the lobby still searches with that ticket. */
  release(request: Hold): Promise<boolean>;
  /** False: the lobby is not or no longer part of that match. */
  matchUpdate(update: MatchUpdate): Promise<boolean>;
  /** How the lobbies of a match that is over stand to a rematch. False: this one has done something else since. */
  rematch(update: RematchUpdate): Promise<boolean>;
  /** The mode changed while the lobby was queued. The ticket is rebuilt for it or withdrawn (decision 32). */
  refresh(ticketId: TicketId, mode: Mode, modeRevision: number): Promise<boolean>;
  /** The queue returns the ticket without a match. */
  returned(ticketId: TicketId, reason: ReturnReason): Promise<void>;
  /** For a server that the lobby started itself. False: the lobby does not own that server, so nobody does. */
  serverReport(report: ServerReport): Promise<boolean>;
  /** The lobby's players, one of whom is to host a game (record 0069). A lobby that is gone has none. It saves nothing. */
  hosts(): Promise<readonly Candidate[]>;
  /** A match that the lobby was in has a result. */
  result(result: LastResult): Promise<void>;
  /** The player's record changed. Older revisions, and players who are not in the lobby, change nothing. */
  attributes(player: PlayerId, attributes: Attributes): Promise<void>;
}
