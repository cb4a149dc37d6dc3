// The state of a Server object and what follows from every change of it: saved in one transaction
// with what is owed for it, then told; the alarm at the earliest instant the state asks for.

import type { Port, ServerStatus } from '../fleet/port';
import { MAX_SETTINGS_BYTES } from '../limits';
import { assertNever } from '../result';
import { Alarm } from './alarm';
import type { ServerReport } from './contracts';
import type { ServerSurroundings } from './fleets';
import type { Host } from './host';
import { getLarge, putLarge } from './large';
import { migrate } from './migrations';
import { Outbox } from './outbox';
import { blockOf, reported, stopped, type Instance } from './server-state';

const INSTANCE = 'instance';
const TOMBSTONE = 'tombstone';
/** The fleet is asked after a server that has been silent for this long. */
const LEASE_MS = 30_000;
const SOON_MS = 2_000;
/** A call that was given up can still arrive: what it may have started is stopped once more. */
const SETTLE_MS = 60_000;
/** A stopped server can still be read for this long. */
const REMEMBER_MS = 60 * 60_000;

/** Custom data of at most so many bytes is shown in lists. */
const LISTED_BYTES = 1024;

export type Told = 'owner' | 'project' | 'fleet';

interface ServerDebt {
  readonly to: Told;
}

export class ServerCore {
  readonly host: Host;
  readonly around: ServerSurroundings;
  readonly #alarm: Alarm;
  readonly #outbox: Outbox<ServerDebt>;
  #instance: Instance | null;

