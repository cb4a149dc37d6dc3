// The saved state of a lobby. It is pure data: `change.ts` and the command modules say who may change it, and how.

import type { TeamResult } from '../../packages/js/src/result-types';
import type { ServerBlock } from '../fleet/port';
import type { InstanceId, LobbyId, MatchId, MemberId, PlayerId, TicketId } from '../common/ids';
import type { JsonObject } from '../common/json';
import type { Setback } from './reasons';

export const STATUSES = [
  'waiting',
  'in_queue',
  'starting',
  'matched',
  'match_found',
  'in_game',
] as const;
export type Status = (typeof STATUSES)[number];

/** Below the revision of every record. A lobby is told of changes only where its config trusts a key. */
export const UNTOLD = -1;

export interface KnownAttributes {
  /** Of the record. `UNTOLD`: newer ones may have been missed. */
  readonly revision: number;
  readonly record: JsonObject;
  /** From the player's token, for this stay. It wins over the record, and null hides a key of the record. */
  readonly claim: JsonObject;
}

export interface Player {
  readonly id: PlayerId;
  readonly state: JsonObject | null;
  /** Names this membership. A seat that is released under an older membership stays taken. */
  readonly memberId: MemberId;
  readonly joinedAt: number;
  /** Last request or heartbeat. While `streaming`, the open stream counts as presence. */
  readonly seenAt: number;
  /** The player had an open stream at the last save, so after a restart there is time to reconnect. */
  readonly streaming: boolean;
  /** Set for a player who joined during a game without being part of it: that game, as `gameOf` names it. */
  readonly cameDuring?: string;
  /** The same player may have a place that is kept: the lobby's revision that brought the player back. */
  readonly returning?: number;
  /** What the project's backend says of the player. Absent: not known, as where no key is trusted. */
  readonly given?: KnownAttributes;
  /** The seats of the configs that the lobby was in before it moved, which lead to it until others claim them. */
  readonly former?: readonly FormerSeat[];
}

interface FormerSeat {
  readonly config: string;
  readonly memberId: MemberId;
}

/** Who watches the lobby (record 0108). Whatever counts players does not count spectators. */
export type Spectator = Pick<
  Player,
  'id' | 'memberId' | 'joinedAt' | 'seenAt' | 'streaming' | 'former'
>;

/** What a search waits with in the queue of one mode. The ticket's id fences every hold. */
export interface SearchTicket {
  readonly ticketId: TicketId;
  readonly mode: string;
  /** The queue counts the wait from then: `startedAt`, later by the time in `match_found`. Absent: from `startedAt`. */
  readonly waitsFrom?: number | undefined;
  /** After this instant the lobby leaves the queue by itself, in case the queue has forgotten it. */
  readonly giveUpAt: number;
  /** Number of the latest hold that the queue asked for. Older holds that arrive late are refused. */
  readonly holdSeq: number;
  /** When it enters its queue, epoch ms. Absent: it has entered. */
  readonly entersAt?: number | undefined;
}

/** What is kept of the request that began a search or a game. */
export interface AskedBy {
  readonly requestId?: string | undefined;
  /** The caller's `traceparent`, if the trace is recorded and counts here (record 0110). */
  readonly trace?: string | undefined;
}

/** The lobby's search, with the ticket that is in front (tickets.ts). */
export interface Search extends SearchTicket, AskedBy {
  readonly startedAt: number;
  /** The modes that are searched, as they were asked for. Absent, like `also`: the search was begun with one `mode`. */
  readonly modes?: readonly string[] | undefined;
  readonly also?: readonly SearchTicket[] | undefined;
  /** Since when all players are absent; null: a stream was open at the last save. Absent: no stream yet (decision 50). */
  readonly aloneSince?: number | null | undefined;
  readonly hold: { readonly matchId: MatchId; readonly seq: number; readonly at: number } | null;
}

/** The lobby is promised to a match that is being made of named lobbies (decision 76). Its players do not see it. */
export interface Booking {
  readonly matchId: MatchId;
  /** Of its stay in that match. */
  readonly ticketId: TicketId;
  /** A booking that is not above the last one is late. */
  readonly seq: number;
  readonly mode: string;
  /** Epoch ms. */
  readonly at: number;
  /** The lobby was founded for that match, and ends if there is none. */
  readonly founds?: true | undefined;
  /** It is a rematch. */
  readonly isRematch?: true;
  /** It was decided: the lobby is in that match, or free again. Kept for its `seq`. */
  readonly isOver?: true;
}

/** A team of players of one lobby. */
export interface TeamOfLobby {
  readonly name: string | null;
  readonly players: readonly PlayerId[];
}

