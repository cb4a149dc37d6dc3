// The state of a Server object, and the consequences of each change. A change is saved in one transaction with its
// debts, which are delivered afterwards. The alarm is armed for the state's earliest deadline.

import { MAX_SETTINGS_BYTES, SERVER_KEPT_LEAST_MS, SERVER_KEPT_MS } from '../../common/limits';
import { metrics } from '../../common/metrics';
import { assertNever, must } from '../../common/result';
import type { MatchRpc } from '../contracts/match';
import type { ServerReport } from '../contracts/server';
import type { ServerSurroundings } from '../../fleet/fleets';
import { always } from '../kit/always';
import type { ActorPorts } from '../contracts/actor-ports';
import { Life } from '../kit/life';
import { pause } from '../../common/later';
import { brokenInServer } from './always';
import { launchedFor, leaseAt, leaseOf, type FirstWord } from './hearing';
import {
  ended,
  endsAt,
  hasCrashed,
  hostedBy,
  isAwaited,
  isFirst,
  isToRunAgain,
  neverRan,
  reported,
  restarted,
  runIdOf,
  settlesAt,
  soonFailed,
  stopped,
  straysAt,
  type ServerNews,
  type Instance,
} from './state';
import { blockOf, endOf, rowOf } from './views';

const INSTANCE = 'instance';
const CUSTOM_DATA = 'customData';
const TOMBSTONE = 'tombstone';
const SOON_RUNNING_MS = 1_000;
/** A server in line asks again after this, if the project does not answer. */
export const ASK_AGAIN_MS = 2_000;
/** Lists show custom data only up to this many bytes. */
const LISTED_BYTES = 1024;

export type Told = 'owner' | 'project' | 'fleet' | 'strays';
type ServerDebt = { readonly to: Told };

export class ServerCore {
  readonly ports: ActorPorts;
  readonly around: ServerSurroundings;
  readonly life: Life<ServerDebt>;
  /** Null: nobody waits for it. */
  firstWord: FirstWord | null = null;
  /** Resolves once a warm server has a match, and its fleet knows about it, or has ended. */
  readonly news = Promise.withResolvers<void>();
  /** When the server asks for its turn in line. Not saved: one that wakes asks at once. */
  askAt = 0;
  instance: Instance | null;
  /** When the server was stopped, if that was before its launch. Such a server is never launched. */
  buriedAt: number | null;
  /** How long the server is remembered after its end. The project says how long. */
  #keptMs = SERVER_KEPT_MS;

  constructor(ports: ActorPorts, around: ServerSurroundings) {
    this.ports = ports;
    this.around = around;
    const { store } = ports;
    const customData = store.get<Instance['customData']>(CUSTOM_DATA);
    const rest = store.get<Omit<Instance, 'customData'>>(INSTANCE);
    this.instance = rest ? { ...rest, customData: must(customData, 'custom data') } : null;
    this.buriedAt = store.get<number>(TOMBSTONE) ?? null;
    this.life = new Life<ServerDebt>(ports, {
      keyOf: ({ to }) => to,
      deliver: ({ to }) => this.#deliver(to),
      times: () => this.#times(),
      wakesOften: true,
      emptied: () => this.#rest(),
    });
  }

  /** The lobby or match that the server is for. Null: there is none. */
  get owner(): Pick<MatchRpc, 'serverReport' | 'hosts'> | null {
    const { owner } = this.instance?.order ?? {};
    if (owner?.kind === 'lobby') {
      return this.ports.peers.lobby(owner.id);
    }
    return owner?.kind === 'match' ? this.ports.peers.match(owner.id) : null;
  }

  /** The instance while it waits for a fleet to accept it. */
  get awaiting(): Instance | null {
    const { instance } = this;
    return instance && isAwaited(instance) ? instance : null;
  }

  save(next: Instance, whom: readonly Told[]): void {
    // The custom data of a large match has megabytes. Reports do not change it, so they do not write its row.
    const { customData, ...rest } = next;
    const write = (): void => {
      const of = { project: next.order.project, actor: 'server' };
      always(this.ports, of, [this.instance, next], brokenInServer);
      this.ports.store.put(CUSTOM_DATA, customData);
      this.ports.store.put(INSTANCE, rest);
      this.life.owe(whom.map((to) => ({ to })));
    };
    this.life.save(write, () => this.#became(next));
  }

  #became(next: Instance): void {
    this.#note(next);
    this.instance = next;
    if (next.status !== 'launching') {
      this.firstWord?.said.end();
    }
    if (next.status === 'stopped' || (next.takenAt !== undefined && next.accepted)) {
      this.news.resolve();
    }
  }

