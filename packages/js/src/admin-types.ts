// What operators and game servers send and read, besides types.ts.

import type { BuildLaunch, ServerSettings } from './build-types.ts';
import type { RatingDecay } from './rating-types.ts';
import type { Rule } from './rule-types.ts';
import type { JsonObject, Port, Server, ServerStatus } from './types.ts';

export type { BuildLaunch, ServerSettings };

/** Role name to how many of it a team wants. */
export type RoleCounts = Readonly<Record<string, number>>;

/** What a match needs once its anchor has waited so long. What a step does not name stays. */
export interface SizeStep {
  readonly afterSeconds: number;
  readonly minPlayersPerTeam?: number;
  readonly minTeams?: number;
  /** The last step: a match forms with whoever is there, and the game server fills the other places with bots. */
  readonly bots?: true;
  /** How many players such a match needs. Absent: one. */
  readonly minHumans?: number;
}

export interface Mode {
  readonly teams: number;
  readonly playersPerTeam: number;
  readonly minPlayersPerTeam: number;
  readonly minTeams: number;
  /** The minima fall as the lobby that a match is built around waits. */
  readonly steps?: readonly SizeStep[];
  /** True: the teams of a match have equally many players. */
  readonly sameSize?: boolean;
  /** Longest wait in the queue, in seconds. */
  readonly timeout: number;
  readonly maxPartySize: number;
  readonly allowBackfill: boolean;
  readonly rules: readonly Rule[];
  readonly matchConfirmation: {
    readonly enabled: boolean;
    readonly timeoutSeconds: number;
    /** Each lobby sees how many players have accepted. */
    readonly showsAccepted?: boolean;
    /** Each player of a party accepts. Absent: one of them does, for all. */
    readonly each?: 'player';
  };
  /** Team name to roles; null in a mode without roles. The number of teams and their sizes follow from it. */
  readonly teamComposition: Readonly<Record<string, RoleCounts>> | null;
  readonly excludedFromQueue: readonly string[];
  readonly useVersionFromState: string | null;
  /** What happens to lobbies that accepted a match that another declined. */
  readonly onDecline: 'return' | 'requeue' | 'refill';
  readonly refillSeconds?: number;
  readonly declineCooldown?: number;
  /** False: players are not told why they wait. */
  readonly explainsWait?: boolean;
  /** False: nobody joins a lobby during a game of this mode. */
  readonly lateJoin?: boolean;
  /**
   * About how long everybody is to wait, in seconds: the reach of the first difference rule begins at nothing, and grows the
   * slower the more players like the lobby arrive. It never goes beyond what the rules allow.
   */
  readonly targetWait?: number;
  /** The webhook is called when a party has waited this long. */
  readonly bellSeconds?: number;
  /** How long a player's place is kept when they drop out of a running game. */
  readonly reconnectSeconds?: number;
  /** In one against one: nobody meets one of their last three opponents so soon. */
  readonly rematch?: 'avoid';
  /** The game's backend says who plays whom: `listTickets` and `makeMatch`. The queue only fills open places. */
  readonly matcher?: 'external';
  /** Results move the ratings of players. */
  readonly rating?: {
    readonly field: string;
    readonly system: 'openskill';
    readonly decay?: RatingDecay;
  };
}

export interface InviteCodeConfig {
  readonly type: 'numeric' | 'alphanumeric' | 'alphabetic';
  readonly length: number;
  readonly prefix: string | null;
}

/** New lobbies, starts and searches get a 503 `CLOSED` with the message. */
export interface Closed {
  readonly message: string;
  /** ISO 8601. Null: until somebody opens it. */
  readonly until: string | null;
}

export interface LobbyConfig {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Seconds without activity until a waiting lobby is deleted. */
  readonly timeout: number;
  readonly serverSettings: ServerSettings;
  readonly matchmaking: { readonly modes: Readonly<Record<string, Mode>> };
  /** The places of a lobby that asks for none, and the most that one may ask for. */
  readonly maxPlayers?: number;
  /** The players without whom a host cannot start a game. Absent: one is enough. */
  readonly minPlayers?: number;
  /** Who may watch a lobby, at most `max` besides its players, and how much later they hear of it. Absent: nobody. */
  readonly spectators?: { readonly max: number; readonly delaySeconds: number };
  readonly hostLeaveBehavior: 'promote' | 'delete';
  readonly inviteCodeConfig: InviteCodeConfig | null;
  /** How the page of a lobby's `invite_url` opens the game. Absent: lobbies have no links. */
  readonly invite?: { readonly url?: string; readonly web?: string };
  /** The webhook is called when a public lobby has room. */
  readonly lobbyBell?: boolean;
  readonly heartbeat: boolean;
  readonly heartbeatTimeout: number;
  /** Seconds after which a queued lobby whose players have all disconnected leaves the queue; 0: never. */
  readonly queuePresenceSeconds: number;
  /** State keys that only your backend can write. */
  readonly trusted?: readonly string[];
  /** Settings of a lobby by which players find it. */
  readonly browseBy?: readonly string[];
  readonly closed?: Closed;
  readonly customProperties: JsonObject;
  readonly revision: number;
}

