// The port between Server objects and fleets: only types, and nothing of the platform.
// Every fleet is idempotent by instance id. The id is chosen and saved before the fleet is called, so a repeated
// launch never makes a second server, and a repeated stop is no error (decision 37).

import type { JsonObject } from '../common/json';

export type ServiceType = 'match_based' | 'persistent_world';

export type ServerStatus = 'launching' | 'running' | 'stopped';

/** As operators see it (`stateOf`). */
export type ServerState = ServerStatus | 'failed';

/** A port of a server, as clients see it. spec: Server block, Port. */
export interface Port {
  readonly name: string;
  readonly host: string;
  readonly external_port: number;
  readonly internal_port: number;
  /** `udp` or `tcp`. */
  readonly protocol: string;
  readonly tls_enabled: boolean;
}

export type Protocol = 'udp' | 'tcp';

/**
 * How a run of a server ended, as far as its fleet knows. For a launching server: its problem and its output so far.
 * For operators, never for players.
 */
export interface Ending {
  /** The exit code as in a shell: 128 + n after signal n. Null: not known. */
  readonly exit_code: number | null;
  /** The name of the signal that ended the server, such as SIGSEGV. */
  readonly signal: string | null;
  /** The end of the server's output, at most 4 KiB. */
  readonly output: string | null;
  /** More about the cause, if the fleet knows it, such as a port that was not opened. While launching: a warning. */
  readonly detail?: string | null | undefined;
}

/** A port that the game server opens, as its build names it (decision 38). */
export interface PortConfig {
  readonly name: string;
  /** The port number inside of a container. A fleet without containers assigns another number. */
  readonly internal_port: number;
  readonly protocol: Protocol;
}

/**
 * The whole instance as `GET /v3/servers/{id}` returns it. Instants are ISO 8601 text. `auto_restart`,
 * `is_pool_server`, `tls_enabled` and ports are never null, because clients hold them in value types. spec: Server
 * block; decision 35.
 */
export interface ServerBlock {
  readonly instance_id: string;
  readonly name: string;
  readonly status: ServerStatus;
  readonly region: string;
  /** Empty until the fleet has reported the ports. */
  readonly network_ports: readonly Port[];
  readonly startup_args: string | null;
  /** `persistent_world` for a server that is restarted after a failure. */
  readonly service_type: ServiceType;
  readonly compute_size: string | null;
  /** The name of the build that was launched. */
  readonly version_tag: string | null;
  /** The version of that build. Null until it is known. */
  readonly version: number | null;
  readonly started_at: string | null;
  readonly stopped_at: string | null;
  readonly auto_restart: boolean;
  readonly custom_data: JsonObject;
  /** Seconds that the server may live. Null: it has no limit of its own. */
  readonly ttl: number | null;
  readonly is_pool_server: boolean;
  /** Always null, because there are no pools. */
  readonly pool_claimed_at: null;
  /** The match that the server was launched for. Null after a direct start. */
  readonly match_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Only in a player's own view: the seat ticket that proves to the server who the player is (record 0022). */
  readonly ticket?: string;
}

/** The instance as the server key reads it. `detail` says why it failed. Null if it did not. */
export interface ServerRecord extends ServerBlock, Ending {
  readonly detail: string | null;
}

/** A build's settings for the fleets that can launch it. Each fleet reads its own fields. */
export interface BuildLaunch {
  /** Program of a local process. Absent: the game server that comes with the agent. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** Container image. */
  readonly image?: string | undefined;
  /** Fleet or group of fleets that launches the build. Absent: any fleet that serves the region. */
  readonly fleet?: string | undefined;
  /** Name of the set of servers within that fleet. On Agones it is the name of the Agones Fleet. */
  readonly fleetName?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Whether a local process runs in a folder of its own, with links to the files beside the program. */
  readonly ownFolder?: boolean | undefined;
}

export interface LaunchBuild {
  readonly name: string;
  readonly version: number;
  /** What people call that version. */
  readonly label: string | null;
  readonly launch: BuildLaunch;
  /** Empty: one port, which is named after its protocol. */
  readonly ports: readonly PortConfig[];
}

