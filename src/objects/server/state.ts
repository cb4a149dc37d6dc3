// The state of a server instance (decision 35). Pure.

import { NO_ENDING } from '../../fleet/block';
import type {
  Ending,
  LaunchFailure,
  Port,
  PortConfig,
  ServerRecord,
  ServerStatus,
} from '../../fleet/port';
import { namedPorts } from '../../fleet/ports';
import { jsonBytes, type JsonObject } from '../../common/json';
import type { Hosting, LaunchOrder, PlaceInLine } from '../contracts/server';

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
    readonly reason?: LaunchFailure;
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
  /** How many of the runs were given up before any player could join. Absent: none. */
  readonly tries?: number;
  /** Runs that were given up and may start nevertheless. Their fleets are owed a stop. */
  readonly strays?: readonly Stray[];
  /** The place in line, while there is no room (record 0068). Absent: it never waited. Null: it does not any more. */
  readonly waiting?: WaitingInLine | null;
  /** When a match took the server, which was warm. Absent: it was not, or waits for one. */
  readonly takenAt?: number;
  readonly customData: JsonObject;
  /** The size of `customData` as JSON. */
  readonly customBytes: number;
  /** The number of the last part of `customData` that the match told. Absent: it told none. */
  readonly part?: number;
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
  /** The last time that the fleet or the server itself said that the server lives. */
  readonly heardAt: number;
  /** Since when the fleet does not know the server, although it should. Null while it does. */
  readonly missingAt: number | null;
  /** Why the server failed: no fleet started it, it ended before it ran, or its game crashed. */
  readonly failure: string | null;
  /** Whether the failure looks like the build's fault, and not like a lack of room. */
  readonly blamesBuild: boolean;
  /** How the last run ended. Null: not known. */
  readonly ending: Ending | null;
  /** Only of a live server: the problem that the fleet sees, and the output so far. */
  readonly warning: Pick<ServerRecord, 'detail' | 'output'> | null;
  /** Only of a game that a player hosts. */
  readonly hosting?: Hosting;
  /** Only once stopped: nothing of this server can start in a fleet any more. */
  readonly settled: boolean;
}

interface Stray {
  readonly fleet: string;
  readonly id: string;
  /** When it is stopped there once more. Null: it was. */
  readonly againAt: number | null;
}

interface WaitingInLine extends PlaceInLine {
  /** When the server gives up, epoch ms. */
  readonly until: number;
}

