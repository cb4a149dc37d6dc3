// The simulated fleet with a memory: tests and the simulation control its times and failures.

import type { Fleet, Inspection, LaunchFailure, LaunchSpec } from '../../src/fleet/port';
import { simulatedPorts } from '../../src/fleet/simulated';

export interface SimulatedFleetOptions {
  readonly now: () => number;
  /** Waits for as long as a launch takes to answer. Absent: it answers at once. */
  readonly wait?: (() => Promise<void>) | undefined;
  /** Milliseconds from launch to running. */
  readonly startMs?: number | undefined;
  /** Milliseconds from running to stopped. Absent: the server runs until it is stopped. */
  readonly lifeMs?: number | undefined;
  /** How many servers can run at once. Absent: any number. */
  readonly capacity?: number | undefined;
  /** The state of ids that the fleet does not know. */
  readonly unknownIs?: 'unknown' | 'running' | undefined;
}

export interface SimulatedFleet extends Fleet {
  /** Makes the next launch fail. `started`: the server starts anyway, as if the answer was lost. */
  failNext(reason: LaunchFailure, failure?: { started?: boolean; ofOrder?: boolean }): void;
  /** Holds the next launch before it starts anything, until `release`. */
  holdNext(): { readonly release: () => void };
  /** The next `times` inspections report the server as unknown, even if it runs. */
  deny(instanceId: string, times: number): void;
  /** Makes the server exit by itself. */
  crash(instanceId: string): void;
  /** Ids of the servers that are launching or running, oldest first. */
  alive(): readonly string[];
  /** How many servers were ever started. */
  started(): number;
  /** The spec that the server was launched with. */
  specOf(instanceId: string): LaunchSpec | null;
}

/** How many ids to keep, ended ones included (tombstones). Bounded, so that a load run cannot fill the isolate. */
const REMEMBERED = 2_000;

interface Simulated {
  /** Null for an id that was stopped before it was launched: it must not start afterwards. */
  readonly spec: LaunchSpec | null;
  readonly launchedAt: number;
  stoppedAt: number | null;
}

interface Failure {
  readonly reason: LaunchFailure;
  readonly started: boolean;
  readonly ofOrder: boolean;
}

/** docs/internals/design.md: A game server. Idempotent by instance id, like every fleet. */
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
    failNext: (reason, { started: isStarted = false, ofOrder = false } = {}) => {
      failures.push({ reason, started: isStarted, ofOrder });
    },

    async launch(spec) {
      await wait?.();
      await holds.shift();
      const failure = failures.shift();
      if (failure !== undefined && !failure.started) {
        const { reason, ofOrder } = failure;
        return { ok: false, reason, detail: 'simulated failure', ofOrder };
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
            detail: `all ${capacity} simulated servers are in use`,
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
