// A Server object: one game-server instance from the intent to its end. The intent is saved
// before the fleet is called, under an id the owner chose and saved before that (decision 37).
//
// step       saved                      a crash here leaves                 who finishes it
// intent     order, token               the fleet not, or perhaps, called   the alarm launches again: same id
// accepted   ports                      the owner not told                  the owner's launch call, the outbox
// running    status                     the owner not told                  the outbox
// stop       stopped; fleet stop owed   a process still running             the outbox, until the fleet says so
// no owner   -                          a server nobody wants               the lease: the owner disowns it, it stops

import type { Fleet, LaunchSpec, ServerBlock, StatusReport } from '../fleet/port';
import type { JsonObject } from '../json';
import type { Build } from '../lobby/build';
import { refusal, type Reply } from '../lobby/refusals';
import { assertNever, must } from '../result';
import { Alarm } from './alarm';
import type { LaunchOrder, ServerReport, ServerRpc } from './contracts';
import type { Host } from './host';
import { migrate } from './migrations';
import { Outbox } from './outbox';
import { blockOf, changed, intended, reported, stopped, type Instance } from './server-state';

const INSTANCE = 'instance';
const TOMBSTONE = 'tombstone';
/** A launch the fleet has not answered within this is given up, and stopped for good measure. */
const LAUNCH_LIMIT_MS = 20_000;
const RETRY_MS = 500;
/** The fleet is asked after a server that has been silent for this long. */
const LEASE_MS = 30_000;
const LAUNCHING_LEASE_MS = 2_000;
/** A stopped server can still be read for this long. */
const REMEMBER_MS = 60 * 60_000;

type ServerDebt = { readonly to: 'owner' | 'project' | 'fleet' };

export interface ServerSurroundings {
  readonly fleet: Fleet;
  /** Where fleets and game servers reach this service. */
  readonly publicUrl: string;
}

export class ServerActor implements ServerRpc {
  readonly #host: Host;
  readonly #around: ServerSurroundings;
  readonly #alarm: Alarm;
  readonly #outbox: Outbox<ServerDebt>;
  #instance: Instance | null;
  #launching: Promise<void> | null = null;

