// What a server instance is, and how it shows itself (spec: Server block; decision 35). Pure.

import { iso } from '../clock';
import type { Port, ServerBlock, ServerStatus } from '../fleet/port';
import { jsonBytes, type JsonObject } from '../json';
import type { LaunchOrder } from './contracts';

export interface Instance {
  /** Without what it tells the game server: that is in `customData`, and may be large. */
  readonly order: Omit<LaunchOrder, 'customData'>;
  /** Secret of this instance; its reports carry it. */
  readonly token: string;
  readonly status: ServerStatus;
  /** The fleet that has it, or may have it: saved before it is called. Null: none does. */
  readonly fleet: string | null;
  /** Fleets that said for certain that they did not and will not start it. */
  readonly passed: readonly { readonly by: string; readonly detail: string }[];
  /** The fleet has said that it started it. */
  readonly accepted: boolean;
  readonly ports: readonly Port[];
  readonly version: string | null;
  readonly startupArgs: string | null;
  readonly customData: JsonObject;
  /** Size of it as JSON. */
  readonly customBytes: number;
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
  /** Last time the fleet, or the server itself, said that it lives. */
  readonly heardAt: number;
  /** Since when the fleet does not know it, though it should; null while it does. */
  readonly missingAt: number | null;
  /** Why the fleet would not, when it would not. */
  readonly failure: string | null;
  /** A stopped one: nothing of it can come to life in a fleet any more. */
  readonly settled: boolean;
}

export function intended(
  { customData, ...order }: LaunchOrder,
  token: string,
  now: number,
): Instance {
  return {
    order,
    token,
    status: 'launching',
    fleet: null,
    passed: [],
    accepted: false,
    ports: [],
    version: null,
    startupArgs: null,
    customData,
    customBytes: jsonBytes(customData),
    seq: 1,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    stoppedAt: null,
    heardAt: now,
    missingAt: null,
    failure: null,
    settled: false,
  };
}

export function changed(instance: Instance, patch: Partial<Instance>, now: number): Instance {
  const updatedAt = Math.max(now, instance.updatedAt + 1);
  return { ...instance, ...patch, seq: instance.seq + 1, updatedAt };
}

/** A status only moves forward: reports that come late or out of order change nothing. */
export function reported(
  instance: Instance,
  status: ServerStatus,
  ports: readonly Port[],
  now: number,
): Instance | null {
  if (instance.status === 'stopped') {
    return null;
  }
  if (status === 'stopped') {
    return stopped(instance, null, now);
  }
  const known = ports.length === 0 ? instance.ports : ports;
  const same = JSON.stringify(known) === JSON.stringify(instance.ports);
  const runs = status === 'running' && instance.status === 'launching';
  if (!runs && same) {
    return null;
  }
  const started = runs ? ({ status: 'running', startedAt: now } as const) : {};
  return changed(instance, { ...started, ports: known, accepted: true }, now);
}

export function stopped(instance: Instance, failure: string | null, now: number): Instance {
  return changed(instance, { status: 'stopped', stoppedAt: now, failure }, now);
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

/**
 * The whole instance, or with `custom_data` left out (`{}`) where it has more bytes than asked for:
 * what a match tells its server may be larger than any lobby or list should carry about.
 */
export function blockOf(instance: Instance, customBytes = Infinity): ServerBlock {
  const { order } = instance;
  return {
    instance_id: order.instanceId,
    name: order.name,
    status: instance.status,
    region: order.region,
    network_ports: instance.status === 'launching' ? [] : instance.ports,
    startup_args: instance.startupArgs,
    service_type: 'game_server',
    compute_size: order.computeSize,
    version_tag: order.build,
    version: instance.version,
    started_at: isoOrNull(instance.startedAt),
    stopped_at: isoOrNull(instance.stoppedAt),
    auto_restart: false,
    custom_data: instance.customBytes <= customBytes ? instance.customData : {},
    ttl: order.ttlSeconds,
    is_pool_server: false,
    match_id: order.matchId,
    created_at: iso(instance.createdAt),
    updated_at: iso(instance.updatedAt),
  };
}

/** Compares secrets without telling by time how much of them agreed. */
export function sameSecret(a: string, b: string): boolean {
  let different = a.length ^ b.length;
  for (let index = 0; index < b.length; index += 1) {
    different |= a.charCodeAt(index % Math.max(1, a.length)) ^ b.charCodeAt(index);
  }
  return different === 0;
}
