// One server as the agent holds it, and as it shows it.

import { NO_ENDING } from '../src/fleet/block.ts';
import type { Ending, LaunchSpec, Port, ServerStatus } from '../src/fleet/port.ts';
import type { Lease, ServerFolder } from './folder.ts';
import type { Kept } from './keeper.ts';
import type { OutputWatch } from './output.ts';
import type { PortClaims } from './ports.ts';
import { placeOf } from './watch.ts';
import type { Place } from './watch.ts';

/** `exit_code`, `signal` and `output` are null until it has ended. */
export interface ServerView extends Ending {
  readonly instanceId: string;
  readonly state: ServerStatus;
  /** Of the game server itself; null before it is started. */
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

export interface Server {
  readonly instanceId: string;
  state: ServerStatus;
  ports: readonly Port[];
  kept: Kept | null;
  output: OutputWatch | null;
  ending: Ending;
  /** Someone wants it ended: what is still being started must not go on. */
  isEnding: boolean;
  /** Settled when the service knows of its end, and its folder is cleared. */
  settled: Promise<void>;
  /** The answer to the launch, shared by all who launch this id. */
  launched: Promise<LaunchAnswer>;
  /** Settled when the process is gone. */
  gone: Promise<void>;
}

/** What one process has, from its start to its end. */
export interface Attended {
  readonly kept: Kept;
  readonly claim: PortClaims;
  readonly folder: ServerFolder;
  readonly place: Place;
}

export function newServer(instanceId: string): Server {
  return {
    instanceId,
    state: 'launching',
    ports: [],
    kept: null,
    output: null,
    ending: NO_ENDING,
    isEnding: false,
    settled: Promise.resolve(),
    launched: Promise.resolve(refuse('stopped', 'this instance was stopped before it started')),
    gone: Promise.resolve(),
  };
}

export function leaseOf(
  { instanceId, token, reportUrl, ttlSeconds }: LaunchSpec,
  { ports, named }: Place,
): Lease {
  const endsAt = ttlSeconds === null ? null : Date.now() + ttlSeconds * 1000;
  const port = ports[0]?.external_port ?? 0;
  return { instanceId, token, reportUrl, port, ports: named ? ports : [], endsAt, group: null };
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

export function say({ instanceId, kept }: Server, text: string): void {
  console.log(`agent: server ${instanceId} (pid ${kept?.pid ?? 'none'}) ${text}`);
}
