// The data that a game server gets about itself and its match, the same on every fleet. The local agent writes it
// to `muster.json`, Agones passes it as an annotation, and clouds as a variable. The keys are those of the server block.
// This file imports only types, because the agent runs it as it is.

import type { MusterJson } from '../../packages/js/src/game-server-types';
import type { LaunchSpec } from './port';

/** decision 36. Ports are not included: a fleet adds them if it knows them before the start. */
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
    result_url: spec.reportUrl.replace(/status$/, 'result'),
    token: spec.token,
    ...(spec.seats === undefined
      ? {}
      : { seat_keys: { keys: spec.seats.keys }, jwks_url: spec.seats.url }),
    ...(spec.warm && { match: spec.matchId }),
    custom_data: spec.customData,
  };
}

/** What every game server is told in its environment, without its ports and files (docs/game-servers.md). */
export function musterVariables(spec: LaunchSpec, host: string): Readonly<Record<string, string>> {
  return {
    MUSTER_INSTANCE_ID: spec.serverId,
    MUSTER_NAME: spec.name,
    MUSTER_PROJECT: spec.project,
    MUSTER_REGION: spec.region,
    MUSTER_BUILD: spec.build.name,
    MUSTER_VERSION: String(spec.build.version),
    MUSTER_LABEL: spec.build.label ?? '',
    MUSTER_HOST: host,
    MUSTER_REPORT_URL: spec.reportUrl,
    MUSTER_TOKEN: spec.token,
    ...(spec.warm && { MUSTER_WARM: '1' }),
    ...(spec.startupArgs === null ? {} : { PLAYFLOW_STARTUP_ARGS: spec.startupArgs }),
  };
}

/** Fills in placeholders such as `{port}` and `{port:NAME}`. Other text in braces stays as it is. */
export function fillerOf(values: ReadonlyMap<string, string>): (text: string) => string {
  return (text) =>
    text.replace(
      /\{([a-z_]+|port:[A-Za-z0-9_-]+)\}/g,
      (whole, name: string) => values.get(name) ?? whole,
    );
}