/** A probable mistake in something that was saved anyway. */
export interface Warning {
  /** From the top of the body: `matchmaking.modes.duel.playersPerTeams`. */
  readonly path: string;
  readonly message: string;
  /** The name that was probably meant. */
  readonly didYouMean: string | null;
}

/** Warnings of a save: unknown fields, and a build that does not exist or cannot be launched. */
interface Warned {
  readonly warnings: readonly Warning[];
}

export type SavedLobbyConfig = LobbyConfig & Warned;
export type SavedProjectSettings = ProjectSettings & Warned;
export type SavedBuild = Build & Warned;
/** `warnings`: if they were asked for. */
export type CheckedBuild = Build & Partial<Warned>;

/** Every field is optional at every depth; null takes the default. */
type Loose<T> = T extends readonly (infer Each)[]
  ? readonly Each[]
  : T extends object
    ? { readonly [K in keyof T]?: Loose<T[K]> | null | undefined }
    : T;

export type ModeInput = Omit<Loose<Mode>, 'rules' | 'teamComposition'> & {
  readonly rules?: readonly RuleInput[] | null | undefined;
  readonly teamComposition?: Mode['teamComposition'] | undefined;
};

export type RuleInput =
  | Exclude<Rule, { readonly type: 'region' }>
  | { readonly type: 'region'; readonly minOverlap?: number | null | undefined };

/** A config to save: missing fields take their defaults. */
export type LobbyConfigInput = Loose<
  Omit<LobbyConfig, 'id' | 'name' | 'revision' | 'matchmaking' | 'customProperties'>
> & {
  readonly matchmaking?:
    | { readonly modes?: Readonly<Record<string, ModeInput>> | null | undefined }
    | null
    | undefined;
  readonly customProperties?: JsonObject | null | undefined;
};

/** Who the players of a project are. */
export interface PlayerSettings {
  /** `trust`: the player in `x-player-id`. `token`: the subject of a signed player token. */
  readonly playerAuth: 'trust' | 'token';
  /** Whether client keys see player ids in lobbies that they browse. */
  readonly publicPlayerIds: boolean;
  /** State keys that only your backend can write, in lobbies of all configs. */
  readonly trusted?: readonly string[];
  /** For all configs. False: open. */
  readonly closed?: Closed | false;
  /** What every player token must contain; null: anything. */
  readonly playerTokens: {
    readonly issuer: string | null;
    readonly audience: string | null;
    /** Where your identity provider has its public keys; needs `issuer` or `audience`. */
    readonly jwksUrl: string | null;
  };
}

export interface ProjectSettings extends PlayerSettings {
  readonly lobby_configs: readonly LobbyConfig[];
  /** The secrets, newest first. */
  readonly tokenSecrets: readonly { readonly id: string; readonly createdAt: string }[];
  /** The providers with which players can log in. */
  readonly logins: readonly { readonly provider: string; readonly savedAt: string }[];
  /** Where your backend hears of matches. */
  readonly hooks: {
    /** Of a chat only the beginning, because its address is a secret. */
    readonly url: string;
    readonly savedAt: string;
    readonly format?: 'discord' | 'slack';
  } | null;
  readonly revision: number;
}

/** A port that a game server opens. */
export interface PortConfig {
  readonly name: string;
  /** The port inside of a container. Absent: the number that players see. */
  readonly internal_port?: number;
  readonly protocol: 'udp' | 'tcp';
  /** A proxy on the server's machine takes TLS for it, on port 443: players are given `wss` and a path. */
  readonly tls?: 'proxy';
  /** How far its number is from that of the first port. 0 is the same number, by the other protocol. */
  readonly offset?: number;
  /** Its number on every machine, so a machine runs one server of the build at a time. */
  readonly fixed?: number;
}

