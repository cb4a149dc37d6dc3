// A lobby config after validation, with every default filled in (spec: Lobby config).
// It is pure data that is saved and crosses RPC. config-schema.ts reads it from JSON.

import type { JsonObject } from '../common/json';
import { DEFAULT_LOBBY_TIMEOUT_SECONDS } from '../common/limits';
import type { Mode } from '../match/rules/mode';

export interface InviteCodeConfig {
  readonly type: 'numeric' | 'alphanumeric' | 'alphabetic';
  /** Characters of the suffix, without the prefix. */
  readonly length: number;
  readonly prefix: string | null;
}

/** Nobody can create a lobby, start a game or search; what is under way goes on (decision 51). */
export interface Closed {
  /** Why, for players. */
  readonly message: string;
  /** ISO 8601. It is open from then on. Null: closed until somebody opens it. */
  readonly until: string | null;
}

export interface LobbyConfig {
  readonly id: string;
  /** Used as `{config}` in paths. */
  readonly name: string;
  /** Matchmaking and starts treat a disabled config as if it did not exist (decision 22). */
  readonly enabled: boolean;
  /** Seconds without activity after which a waiting lobby is deleted. */
  readonly timeout: number;
  readonly serverSettings: {
    readonly serverSize: string;
    /** The build that is used if no player state selects one. Null is the build `default`. */
    readonly gameBuild: string | null;
  };
  readonly matchmaking: { readonly modes: Readonly<Record<string, Mode>> };
  readonly hostLeaveBehavior: 'promote' | 'delete';
  /** Null: codes have the default form (decision 11). */
  readonly inviteCodeConfig: InviteCodeConfig | null;
  /** Players must send heartbeats or keep a stream open. */
  readonly heartbeat: boolean;
  /** Seconds after which a silent player is removed. */
  readonly heartbeatTimeout: number;
  /**
   * Seconds after which a queued party leaves the queue if it had streams and nobody of it is there any more; 0: never
   * (decision 50).
   */
  readonly queuePresenceSeconds: number;
  /** State keys that only the backend can write (decision 46). Absent: none. */
  readonly trusted?: readonly string[];
  /** Absent: open. */
  readonly closed?: Closed;
  /** Shown in the lobby, never read. */
  readonly customProperties: JsonObject;
  /** +1 with every save. */
  readonly revision: number;
}

export const DEFAULT_HEARTBEAT_TIMEOUT_SECONDS = 60;
export const DEFAULT_QUEUE_PRESENCE_SECONDS = 30;
export const DEFAULT_SERVER_SIZE = 'small';

/** The config of a name that nobody has saved. Everything but matchmaking works (spec: Lobby config, defaults). */
export function defaultConfig(name: string): LobbyConfig {
  return {
    id: '',
    name,
    enabled: true,
    timeout: DEFAULT_LOBBY_TIMEOUT_SECONDS,
    serverSettings: { serverSize: DEFAULT_SERVER_SIZE, gameBuild: null },
    matchmaking: { modes: {} },
    hostLeaveBehavior: 'promote',
    inviteCodeConfig: null,
    heartbeat: false,
    heartbeatTimeout: DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
    queuePresenceSeconds: DEFAULT_QUEUE_PRESENCE_SECONDS,
    customProperties: {},
    revision: 0,
  };
}

/** The saved mode of that name, or null. A name such as `constructor` finds nothing that was not saved. */
export function modeOf(config: LobbyConfig, name: string): Mode | null {
  const { modes } = config.matchmaking;
  return Object.hasOwn(modes, name) ? (modes[name] ?? null) : null;
}
