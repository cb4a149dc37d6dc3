// The state of a server instance and its views (spec: Server block; decision 35). Pure.

import { iso, isoOrNull } from '../../common/clock';
import { NO_ENDING } from '../../fleet/block';
import type {
  Ending,
  Port,
  PortConfig,
  ServerBlock,
  ServerRecord,
  ServerStatus,
} from '../../fleet/port';
import { namedPorts } from '../../fleet/ports';
import type { ServerRow } from '../contracts/project';
import { jsonBytes, type JsonObject } from '../../common/json';
import type { Hosting, LaunchOrder } from '../contracts/server';

export interface Instance {
  /** The order without its custom data, which may be large and is in `customData`. */
  readonly order: Omit<LaunchOrder, 'customData'>;
  /** The secret of this run. Its reports carry it. */
  readonly token: string;
  readonly status: ServerStatus;
  /** The fleet that has the server or may have it. It is saved before the fleet is called. Null: no fleet has it. */
  readonly fleet: string | null;
  /** Fleets that are certain that they did not and will not start the server. */
  readonly passed: readonly {
    readonly by: string;
    readonly detail: string;
    readonly reason?: 'no_capacity' | 'refused';
    /** It was refused for the order, whatever the build. Absent: not. */
    readonly ofOrder?: boolean;
  }[];
  /** Whether the fleet confirmed that it started the server. */
  readonly accepted: boolean;
  readonly ports: readonly Port[];
  readonly version: number | null;
  readonly startupArgs: string | null;
  /** The ports that the build asked for when a fleet was chosen. They name the server's ports. */
  readonly asked: readonly PortConfig[];
  /** How often the server was launched again. Each run has an id and a token of its own. */
  readonly run: number;
  /** When this run was ordered. */
  readonly launchedAt: number;
  /** When the time to live started. A requested restart starts it anew. */
  readonly ttlFrom: number;
  /** The previous run, until nothing of it is left. Only then is the next run launched. */
  readonly before: { readonly fleet: string; readonly id: string } | null;
  /** The tokens of earlier runs. Reports with these are recognised and change nothing. */
  readonly formerTokens: readonly string[];
  /** How many runs in a row failed soon after their start. */
  readonly failures: number;
  readonly customData: JsonObject;
  /** The size of `customData` as JSON. */
  readonly customBytes: number;
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
  /** The last time that the fleet or the server itself said that the server lives. */
  readonly heardAt: number;
  /** Since when the fleet does not know the server, although it should. Null while it does. */
  readonly missingAt: number | null;
  /** Why the server failed: no fleet started it, or it ended before it ran. */
  readonly failure: string | null;
  /** Whether the failure looks like the build's fault, and not like a lack of room. */
  readonly blamesBuild: boolean;
  /** How the last run ended. Null: not known. */
  readonly ending: Ending | null;
  /** Only while launching: the problem that the fleet sees, and the output so far. */
  readonly warning: Pick<ServerRecord, 'detail' | 'output'> | null;
  /** Only of a game that a player hosts. */
  readonly hosting?: Hosting;
  /** Only once stopped: nothing of this server can start in a fleet any more. */
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

export function instanceAfter(instance: Instance, patch: Partial<Instance>, now: number): Instance {
  const updatedAt = Math.max(now, instance.updatedAt + 1);
  return { ...instance, ...patch, seq: instance.seq + 1, updatedAt };
}

/** The id under which the fleet knows this run. */
export function runIdOf({ order, run }: Pick<Instance, 'order' | 'run'>): string {
  return run === 0 ? order.instanceId : `${order.instanceId}.${run}`;
}

/** Each run of a game that a player hosts is a term. */
export function termOf({ run }: Pick<Instance, 'run'>): number {
  return run + 1;
}

/** Who hosts, and why, for operators. */
export function hostedBy({ hosting, run }: Instance): string | undefined {
  return hosting && `term ${run + 1}: ${hosting.id ?? 'nobody yet'} (${hosting.why})`;
}

/** When the time to live is over. Null: never. */
export function endsAt({ order, ttlFrom }: Instance): number | null {
  return order.ttlSeconds === null ? null : ttlFrom + order.ttlSeconds * 1000;
}

/** Whether the server ended before any player could join (decision 40). */
export function neverRan({ status, run, startedAt, failure, hosting }: Instance): boolean {
  const isFirst = hosting === undefined ? run === 0 : !hosting.ran;
  return status === 'stopped' && isFirst && startedAt === null && failure !== null;
}

const FORMER_TOKENS = 8;
const MAX_FAILURES = 5;
/** A run that lasted this long did not fail at its start. */
const LASTING_MS = 60_000;
/** A server whose time to live ends this soon is not launched again. */
const LAST_MOMENT_MS = 5_000;

/** The instance with its next run, which is launched with a new token once nothing of this run is left. */
export function restarted(instance: Instance, token: string, now: number): Instance {
  const { fleet, run, formerTokens, hosting } = instance;
  const hasRun = instance.startedAt !== null;
  return instanceAfter(
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
      ...(hosting && {
        hosting: { ...hosting, id: null, ran: hosting.ran || hasRun, votes: [] },
      }),
    },
    now,
  );
}

/** Whether to launch the server again: after a failure, but not after a clean exit, as the hosted API does. */
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

