// What operators and game servers send and read besides (see types.ts).

import type { JsonObject, Port, Server, ServerStatus } from './types.ts';

export type Rule =
  | { readonly type: 'difference'; readonly field: string; readonly maxDifference: number }
  | { readonly type: 'equals'; readonly field: string }
  | { readonly type: 'not_equals'; readonly field: string }
  | { readonly type: 'region'; readonly minOverlap: number }
  | { readonly type: 'expression'; readonly cel: string };

export type RoleCounts = Readonly<Record<string, number>>;

export interface Mode {
  readonly teams: number;
  readonly playersPerTeam: number;
  readonly minPlayersPerTeam: number;
  readonly minTeams: number;
  /** Longest wait in the queue, in seconds. */
  readonly timeout: number;
  readonly maxPartySize: number;
  readonly allowBackfill: boolean;
  readonly rules: readonly Rule[];
  readonly matchConfirmation: { readonly enabled: boolean; readonly timeoutSeconds: number };
  /** Team name to roles; null in a symmetric mode. */
  readonly teamComposition: Readonly<Record<string, RoleCounts>> | null;
  readonly excludedFromQueue: readonly string[];
  readonly useVersionFromState: string | null;
  readonly onDecline: 'return' | 'requeue';
}

export interface InviteCodeConfig {
  readonly type: 'numeric' | 'alphanumeric' | 'alphabetic';
  readonly length: number;
  readonly prefix: string | null;
}

export interface LobbyConfig {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Seconds without activity until a waiting lobby is deleted. */
  readonly timeout: number;
  readonly serverSettings: { readonly serverSize: string; readonly gameBuild: string | null };
  readonly matchmaking: { readonly modes: Readonly<Record<string, Mode>> };
  readonly hostLeaveBehavior: 'promote' | 'delete';
  readonly inviteCodeConfig: InviteCodeConfig | null;
  readonly heartbeat: boolean;
  readonly heartbeatTimeout: number;
  readonly customProperties: JsonObject;
  readonly revision: number;
}

/** Everything optional, all the way down; a null takes the default. */
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

/** A config to save: what is left out takes its default. */
export type LobbyConfigInput = Loose<
  Omit<LobbyConfig, 'id' | 'name' | 'revision' | 'matchmaking' | 'customProperties'>
> & {
  readonly matchmaking?:
    | { readonly modes?: Readonly<Record<string, ModeInput>> | null | undefined }
    | null
    | undefined;
  readonly customProperties?: JsonObject | null | undefined;
};

export interface ProjectSettings {
  readonly lobby_configs: readonly LobbyConfig[];
  readonly revision: number;
}

export interface Build {
  readonly name: string;
  readonly version: string;
  readonly status: 'ready' | 'not_ready';
  readonly launch: {
    readonly command?: string | undefined;
    readonly args?: readonly string[] | undefined;
    readonly image?: string | undefined;
    readonly fleet?: string | undefined;
    readonly fleetName?: string | undefined;
    readonly env?: Readonly<Record<string, string>> | undefined;
  };
}

export type BuildInput = Partial<Omit<Build, 'name'>>;

export interface ServerPage {
  readonly servers: readonly Server[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

export interface StartServer {
  readonly name?: string | undefined;
  readonly region?: string | undefined;
  readonly compute_size?: string | undefined;
  /** Name of the build; `default` unless given. */
  readonly version_tag?: string | undefined;
  readonly custom_data?: JsonObject | undefined;
  /** Seconds it may live, 60 to 86,400. */
  readonly ttl?: number | null | undefined;
}

export interface StatusReport {
  readonly status: ServerStatus;
  readonly network_ports?: readonly Port[] | undefined;
  readonly exit_code?: number | null | undefined;
}
