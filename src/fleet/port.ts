// The port between Server objects and fleets: pure types, no platform.
// Every fleet is idempotent by instance id, which is chosen and stored before the fleet is called:
// a retried launch never makes a second server, and a retried stop is no error (decision 37).

import type { JsonObject } from '../json';

export type ServiceType = 'match_based' | 'persistent_world';

export type ServerStatus = 'launching' | 'running' | 'stopped';

/** One port of a server, as clients see it. spec: Server block, Port. */
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
 * How a run of a server ended, as far as its fleet knows; or what is amiss with one that still launches,
 * and what it has printed so far. For operators, never for players.
 */
export interface Ending {
  /** As shells say it: 128 + n after signal n. Null: nobody knows. */
  readonly exit_code: number | null;
  /** Name of the signal that ended it, such as SIGSEGV. */
  readonly signal: string | null;
  /** The last of what it printed, at most 4 KiB. */
  readonly output: string | null;
  /** Why, where the fleet knows more: which port was not opened. Of one that launches: a warning. */
  readonly detail?: string | null | undefined;
}

/** A port that the game server opens, as its build names it (decision 38). */
export interface PortConfig {
  readonly name: string;
  /** Where it listens in a container; a fleet without containers gives it another number. */
  readonly internal_port: number;
  readonly protocol: Protocol;
}

/**
 * The whole instance as `GET /v3/servers/{id}` answers it; instants are ISO 8601 text.
 * `auto_restart`, `is_pool_server`, `tls_enabled` and ports are never null: clients hold them
 * in value types. spec: Server block; decision 35.
 */
export interface ServerBlock {
  readonly instance_id: string;
  readonly name: string;
  readonly status: ServerStatus;
  readonly region: string;
  /** Empty while the fleet has not told the ports. */
  readonly network_ports: readonly Port[];
  readonly startup_args: string | null;
  /** `persistent_world` for one that is started again when it fails. */
  readonly service_type: ServiceType;
  readonly compute_size: string | null;
  /** Name of the build that was launched. */
  readonly version_tag: string | null;
  /** How often that build had been saved; null until it is known. */
  readonly version: number | null;
  readonly started_at: string | null;
  readonly stopped_at: string | null;
  readonly auto_restart: boolean;
  readonly custom_data: JsonObject;
  /** Seconds the server may live, or null for no limit of its own. */
  readonly ttl: number | null;
  readonly is_pool_server: boolean;
  /** There are no pools: always null. */
  readonly pool_claimed_at: null;
  /** The match it was launched for; null after a direct start. */
  readonly match_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** In the own view of a player of the game alone: what its server knows the player by (record 0022). */
  readonly ticket?: string;
}

/** The instance as the server key reads it. `detail` says why it failed; null where it did not. */
export interface ServerRecord extends ServerBlock, Ending {
  readonly detail: string | null;
}

/** What a build carries for the fleets that can launch it; each fleet reads its own fields. */
export interface BuildLaunch {
  /** Program of a local process; absent means the game server the agent ships. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** Container image. */
  readonly image?: string | undefined;
  /** Fleet, or group of fleets, that launches it; absent: any that takes the region. */
  readonly fleet?: string | undefined;
  /** Name of the set of servers inside that fleet; on Agones, of its Fleet. */
  readonly fleetName?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A local process runs in a folder of its own, with links to all that lies beside the program. */
  readonly ownFolder?: boolean | undefined;
}

export interface LaunchBuild {
  readonly name: string;
  readonly version: number;
  /** What people call that version. */
  readonly label: string | null;
  readonly launch: BuildLaunch;
  /** Empty: one port, which the fleet names by its protocol. */
  readonly ports: readonly PortConfig[];
}

