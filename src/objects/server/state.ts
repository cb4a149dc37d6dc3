// What a server instance is, and how it shows itself (spec: Server block; decision 35). Pure.

import { iso } from '../../clock';
import { NO_ENDING } from '../../fleet/block';
import type {
  Ending,
  LaunchFailure,
  Port,
  PortConfig,
  ServerBlock,
  ServerRecord,
  ServerStatus,
} from '../../fleet/port';
import { namedPorts } from '../../fleet/ports';
import { jsonBytes, type JsonObject } from '../../json';
import type { LaunchOrder } from './contract';

export interface Instance {
  /** Without what it tells the game server: that is in `customData`, and may be large. */
  readonly order: Omit<LaunchOrder, 'customData'>;
  /** Secret of this instance; its reports carry it. */
  readonly token: string;
  readonly status: ServerStatus;
  /** The fleet that has it, or may have it: saved before it is called. Null: none does. */
  readonly fleet: string | null;
  /** Fleets that said for certain that they did not and will not start it. */
  readonly passed: readonly {
    readonly by: string;
    readonly detail: string;
    readonly reason?: LaunchFailure;
  }[];
  /** The fleet has said that it started it. */
  readonly accepted: boolean;
  readonly ports: readonly Port[];
  readonly version: number | null;
  readonly startupArgs: string | null;
  /** What its build calls its ports; as it was when a fleet was chosen. */
  readonly asked: readonly PortConfig[];
  /** How often it was launched again: each run has an id and a token of its own. */
  readonly run: number;
  /** When this run was ordered. */
  readonly launchedAt: number;
  /** From when its time to live counts: a restart that is asked for begins it anew. */
  readonly ttlFrom: number;
  /** The run before, until nothing of it is left: only then the next is launched. */
  readonly before: { readonly fleet: string; readonly id: string } | null;
  /** Of earlier runs: their reports are known, and change nothing. */
  readonly formerTokens: readonly string[];
  /** Runs in a row that failed soon. */
  readonly failures: number;
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
  /** Why it failed: the fleet would not start it, or it ended before it ran. */
  readonly failure: string | null;
  /** That is the build's fault, as far as can be told, and not for want of room. */
  readonly blamesBuild: boolean;
  /** How the last run that ended did; null: not known. */
  readonly ending: Ending | null;
  /** Of one that launches: what its fleet finds amiss, and what it has printed so far. */
  readonly warning: Pick<ServerRecord, 'detail' | 'output'> | null;
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
    asked: [],
    run: 0,
    launchedAt: now,
    ttlFrom: now,
    before: null,
    formerTokens: [],
    failures: 0,
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
    blamesBuild: false,
    ending: null,
    warning: null,
    settled: false,
  };
}

/** An instance as an earlier release saved it; a current one as it is. */
export function currentInstance(saved: Instance): Instance {
  const { version } = saved as { readonly version: unknown };
  const since = { launchedAt: saved.createdAt, ttlFrom: saved.createdAt };
  const runs = { run: 0, before: null, formerTokens: [], failures: 0 };
  const none = { ...runs, asked: [], blamesBuild: false, ending: null, warning: null };
  return { ...none, ...since, ...saved, version: typeof version === 'number' ? version : null };
}

export function changed(instance: Instance, patch: Partial<Instance>, now: number): Instance {
  const updatedAt = Math.max(now, instance.updatedAt + 1);
  return { ...instance, ...patch, seq: instance.seq + 1, updatedAt };
}

/** What the fleet knows this run by. */
export function runIdOf({ order, run }: Pick<Instance, 'order' | 'run'>): string {
  return run === 0 ? order.instanceId : `${order.instanceId}.${run}`;
}

/** When its time to live is over; null: never. */
export function endsAt({ order, ttlFrom }: Instance): number | null {
  return order.ttlSeconds === null ? null : ttlFrom + order.ttlSeconds * 1000;
}

/** Whether it ended before players could ever have come in (decision 40). */
export function neverRan({ status, run, startedAt, failure }: Instance): boolean {
  return status === 'stopped' && run === 0 && startedAt === null && failure !== null;
}

const FORMER_TOKENS = 8;
const MAX_FAILURES = 5;
/** A run that lasted so long was no failure at the start. */
const LASTING_MS = 60_000;
/** So soon before its time is over it is not launched again. */
const LAST_MOMENT_MS = 5_000;

/** The next run: launched under a new token once nothing of this one is left. */
export function restarted(instance: Instance, token: string, now: number): Instance {
  const { fleet, run, formerTokens } = instance;
  return changed(
    instance,
    {
      status: 'launching',
      run: run + 1,
      token,
      formerTokens: [instance.token, ...formerTokens].slice(0, FORMER_TOKENS),
      before: fleet === null ? null : { fleet, id: runIdOf(instance) },
      fleet: null,
      passed: [],
      accepted: false,
      ports: [],
      startedAt: null,
      launchedAt: now,
      heardAt: now,
      missingAt: null,
      warning: null,
    },
    now,
  );
}

