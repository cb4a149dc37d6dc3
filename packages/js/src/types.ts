// What the service accepts and answers, field by field. The service compiles against these types too.

import type { LastResult } from './result-types.ts';

export type { LastResult, TeamResult } from './result-types.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export type LobbyStatus =
  | 'waiting'
  | 'in_queue'
  | 'starting'
  | 'matched'
  | 'match_found'
  | 'in_game';

/** `State`: the data that your game keeps for a player. */
export interface Player<State extends object = JsonObject> {
  readonly id: string;
  /** Free-form; null until set. */
  readonly state: State | null;
  readonly isHost: boolean;
}

export interface QueueStats {
  readonly playersSearching: number;
  readonly lobbiesInQueue: number;
  readonly avgWaitSeconds: number;
  /** Why the lobby still waits, if that is known. Not in every reading. */
  readonly wait?: {
    /** How many of the compared lobbies pass all rules. */
    readonly inReach: number;
    readonly compared: number;
    /**
     * The one obstacle without which the most other lobbies would fit, in words. Null if there is
     * no obstacle.
     */
    readonly because: string | null;
    /** Seconds until the widening rules reach more lobbies. */
    readonly opensInSeconds: number | null;
    /** How long parties of that size waited lately, in seconds. Null if too few did. */
    readonly estimate: {
      /** Half of the parties had a match within this time of entering. */
      readonly p50: number;
      /** The same for nine of ten. Null if too many have waited without a match for this to be known. */
      readonly p90: number | null;
      /** The number of parties that the estimate rests on. */
      readonly of: number;
    } | null;
  };
}

/** How a mode looks before one searches it. The figures can be ten seconds old. */
export interface ModeOutlook extends Omit<QueueStats, 'wait'> {
  readonly mode: string;
  /** How long players alone waited lately. Null if too few did, or players of the mode are not told. */
  readonly estimate: NonNullable<QueueStats['wait']>['estimate'];
}

/** What the event `queue_stats` says: of a search of several modes, the figures of the first at the top. */
export interface QueueStatsEvent extends QueueStats {
  /** For a search of several modes: each that is searched now, in the order of `matchmaking.modes`. */
  readonly modes?: readonly (QueueStats & { readonly mode: string })[];
}

/** A mode to search beside others: at once, or once the search has lasted so long. */
export type WantedMode = string | { readonly mode: string; readonly afterSeconds?: number };

/** One of the modes of a search. */
export interface SearchedMode {
  readonly mode: string;
  /** Since when it is searched. Still ahead: it is searched from then on. */
  readonly since: string;
  /** In the answer to `get`, once the mode is searched. */
  readonly queueStats?: QueueStats;
}

export interface Matchmaking {
  /** Of several modes that are searched, the first. Of a match, its mode. */
  readonly mode: string;
  readonly startedAt: string;
  /** While `in_queue`. Of several modes, those of the first. */
  readonly queueStats?: QueueStats;
  /**
   * While `in_queue`, for a search that was begun with `modes`: those that are searched, in that order. A mode that found
   * nobody within its own timeout, or that your party no longer fits, is left out.
   */
  readonly modes?: readonly SearchedMode[];
  /** While `match_found`: call `confirmMatch` or `declineMatch` before the deadline. */
  readonly confirmation?: {
    readonly deadline: string;
    /** Whether this lobby has accepted. */
    readonly confirmed: boolean;
    /** How many players have accepted, of how many, in modes with `matchConfirmation.showsAccepted`. */
    readonly accepted?: number;
    readonly needed?: number;
    /** Who of this lobby has accepted, in modes with `matchConfirmation.each: 'player'`. */
    readonly acceptedBy?: readonly string[];
    /** The match looks for so many players until then, in place of those who said no (`onDecline: refill`). */
    readonly refill?: { readonly players: number; readonly until: string };
  };
  /** While `matched`, if no server has room: the match's place in line, from 1, and since when it stands there. */
  readonly waiting_for_server?: { readonly position: number; readonly since: string };
}

export interface Port {
  readonly name: string;
  readonly host: string;
  /** Connect to this one. */
  readonly external_port: number;
  readonly internal_port: number;
  /** `udp` or `tcp`. */
  readonly protocol: string;
  readonly tls_enabled: boolean;
  /** Of a port behind a proxy, for a WebSocket: `wss://{host}:{external_port}{path}`. */
  readonly path?: string;
}

/** Where to measure how far away a region is. Null: not in that way. */
export interface RegionEcho {
  readonly region: string;
  /** An address that answers every GET with nothing. */
  readonly http: string | null;
  /** `host:port`: what comes, up to 64 bytes, goes back. */
  readonly udp: string | null;
}

