// The machines on which game servers run: the simulated fleet of the service behind the same
// network as everything else, with servers that report, or do not, and that crash.

import type { Fleet, Inspection, Launched, LaunchSpec, ServerStatus } from '../../src/fleet/port';
import { simulatedFleet, type SimulatedFleet } from './simulated-fleet';
import type { Weather } from './faults';
import type { Journal } from './journal';
import type { Loop } from './loop';
import { Broken } from './parts';
import type { Random } from './random';

export interface FleetOptions {
  readonly loop: Loop;
  readonly random: Random;
  readonly weather: Weather;
  readonly journal: Journal;
  /** From launch to running. */
  readonly startMs: number;
  /** Whether servers or their agent report to the service. */
  readonly reports: boolean;
  readonly report: (spec: LaunchSpec, status: ServerStatus) => void;
  /** Called when a launch arrives, before it is carried out. */
  readonly onLaunch: (spec: LaunchSpec) => void;
  /** Another fleet, which is asked after this one. What is alive there counts here too. */
  readonly next?: SimFleet;
}

/** The way of a launch from an object to the fleet. */
export type AskFleet = (method: string, ...args: readonly unknown[]) => Promise<unknown>;

export class SimFleet {
  readonly #options: FleetOptions;
  readonly #inner: SimulatedFleet;
  /** Refuses every launch. */
  isFull = false;
  /** Carries out launches, and answers none of them. */
  isSilent = false;
  /** How many servers can run at once. */
  places = Infinity;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { loop, startMs } = options;
    this.#inner = simulatedFleet({ now: () => loop.now, startMs });
  }

  async launch(spec: LaunchSpec): Promise<Launched> {
    const { loop, random, weather, journal, startMs, reports } = this.#options;
    journal.count('launch requests');
    this.#options.onLaunch(spec);
    if (random.chance(0.3)) {
      await loop.sleep(random.between(5, 1_500));
    }
    const alive = this.#inner.alive();
    if (this.isFull || (alive.length >= this.places && !alive.includes(spec.instanceId))) {
      journal.count('launches without room');
      this.#inner.failNext('no_capacity');
    } else if (weather.chance('fleet')) {
      // A started server answers. Only the answer may be lost.
      const started = alive.includes(spec.instanceId);
      const reason = started
        ? 'unreachable'
        : random.pick(['no_capacity', 'refused', 'unreachable'] as const);
      journal.count('fleet failures');
      // A definite refusal has started nothing (fleet port).
      this.#inner.failNext(reason, { started: reason === 'unreachable' && random.chance(0.5) });
    }
    const launched = await this.#inner.launch(spec);
    if (launched.ok && reports) {
      loop.after(startMs + random.between(0, 50), () => this.#tell(spec.instanceId));
    }
    return this.isSilent
      ? { ok: false, reason: 'unreachable', detail: 'the answer was lost' }
      : launched;
  }

  #tell(instanceId: string): void {
    const spec = this.#inner.specOf(instanceId);
    if (spec !== null) {
      const lives = this.#inner.alive().includes(instanceId);
      this.#options.report(spec, lives ? 'running' : 'stopped');
    }
  }

  /** Call before the run begins: an earlier run has left this server. */
  resume(spec: LaunchSpec): void {
    const { loop, startMs, reports } = this.#options;
    void this.#inner.launch(spec);
    if (reports) {
      loop.after(startMs, () => this.#tell(spec.instanceId));
    }
  }

  async inspect(instanceId: string): Promise<Inspection> {
    return this.#inner.inspect(instanceId);
  }

  async stop(instanceId: string): Promise<void> {
    await this.#inner.stop(instanceId);
  }

  /** A server exits by itself, and nobody has noticed yet. */
  die(instanceId: string): void {
    this.#inner.crash(instanceId);
  }

  /** A server exits by itself. */
  crash(instanceId: string): void {
    const { next } = this.#options;
    if (next !== undefined && !this.#inner.alive().includes(instanceId)) {
      next.crash(instanceId);
      return;
    }
    this.#options.journal.count('server crashes');
    this.#options.journal.say(() => `*** game server ${instanceId} exits`);
    this.#inner.crash(instanceId);
    if (this.#options.reports) {
      this.#tell(instanceId);
    }
  }

  alive(): readonly string[] {
    return [...this.#inner.alive(), ...(this.#options.next?.alive() ?? [])];
  }

  /** Runs of that server that are alive: each has an id of its own. */
  runsOf(serverId: string): readonly string[] {
    return this.alive().filter((id) => this.specOf(id)?.serverId === serverId);
  }

  started(): number {
    return this.#inner.started() + (this.#options.next?.started() ?? 0);
  }

  specOf(instanceId: string): LaunchSpec | null {
    return this.#inner.specOf(instanceId) ?? this.#options.next?.specOf(instanceId) ?? null;
  }
}

/** The fleet as a Server object sees it. Network faults of a launch are values. */
export function fleetPort(ask: AskFleet): Fleet {
  return {
    tells: true,
    async launch(spec) {
      try {
        return (await ask('launch', spec)) as Launched;
      } catch (error) {
        if (error instanceof Broken) {
          return { ok: false, reason: 'unreachable', detail: error.message };
        }
        throw error;
      }
    },
    inspect: async (instanceId) => (await ask('inspect', instanceId)) as Inspection,
    stop: async (instanceId) => {
      await ask('stop', instanceId);
    },
  };
}
