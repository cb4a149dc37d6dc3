// The port between Server objects and fleets: only types. Every fleet is idempotent by instance id, which is saved before
// the fleet is called: a repeated launch makes no second server, and a repeated stop is no error (decision 37).

import type {
  Build,
  BuildLaunch,
  PortConfig,
  ServerRecord,
  StatusReport,
} from '../../packages/js/src/admin-types';
import type { SeatJwk } from '../../packages/js/src/identity-types';
import type { Port, Server as ServerBlock, ServerStatus } from '../../packages/js/src/types';
import type { JsonObject } from '../common/json';

export type { BuildLaunch, Port, PortConfig, SeatJwk, ServerBlock, ServerRecord };
export type { ServerStatus, StatusReport };

/** As operators see it (`stateOf`). */
export type ServerState = ServerStatus | 'failed';

/** How a run ended, or how a launch stands, as far as the fleet knows. For operators, never for players. */
export interface Ending extends Pick<ServerRecord, 'exit_code' | 'signal' | 'output'> {
  /** More about the cause, if the fleet knows it, such as a port that was not opened. Before the end: a warning. */
  readonly detail?: string | null | undefined;
  /** The fleet ended it because it was told to, or because its time was over. */
  readonly asked?: boolean | undefined;
}

export type LaunchBuild = Pick<Build, 'name' | 'version' | 'label' | 'launch' | 'ports'>;

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
  readonly matchId: string | null;
  /** A warm server (record 0073). Once it has a match, it is launched again with the same id: then that match is news. */
  readonly warm?: true | undefined;
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

export interface SeatKeySet {
  /** The key that signs now, the next one, and retired keys whose tickets have not all expired. */
  readonly keys: readonly SeatJwk[];
  /** The URL that publishes these keys and later ones. */
  readonly url: string;
}

/**
 * `no_capacity`: the fleet is full; another fleet or a later try may succeed. `refused`: the fleet will never accept
 * this spec or this caller. `ended`: this id ran here, or was stopped before it was launched, and never runs again.
 * `unreachable`: nobody knows whether the server started, so launch it again here with the same id, or `stop` that id.
 * Only after the first two may another fleet be tried, because nothing runs or will run under this id.
 */
export type LaunchFailure = 'no_capacity' | 'refused' | 'ended' | 'unreachable';

export type Launched =
  | { readonly ok: true; readonly ports: readonly Port[] }
  | {
      readonly ok: false;
      readonly reason: LaunchFailure;
      readonly detail: string;
      /** It was refused for what asks for the launch, whatever the build. Players choose some of that. */
      readonly ofOrder?: boolean;
    };

/** `unknown`: this fleet has no such server. It may have forgotten it, or the server never ran here. */
export interface Inspection {
  readonly state: 'unknown' | ServerStatus;
  readonly ports: readonly Port[];
  readonly ending?: Ending | undefined;
  /** Of an unknown server: why the fleet takes no launches now, if it says so. */
  readonly drains?: string | undefined;
}

export interface LogLine {
  /** ISO 8601. The time at which the line was read, since the line itself has no time. */
  readonly timestamp: string;
  readonly message: string;
}

/** A place where servers run. Every method is idempotent by instance id. */
export interface Fleet {
  /** Starts the server, or returns the one that was started before with this id. Never throws: a failure is a value. */
  launch(spec: LaunchSpec): Promise<Launched>;
  /** The state of the server. Throws if the fleet does not answer: `unknown` is an answer, silence is not. */
  inspect(instanceId: string): Promise<Inspection>;
  /** Ends the server. It is no error if the server is already gone. Throws if the fleet does not answer. */
  stop(instanceId: string): Promise<void>;
  /** The last lines, at most `limit`, oldest first. Null or absent: the fleet has none. Throws if it does not answer. */
  logs?(instanceId: string, limit: number): Promise<readonly LogLine[] | null>;
  /** The fleet reports by itself when a server runs or ends, and a launch waits for that. Absent: it has to be asked. */
  tells?: boolean;
  /** The fleet has servers ready by itself, so Muster keeps no warm ones there. Absent: it has none. */
  keepsReady?: true;
  /** Why this build could not be launched here. Absent or null: the fleet cannot tell. Throws if it does not answer. */
  check?(build: LaunchBuild): Promise<string | null>;
}
