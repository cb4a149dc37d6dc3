// A server in the agent's memory, and its view in answers.

import { NO_ENDING } from '../src/fleet/block.ts';
import type { Ending, LaunchSpec, Port, ServerStatus } from '../src/fleet/port.ts';
import type { Lease, ServerFolder } from './folder.ts';
import type { Kept } from './keeper.ts';
import { log } from './log.ts';
import type { OutputWatch } from './output.ts';
import type { PortClaims } from './ports.ts';
import { placeOf } from './watch.ts';
import type { Place } from './watch.ts';

/** `exit_code`, `signal` and `output` are null until the server has ended. */
export interface ServerView extends Ending {
  readonly instanceId: string;
  readonly state: ServerStatus;
  /** The pid of the game server itself. Null before it is started. */
  readonly pid: number | null;
  readonly ports: readonly Port[];
}

export type LaunchAnswer =
  | { readonly ok: true; readonly isNew: boolean; readonly server: ServerView }
  | {
      readonly ok: false;
      readonly error: 'no_capacity' | 'refused' | 'stopped';
      readonly detail: string;
    };

type ServerEvent =
  | 'server_started'
  | 'server_adopted'
  | 'server_late'
  | 'server_running'
  | 'server_closed'
  | 'server_ending'
  | 'server_ended';

export interface Server {
  readonly instanceId: string;
  /** The id of the request that led to the launch. Absent: not known. */
  readonly requestId?: string | undefined;
  state: ServerStatus;
  ports: readonly Port[];
  kept: Kept | null;
  output: OutputWatch | null;
  ending: Ending;
  /** Why the agent ended it, or that it went into the background. Null: neither. */
  endedBy: Pick<Ending, 'detail' | 'asked'> | null;
  /** Tells a warm server of its match, once. */
  hasMatch?: (spec: LaunchSpec) => Promise<void>;
  /** When what has been told to end is killed, as `performance.now()`. Null: nothing has been told. */
  killAt: number | null;
  /** Aborts when the program has ended. */
  readonly life: AbortController;
  /** Whether somebody wants the server ended. A start that is under way must not go on. */
  isEnding: boolean;
  /** Resolves when the service knows of the server's end and its folder is cleared. */
  settled: Promise<void>;
  /** The answer to the launch. All launches of this id share it. */
  launched: Promise<LaunchAnswer>;
  /** Resolves when the process is gone. */
  gone: Promise<void>;
}

/** The resources of one process, from its start to its end. */
export interface Attended {
  readonly kept: Kept;
  readonly claim: PortClaims;
  readonly folder: ServerFolder;
  readonly place: Place;
}

export function newServer(instanceId: string, requestId?: string): Server {
  return {
    instanceId,
    requestId,
    state: 'launching',
    ports: [],
    kept: null,
    output: null,
    ending: NO_ENDING,
    endedBy: null,
    killAt: null,
    life: new AbortController(),
    isEnding: false,
    settled: Promise.resolve(),
    launched: Promise.resolve(refuse('stopped', 'this instance was stopped before it started')),
    gone: Promise.resolve(),
  };
}

export function leaseOf(
  { instanceId, token, reportUrl, ttlSeconds, build }: LaunchSpec,
  { ports, named }: Place,
  kept: string | undefined,
): Lease {
  const endsAt = ttlSeconds === null ? null : Date.now() + ttlSeconds * 1000;
  const port = ports[0]?.external_port ?? 0;
  const lease = { instanceId, token, reportUrl, port, ports: named ? ports : [], endsAt };
  const { image, roster, ready } = build.launch;
  const flags = {
    ...(image !== undefined && { container: true as const }),
    ...(roster && { roster: true as const }),
    ...(ready && { ready }),
  };
  return { ...lease, group: null, ...flags, ...(kept !== undefined && { kept }) };
}

export function leasedPlace({ port, ports = [] }: Lease, host: string): Place {
  return ports.length > 0 ? { ports, named: true } : placeOf(host, [], [port]);
}

export function viewOf({ instanceId, state, kept, ports, ending }: Server): ServerView {
  return { instanceId, state, pid: kept?.pid ?? null, ports, ...ending };
}

export function refuse(error: 'no_capacity' | 'refused' | 'stopped', detail: string): LaunchAnswer {
  return { ok: false, error, detail };
}

/** Logs what became of a server. */
export function say(server: Server, event: ServerEvent, text: string): void {
  const { instanceId, requestId, kept } = server;
  const pid = kept?.pid ?? null;
  const facts = { instanceId, pid, ...(requestId === undefined ? {} : { requestId }) };
  const message = `server ${instanceId} (pid ${pid ?? 'none'}) ${text}`;
  log('agent', event === 'server_late' || event === 'server_closed' ? 'warn' : 'info', event, {
    message,
    ...facts,
  });
}