  constructor(host: Host, around: ServerSurroundings) {
    this.#host = host;
    this.#around = around;
    migrate(host.store, []);
    this.#alarm = new Alarm(host);
    this.#instance = host.store.get<Instance>(INSTANCE) ?? null;
    this.#outbox = new Outbox<ServerDebt>(
      host,
      ({ to }) => to,
      (debt) => this.#deliver(debt),
    );
  }

  async launch(order: LaunchOrder): Promise<Reply<ServerReport>> {
    if (this.#host.store.get<number>(TOMBSTONE) !== undefined) {
      return refusal('LAUNCH_FAILED', 'The server was stopped before it was launched');
    }
    if (this.#instance === null) {
      const token = `${this.#host.uuid()}${this.#host.uuid()}`.replaceAll('-', '');
      this.#save(intended(order, token, this.#host.now()), []);
    }
    await this.#launchOnce();
    const instance = must(this.#instance, 'an instance that was just launched');
    if (instance.failure !== null) {
      return refusal('LAUNCH_FAILED', instance.failure);
    }
    return { ok: true, value: this.#report(instance) };
  }

  /** One launch under way at a time, however many ask. */
  async #launchOnce(): Promise<void> {
    this.#launching ??= this.#launch().finally(() => {
      this.#launching = null;
    });
    await this.#launching;
  }

  async #launch(): Promise<void> {
    while (this.#instance?.status === 'launching' && !this.#instance.accepted) {
      const { order, token, createdAt } = this.#instance;
      const document = await this.#host.document(order.project);
      const build = Object.hasOwn(document.builds, order.build)
        ? document.builds[order.build]
        : undefined;
      if (build === undefined || build.status !== 'ready') {
        this.#fail(`There is no ready build ${order.build}`);
        return;
      }
      const launched = await this.#around.fleet.launch(this.#spec(order, token, build));
      // Stopped or reported meanwhile: then that is the newer truth.
      if (this.#instance.status !== 'launching' || this.#instance.accepted) {
        return;
      }
      if (launched.ok) {
        const { version, launch } = build;
        const startupArgs = launch.args?.join(' ') ?? null;
        const patch = { accepted: true, ports: launched.ports, version, startupArgs };
        this.#save(changed(this.#instance, patch, this.#host.now()), ['project']);
        this.#lookSoon();
      } else if (launched.reason !== 'unreachable') {
        this.#fail(launched.detail);
      } else if (createdAt + LAUNCH_LIMIT_MS <= this.#host.now()) {
        this.#fail(`The fleet could not be reached: ${launched.detail}`);
      } else {
        await new Promise<void>((resume) => {
          this.#host.later(RETRY_MS, resume);
        });
      }
    }
  }

  #spec(order: LaunchOrder, token: string, build: Build): LaunchSpec {
    const { instanceId, project, name, region, computeSize, customData, ttlSeconds } = order;
    const { publicUrl } = this.#around;
    return {
      instanceId,
      project,
      name,
      region,
      build: { name: build.name, version: build.version, launch: build.launch },
      computeSize,
      customData,
      ttlSeconds,
      token,
      reportUrl: `${publicUrl}/v3/servers/${encodeURIComponent(instanceId)}/status`,
    };
  }

  #fail(detail: string): void {
    if (this.#instance !== null) {
      const failed = stopped(this.#instance, detail, this.#host.now());
      this.#save(failed, ['fleet', 'project']);
    }
  }

  async read(project: string): Promise<Reply<ServerBlock>> {
    const instance = this.#instance;
    if (instance === null || instance.order.project !== project) {
      return refusal('SERVER_NOT_FOUND', 'There is no server of that id');
    }
    return { ok: true, value: blockOf(instance) };
  }

  async stop(): Promise<void> {
    if (this.#instance === null) {
      // A launch that comes late must not start what nobody wants any more.
      this.#host.store.put(TOMBSTONE, this.#host.now());
      this.#arm();
    } else if (this.#instance.status !== 'stopped') {
      const next = stopped(this.#instance, null, this.#host.now());
      this.#save(next, ['fleet', 'owner', 'project']);
    }
  }

  async report(token: string, report: StatusReport): Promise<Reply<ServerBlock>> {
    const instance = this.#instance;
    if (instance === null || instance.status === 'stopped') {
      return refusal('SERVER_NOT_FOUND', 'There is no live server of that id');
    }
    if (!sameSecret(token, instance.token)) {
      return refusal('UNAUTHORIZED', "The token is not this instance's");
    }
    this.#hear(report.status, report.network_ports ?? []);
    return { ok: true, value: blockOf(must(this.#instance, 'the reporting instance')) };
  }

  /** The server lives, or has ended: its owner is told what is new. */
  #hear(status: Instance['status'], ports: Instance['ports']): void {
    const instance = this.#instance;
    if (instance === null) {
      return;
    }
    const now = this.#host.now();
    const next = reported(instance, status, ports, now);
    if (next === null) {
      this.#instance = { ...instance, heardAt: now };
      return;
    }
    const ended = next.status === 'stopped';
    this.#save(
      { ...next, heardAt: now },
      ended ? ['fleet', 'owner', 'project'] : ['owner', 'project'],
    );
  }

  async update(project: string, customData: JsonObject): Promise<Reply<ServerBlock>> {
    const known = await this.read(project);
    if (known.ok && this.#instance !== null) {
      this.#save(changed(this.#instance, { customData }, this.#host.now()), ['owner', 'project']);
      return { ok: true, value: blockOf(this.#instance) };
    }
    return known;
  }

  #report(instance: Instance): ServerReport {
    const { seq, order } = instance;
    return { instanceId: order.instanceId, seq, block: blockOf(instance) };
  }

  #save(next: Instance, told: readonly ServerDebt['to'][]): void {
    this.#host.store.atomically(() => {
      this.#host.store.put(INSTANCE, next);
      this.#outbox.add(told.map((to) => ({ to })));
    });
    this.#instance = next;
    this.#outbox.flush();
    this.#arm();
  }

  async #deliver({ to }: ServerDebt): Promise<void> {
    const instance = this.#instance;
    if (instance === null) {
      return;
    }
    switch (to) {
      case 'owner':
        return this.#tellOwner(instance);
      case 'project': {
        const row = { block: blockOf(instance), seq: instance.seq };
        return this.#host.peers.project(instance.order.project).serverChanged(row);
      }
      case 'fleet':
        return this.#around.fleet.stop(instance.order.instanceId);
      default:
        return assertNever(to);
    }
  }

  /** An owner that does not know the server disowns it: it is stopped (decision 37). */
  async #tellOwner(instance: Instance): Promise<void> {
    const { owner } = instance.order;
    if (owner.kind === 'project') {
      return;
    }
    const report = this.#report(instance);
    const owned =
      owner.kind === 'lobby'
        ? await this.#host.peers.lobby(owner.id).serverReport(report)
        : await this.#host.peers.match(owner.id).serverReport(report);
    if (!owned) {
      await this.stop();
    }
  }

  #endsAt({ order, createdAt }: Instance): number | null {
    return order.ttlSeconds === null ? null : createdAt + order.ttlSeconds * 1000;
  }

  #leaseAt({ status, heardAt }: Instance): number {
    return heardAt + (status === 'launching' ? LAUNCHING_LEASE_MS : LEASE_MS);
  }

  #arm(): void {
    const instance = this.#instance;
    const buried = this.#host.store.get<number>(TOMBSTONE) ?? instance?.stoppedAt ?? null;
    this.#alarm.arm(this.#outbox.nextAt());
    this.#alarm.arm(buried === null ? null : buried + REMEMBER_MS);
    if (instance !== null && instance.status !== 'stopped') {
      this.#alarm.arm(this.#endsAt(instance));
      this.#alarm.arm(this.#leaseAt(instance));
    }
  }

  /** Fleets that do not report are asked: soon after the launch, then by the lease. */
  #lookSoon(): void {
    this.#host.later(RETRY_MS, () => this.#host.background(this.#inspect()));
  }

  async #inspect(): Promise<void> {
    const instance = this.#instance;
    if (instance === null || instance.status === 'stopped' || !instance.accepted) {
      return;
    }
    const { state, ports } = await this.#around.fleet.inspect(instance.order.instanceId);
    this.#hear(state === 'unknown' ? 'stopped' : state, ports);
  }

  async alarm(): Promise<void> {
    this.#alarm.fired();
    const now = this.#host.now();
    const instance = this.#instance;
    const buried = this.#host.store.get<number>(TOMBSTONE) ?? instance?.stoppedAt ?? null;
    if (buried !== null && buried + REMEMBER_MS <= now && this.#outbox.empty) {
      this.#host.store.clear();
      this.#instance = null;
      return;
    }
    if (instance !== null && instance.status !== 'stopped') {
      await this.#keep(instance, now);
    }
    this.#outbox.flush();
    this.#arm();
  }

  /** A live server: its time, its launch, its lease. */
  async #keep(instance: Instance, now: number): Promise<void> {
    const endsAt = this.#endsAt(instance);
    if (endsAt !== null && endsAt <= now) {
      await this.stop();
    } else if (!instance.accepted) {
      this.#host.background(this.#launchOnce());
      this.#instance = { ...instance, heardAt: now };
    } else if (this.#leaseAt(instance) <= now) {
      this.#instance = { ...instance, heardAt: now };
      await this.#inspect().catch((error: unknown) => {
        this.#host.log('inspect_failed', { error: String(error) });
      });
      this.#outbox.add([{ to: 'owner' }]);
    }
  }
}

/** Compares secrets without telling by time how much of them agreed. */
function sameSecret(a: string, b: string): boolean {
  let different = a.length ^ b.length;
  for (let index = 0; index < b.length; index += 1) {
    different |= a.charCodeAt(index % Math.max(1, a.length)) ^ b.charCodeAt(index);
  }
  return different === 0;
}