/** Everything that a fleet needs to start one server. */
export interface LaunchSpec {
  /** The id of this run, by which the fleet knows it. Each run of a restarted server has its own. */
  readonly instanceId: string;
  /** The id of the server in the API. It is the same in every run. */
  readonly serverId: string;
  readonly project: string;
  /** A readable name, which is not unique. */
  readonly name: string;
  readonly region: string;
  readonly build: LaunchBuild;
  readonly computeSize: string | null;
  /** The match that the server is launched for. */
  readonly matchId: string | null;
  /** The arguments as they are shown. `build.launch.args` already includes them. */
  readonly startupArgs: string | null;
  /** The custom data for the game server (decision 36). */
  readonly customData: JsonObject;
  /** Seconds after which the fleet itself ends the server. Null: never. */
  readonly ttlSeconds: number | null;
  /** The secret of this run. It authenticates the reports of the fleet and of the game server. */
  readonly token: string;
  /** The URL for status reports (POST): `{service}/v3/servers/{serverId}/status`. */
  readonly reportUrl: string;
  /** The keys that verify the players' seat tickets. Absent if the project has none yet. */
  readonly seats?: SeatKeySet | undefined;
  /** The id of the request that led to the launch, for logs. Fleets that are called by HTTP get it as a header too. */
  readonly requestId?: string | undefined;
}

/** A public key as a JSON Web Key. */
export interface SeatJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

export interface SeatKeySet {
  /** The key that signs now, the next one, and retired keys whose tickets have not all expired. */
  readonly keys: readonly SeatJwk[];
  /** The URL that publishes these keys and later ones. */
  readonly url: string;
}

/**
 * Why a launch failed. `no_capacity`: the fleet is full; another fleet or a later try may succeed. `refused`: the
 * fleet will never accept this spec or this caller. `ended`: this id ran here, or was stopped before it was
 * launched, and never runs again. `unreachable`: nobody knows whether the server started, so launch it again here
 * with the same id, or `stop` that id. Only after the first two may another fleet be tried, because nothing runs or
 * will run under this id.
 */
export type LaunchFailure = 'no_capacity' | 'refused' | 'ended' | 'unreachable';

export type Launched =
  | { readonly ok: true; readonly ports: readonly Port[] }
  | { readonly ok: false; readonly reason: LaunchFailure; readonly detail: string };

/** `unknown`: this fleet has no such server. It may have forgotten it, or the server never ran here. */
export interface Inspection {
  readonly state: 'unknown' | ServerStatus;
  readonly ports: readonly Port[];
  /** How a stopped server ended, if the fleet knows. */
  readonly ending?: Ending | undefined;
}

/** A line that a server printed. */
export interface LogLine {
  /** ISO 8601. The time at which the line was read, since the line itself has no time. */
  readonly timestamp: string;
  readonly message: string;
}

/** A place where servers run. Every method is idempotent by instance id. */
export interface Fleet {
  /**
   * Starts the server, or returns the one that was started before with this id. Never throws: a failure is a value.
   */
  launch(spec: LaunchSpec): Promise<Launched>;
  /** The state of the server. Throws if the fleet does not answer: `unknown` is an answer, silence is not. */
  inspect(instanceId: string): Promise<Inspection>;
  /** Ends the server. It is no error if the server is already gone. Throws if the fleet does not answer. */
  stop(instanceId: string): Promise<void>;
  /**
   * The last lines that the server printed, at most `limit`, oldest first. Null: this fleet does not have them.
   * Throws if the fleet does not answer. Absent: this kind of fleet keeps no logs.
   */
  logs?(instanceId: string, limit: number): Promise<readonly LogLine[] | null>;
  /**
   * Whether the fleet starts a program and reports by itself when it runs or ends. If so, the answer to a launch
   * waits for that report, up to a limit. Absent: the fleet allocates servers that already run, or has to be asked.
   */
  tells?: boolean;
  /**
   * Why this build could not be launched here, as far as the fleet can tell without launching it. Absent or null:
   * this fleet cannot tell. Throws if the fleet does not answer.
   */
  check?(build: LaunchBuild): Promise<string | null>;
}

/** The body of a status report, sent to `reportUrl` (POST) with the instance's token as bearer. */
export interface StatusReport {
  readonly status: ServerStatus;
  readonly network_ports?: readonly Port[] | undefined;
  readonly exit_code?: number | null | undefined;
  readonly signal?: string | null | undefined;
  readonly output?: string | null | undefined;
  readonly detail?: string | null | undefined;
}