  constructor(host: Host, around: ServerSurroundings) {
    this.host = host;
    this.around = around;
    migrate(host.store, []);
    this.#alarm = new Alarm(host);
    this.#instance = getLarge<Instance>(host.store, INSTANCE) ?? null;
    this.#outbox = new Outbox<ServerDebt>(
      host,
      ({ to }) => to,
      ({ to }) => this.#deliver(to),
    );
  }

  get instance(): Instance | null {
    return this.#instance;
  }

  /** The instance while it waits for a fleet to take it. */
  get awaiting(): Instance | null {
    const instance = this.#instance;
    return instance?.status === 'launching' && !instance.accepted ? instance : null;
  }

  /** Stopped before it was ever launched: it never will be. */
  get isBuried(): boolean {
    return this.host.store.get<number>(TOMBSTONE) !== undefined;
  }

  bury(): void {
    this.host.store.put(TOMBSTONE, this.host.now());
    this.arm();
  }

  save(next: Instance, told: readonly Told[]): void {
    this.host.store.atomically(() => {
      putLarge(this.host.store, INSTANCE, next);
      this.#outbox.add(told.map((to) => ({ to })));
    });
    this.#instance = next;
    this.#outbox.flush();
    this.arm();
  }

  fail(detail: string): void {
    if (this.#instance !== null) {
      this.save(stopped(this.#instance, detail, this.host.now()), ['fleet', 'project']);
    }
  }

  stop(): void {
    if (this.#instance === null) {
      // A launch that comes late must not start what nobody wants any more.
      this.bury();
    } else if (this.#instance.status !== 'stopped') {
      const next = stopped(this.#instance, null, this.host.now());
      this.save(next, ['fleet', 'owner', 'project']);
    }
  }

  /** The server lives, or has ended: its owner is told what is new. */
  hear(status: ServerStatus, ports: readonly Port[]): void {
    const instance = this.#instance;
    if (instance === null) {
      return;
    }
    const now = this.host.now();
    const next = reported(instance, status, ports, now);
    if (next !== null) {
      const told: readonly Told[] =
        next.status === 'stopped' ? ['fleet', 'owner', 'project'] : ['owner', 'project'];
      this.save({ ...next, heardAt: now, missingAt: null }, told);
    } else if (instance.missingAt === null) {
      this.looked();
    } else {
      this.save({ ...instance, heardAt: now, missingAt: null }, []);
    }
  }

  /** The lease begins anew; worth no write: after a crash it is looked after a little sooner. */
  looked(): void {
    if (this.#instance !== null) {
      this.#instance = { ...this.#instance, heardAt: this.host.now() };
    }
  }

  report(instance: Instance): ServerReport {
    const { seq, order } = instance;
    return { instanceId: order.instanceId, seq, block: blockOf(instance, MAX_SETTINGS_BYTES) };
  }

  async #deliver(to: Told): Promise<void> {
    const instance = this.#instance;
    if (instance === null) {
      return;
    }
    switch (to) {
      case 'owner':
        return this.#tellOwner(instance);
      case 'project': {
        const row = { block: blockOf(instance, LISTED_BYTES), seq: instance.seq };
        return this.host.peers.project(instance.order.project).serverChanged(row);
      }
      case 'fleet':
        return this.#stopIn(instance.fleet, instance.order.instanceId);
      default:
        return assertNever(to);
    }
  }

  async #stopIn(name: string | null, instanceId: string): Promise<void> {
    const fleet = name === null ? null : this.around.fleets.named(name);
    if (fleet !== null) {
      await fleet.stop(instanceId);
    } else if (name !== null) {
      // Taken out of the deployment: nobody is left to be told.
      this.host.log('fleet_gone', { fleet: name, instanceId });
    }
  }

  /** An owner that does not know the server disowns it: it is stopped (decision 37). */
  async #tellOwner(instance: Instance): Promise<void> {
    const { owner } = instance.order;
    if (owner.kind === 'project') {
      return;
    }
    const report = this.report(instance);
    const owned =
      owner.kind === 'lobby'
        ? await this.host.peers.lobby(owner.id).serverReport(report)
        : await this.host.peers.match(owner.id).serverReport(report);
    if (!owned) {
      this.stop();
    }
  }

  /** When its time to live is over; null: never. */
  endsAt({ order, createdAt }: Instance): number | null {
    return order.ttlSeconds === null ? null : createdAt + order.ttlSeconds * 1000;
  }

  /** When the fleet is to be asked after it. */
  leaseAt({ status, heardAt, missingAt }: Instance): number {
    const soon = status === 'launching' || missingAt !== null;
    return heardAt + (soon ? SOON_MS : LEASE_MS);
  }

  /** When what a launch of unknown outcome may have started is stopped once more. */
  #settlesAt({ status, fleet, accepted, settled, stoppedAt }: Instance): number | null {
    const unsure = status === 'stopped' && fleet !== null && !accepted && !settled;
    return unsure && stoppedAt !== null ? stoppedAt + SETTLE_MS : null;
  }

  #forgottenAt(): number | null {
    const endedAt = this.host.store.get<number>(TOMBSTONE) ?? this.#instance?.stoppedAt ?? null;
    return endedAt === null ? null : endedAt + REMEMBER_MS;
  }

  arm(): void {
    const instance = this.#instance;
    this.#alarm.arm(this.#outbox.nextAt());
    this.#alarm.arm(this.#forgottenAt());
    if (instance !== null && instance.status !== 'stopped') {
      this.#alarm.arm(this.endsAt(instance));
      this.#alarm.arm(this.leaseAt(instance));
    }
    this.#alarm.arm(instance === null ? null : this.#settlesAt(instance));
  }

  /** First thing in the alarm. False: there is nothing to look after any more. */
  woken(): boolean {
    this.#alarm.fired();
    const now = this.host.now();
    const forgottenAt = this.#forgottenAt();
    if (forgottenAt !== null && forgottenAt <= now && this.#outbox.empty) {
      this.host.store.clear();
      this.#outbox.cleared();
      this.#instance = null;
      return false;
    }
    const instance = this.#instance;
    const settlesAt = instance === null ? null : this.#settlesAt(instance);
    if (instance !== null && settlesAt !== null && settlesAt <= now) {
      this.save({ ...instance, settled: true }, ['fleet']);
    }
    return true;
  }

  /** Last thing in the alarm. `tellOwner`: whether it still wants the server is asked again. */
  rested({ tellOwner }: { readonly tellOwner: boolean }): void {
    this.#outbox.add(tellOwner ? [{ to: 'owner' }] : []);
    this.#outbox.flush();
    this.arm();
  }
}