export type ServerStatus = 'launching' | 'running' | 'stopped';

export interface Server {
  readonly instance_id: string;
  readonly name: string;
  readonly status: ServerStatus;
  readonly region: string;
  /** Empty until they are known. */
  readonly network_ports: readonly Port[];
  readonly startup_args: string | null;
  /** `persistent_world`: it is restarted after a failure. `player_hosted`: a player of the game hosts it. */
  readonly service_type: 'match_based' | 'persistent_world' | 'player_hosted';
  readonly compute_size: string | null;
  /** Name of its build. */
  readonly version_tag: string | null;
  /** The version of its build: how often the build had been saved. Null until it is known. */
  readonly version: number | null;
  readonly started_at: string | null;
  readonly stopped_at: string | null;
  readonly auto_restart: boolean;
  /** What the game server is told. Of a match, `{}` to players who are not in it. */
  readonly custom_data: JsonObject;
  /** Seconds it may run. Null: it has no limit of its own. */
  readonly ttl: number | null;
  readonly is_pool_server: boolean;
  readonly pool_claimed_at: string | null;
  /** The match it was launched for. Null after a direct start. */
  readonly match_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Only in your own lobby's server: send it to the game server, which identifies you by it. */
  readonly ticket?: string;
  /** Only of `player_hosted`: the player who hosts. Null: nobody is elected yet, or the id is not shown. */
  readonly host_player?: string | null;
  /** Only of `player_hosted`: rises by 1 whenever another player hosts. */
  readonly term?: number;
  /** Only for the player who hosts: the token for `POST /v3/servers/{instance_id}/status`. */
  readonly host_token?: string;
}

/** What a player says of the player who hosts the game in that term. */
export type HostChange =
  | { readonly term: number; readonly resign: true }
  | { readonly term: number; readonly unreachable: true };

/** `State` and `Settings`: the data that your game keeps in them. They are not checked. */
export interface Lobby<State extends object = JsonObject, Settings extends object = JsonObject> {
  readonly id: string;
  /** Invite code. */
  readonly code: string;
  readonly name: string;
  readonly config: string;
  readonly status: LobbyStatus;
  /** Player id of the host. */
  readonly host: string;
  readonly maxPlayers: number;
  readonly currentPlayers: number;
  readonly region: string;
  readonly isPrivate: boolean;
  readonly allowLateJoin: boolean;
  readonly settings: Settings;
  /** In the order in which they joined. */
  readonly players: readonly Player<State>[];
  readonly server: Server | null;
  readonly matchmaking: Matchmaking | null;
  /** Shared by all lobbies of one match. */
  readonly matchId: string | null;
  /** Only while waiting: why the last search, or the host's start (empty mode), led to no game. */
  readonly returned?: {
    readonly mode: string;
    readonly reason: ReturnReason;
    /** With `unmatchable` after a change of your own party: why it no longer fits the mode. */
    readonly detail?: string;
    /** With `launch_failed`: in how many seconds another try may succeed. Absent: not known. */
    readonly retryAfter?: number;
    readonly at: string;
  };
  /**
   * Only while waiting after a match of which a rematch was asked for: how many of its lobbies said yes, of how many, and until when
   * they may.
   */
  readonly rematch?: { readonly yes: number; readonly needed: number; readonly until: string };
  /** Of the last match that was reported. */
  readonly lastResult?: LastResult;
  /** Your own lobby, where the config has `invite`: a page that brings a friend in. */
  readonly invite_url?: string;
  readonly customProperties: JsonObject;
  /** Rises by one with every visible change. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How many watch. Absent: nobody. */
  readonly currentSpectators?: number;
  /** Who watches, in the order in which they came. Not where lobbies are listed. */
  readonly spectators?: readonly { readonly id: string }[];
  /** You watch this lobby, and are none of its players. */
  readonly as?: 'spectator';
}

/** Where a player is: at most one lobby in each config, to play or to watch. */
export interface Whereabouts {
  readonly player: string;
  readonly lobbies: readonly {
    readonly id: string;
    readonly config: string;
    readonly status: LobbyStatus;
    /** That the lobby searches, or that its match is of. */
    readonly mode: string | null;
    readonly invite_url?: string;
    /** The player watches it. */
    readonly as?: 'spectator';
  }[];
  /** Lobbies that keep the player's place in a running game: a join by the code brings them back into it. Absent: none. */
  readonly kept?: readonly {
    readonly id: string;
    readonly config: string;
    readonly mode: string | null;
    readonly code: string;
    /** ISO 8601. Null: for as long as the game lasts. */
    readonly until: string | null;
  }[];
}

