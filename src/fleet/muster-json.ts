// What a game server is told of itself and its match, the same on every fleet: the local agent
// writes it to `muster.json`, Agones carries it as an annotation. Keys are as in the server block.
// Imports are types alone: the agent runs this file as it is.

import type { LaunchSpec, SeatJwk } from './port';

export interface MusterJson {
  readonly instance_id: string;
  readonly project: string;
  readonly name: string;
  readonly region: string;
  /** Name of the build. */
  readonly version_tag: string;
  readonly version: number;
  /** What people call that version. */
  readonly label: string | null;
  readonly compute_size: string | null;
  /** Seconds it may live, or null. */
  readonly ttl: number | null;
  /** Where it may report its own status, with `token` as bearer. */
  readonly report_url: string;
  readonly token: string;
  /** By which tickets of players are verified, and where later keys are found. */
  readonly seat_keys?: { readonly keys: readonly SeatJwk[] };
  readonly jwks_url?: string;
  /** decision 36. */
  readonly custom_data: LaunchSpec['customData'];
}

/** decision 36. Ports are not in it: a fleet adds them where it knows them before the start. */
export function musterJson(spec: LaunchSpec): MusterJson {
  return {
    instance_id: spec.serverId,
    project: spec.project,
    name: spec.name,
    region: spec.region,
    version_tag: spec.build.name,
    version: spec.build.version,
    label: spec.build.label,
    compute_size: spec.computeSize,
    ttl: spec.ttlSeconds,
    report_url: spec.reportUrl,
    token: spec.token,
    ...(spec.seats === undefined
      ? {}
      : { seat_keys: { keys: spec.seats.keys }, jwks_url: spec.seats.url }),
    custom_data: spec.customData,
  };
}

/** The file that game servers written for the hosted API read: `playflow.json`. */
export interface PlayflowJson {
  readonly instance_id: string;
  readonly region: string;
  /** The server's own token: it opens this server's reports, and nothing else. */
  readonly 'api-key': string;
  readonly startup_args: string | null;
  readonly version_tag: string;
  readonly match_id: string | null;
  /** As `startup_args`: what they were called before. */
  readonly arguments: string | null;
  readonly custom_data: LaunchSpec['customData'];
}

export function playflowJson(spec: LaunchSpec): PlayflowJson {
  return {
    instance_id: spec.serverId,
    region: spec.region,
    'api-key': spec.token,
    startup_args: spec.startupArgs,
    version_tag: spec.build.name,
    match_id: spec.matchId,
    arguments: spec.startupArgs,
    custom_data: spec.customData,
  };
}