export interface Build {
  readonly name: string;
  /** Rises by one with every save of this name. */
  readonly version: number;
  /** Your name for this version. */
  readonly label: string | null;
  /** Only ready builds are launched. */
  readonly status: 'ready' | 'not_ready';
  readonly launch: BuildLaunch;
  /** The ports it listens on. Empty: one port, which is named after its protocol. */
  readonly ports: readonly PortConfig[];
  /** Its last three launches failed. It is still launched. */
  readonly failing?: true;
  /** When the first of the launches that have failed in a row did. Absent: not failing, or not known. */
  readonly failingSince?: string;
  /** Why its last launch failed. Absent once a launch has succeeded. */
  readonly failure?: string;
}

export interface BuildPage {
  readonly builds: readonly Build[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

export type BuildInput = Partial<
  Omit<Build, 'name' | 'version' | 'failing' | 'failingSince' | 'failure'>
>;

/** A server, as read with the server key. */
export interface ServerRecord extends Server {
  /** Exit code of the last run; 128 + n after signal n. */
  readonly exit_code: number | null;
  /** Name of the signal that ended it, such as SIGSEGV. */
  readonly signal: string | null;
  /** Its last 4 KiB of output; null in lists. */
  readonly output: string | null;
  /** Why it failed, what is amiss while it lives, or who ended it. Null if nothing is. */
  readonly detail: string | null;
  /** It ended because it was told to, or because its time was over. */
  readonly asked?: true;
  /** Only of a game that a player hosts: why this player does. */
  readonly host_reason?: string;
}

export interface LogsQuery {
  /** An RFC 3339 time, or a time ago such as `-1h`. */
  readonly start_time?: string | undefined;
  /** 1 to 1,000; 200 by default. */
  readonly limit?: number | undefined;
  /** With the colours and other codes for terminals that it printed. */
  readonly raw?: boolean | undefined;
}

export interface ServerLogs {
  readonly logs: readonly {
    /** When the line was seen. */
    readonly timestamp: string;
    readonly message: string;
    readonly level: 'info';
    readonly instance: string;
    readonly region: string;
  }[];
  readonly instance_id: string;
  /** Name of the fleet. */
  readonly machine_id: string;
  readonly next_token: null;
}

export interface ServerPage {
  readonly servers: readonly ServerRecord[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

export interface StartServer {
  readonly name?: string | undefined;
  readonly region?: string | undefined;
  readonly compute_size?: string | undefined;
  /** Name of the build; `default` by default. */
  readonly version_tag?: string | undefined;
  /** The call is refused unless the build has this version. */
  readonly version?: number | null | undefined;
  readonly custom_data?: JsonObject | undefined;
  /** Seconds it may run, 60 to 86,400. */
  readonly ttl?: number | null | undefined;
  readonly match_id?: string | null | undefined;
  /** Arguments in addition to those of its build. */
  readonly startup_args?: string | null | undefined;
  readonly environment_variables?: Readonly<Record<string, string>> | null | undefined;
  /** Whether to launch it again when it fails. */
  readonly auto_restart?: boolean | undefined;
  /** Replace those of its build. */
  readonly port_configs?: readonly PortConfig[] | null | undefined;
}

export type RestartServer = {
  readonly [Field in Exclude<keyof StartServer, 'region'>]?: StartServer[Field] | null | undefined;
};

export interface StatusReport {
  readonly status: ServerStatus;
  readonly network_ports?: readonly Port[] | undefined;
  readonly exit_code?: number | null | undefined;
  /** Name of the signal that ended it. */
  readonly signal?: string | null | undefined;
  readonly output?: string | null | undefined;
  readonly detail?: string | null | undefined;
  /** It ended because it was told to, or because its time was over. Its exit code then means nothing. */
  readonly asked?: boolean | undefined;
}

export interface ConfigRevision {
  readonly revision: number;
  readonly savedAt: string;
  /** Name or fingerprint of the key that saved it. */
  readonly key: string | null;
  /** Null: it was deleted then. */
  readonly config: LobbyConfig | null;
}

export interface BuildRevision extends Omit<ConfigRevision, 'config'> {
  /** Null: it was deleted then. */
  readonly build: Build | null;
}

export interface ServersQuery {
  readonly include_launching?: boolean | undefined;
  readonly include_stopped?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
