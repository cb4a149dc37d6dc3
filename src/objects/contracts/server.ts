// The contract of a Server object: its methods and what they promise.

import type {
  LaunchSpec,
  LogLine,
  PortConfig,
  ServerBlock,
  ServerRecord,
  StatusReport,
} from '../../fleet/port';
import type { InstanceId, LobbyId, MatchId, PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import type { Reply } from '../../lobby/refusals';

export interface ServerReport {
  readonly instanceId: InstanceId;
  /** Rises with every change of the server. Owners ignore a report whose number is not above the last. */
  readonly seq: number;
  readonly block: ServerBlock;
  /** The server stopped before it ever ran. That is a failed launch and not the end of a game (decision 40). */
  readonly failed?: boolean;
  /** It ended in the middle of its game (decision 79). Absent: it did not. */
  readonly crashed?: true;
  /** Why the server failed or crashed, for operators. */
  readonly detail?: string;
  /** It waits for room. Absent: it does not. */
  readonly waiting?: PlaceInLine;
}

/** A place in a line of servers, from 1. */
export interface PlaceInLine {
  readonly position: number;
  /** Epoch ms. */
  readonly since: number;
}

type ServerOwner =
  | { readonly kind: 'lobby'; readonly id: LobbyId }
  | { readonly kind: 'match'; readonly id: MatchId }
  | { readonly kind: 'project' }
  /** No match yet. Once one has it, that is the owner (record 0073). */
  | { readonly kind: 'warm' };

/** `requestId`: of a match, that of the lobby that waited longest. */
export interface LaunchOrder extends Pick<
  LaunchSpec,
  'project' | 'name' | 'region' | 'customData' | 'ttlSeconds' | 'matchId' | 'requestId'
> {
  readonly instanceId: InstanceId;
  readonly owner: ServerOwner;
  /** A host has started the game, and waits for the answer. */
  readonly isStart?: boolean;
  /** The config of the owner, for the log. Absent: the owner is the project. */
  readonly config?: string;
  readonly build: string;
  readonly computeSize: string;
  readonly options?: ServerOptions;
}

/** Options that a request for a server can set. Absent: the build's value applies. */
export interface ServerOptions {
  readonly startupArgs?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly ports?: readonly PortConfig[] | undefined;
  /** Whether the server is launched again after it fails. */
  readonly autoRestart?: boolean | undefined;
}

/** The changes that a restart makes. Absent: unchanged. */
export interface Restart {
  readonly order: Partial<
    Pick<LaunchOrder, 'name' | 'build' | 'computeSize' | 'customData' | 'ttlSeconds' | 'matchId'>
  >;
  readonly options: ServerOptions;
}

/** The last lines of one run. */
interface ServerLogs {
  readonly lines: readonly LogLine[];
  /** The run of the server that printed them. */
  readonly runId: string;
  readonly fleet: string;
  readonly region: string;
}

/** The player who hosts (record 0069). */
export interface Hosting {
  /** Null: nobody is elected yet. */
  readonly id: PlayerId | null;
  /** Why this one is elected, for operators. */
  readonly why: string;
  /** Why the last one is it no more, while nobody is elected. */
  readonly lost?: string;
  /** Who may host this game no more. */
  readonly barred: readonly PlayerId[];
  /** Who says that the host is unreachable. */
  readonly votes: readonly PlayerId[];
  /** Whether the host of an earlier term was ready. */
  readonly ran: boolean;
}

export interface HostSaid {
  readonly term: number;
  readonly says: 'lost' | 'unreachable' | 'resigned';
  /** Absent: a lobby says that the host is lost. */
  readonly player?: PlayerId;
}

export interface ServerRpc {
  /** Launches the server, or gives the order's match a warm one. Idempotent. Refuses LAUNCH_FAILED, SERVERS_EXHAUSTED. */
  launch(order: LaunchOrder): Promise<Reply<ServerReport>>;
  read(project: string): Promise<Reply<ServerRecord>>;
  /**
   * Of a game that a player hosts (record 0069): what lobbies and players say of the host of a term. Refuses
   * INVALID_STATE if no player hosts it, NOT_HOST_ANY_MORE if that term is over, NOT_HOST and INVALID_ACTION.
   */
  hosting(said: HostSaid): Promise<Reply<null>>;
  /**
   * Ends the current run and launches the same order again, under the same id. A server that is launching is only
   * returned, so a repeated call restarts once. Refuses INVALID_STATE once the server has stopped.
   */
  restart(project: string, restart: Restart): Promise<Reply<ServerBlock>>;
  /** The last lines that the server printed. Refuses LOGS_NOT_AVAILABLE, and UNAVAILABLE if the fleet is silent. */
  logs(project: string, limit: number): Promise<Reply<ServerLogs>>;
  /** It is the server's turn in line. Nothing but the sooner try is lost with this call. */
  turn(): Promise<void>;
  /** Stops the server, launched or not. Idempotent. `byOwner`: the owner is not told. `warm`: only if no match has it. */
  stop(byOwner?: boolean | 'warm'): Promise<void>;
  /**
   * `waitMs`: so long a warm server waits for the answer, unless it gets a match or ends.
   * Refuses UNAUTHORIZED for a wrong token, and SERVER_NOT_FOUND if the server is unknown, or has stopped and is said to live.
   */
  report(token: string, report: StatusReport, waitMs?: number): Promise<Reply<ServerBlock>>;
  /**
   * The match that the server runs, for the server's own token or for its project. A stopped server counts. Refuses as
   * `report` does, and INVALID_STATE if the server runs no match.
   */
  matchOf(
    asker: string | { readonly project: string },
  ): Promise<Reply<{ readonly project: string; readonly id: MatchId }>>;
  /** The project of the server. Refuses a token as `matchOf` does. */
  projectOf(token: string): Promise<Reply<string>>;
  /** With the number of a part, other keys stay as they are, and a part that is older than the last one changes nothing. */
  update(project: string, customData: JsonObject, part?: number): Promise<Reply<ServerBlock>>;
}
