// A fleet that starts nothing: for tests and load runs, with times and failures on command.
// It must never be taken for a real one: there is no server behind the ports it tells.

import type { Now } from '../clock';
import type { Fleet, Inspection, LaunchFailure, LaunchSpec, Port, PortConfig } from './port';

export interface SimulatedFleetOptions {
  readonly now: Now;
  /** Passes the time a launch takes to answer; absent: it answers at once. */
  readonly wait?: (() => Promise<void>) | undefined;
  /** From launch to running. */
  readonly startMs?: number | undefined;
  /** From running to stopped; absent: until it is stopped. */
  readonly lifeMs?: number | undefined;
  /** Servers it can run at once; absent: any number. */
  readonly capacity?: number | undefined;
  /**
   * What it says of ids it does not know. In a Worker its memory is lost with the isolate, so
   * there it takes every unknown server for a running one.
   */
  readonly unknownIs?: 'unknown' | 'running' | undefined;
}

export interface SimulatedFleet extends Fleet {
  /** The next launch fails so; `started`: although the server was started (a lost answer). */
  failNext(reason: LaunchFailure, failure?: { readonly started: boolean }): void;
  /** The next launch stands still, before anything is started, until it is let go. */
  holdNext(): { readonly release: () => void };
  /** The next so many inspections deny the server, though it may run. */
  deny(instanceId: string, times: number): void;
  /** The server exits by itself. */
  crash(instanceId: string): void;
  /** Ids of the servers that are launching or running, oldest first. */
  alive(): readonly string[];
  /** How many servers were ever started, by whatever id. */
  started(): number;
  /** What the server of this id was launched with. */
  specOf(instanceId: string): LaunchSpec | null;
}

/** Ids it remembers after they ended; a load run must not fill the isolate. */
const REMEMBERED = 2_000;

interface Simulated {
  /** Null for an id that was stopped before it came: it may not start afterwards. */
  readonly spec: LaunchSpec | null;
  readonly launchedAt: number;
  stoppedAt: number | null;
}

interface Failure {
  readonly reason: LaunchFailure;
  readonly started: boolean;
}

/** docs/internals/design.md: A game server. Idempotent by instance id like any other. */
export function simulatedFleet(options: SimulatedFleetOptions): SimulatedFleet {
  const { now, wait, startMs = 0, lifeMs = Infinity, capacity = Infinity } = options;
  const { unknownIs = 'unknown' } = options;
  const servers = new Map<string, Simulated>();
  const failures: Failure[] = [];
  const holds: Promise<void>[] = [];
  const denials = new Map<string, number>();
  let started = 0;

  function stateOf(server: Simulated): 'launching' | 'running' | 'stopped' {
    const age = now() - server.launchedAt;
    if (server.stoppedAt !== null || age >= startMs + lifeMs) {
      return 'stopped';
    }
    return age >= startMs ? 'running' : 'launching';
  }

  function alive(): readonly string[] {
    return [...servers].filter(([, server]) => stateOf(server) !== 'stopped').map(([id]) => id);
  }

  function end(instanceId: string): void {
    const server = servers.get(instanceId);
    if (server !== undefined) {
      server.stoppedAt ??= now();
    }
  }

  function remember(instanceId: string, server: Simulated): void {
    servers.set(instanceId, server);
    const [oldest] = servers.keys();
    if (servers.size > REMEMBERED && oldest !== undefined) {
      servers.delete(oldest);
    }
  }

  return {
    alive,
    crash: end,
    started: () => started,
    specOf: (instanceId) => servers.get(instanceId)?.spec ?? null,
    holdNext: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.push(promise);
      return { release: resolve };
    },
    deny: (instanceId, times) => {
      denials.set(instanceId, times);
    },
    failNext: (reason, failure = { started: false }) => {
      failures.push({ reason, started: failure.started });
    },

    async launch(spec) {
      await wait?.();
      await holds.shift();
      const failure = failures.shift();
      if (failure !== undefined && !failure.started) {
        return { ok: false, reason: failure.reason, detail: 'simulated failure' };
      }
      const known = servers.get(spec.instanceId);
      if (known !== undefined && stateOf(known) === 'stopped') {
        return { ok: false, reason: 'ended', detail: 'this instance has already stopped' };
      }
      if (known === undefined) {
        if (capacity !== Infinity && alive().length >= capacity) {
          return {
            ok: false,
            reason: 'no_capacity',
            detail: `all ${capacity} simulated servers run`,
          };
        }
        remember(spec.instanceId, { spec, launchedAt: now(), stoppedAt: null });
        started += 1;
      }
      if (failure !== undefined) {
        return { ok: false, reason: failure.reason, detail: 'simulated failure after the start' };
      }
      return { ok: true, ports: simulatedPorts(spec.instanceId, spec.build.ports) };
    },

    inspect(instanceId): Promise<Inspection> {
      const denied = denials.get(instanceId) ?? 0;
      if (denied > 0) {
        denials.set(instanceId, denied - 1);
        return Promise.resolve({ state: 'unknown', ports: [] });
      }
      const server = servers.get(instanceId);
      const state = server === undefined ? unknownIs : stateOf(server);
      const asked = server?.spec?.build.ports ?? [];
      const ports = state === 'unknown' ? [] : simulatedPorts(instanceId, asked);
      return Promise.resolve({ state, ports });
    },

    stop(instanceId): Promise<void> {
      if (!servers.has(instanceId)) {
        remember(instanceId, { spec: null, launchedAt: now(), stoppedAt: now() });
      }
      end(instanceId);
      return Promise.resolve();
    },
  };
}

/** The same for the same id, whoever asks: no memory is needed to tell it. */
function simulatedPorts(instanceId: string, asked: readonly PortConfig[]): readonly Port[] {
  let hash = 0;
  for (let at = 0; at < instanceId.length; at += 1) {
    hash = (hash * 31 + instanceId.charCodeAt(at)) % 10_000;
  }
  const plain: PortConfig = { name: 'game_udp', internal_port: 20_000 + hash, protocol: 'udp' };
  return (asked.length === 0 ? [plain] : asked).map((port, index) => ({
    ...port,
    host: '192.0.2.1',
    external_port: 20_000 + hash + index,
    tls_enabled: false,
  }));
}