/** All a fleet needs to start one server. */
export interface LaunchSpec {
  /** What the fleet knows it by. A server that is started again has another one for each run. */
  readonly instanceId: string;
  /** What players and the API know it by: the same in every run. */
  readonly serverId: string;
  readonly project: string;
  /** A readable name; not unique. */
  readonly name: string;
  readonly region: string;
  readonly build: LaunchBuild;
  readonly computeSize: string | null;
  /** The match it was launched for. */
  readonly matchId: string | null;
  /** As they are shown; `build.launch.args` has them already. */
  readonly startupArgs: string | null;
  /** What the game server is told (decision 36). */
  readonly customData: JsonObject;
  /** Seconds after which the fleet itself ends the server; null: never. */
  readonly ttlSeconds: number | null;
  /** Secret of this instance alone: it signs the reports of the fleet and of the game server. */
  readonly token: string;
  /** Where status reports are POSTed: `{service}/v3/servers/{instanceId}/status`. */
  readonly reportUrl: string;
  /** By which seat tickets of its players are verified; absent where the project has none yet. */
  readonly seats?: SeatKeySet | undefined;
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
  /** The key that signs now, the next one, and those whose tickets are not over yet. */
  readonly keys: readonly SeatJwk[];
  /** Where they are published, with any that come later. */
  readonly url: string;
}

/**
 * Why a launch did not happen. `no_capacity`: full now, another fleet or a later try may do;
 * `refused`: the fleet will never take this spec or this caller; `ended`: this id ran here, or was
 * stopped before it came, and never runs again; `unreachable`: nobody knows whether it started, so
 * launch again with the same id here, or `stop` that id. Only after the first two may another
 * fleet be tried: nothing of this id runs, or will.
 */
export type LaunchFailure = 'no_capacity' | 'refused' | 'ended' | 'unreachable';

export type Launched =
  | { readonly ok: true; readonly ports: readonly Port[] }
  | { readonly ok: false; readonly reason: LaunchFailure; readonly detail: string };

/** `unknown`: this fleet has no such server (any more); what never ran here answers the same. */
export interface Inspection {
  readonly state: 'unknown' | ServerStatus;
  readonly ports: readonly Port[];
  /** Of one that stopped, where the fleet knows. */
  readonly ending?: Ending | undefined;
}

/** One line that a server printed. */
export interface LogLine {
  /** ISO 8601: it was there by then. The line itself says no time. */
  readonly timestamp: string;
  readonly message: string;
}

/** A place where servers run. Every method is idempotent by instance id. */
export interface Fleet {
  /**
   * Starts the server, or answers for the one of this id that was started before.
   * Never throws: a failure is a value.
   */
  launch(spec: LaunchSpec): Promise<Launched>;
  /** Throws when the fleet cannot be asked: "unknown" is an answer, silence is not. */
  inspect(instanceId: string): Promise<Inspection>;
  /** Ends the server; one that is gone already is no error. Throws when the fleet is silent. */
  stop(instanceId: string): Promise<void>;
  /**
   * The last lines the server printed, at most so many, oldest first; null: this fleet does not
   * have them. Throws when the fleet cannot be asked. Absent: this kind of fleet keeps none.
   */
  logs?(instanceId: string, limit: number): Promise<readonly LogLine[] | null>;
  /**
   * It starts a program, and tells by itself when that runs or ends: whoever asks for a launch is
   * answered once that is known, or soon. Absent: it takes only what runs, or has to be asked.
   */
  tells?: boolean;
  /**
   * Why this build could not be launched here, as far as that shows without launching it. Absent,
   * or null: this fleet cannot tell. Throws when the fleet cannot be asked.
   */
  check?(build: LaunchBuild): Promise<string | null>;
}

/** Body of a status report, POSTed to `reportUrl` with the instance's token as bearer. */
export interface StatusReport {
  readonly status: ServerStatus;
  readonly network_ports?: readonly Port[] | undefined;
  readonly exit_code?: number | null | undefined;
  readonly signal?: string | null | undefined;
  readonly output?: string | null | undefined;
  readonly detail?: string | null | undefined;
}
