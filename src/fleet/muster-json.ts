// The data that a game server gets about itself and its match, the same on every fleet. The local agent writes it
// to `muster.json`, and Agones passes it as an annotation. The keys are those of the server block.
// This file imports only types, because the agent runs it as it is.

import type { MusterJson } from '../../client/src/game-server-types';
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
    custom_data: spec.customData,
  };
}