/** 1 for a run that failed soon after its start, else 0. */
export function soonFailed({ startedAt }: Instance, now: number): 0 | 1 {
  return startedAt !== null && now - startedAt < LASTING_MS ? 1 : 0;
}

/** News of a server. */
export interface ServerNews {
  readonly status: ServerStatus;
  readonly ports: readonly Port[];
  /** True if the fleet was asked. Otherwise somebody reported it, perhaps late or for the second time. */
  readonly asked: boolean;
  /** How a stopped server ended. For a launching server its `detail` is a warning. */
  readonly ending?: Ending | undefined;
}

/** The instance with how its run ended, if that is known. */
export function ended(instance: Instance, ending: Ending | undefined): Instance {
  const isKnown = ending !== undefined && Object.values(ending).some((part) => part !== null);
  return isKnown ? { ...instance, ending } : instance;
}

/** A player who hosts names the ports, which no build has asked for. */
function named({ hosting, asked }: Instance, ports: readonly Port[]): readonly Port[] {
  return hosting === undefined ? namedPorts(ports, asked) : ports;
}

/** Applies a report. Null if it is no news: a status only moves forward, so a late report changes nothing. */
export function reported(
  instance: Instance,
  { status, ports, asked, ending }: ServerNews,
  now: number,
): Instance | null {
  if (instance.status === 'stopped') {
    return null;
  }
  if (status === 'stopped') {
    return instance.startedAt === null
      ? {
          ...stopped(instance, endedEarly(instance), now),
          blamesBuild: instance.hosting === undefined,
        }
      : stopped(instance, null, now);
  }
  // A report can be replayed. The ports of a running server only change by what its fleet answers.
  const isSettled = instance.status === 'running' && !asked && instance.ports.length > 0;
  const known = ports.length === 0 || isSettled ? instance.ports : named(instance, ports);
  const same = JSON.stringify(known) === JSON.stringify(instance.ports);
  const runs = status === 'running' && instance.status === 'launching';
  const warning = runs ? null : warningIn(instance, ending);
  if (!runs && same && warning === instance.warning) {
    return null;
  }
  const started = runs ? ({ status: 'running', startedAt: now } as const) : {};
  return instanceAfter(instance, { ...started, warning, ports: known, accepted: true }, now);
}

/** The current warning of a launching server. Without news, the known warning. */
function warningIn({ status, warning }: Instance, told: Ending | undefined): Instance['warning'] {
  const { detail = null, output = null } = told ?? {};
  const isNews = status === 'launching' && detail !== null && detail !== warning?.detail;
  return isNews ? { detail, output } : warning;
}

function endedEarly({ ending }: Instance): string {
  const { detail = null, exit_code: code, signal } = ending ?? NO_ENDING;
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const known = code === null && signal === null ? '' : `: ${how}`;
  return detail ?? `The server ended before it ran${known}`;
}

export function stopped(instance: Instance, failure: string | null, now: number): Instance {
  return instanceAfter(
    instance,
    { status: 'stopped', stoppedAt: now, failure, warning: null },
    now,
  );
}

/** A launch call that timed out can still arrive. After this long, the server is stopped in the fleet once more. */
const SETTLE_MS = 60_000;

/** When a server whose launch had an unknown outcome is stopped in the fleet once more. */
export function settlesAt(instance: Instance): number | null {
  const { status, fleet, accepted, settled, stoppedAt } = instance;
  const unsure = status === 'stopped' && fleet !== null && !accepted && !settled;
  return unsure && stoppedAt !== null ? stoppedAt + SETTLE_MS : null;
}

/** Why a server that ran has ended, as far as it is known. */
export function endOf({ failure, ending }: Instance): string {
  const { exit_code: code, signal } = ending ?? NO_ENDING;
  return failure ?? signal ?? (code === null ? 'stopped' : `exit code ${code}`);
}

/**
 * The instance as a server block. `custom_data` is left out (`{}`) if it has more than `customBytes`: a match's
 * custom data may be larger than a lobby or a list should carry. `auto_restart`, `is_pool_server` and ports are never
 * null, because clients hold them in value types (spec: Server block; decision 35).
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
    is_pool_server: false,
    pool_claimed_at: null,
    match_id: order.matchId,
    ...(hosting && { host_player: hosting.id, term: termOf(instance) }),
    created_at: iso(instance.createdAt),
    updated_at: iso(instance.updatedAt),
  };
}

/** The record that the server key reads. With a limit, as in lists, the output is left out too (null). */
export function serverRecordOf(instance: Instance, customBytes = Infinity): ServerRecord {
  const { ending, failure, warning, hosting } = instance;
  const { exit_code, signal, output } = ending ?? NO_ENDING;
  return {
    ...blockOf(instance, customBytes),
    exit_code,
    signal,
    output: customBytes === Infinity ? (warning?.output ?? output) : null,
    detail: failure ?? warning?.detail ?? null,
    ...(hosting && { host_reason: hosting.why }),
  };
}

/** The server as the project lists it, with at most so many bytes of its output. */
export function rowOf(instance: Instance, outputBytes: number): ServerRow {
  const { seq, fleet, status, startedAt, blamesBuild } = instance;
  // Null while it is open whether the build could be launched, and if the end does not show it.
  const failed = status === 'stopped' && startedAt === null && blamesBuild ? 'failed' : null;
  const launch = status === 'running' ? 'ran' : failed;
  return { block: serverRecordOf(instance, outputBytes), seq, launch, fleet };
}
