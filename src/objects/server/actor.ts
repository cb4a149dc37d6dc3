// A Server object: one game-server instance from the intent to its end. The intent is saved with the fleet before that
// fleet is called, under an id that the owner chose and saved before that (decision 37). What a crash leaves at each
// step, and who finishes it, is in docs/internals/design.md: A game server.

import type { Ending, ServerBlock, StatusReport } from '../../fleet/port';
import { jsonBytes } from '../../common/json';
import { refusal, type Reply } from '../../lobby/refusals';
import { pause } from '../../common/later';
import { must, ok } from '../../common/result';
import { isSame } from '../../common/signed';
import type { HostSaid, LaunchOrder, Restart, ServerRpc } from '../contracts/server';
import type { ServerSurroundings } from '../../fleet/fleets';
import { homeFacts } from '../kit/about';
import type { ActorPorts } from '../contracts/actor-ports';
import { ServerCore } from './core';
import { giveTo, launchServer } from './launch';
import { asksOwner, isElected } from './hearing';
import { hostSaid, nextTerm, notHostAnyMore } from './hosting';
import {
  instanceAfter,
  ended,
  endsAt,
  hasCrashed,
  intended,
  isWarm,
  restarted,
  runIdOf,
  type Instance,
} from './state';
import { blockOf, serverRecordOf } from './views';

/** Fleets that do not report are asked for the server's state: this soon after the launch, then with each lease. */
const FIRST_LOOK_MS = 500;
/** A server that its fleet does not know counts as stopped if the fleet still does not know it after this. */
const MISSING_MS = 2_000;

const UNKNOWN = refusal('SERVER_NOT_FOUND', 'No server has this id');
const BURIED = refusal('LAUNCH_FAILED', 'The server was stopped before it was launched');

export class ServerActor implements ServerRpc {
  readonly #ports: ActorPorts;
  readonly #core: ServerCore;
  #launching: Promise<void> | null = null;

  constructor(ports: ActorPorts, around: ServerSurroundings) {
    this.#ports = ports;
    this.#core = new ServerCore(ports, around);
  }

  async launch(order: LaunchOrder): ReturnType<ServerRpc['launch']> {
    const { share } = this.#core.around;
    if (this.#core.buriedAt === null && this.#core.instance === null && share !== undefined) {
      const project = this.#ports.peers.project(order.project);
      const admitted = await project.admitServer(order.instanceId, share);
      if (!admitted.ok) {
        // Nothing is saved, so the next call with this id asks again.
        const why = { build: order.build, reason: admitted.refusal.detail };
        this.#ports.log('launch_failed', { config: 'none', ...homeFacts(order), ...why });
        return admitted;
      }
    }
    const isNew = this.#core.instance === null;
    const saved = isNew ? this.#ports.store.ahead?.('customData', order.customData) : undefined;
    if (saved !== undefined) {
      await saved;
    }
    if (this.#core.buriedAt !== null) {
      return BURIED;
    }
    const refused = giveTo(this.#core, order);
    if (refused !== null) {
      return refused;
    }
    // A new instance is saved with the fleet that is chosen for it. The owner asks again until then.
    this.#core.instance ??= intended(order, this.#ports.token(order.instanceId), this.#ports.now());
    await this.#launchOnce();
    const launched = must(this.#core.instance, 'an instance that was just launched');
    await this.#core.firstWord?.said.over;
    const now = this.#core.instance ?? launched;
    // spec: the answer to a start says `launching`. The owner learns later that the server runs.
    const shown = now.status === 'running' ? launched : now;
    return now.failure === null || hasCrashed(now)
      ? ok(this.#core.report(shown))
      : refusal('LAUNCH_FAILED', now.failure);
  }

  /** Launches at most once at a time, however many calls there are. */
  async #launchOnce(): Promise<void> {
    if (this.#core.awaiting === null) {
      return;
    }
    this.#launching ??= launchServer(this.#core).finally(() => {
      this.#launching = null;
      this.#ports.later(FIRST_LOOK_MS, () => this.#ports.background(this.#inspect()));
    });
    await this.#launching;
  }

  async read(project: string): ReturnType<ServerRpc['read']> {
    const instance = this.#of(project);
    return instance === null ? UNKNOWN : ok(serverRecordOf(instance));
  }

