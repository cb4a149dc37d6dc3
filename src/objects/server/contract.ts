// What a game server's actor may be asked, and what it promises.

import type {
  LogLine,
  PortConfig,
  ServerBlock,
  ServerRecord,
  StatusReport,
} from '../../fleet/port';
import type { InstanceId, LobbyId, MatchId } from '../../ids';
import type { JsonObject } from '../../json';
import type { Reply } from '../../lobby/refusals';

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

/** What a server of the project may be asked to have besides; absent: as its build has it. */
export interface ServerOptions {
  readonly startupArgs?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly ports?: readonly PortConfig[] | undefined;
  /** It is launched again when it fails. */
  readonly autoRestart?: boolean | undefined;
}

/** What a restart changes; absent: as it was. */
export interface Restart {
  readonly order: Partial<
    Pick<LaunchOrder, 'name' | 'build' | 'computeSize' | 'customData' | 'ttlSeconds' | 'matchId'>
  >;
  readonly options: ServerOptions;
}

/** The last lines of one run. */
export interface ServerLogs {
  readonly lines: readonly LogLine[];
  /** Which run of the server printed them. */
  readonly runId: string;
  readonly fleet: string;
  readonly region: string;
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
