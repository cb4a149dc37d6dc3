// The RPC contracts between the objects: what each may be asked, and what it promises.
// All methods return complete plain values; refusals are values. Results are readonly.
// Every method is safe to call twice with the same arguments (idempotent), unless it says otherwise.

import type { ServerBlock, ServerRecord, StatusReport } from '../fleet/port';
import type { By, Happening } from '../happening';
import type { InstanceId, LobbyId, MatchId, MemberId, PlayerId, TicketId } from '../ids';
import type { JsonObject } from '../json';
import type { Build } from '../fleet/build';
import type { Command, MatchUpdate } from '../lobby/command';
import type { InviteCodeConfig, LobbyConfig } from '../lobby/config';
import type { Status } from '../lobby/lobby';
import type { NewLobby } from '../lobby/members';
import type { Order } from '../lobby/operate';
import type { Hold } from '../lobby/queueing';
import type { ReturnReason } from '../lobby/reasons';
import type { Reply } from '../lobby/refusals';
import type { LobbyReading, LobbyView, ForCaller } from '../lobby/view';
import type { Mode } from '../match/rules/mode';
import type { OpenMatch, ProposedTeam } from '../match/waiting/proposal';
import type { Ticket } from '../match/ticket/ticket';
import type { SeenRule } from '../match/explain/seen';
import type { Guess } from './directory/guesses';
import type { FarEnd } from './kit/host';
import type { Watchable } from './kit/watched';
import type { MemberSeen, Site } from './lobby/operators';
import type { Identity } from './project/identity';
import type { Census, MatchRecord } from './reports';
import type { Restart, ServerLogs, ServerOptions } from './server/options';

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

export interface ServerReport {
  readonly instanceId: InstanceId;
  /** Rises with every change of the server; owners ignore one not above the last they saw. */
  readonly seq: number;
  readonly block: ServerBlock;
  /** It stopped before it ever ran: a launch that failed, and no game that ended (decision 40). */
  readonly failed?: boolean;
  /** Why it failed: for operators. */
  readonly detail?: string;
}

/** A reply to a command: the caller's lobby, or null when the lobby was deleted by it. */
export interface Answer extends ForCaller {
  readonly lobby: LobbyView | null;
  /** Of the queue that was entered, where it is behind with its work. */
  readonly behindMs?: number;
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

export interface SeatRpc {
  /** Takes the seat for a lobby; refused with the lobby that truly holds the player. */
  claim(lobbyId: LobbyId, membership: Membership): Promise<{ readonly heldBy: LobbyId | null }>;
  release(membership: Membership): Promise<void>;
  /** The lobby the seat points at; the lobby's member list is the truth. */
  where(player: PlayerId): Promise<LobbyId | null>;
  /** True when the player is in another lobby than this one (checked with that lobby). */
  elsewhere(player: PlayerId, lobbyId: LobbyId): Promise<boolean>;
  /** A line that is silent until the player has a lobby. */
  watch(player: PlayerId): Promise<Reply<FarEnd>>;
}

export interface DirectoryRow {
  readonly lobbyId: LobbyId;
  readonly revision: number;
  /** Null when the lobby is private: not shown, but its code lives. */
  readonly view: LobbyView | null;
}

export interface BrowseQuery {
  readonly region: string | null;
  readonly status: Status | null;
  readonly limit: number;
  readonly offset: number;
}

export interface BrowsePage {
  readonly lobbies: readonly LobbyView[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
}

/** One attempt to found a lobby; a request told again may found it after the first failed. */
export interface Founding {
  readonly lobbyId: LobbyId;
  /** The membership of its founder. */
  readonly by: MemberId;
}

export interface DirectoryRpc extends Watchable {
  /**
   * A code of its own for the lobby, the same one when asked again. `first`: as the lobby is about
   * to be founded, shown at once under that code.
   */
  allocate(
    founding: Founding,
    config: InviteCodeConfig | null,
    first?: DirectoryRow,
  ): Promise<Reply<string>>;
  /** LOBBY_NOT_FOUND, which counts as a wrong guess; RATE_LIMITED after too many. */
  find(guess: Guess): Promise<Reply<LobbyId>>;
  /** An older revision never overwrites a newer one. */
  put(row: DirectoryRow): Promise<void>;
  /** Frees the code and takes the row away; of another founding: once that lobby is gone. */
  remove(founding: Founding): Promise<void>;
  browse(query: BrowseQuery): Promise<BrowsePage>;
  census(): Promise<Census>;
}

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

export type ServerOwner =
  | { readonly kind: 'lobby'; readonly id: LobbyId }
  | { readonly kind: 'match'; readonly id: MatchId }
  | { readonly kind: 'project' };

export interface LaunchOrder {
  readonly instanceId: InstanceId;
  readonly project: string;
  readonly owner: ServerOwner;
  /** Config of the lobby or match that it is for, as the log names it; orders of releases up to 0.1 have none. */
  readonly config?: string;
  readonly name: string;
  readonly region: string;
  readonly build: string;
  readonly computeSize: string;
  readonly customData: JsonObject;
  readonly ttlSeconds: number | null;
  readonly matchId: string | null;
  readonly options?: ServerOptions;
}

export interface ServerRpc {
  /** Launches once, whatever the number of calls; LAUNCH_FAILED, SERVERS_EXHAUSTED. */
  launch(order: LaunchOrder): Promise<Reply<ServerReport>>;
  read(project: string): Promise<Reply<ServerRecord>>;
  /**
   * Ends what runs and launches the same order again, under the same id. One that launches is
   * answered as it is, so that a call that is told twice restarts once. INVALID_STATE once stopped.
   */
  restart(project: string, restart: Restart): Promise<Reply<ServerBlock>>;
  /** The last lines it printed. LOGS_NOT_AVAILABLE; UNAVAILABLE while its fleet is silent. */
  logs(project: string, limit: number): Promise<Reply<ServerLogs>>;
  /** Stops the server. Unknown or stopped: nothing. `byOwner`: its owner need not be told. */
  stop(byOwner?: boolean): Promise<void>;
  /** UNAUTHORIZED on a wrong token, SERVER_NOT_FOUND when unknown or already stopped. */
  report(token: string, report: StatusReport): Promise<Reply<ServerBlock>>;
  update(project: string, customData: JsonObject): Promise<Reply<ServerBlock>>;
}

export interface ProjectDocument extends Identity {
  readonly revision: number;
  readonly configs: Readonly<Record<string, LobbyConfig>>;
  readonly builds: Readonly<Record<string, Build>>;
}

export interface ServerRow {
  readonly block: ServerRecord;
  readonly seq: number;
  /** Whether its build could be launched; null or absent: that tells nothing. */
  readonly launch?: 'ran' | 'failed' | null;
}

export interface ServersPage {
  readonly servers: readonly ServerRecord[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}