  /** Counts a launch that has succeeded or failed, and logs the start and the end of a server. */
  #note(next: Instance): void {
    const { project, build } = next.order;
    const before = this.instance;
    const isOver = next.hosting === undefined || next.status === 'stopped';
    if (before?.status === 'running' && next.status !== 'running' && isOver) {
      this.#log('server_ended', next, endOf(next));
    }
    if (before?.status === 'launching' && next.status === 'running') {
      this.#log('server_started', next);
      const seconds = ((next.startedAt ?? next.launchedAt) - next.launchedAt) / 1000;
      metrics.count('muster_launches_total', { project, build, result: 'ran' });
      metrics.histogram('muster_launch_duration_seconds', { project, build })([seconds]);
    } else if (before?.status === 'launching' && next.failure !== null && before.failure === null) {
      metrics.count('muster_launches_total', { project, build, result: 'failed' });
    }
  }

  /** `blamesBuild`: a fleet had room for the server, but could not start this build. */
  fail(detail: string, blamesBuild = false): void {
    if (this.instance !== null) {
      // The owner waits for the answer to the first run, but not while the server waits in line.
      const isAsked = isFirst(this.instance) && !this.instance.waiting;
      const whom: readonly Told[] = isAsked ? [] : ['owner'];
      const next = { ...stopped(this.instance, detail, this.ports.now()), blamesBuild };
      this.save(next, ['fleet', 'project', ...whom]);
      this.#log('launch_failed', next, detail);
    }
  }

  /** Logs the whole reason. Players are never told. */
  #log(event: string, { order, version, fleet }: Instance, reason?: string | null): void {
    const about = { build: order.build, version: version ?? 'none', fleet: fleet ?? 'none' };
    this.ports.log(event, { ...about, ...(reason === undefined ? {} : { reason: reason ?? '' }) });
  }

  /** `byOwner`: the owner has already saved that it does not want the server any more. */
  stop(byOwner = false): void {
    if (this.instance === null) {
      // A late launch must not start a server that nobody wants any more.
      this.buriedAt = this.ports.now();
      this.ports.store.put(TOMBSTONE, this.buriedAt);
      this.life.rearm();
    } else if (this.instance.status !== 'stopped') {
      const whom: readonly Told[] = byOwner ? ['fleet', 'project'] : ['fleet', 'project', 'owner'];
      this.save(stopped(this.instance, null, this.ports.now()), whom);
    }
  }

  /** Applies news of the server, that it lives or has ended, and tells its owner. */
  hear(heard: ServerNews): void {
    if (this.instance === null) {
      return;
    }
    const hasEnded = heard.status === 'stopped';
    const instance = hasEnded ? ended(this.instance, heard.ending) : this.instance;
    const now = this.ports.now();
    if (hasEnded && isToRunAgain(instance, now)) {
      const failures = soonFailed(instance, now) === 0 ? 0 : instance.failures + 1;
      const next = restarted(instance, this.ports.token(instance.order.instanceId), now);
      this.save({ ...next, failures }, ['owner', 'project']);
      return;
    }
    const next = reported(instance, heard, now);
    if (next !== null) {
      const isWarning = next.warning !== null && next.warning !== instance.warning;
      const whom: readonly Told[] = isWarning ? ['project'] : ['owner', 'project'];
      this.save({ ...next, heardAt: now, missingAt: null }, hasEnded ? ['fleet', ...whom] : whom);
      if (neverRan(next)) {
        this.#log('launch_failed', next, next.failure);
      } else if (isWarning && instance.warning === null) {
        const event = next.status === 'running' ? 'server_closed' : 'launch_late';
        this.#log(event, next, next.warning?.detail ?? null);
      }
    } else if (instance.missingAt === null) {
      this.looked();
    } else {
      this.save({ ...instance, heardAt: now, missingAt: null }, []);
    }
  }

  /** Starts the lease anew. That is not saved: after a crash the fleet is only asked a little sooner. */
  looked(): void {
    this.instance &&= { ...this.instance, heardAt: this.ports.now() };
    this.askAt = this.ports.now() + ASK_AGAIN_MS;
  }

  report(instance: Instance): ServerReport {
    const { seq, order, waiting } = instance;
    const block = blockOf(instance, MAX_SETTINGS_BYTES);
    const failed = neverRan(instance);
    const elected = instance.status === 'stopped' ? undefined : hostedBy(instance);
    const crashed = hasCrashed(instance) ? { crashed: true as const } : {};
    const detail = instance.status === 'stopped' ? instance.failure : elected;
    const why = detail ? { detail } : {};
    const place = waiting && { waiting: { position: waiting.position, since: waiting.since } };
    return { instanceId: order.instanceId, seq, block, failed, ...crashed, ...why, ...place };
  }

  async #deliver(to: Told): Promise<void> {
    const { instance } = this;
    if (instance === null) {
      return;
    }
    switch (to) {
      case 'owner':
        await this.firstWord?.answered;
        return this.tellOwner();
      case 'project': {
        const isNext = instance.waiting !== undefined || instance.order.owner.kind === 'project';
        if (instance.status === 'launching' && !isNext) {
          // Most servers run a moment later, so that the project's list gets one row instead of two.
          await pause(SOON_RUNNING_MS, this.ports);
          if (this.instance?.seq !== instance.seq) {
            // There is a newer row, and a debt of its own delivers it.
            return;
          }
        }
        const row = rowOf(instance, LISTED_BYTES);
        const keptMs = await this.ports.peers.project(instance.order.project).serverChanged(row);
        return void (this.#keptMs = keptMs ?? SERVER_KEPT_MS);
      }
      case 'fleet':
        if (instance.before !== null) {
          await this.#stopIn(instance.before.fleet, instance.before.id);
        }
        return this.#stopIn(instance.fleet, runIdOf(instance));
      case 'strays':
        await Promise.all((instance.strays ?? []).map((each) => this.#stopIn(each.fleet, each.id)));
        return undefined;
      default:
        return assertNever(to);
    }
  }

  async #stopIn(name: string | null, instanceId: string): Promise<void> {
    const fleet = name === null ? null : this.around.fleets.named(name);
    if (fleet !== null) {
      await fleet.stop(instanceId);
    } else if (name !== null) {
      // The fleet was removed from the deployment, so there is nothing to call.
      this.ports.log('fleet_gone', { fleet: name, runId: instanceId });
    }
  }

  /**
   * Reports to the owner; one that does not know the server disowns it, and it stops (decision 37). A match that takes a warm
   * server hears nothing before the answer to its launch: the fleet has yet to say that the server lives.
   */
  async tellOwner(): Promise<void> {
    const { instance, owner } = this;
    if (!instance || !owner || (instance.status === 'running' && isAwaited(instance))) {
      return;
    }
    const known = await owner.serverReport(this.report(instance));
    if (known === 'later') {
      throw new Error('The match waits for the answer to its launch');
    }
    if (known === 'done' && this.instance?.failure) {
      this.save({ ...this.instance, failure: null }, ['project']);
    }
    if (!known) {
      this.stop(true);
    }
  }

  /** The lease of a running server. If the object dies during a check, the next lease repeats the check. */
  get restMs(): number | undefined {
    const { instance } = this;
    const isRunning = instance?.status === 'running' && this.life.isFree;
    return isRunning ? leaseOf(instance, this.ports.now()) : undefined;
  }

  /** A stopped server owes nothing more. It is next woken to be forgotten, and not to delete its debts. */
  #rest(): void {
    if (this.instance?.status === 'stopped') {
      this.life.rest();
    }
  }

  leaseAt(instance: Instance): number {
    return leaseAt(instance, this.ports.upSince);
  }

  /** Whether its launch has taken so long, not counting the time in which nobody served. */
  hasTaken(ms: number, instance: Instance): boolean {
    return launchedFor(ms, instance, this.ports.upSince) <= this.ports.now();
  }

  #forgottenAt(keptMs: number): number | null {
    const endedAt = this.buriedAt ?? this.instance?.stoppedAt ?? null;
    return endedAt === null || !this.life.isFree ? null : endedAt + keptMs;
  }

  /** When a server in line asks again. Once its time is over, a last try may be under way. */
  #asksAt({ waiting }: Instance): number | null {
    const until = waiting && waiting.until > this.ports.now() ? waiting.until : Infinity;
    return waiting ? Math.min(this.askAt, until) : null;
  }

  #times(): readonly (number | null)[] {
    const { instance } = this;
    const strays = instance && straysAt(instance);
    const times = [this.#forgottenAt(this.#keptMs), strays];
    if (instance === null) {
      return times;
    }
    return instance.status === 'stopped'
      ? [...times, settlesAt(instance)]
      : [...times, endsAt(instance), this.#asksAt(instance) ?? this.leaseAt(instance)];
  }

  /** Call first in the alarm. False: the server was forgotten, and nothing is left to do. */
  woken(): boolean {
    const now = this.ports.now();
    // An alarm this long after the end can only be the one that forgets the server, so the time that the project
    // gave need not be saved.
    const forgottenAt = this.#forgottenAt(SERVER_KEPT_LEAST_MS);
    if (forgottenAt !== null && forgottenAt <= now) {
      this.life.forget();
      this.instance = null;
      this.buriedAt = null;
      return false;
    }
    if (this.instance !== null && (straysAt(this.instance) ?? Infinity) <= now) {
      const strays = this.instance.strays?.map((stray) => ({ ...stray, againAt: null }));
      this.save({ ...this.instance, strays: strays ?? [] }, ['strays']);
    }
    const { instance } = this;
    if (instance !== null && (settlesAt(instance) ?? Infinity) <= now) {
      this.save({ ...instance, settled: true }, ['fleet']);
    }
    return true;
  }
}