export interface Places {
  /** Index of the team among those of the mode. */
  readonly team: number;
  readonly teamName: string | null;
  readonly roles: Readonly<Record<PlayerId, string>> | null;
  /** Players who came with the lobby and take a place. */
  readonly members: readonly PlayerId[];
  /** Players who came with the lobby and take no place, such as spectators. */
  readonly aside: readonly PlayerId[];
  /** Where its players are in several teams: those of each. Absent: all are in `team`. */
  readonly split?: readonly TeamOfLobby[];
  /** How long the place of somebody who drops out is kept. Absent: not. */
  readonly keptSeconds?: number;
  /** The game follows who is there, so the match must hear who leaves and comes back. */
  readonly isTold?: boolean;
  /** Members whom the game says it has. */
  readonly present?: readonly PlayerId[];
  /** Players whom the game has put out. */
  readonly kicked?: readonly PlayerId[];
}

/** The lobby's part in a match, as the Match object last reported it. What is of the search is kept for a search that goes on after it. */
export interface Part extends AskedBy {
  readonly matchId: MatchId;
  readonly ticketId: TicketId;
  readonly mode: string;
  readonly startedAt: number;
  readonly waitsFrom?: number | undefined;
  readonly giveUpAt: number;
  /** Those of the search, for the same reason. Their queues have been left. */
  readonly modes?: readonly string[] | undefined;
  readonly also?: readonly SearchTicket[] | undefined;
  /** When the match was found: from then on the lobby does not search. Absent: not known. */
  readonly foundAt?: number | undefined;
  /** The match fills open places, so it must hear who joins and leaves. */
  readonly backfills: boolean;
  /** False: nobody may join while this game lasts (decision 45). */
  readonly lateJoin: boolean;
  /** Number of the last update that was applied. Updates that are not higher change nothing. */
  readonly step: number;
  readonly confirmation: {
    readonly deadline: number;
    readonly confirmed: boolean;
    /** How many players have accepted, of how many. Absent: the mode does not show it. */
    readonly accepted?: number;
    readonly needed?: number;
    /** Who of this lobby has accepted. Absent: the mode does not ask each. */
    readonly acceptedBy?: readonly PlayerId[];
    /** The match looks for so many players until then, epoch ms, because some said no. Absent: it does not. */
    readonly refill?: { readonly players: number; readonly until: number };
  } | null;
  /** Its place in line while there is no room for the server (record 0068); since, epoch ms. Absent: it has none. */
  readonly waiting?: { readonly position: number; readonly since: number } | undefined;
  readonly places: Places;
}

/** The game server that the lobby shows. `own`: the lobby started it directly, without a match. */
export interface Game extends AskedBy {
  readonly instanceId: InstanceId;
  readonly own: boolean;
  readonly block: ServerBlock | null;
  /** Number of the last server report that was applied. */
  readonly seq: number;
  /** The player who hosts it has no stream since then, epoch ms. Absent: it has, or is of another lobby. */
  readonly hostAway?: { readonly id: PlayerId; readonly since: number };
  /** The term whose host the lobby has said to be gone. */
  readonly hostLost?: number;
  readonly startedAt: number;
}

/** Why a search, a match or a start of its own brought no game. */
interface Returned {
  /** Empty after a direct start. */
  readonly mode: string;
  readonly reason: Setback;
  /**
   * Of a party that no longer fits its mode: the sentence of the 400 that it would get (decision 60). With `launch_failed`: that
   * the project has as many servers as it may.
   */
  readonly detail?: string;
  /** With `launch_failed`: in how many seconds the next try may succeed. Absent: not known. */
  readonly retryAfter?: number;
  readonly at: number;
}

/** The match from which the lobby came back, and how all of its lobbies stand to another one (decision 83), as that Match says. */
export interface Rematch {
  readonly matchId: MatchId;
  /** Of the lobby's stay in that match. */
  readonly ticketId: TicketId;
  /** Number of the last update that was applied. Updates that are not higher change nothing. 0: none was. */
  readonly step: number;
  /** Absent: nobody has asked for one, or there is none. */
  readonly votes?: {
    readonly yes: number;
    readonly needed: number;
    /** Epoch ms. */
    readonly until: number;
  };
}

/** Part of nothing. */
export const IDLE = {
  search: null,
  part: null,
  game: null,
  returned: undefined,
  rematch: undefined,
} as const;

type IdleDoing = typeof IDLE;
type Does<D> = Readonly<D & Omit<IdleDoing, keyof D>>;

/**
 * What a lobby is part of, by its status. No other combination compiles. `returned`: the search or start that brought
 * no game. `rematch`: it has played a match since it last did anything else. `part`: null in a game that the lobby has
 * started itself without a match (decision 81).
 */
export type Doing =
  | Does<{ status: 'waiting'; returned: Returned | undefined; rematch: Rematch | undefined }>
  | Does<{ status: 'in_queue'; search: Search }>
  | Does<{ status: 'match_found' | 'matched'; part: Part }>
  | Does<{ status: 'starting'; game: Game }>
  | Does<{ status: 'starting'; part: Part }>
  | Does<{ status: 'in_game'; part: Part | null; game: Game }>;

/** `self`: by their own will, or silent. `player`: another player put them out. `key`: the server key did, or a ban. */
export type GoneBy = 'self' | 'player' | 'key';