export function intended(asked: LaunchOrder, token: string, now: number): Instance {
  const { customData, ...order } = asked;
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

export function isWarm({ order }: Pick<Instance, 'order'>): boolean {
  return order.owner.kind === 'warm';
}

/** Whether a fleet has to confirm a launch, or that the server still lives that a match has just taken. */
export function isAwaited({ status, accepted, takenAt }: Instance): boolean {
  return !accepted && (status === 'launching' || (status === 'running' && takenAt !== undefined));
}

/** Who hosts, and why, for operators. */
export function hostedBy({ hosting, run }: Instance): string | undefined {
  return hosting && `term ${termOf({ run })}: ${hosting.id ?? 'nobody yet'} (${hosting.why})`;
}

/** When the time to live is over. Null: never. */
export function endsAt({ order, ttlFrom }: Instance): number | null {
  return order.ttlSeconds === null ? null : ttlFrom + order.ttlSeconds * 1000;
}

/** Whether no earlier run of the server ever ran. */
export function isFirst({ run, tries = 0 }: Instance): boolean {
  return run === tries;
}

/** Whether the server ended before any player could join (decision 40). */
export function neverRan(instance: Instance): boolean {
  const { status, startedAt, failure, hosting } = instance;
  const isNew = hosting === undefined ? isFirst(instance) : !hosting.ran;
  return status === 'stopped' && isNew && startedAt === null && failure !== null;
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
  const ran = hosting?.ran === true || instance.startedAt !== null;
  const next = hosting && { ...hosting, id: null, ran, votes: [] };
  const begun: Partial<Instance> = {
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
    ...(next && { hosting: next }),
  };
  return instanceAfter(instance, begun, now);
}

/** The instance with its next try. The run that its fleet has not confirmed is given up: nobody was ever told of it. */
export function givenUp(instance: Instance, token: string, now: number): Instance {
  const { fleet, tries = 0, strays = [] } = instance;
  const next = { ...restarted(instance, token, now), before: null, tries: tries + 1 };
  const stray = { id: runIdOf(instance), againAt: now + SETTLE_MS };
  return fleet === null ? next : { ...next, strays: [...strays, { fleet, ...stray }] };
}

/**
 * Whether to launch the server again: after a failure, but not after a clean exit, as the hosted API does. A server that
 * was told to stop has not failed, whatever its exit code.
 */
export function isToRunAgain(instance: Instance, now: number): boolean {
  const { order, startedAt, failures, ending } = instance;
  const end = endsAt(instance);
  return (
    order.options?.autoRestart === true &&
    startedAt !== null &&
    ending?.exit_code !== 0 &&
    ending?.asked !== true &&
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
  /** How a stopped server ended. For a live server its `detail` is a warning. */
  readonly ending?: Ending | undefined;
}

/** The instance with how its run ended, if that is known. */
export function ended(instance: Instance, ending: Ending | undefined): Instance {
  const isKnown =
    ending !== undefined && Object.values(ending).some((part) => (part ?? null) !== null);
  return isKnown ? { ...instance, ending } : instance;
}

/** A player who hosts names the ports, which no build has asked for. */
function named({ hosting, asked }: Instance, ports: readonly Port[]): readonly Port[] {
  return hosting === undefined ? namedPorts(ports, asked) : ports;
}

/** Applies a report. Null if it is no news: a status only moves forward, so a late report changes nothing. */
export function reported(instance: Instance, news: ServerNews, now: number): Instance | null {
  const { status, ports, asked } = news;
  if (instance.status === 'stopped') {
    return null;
  }
  if (status === 'stopped') {
    const blamesBuild = instance.hosting === undefined && instance.ending?.asked !== true;
    return instance.startedAt === null
      ? { ...stopped(instance, endedEarly(instance), now), blamesBuild }
      : stopped(instance, crashIn(instance), now);
  }
  // A report can be replayed. The ports of a running server only change by what its fleet answers.
  const isSettled = instance.status === 'running' && !asked && instance.ports.length > 0;
  const known = ports.length === 0 || isSettled ? instance.ports : named(instance, ports);
  const same = JSON.stringify(known) === JSON.stringify(instance.ports);
  const runs = status === 'running' && instance.status === 'launching';
  const warning = runs ? null : warningIn(instance, news);
  if (!runs && same && warning === instance.warning) {
    return null;
  }
  const started = runs ? ({ status: 'running', startedAt: now } as const) : {};
  return instanceAfter(instance, { ...started, warning, ports: known, ...taken(instance) }, now);
}

/** A fleet has the server. */
export function taken({ waiting }: Instance): Pick<Instance, 'accepted' | 'waiting'> {
  return { accepted: true, ...(waiting && { waiting: null }) };
}

/** The current warning of a live server. Without news, and from a report that is late, the known warning. */
function warningIn({ status, warning }: Instance, news: ServerNews): Instance['warning'] {
  const { detail = null, output = null } = news.ending ?? {};
  const isNews = status === news.status && detail !== null && detail !== warning?.detail;
  return isNews ? { detail, output } : warning;
}

/** How much of its output says why a server failed, for operators. */
const LAST_LINES = 3;
const LAST_LENGTH = 300;

function endedEarly({ ending }: Instance): string {
  const { detail = null, exit_code: code, signal, output } = ending ?? NO_ENDING;
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const known = code === null && signal === null ? '' : `: ${how}`;
  const lines = (output ?? '').split('\n').map((line) => line.trim());
  const last = lines.filter(Boolean).slice(-LAST_LINES).join(' | ').slice(-LAST_LENGTH);
  const why = detail ?? `The server ended before it ran${known}`;
  return last === '' ? why : `${why}; its last words: ${last}`;
}

/** A process that ends so has done its work, or was asked to end. */
const FINE: readonly (number | string)[] = [0, 130, 143, 'SIGINT', 'SIGTERM'];
const MOST_WORDS = 200;

/** How the server of a game ended in the middle of it (decision 79). Null: as it should, or the fleet does not know how. */
function crashIn({ order, hosting, ending }: Instance): string | null {
  const { exit_code: code, signal, output, detail, asked } = ending ?? NO_ENDING;
  const isFine = signal === null ? FINE.includes(code ?? 0) : FINE.includes(signal);
  const isGame = order.owner.kind === 'match' || order.owner.kind === 'lobby';
  if (!isGame || hosting !== undefined || isFine || asked === true) {
    return null;
  }
  const last = (output ?? '').trimEnd().split('\n').at(-1)?.slice(-MOST_WORDS);
  const words = [detail, last].filter((text) => text);
  return `The server crashed (${signal ?? `exit code ${code}`})${words.map((text) => `: ${text}`).join('')}`;
}

/** Whether the game's server ended in the middle of it. A warm one that its match never had has not. */
export function hasCrashed({ status, startedAt, failure, accepted }: Instance): boolean {
  return status === 'stopped' && startedAt !== null && failure !== null && accepted;
}

export function stopped(instance: Instance, failure: string | null, now: number): Instance {
  const waiting = instance.waiting && { waiting: null };
  const over = { status: 'stopped', stoppedAt: now, failure, warning: null, ...waiting } as const;
  return instanceAfter(instance, over, now);
}

/** A launch call that timed out can still arrive. After this long, the server is stopped in the fleet once more. */
const SETTLE_MS = 60_000;

/** When a server whose launch had an unknown outcome is stopped in the fleet once more. */
export function settlesAt(instance: Instance): number | null {
  const { status, fleet, accepted, settled, stoppedAt } = instance;
  const unsure = status === 'stopped' && fleet !== null && !accepted && !settled;
  return unsure && stoppedAt !== null ? stoppedAt + SETTLE_MS : null;
}

/** When the runs that were given up last are stopped once more, with all before them. */
export function straysAt({ strays = [] }: Instance): number | null {
  return strays.at(-1)?.againAt ?? null;
}