  /** Null: no server of that project has this id. */
  #of(project: string): Instance | null {
    const { instance } = this.#core;
    return instance?.order.project === project ? instance : null;
  }

  async logs(project: string, limit: number): ReturnType<ServerRpc['logs']> {
    const instance = this.#of(project);
    if (instance === null) {
      return UNKNOWN;
    }
    if (instance.fleet === null) {
      return refusal('LOGS_NOT_AVAILABLE', 'No fleet has started the server');
    }
    const fleet = this.#core.around.fleets.named(instance.fleet);
    const runId = runIdOf(instance);
    try {
      const lines = (await fleet?.logs?.(runId, limit)) ?? null;
      return lines === null
        ? refusal('LOGS_NOT_AVAILABLE', `The fleet ${instance.fleet} has no logs of this server`)
        : ok({ lines, runId, fleet: instance.fleet, region: instance.order.region });
    } catch (error) {
      this.#ports.log('logs_failed', { runId, error: String(error) });
      return refusal('UNAVAILABLE', `The fleet ${instance.fleet} did not answer; try again`);
    }
  }

  async hosting(said: HostSaid): Promise<Reply<null>> {
    const reply = await hostSaid(this.#core, said);
    this.#relaunch();
    return reply;
  }

  async stop(by: boolean | 'warm' = false): Promise<void> {
    const { instance } = this.#core;
    if (by !== 'warm' || instance === null || isWarm(instance)) {
      this.#core.stop(by !== false);
    }
  }

  async report(token: string, report: StatusReport, waitMs = 0): Promise<Reply<ServerBlock>> {
    const { instance } = this.#core;
    if (instance === null || instance.status === 'stopped') {
      if (instance !== null && report.status === 'stopped' && isSame(token, instance.token)) {
        // How the server ended may be reported after its end was known.
        const next = ended(instance, endingIn(report));
        if (instance.ending === null && next.ending !== null) {
          this.#core.save(instanceAfter(next, {}, this.#ports.now()), ['project']);
        }
        return ok(blockOf(this.#core.instance ?? instance));
      }
      return refusal('SERVER_NOT_FOUND', 'No live server has this id');
    }
    const refused = refusedTo(token, instance, 'This run of the server has ended');
    if (refused !== null) {
      return refused;
    }
    const { status, network_ports: ports = [] } = report;
    this.#core.hear({ status, ports, asked: false, ending: endingIn(report) });
    this.#relaunch();
    if (waitMs > 0 && isWarm(instance)) {
      await Promise.race([this.#core.news.promise, pause(waitMs, this.#ports)]);
    }
    return ok(blockOf(this.#core.instance ?? instance));
  }

  #orderOf(token: string): Reply<Omit<LaunchOrder, 'customData'>> {
    const { instance } = this.#core;
    const gone = 'No server run has this token any more';
    return instance === null
      ? refusal('SERVER_NOT_FOUND', gone)
      : (refusedTo(token, instance, gone) ?? ok(instance.order));
  }

  async projectOf(token: string): Promise<Reply<string>> {
    const order = this.#orderOf(token);
    return order.ok ? ok(order.value.project) : order;
  }

  async matchOf(...[asker]: Parameters<ServerRpc['matchOf']>): ReturnType<ServerRpc['matchOf']> {
    const known = typeof asker === 'string' ? null : this.#of(asker.project);
    const ofProject = known === null ? UNKNOWN : ok(known.order);
    const order = typeof asker === 'string' ? this.#orderOf(asker) : ofProject;
    if (!order.ok) {
      return order;
    }
    const { owner, project } = order.value;
    const why = 'Only matches have results and places, and this server was started without one';
    return owner.kind === 'match' ? ok({ project, id: owner.id }) : refusal('INVALID_STATE', why);
  }

  async update(...[project, data, part]: Parameters<ServerRpc['update']>) {
    const instance = this.#of(project);
    if (instance === null) {
      return UNKNOWN;
    }
    if (part !== undefined && part < (instance.part ?? 0)) {
      return ok(blockOf(instance));
    }
    const customData = part === undefined ? data : { ...instance.customData, ...data };
    const customBytes = jsonBytes(customData);
    const patch = { customData, customBytes, ...(part !== undefined && { part }) };
    const next = instanceAfter(instance, patch, this.#ports.now());
    this.#core.save(next, ['owner', 'project']);
    return ok(blockOf(next));
  }

  async restart(project: string, { order, options }: Restart): Promise<Reply<ServerBlock>> {
    const instance = this.#of(project);
    if (instance === null) {
      return UNKNOWN;
    }
    if (instance.status === 'launching') {
      return ok(blockOf(instance));
    }
    if (instance.status === 'stopped') {
      return refusal('INVALID_STATE', 'The server has stopped: start another one');
    }
    const { customData = instance.customData, ...told } = order;
    const now = this.#ports.now();
    const next = {
      ...restarted(instance, this.#ports.token(instance.order.instanceId), now),
      order: { ...instance.order, ...told, options: { ...instance.order.options, ...options } },
      customData,
      customBytes: jsonBytes(customData),
      ttlFrom: now,
      failures: 0,
    };
    this.#core.save(next, ['owner', 'project']);
    this.#relaunch();
    return ok(blockOf(next));
  }

  /** Launches the next run, if the last run ended and another one is wanted. The alarm does it if this is lost. */
  #relaunch(): void {
    const { awaiting } = this.#core;
    if (awaiting !== null && awaiting.run > 0) {
      this.#ports.background(this.#launchOnce());
    }
  }

  async turn(): Promise<void> {
    if (this.#core.awaiting?.waiting) {
      this.#ports.background(this.#launchOnce());
    }
  }

  async #inspect(): Promise<void> {
    const { instance } = this.#core;
    const isPlayers = instance?.hosting !== undefined;
    if (instance === null || isPlayers || instance.status === 'stopped' || !instance.accepted) {
      return;
    }
    const named = this.#core.around.fleets.named(instance.fleet ?? '');
    const fleet = must(named, `the fleet ${instance.fleet}`);
    const { state, ports, ending } = await fleet.inspect(runIdOf(instance));
    const now = this.#ports.now();
    const current = this.#core.instance;
    if (current?.run !== instance.run || current.status === 'stopped') {
      return;
    }
    if (state === 'unknown' && current.missingAt === null) {
      // The fleet does not know the server. That may be a mistake and would end a game, so the fleet is asked again.
      this.#core.save({ ...current, heardAt: now, missingAt: now }, []);
    } else if (state !== 'unknown') {
      this.#core.hear({ status: state, ports, asked: true, ending });
    } else if ((current.missingAt ?? 0) + MISSING_MS <= now) {
      this.#core.hear({ status: 'stopped', ports: [], asked: true });
    }
    this.#relaunch();
  }

  alarm(): Promise<void> {
    const core = this.#core;
    return core.life.fired(() => {
      const { instance } = core;
      const isAlive = core.woken() && instance !== null && instance.status !== 'stopped';
      return isAlive ? this.#keep(instance, this.#ports.now()) : undefined;
    }, core.restMs);
  }

  #keep(instance: Instance, now: number): Promise<void> | undefined {
    const core = this.#core;
    const end = endsAt(instance);
    if (end !== null && end <= now) {
      core.stop();
    } else if (instance.waiting && core.askAt > now && instance.waiting.until > now) {
      return undefined;
    } else if (!instance.accepted) {
      this.#ports.background(this.#launchOnce());
      core.looked();
    } else if (isElected(instance) && core.leaseAt(instance) <= now) {
      nextTerm(core, instance, 'was not ready in time');
      this.#relaunch();
    } else if (core.leaseAt(instance) <= now) {
      return this.#look(asksOwner(instance, now));
    }
    return undefined;
  }

  async #look(isOwnerAsked: boolean): Promise<void> {
    this.#core.looked();
    await this.#inspect().catch((error: unknown) => {
      this.#ports.log('inspect_failed', { error: String(error) });
    });
    if (isOwnerAsked) {
      // That is no debt, because a later lease asks again.
      this.#ports.background(this.#core.tellOwner());
    }
  }
}

/** Why the token may not speak for this run; null: it may. `gone`: the message for the token of an earlier run. */
function refusedTo(token: string, instance: Instance, gone: string): Reply<never> | null {
  if (isSame(token, instance.token)) {
    return null;
  }
  if (instance.hosting !== undefined) {
    return notHostAnyMore(instance);
  }
  return instance.formerTokens.some((former) => isSame(token, former))
    ? refusal('SERVER_NOT_FOUND', gone)
    : refusal('UNAUTHORIZED', 'The token belongs to another instance');
}

function endingIn(report: StatusReport): Ending {
  const { exit_code = null, signal = null, output = null, detail = null, asked } = report;
  return { exit_code, signal, output, detail, ...(asked && { asked }) };
}