export interface Leaver {
  readonly id: PlayerId;
  /** The membership that ended. */
  readonly memberId: MemberId;
  readonly at: number;
  readonly by: GoneBy;
  /** The stay in a match in which the player had a place: the lobby's ticket there. */
  readonly during?: string;
}

/** What the match is told. */
export type LeaverTold = Pick<Leaver, 'id' | 'by'>;

/** The result of the last match that the lobby played and that was reported. */
export interface LastResult {
  readonly matchId: MatchId;
  /** When it was reported, epoch ms. */
  readonly at: number;
  readonly teams: readonly TeamResult[];
}

export interface NewLobby {
  readonly id: LobbyId;
  readonly project: string;
  readonly config: string;
  readonly code: string;
  readonly name: string;
  readonly maxPlayers: number;
  readonly region: string;
  readonly isPrivate: boolean;
  readonly allowLateJoin: boolean;
  readonly settings: JsonObject;
}

export interface LobbyFields extends NewLobby {
  readonly host: PlayerId;
  /** Longest present first; never empty. */
  readonly players: readonly Player[];
  /** Longest present first, none of them a player. Absent: nobody has watched the lobby yet. */
  readonly spectators?: readonly Spectator[];
  /** +1 on every visible change (decision 9). */
  readonly revision: number;
  readonly createdAt: number;
  /** Strictly rising (decision 10). */
  readonly updatedAt: number;
  /** Last request of a member that was not a read (decision 17). */
  readonly activeAt: number;
  readonly lastResult?: LastResult;
  /** Who has left, oldest first. Absent: nobody. */
  readonly gone?: readonly Leaver[];
  /** The last one. Absent: the lobby has been in no match that was made of named lobbies. */
  readonly booking?: Booking;
  /** While the config wants heartbeats: since when silence counts, and within what time. */
  readonly listening?: { readonly since: number; readonly withinMs: number };
}

export type Lobby = Doing & LobbyFields;

/** The booking that has yet to be decided. */
export function bookingOf({ booking }: Pick<Lobby, 'booking'>): Booking | null {
  return booking === undefined || booking.isOver ? null : booking;
}

/** Whether a match that is being formed or made has the lobby's word: until that is decided, nothing else may change it. */
export function isPromised(lobby: Lobby): boolean {
  return bookingOf(lobby) !== null || (lobby.search !== null && lobby.search.hold !== null);
}

/** Whether that is one of the lobby's players. */
export function isMember({ players }: Lobby, player: PlayerId): boolean {
  return players.some(({ id }) => id === player);
}

/** Whoever is there, to play or to watch. Nobody is in a lobby that is none. */
export function inside(
  lobby: Pick<Lobby, 'players' | 'spectators'> | null,
): readonly (Player | Spectator)[] {
  return [...(lobby?.players ?? []), ...(lobby?.spectators ?? [])];
}

export function isSpectator({ spectators = [] }: Pick<Lobby, 'spectators'>, id: string): boolean {
  return spectators.some((each) => each.id === id);
}

/** Whether players may join during the current or next game (spec: allowLateJoin; decision 45). */
export function takesLateJoins({ allowLateJoin, part }: Lobby): boolean {
  return allowLateJoin && part?.lateJoin !== false;
}

/** Names the lobby's stay in its game, because a lobby can enter the same match twice. Null: it plays no game. */
export function gameOf({ status, part, game }: Lobby): string | null {
  return status === 'in_game' ? (part?.ticketId ?? game?.instanceId ?? null) : null;
}

/** The player joined during the current game, and so takes no place in it (decision 45). */
export function isLate(lobby: Lobby, { cameDuring }: Player): boolean {
  return cameDuring !== undefined && cameDuring === gameOf(lobby);
}

/** Whether a player hosts the game, or has: also while the next host is sought. */
export function playerHosts(game: Pick<Game, 'block'> | null): boolean {
  return game?.block?.term !== undefined;
}

export interface HostedGame {
  readonly id: PlayerId;
  readonly term: number;
  readonly instanceId: InstanceId;
}

/** Who hosts the lobby's game, and its term (record 0069). Null: no player does. */
export function gameHostOf({ game }: Pick<Lobby, 'game'>): HostedGame | null {
  const { host_player: id, term = 0, status } = game?.block ?? {};
  return game !== null && typeof id === 'string' && status !== 'stopped'
    ? { id: id as PlayerId, term, instanceId: game.instanceId }
    : null;
}

/** The part of its config that a lobby needs to decide. */
export interface Policy {
  readonly timeoutMs: number;
  readonly hostLeaveBehavior: 'promote' | 'delete';
  readonly heartbeatTimeoutMs: number | null;
  /** How long a spectator may be silent, with heartbeats or without. */
  readonly spectatorTimeoutMs: number;
  /** How long a queued party may be away (decision 50). Null: without limit. */
  readonly queuePresenceMs: number | null;
  /** How long a player who hosts a game may be without a stream. */
  readonly hostGraceMs: number;
  /** How long a game may last before it is cleaned up (decision 18). */
  readonly gameLimitMs: number;
}