/** A lobby of any game. */
export type AnyLobby = Lobby<object, object>;

export interface LobbyPage<L extends AnyLobby = Lobby> {
  readonly lobbies: readonly L[];
  readonly total: number;
  /** Less than you asked for if lobbies are large. The next page begins at `offset + limit`. */
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** Of a search that has more: the `cursor` that goes on after this page. */
  readonly cursor?: string;
}

export interface CreateLobby<
  State extends object = JsonObject,
  Settings extends object = JsonObject,
> {
  readonly name: string;
  readonly maxPlayers?: number | undefined;
  readonly region?: string | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly allowLateJoin?: boolean | undefined;
  readonly settings?: Settings | undefined;
  /** The host's first state. */
  readonly state?: State | null | undefined;
  /** First deletes the lobby that the caller hosts in this config. */
  readonly forceFresh?: boolean | undefined;
  /** Of 1 to 64 characters. The first creates the lobby of this key, the others join it. Not with `forceFresh`. */
  readonly key?: string | undefined;
}

/** Either an invite code or an id. */
export type JoinLobby<State extends object = JsonObject> = {
  readonly state?: State | null | undefined;
  /** To play, or to watch in a config with `spectators`. Whoever is in the lobby as the other changes sides. */
  readonly as?: 'player' | 'spectator' | undefined;
} & (
  | { readonly code: string; readonly lobbyId?: undefined }
  | { readonly lobbyId: string; readonly code?: undefined }
);

/** A part of the keys: missing keys stay, and null removes a key. */
export type Patch<T extends object> = string extends keyof T
  ? T
  : { readonly [Key in keyof T]?: T[Key] | null };

export interface LobbySettings<Settings extends object = JsonObject> {
  readonly name?: string | undefined;
  readonly maxPlayers?: number | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly allowLateJoin?: boolean | undefined;
  readonly region?: string | undefined;
  readonly settings?: Patch<Settings> | undefined;
}

/** What `sendSignal` answers. */
export interface Signalled {
  /** How many players the signal was for. */
  readonly players: number;
  /** How many of them had an open stream, and so were told. */
  readonly streaming: number;
}

export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** What `getIceServers` answers. */
export interface IceServers {
  readonly iceServers: readonly IceServer[];
  /** Seconds until the first of the credentials ends. */
  readonly ttl: number;
}

/** Why a search or a match led to no game, or a game did not come to its end. */
export type ReturnReason =
  /** No match was found within the mode's timeout. */
  | 'timeout'
  /** This party can never fit the mode. */
  | 'unmatchable'
  /** The host cancelled. */
  | 'cancelled'
  /** A player left a lobby that was searching or asked to confirm. */
  | 'player_left'
  /** The party had streams, and none of its players is present any more. */
  | 'away'
  /** A lobby of the match declined. */
  | 'declined'
  /** Not everybody confirmed before the deadline. */
  | 'confirm_timeout'
  /** No server could be launched, or it stopped before it ran. */
  | 'launch_failed'
  /** The mode was removed, or the lobby does not fit it any more. */
  | 'config_changed'
  /** The server of a running game crashed. Only in `returned`: no event tells it. */
  | 'server_crashed';

/**
 * `deleted`: the lobby was deleted. `kicked`: this player was kicked. `replaced`: a newer stream of this
 * player took over. `gone`: deleted or kicked; polling cannot tell which. `left`: by a call of this client.
 */
export type CloseReason = 'deleted' | 'kicked' | 'replaced' | 'gone' | 'left';

/** An event of the stream. The last one is always `closed`. */
export type LobbyEvent<L extends AnyLobby = Lobby> =
  /** The whole lobby: first, after each gap, and on entering a lobby; null without one. */
  | { readonly type: 'connected'; readonly lobby: L | null }
  | { readonly type: 'lobby_updated'; readonly lobby: L }
  | { readonly type: 'queue_stats'; readonly stats: QueueStatsEvent }
  | {
      readonly type: 'matchmaking_timeout';
      readonly id: string;
      readonly mode: string;
      readonly reason: ReturnReason;
      /** As in the lobby's `returned`. */
      readonly detail?: string;
      readonly retryAfter?: number;
    }
  /** From another player of the match or lobby. `term` counts the hosts of a match that a player hosts. */
  | {
      readonly type: 'signal';
      readonly from: string;
      readonly term?: number;
      readonly data: Json;
    }
  /** Signals to this player may be lost: begin anew what they were for. */
  | { readonly type: 'signals_lost' }
  | { readonly type: 'lobby_deleted'; readonly id: string }
  | { readonly type: 'closed'; readonly reason: CloseReason };
