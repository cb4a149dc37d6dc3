// What others see of a server instance (spec: Server block; decision 35). Pure.

import { iso, isoOrNull } from '../../common/clock';
import { NO_ENDING } from '../../fleet/block';
import type { ServerBlock, ServerRecord } from '../../fleet/port';
import type { ServerRow } from '../contracts/project';
import { isWarm, termOf, type Instance } from './state';

export function endOf({ failure, ending }: Instance): string {
  const { exit_code: code, signal } = ending ?? NO_ENDING;
  return failure ?? signal ?? (code === null ? 'stopped' : `exit code ${code}`);
}

/**
 * `custom_data` is left out (`{}`) beyond `customBytes`: a match's may be larger than a lobby or list should carry. `auto_restart`,
 * `is_pool_server` and ports are never null, because clients hold them in value types (spec: Server block; decision 35).
 */
export function blockOf(instance: Instance, customBytes = Infinity): ServerBlock {
  const { order, hosting } = instance;
  const service = order.options?.autoRestart === true ? 'persistent_world' : 'match_based';
  return {
    instance_id: order.instanceId,
    name: order.name,
    status: instance.status,
    region: order.region,
    network_ports: instance.status === 'launching' ? [] : instance.ports,
    startup_args: instance.startupArgs,
    service_type: hosting === undefined ? service : 'player_hosted',
    compute_size: order.computeSize,
    version_tag: order.build,
    version: instance.version,
    started_at: isoOrNull(instance.startedAt),
    stopped_at: isoOrNull(instance.stoppedAt),
    auto_restart: order.options?.autoRestart === true,
    custom_data: instance.customBytes <= customBytes ? instance.customData : {},
    ttl: order.ttlSeconds,
    is_pool_server: isWarm(instance) || instance.takenAt !== undefined,
    pool_claimed_at: isoOrNull(instance.takenAt ?? null),
    match_id: order.matchId,
    ...(hosting && { host_player: hosting.id, term: termOf(instance) }),
    created_at: iso(instance.createdAt),
    updated_at: iso(instance.updatedAt),
  };
}

/** The record that the server key reads. With a limit, as in lists, the output is left out too (null). */
export function serverRecordOf(instance: Instance, customBytes = Infinity): ServerRecord {
  const { ending, failure, warning, hosting } = instance;
  const { exit_code, signal, output, detail: ended = null, ...told } = ending ?? NO_ENDING;
  const wasAsked = instance.status === 'stopped' && told.asked === true;
  return {
    ...blockOf(instance, customBytes),
    // Players hear of a port when it is open. An operator may want to see why it does not open.
    network_ports: instance.ports,
    exit_code,
    signal,
    output: customBytes === Infinity ? (warning?.output ?? output) : null,
    detail: failure ?? warning?.detail ?? (wasAsked ? ended : null),
    ...(wasAsked && { asked: true as const }),
    ...(hosting && { host_reason: hosting.why }),
  };
}

/** The server as the project lists it, with at most so many bytes of its output. */
export function rowOf(instance: Instance, outputBytes: number): ServerRow {
  const { seq, fleet, status, startedAt, blamesBuild } = instance;
  // Null while it is open whether the build could be launched, and if the end does not show it.
  const isOfGame = ['match', 'lobby'].includes(instance.order.owner.kind);
  const isUnable = instance.failure !== null && isOfGame;
  const blamed = blamesBuild ? 'failed' : isUnable ? 'unable' : null;
  const failed = status === 'stopped' && startedAt === null ? blamed : null;
  const launch = status === 'running' ? 'ran' : failed;
  const waits = instance.waiting ? { waits: true as const } : {};
  return { block: serverRecordOf(instance, outputBytes), seq, launch, fleet, ...waits };
}