/** As the hosted API does it: again after a failure, not after a clean exit. */
export function isToRunAgain(instance: Instance, now: number): boolean {
  const { order, startedAt, failures, ending } = instance;
  const end = endsAt(instance);
  return (
    order.options?.autoRestart === true &&
    startedAt !== null &&
    ending?.exit_code !== 0 &&
    failures + soonFailed(instance, now) <= MAX_FAILURES &&
    (end === null || end - now > LAST_MOMENT_MS)
  );
}

/** 1 for a run that failed soon after it began, else 0. */
export function soonFailed({ startedAt }: Instance, now: number): 0 | 1 {
  return startedAt !== null && now - startedAt < LASTING_MS ? 1 : 0;
}

/** What is heard of a server. */
export interface Heard {
  readonly status: ServerStatus;
  readonly ports: readonly Port[];
  /** The fleet was asked. Otherwise it was told, perhaps for the second time, and late. */
  readonly asked: boolean;
  /** Of one that stopped; of one that launches, its `detail` is a warning. */
  readonly ending?: Ending | undefined;
}

/** The instance with how its run ended, where that is news. */
export function ended(instance: Instance, ending: Ending | undefined): Instance {
  const isKnown = ending !== undefined && Object.values(ending).some((part) => part !== null);
  return isKnown ? { ...instance, ending } : instance;
}

/** A status only moves forward: reports that come late or out of order change nothing. */
export function reported(
  instance: Instance,
  { status, ports, asked, ending }: Heard,
  now: number,
): Instance | null {
  if (instance.status === 'stopped') {
    return null;
  }
  if (status === 'stopped') {
    return instance.startedAt === null
      ? { ...stopped(instance, endedEarly(instance), now), blamesBuild: true }
      : stopped(instance, null, now);
  }
  // A report can be played back: the ports of a running server are those its fleet answers.
  const isSettled = instance.status === 'running' && !asked && instance.ports.length > 0;
  const known =
    ports.length === 0 || isSettled ? instance.ports : namedPorts(ports, instance.asked);
  const same = JSON.stringify(known) === JSON.stringify(instance.ports);
  const runs = status === 'running' && instance.status === 'launching';
  const warning = runs ? null : warningIn(instance, ending);
  if (!runs && same && warning === instance.warning) {
    return null;
  }
  const started = runs ? ({ status: 'running', startedAt: now } as const) : {};
  return changed(instance, { ...started, warning, ports: known, accepted: true }, now);
}

/** What is amiss by now with one that launches; the one that is known where nothing is new. */
function warningIn({ status, warning }: Instance, told: Ending | undefined): Instance['warning'] {
  const { detail = null, output = null } = told ?? {};
  const isNews = status === 'launching' && detail !== null && detail !== warning?.detail;
  return isNews ? { detail, output } : warning;
}

function endedEarly({ ending }: Instance): string {
  if ((ending?.detail ?? null) !== null) {
    return ending?.detail ?? '';
  }
  const { exit_code: code = null, signal = null } = ending ?? {};
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  return `The server ended before it ran${code === null && signal === null ? '' : `: ${how}`}`;
}

export function stopped(instance: Instance, failure: string | null, now: number): Instance {
  return changed(instance, { status: 'stopped', stoppedAt: now, failure, warning: null }, now);
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
    service_type: order.options?.autoRestart === true ? 'persistent_world' : 'match_based',
    compute_size: order.computeSize,
    version_tag: order.build,
    version: instance.version,
    started_at: isoOrNull(instance.startedAt),
    stopped_at: isoOrNull(instance.stoppedAt),
    auto_restart: order.options?.autoRestart === true,
    custom_data: instance.customBytes <= customBytes ? instance.customData : {},
    ttl: order.ttlSeconds,
    is_pool_server: false,
    pool_claimed_at: null,
    match_id: order.matchId,
    created_at: iso(instance.createdAt),
    updated_at: iso(instance.updatedAt),
  };
}

/**
 * What the server key reads. With a limit, as for lists, also the output is left out: null.
 */
export function recordOf(instance: Instance, customBytes = Infinity): ServerRecord {
  const { ending, failure, warning } = instance;
  const { exit_code, signal, output } = ending ?? NO_ENDING;
  return {
    ...blockOf(instance, customBytes),
    exit_code,
    signal,
    output: customBytes === Infinity ? (warning?.output ?? output) : null,
    detail: failure ?? warning?.detail ?? null,
  };
}

/** Whether its build could be launched: null while that is open, or where it tells nothing. */
export function launchOf({ status, startedAt, blamesBuild }: Instance): 'ran' | 'failed' | null {
  if (status === 'running') {
    return 'ran';
  }
  const isOver = status === 'stopped' && startedAt === null;
  return isOver && blamesBuild ? 'failed' : null;
}

/** Compares secrets without telling by time how much of them agreed. */
export function sameSecret(a: string, b: string): boolean {
  let different = a.length ^ b.length;
  for (let index = 0; index < b.length; index += 1) {
    different |= a.charCodeAt(index % Math.max(1, a.length)) ^ b.charCodeAt(index);
  }
  return different === 0;
}
