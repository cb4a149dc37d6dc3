// A Project object: holds the project's lobby configs and builds, and the list of its servers. Configs and builds
// are one document with one revision. A save is all or nothing, and the queues of changed modes are told (decision
// 32).

import type { ServerStatus } from '../../fleet/port';
import { currentRecord } from '../../fleet/block';
import { currentBuild, defaultBuild, type Build, type BuildDraft } from '../../fleet/build';
import { ruledBy } from '../../lobby/playground';
import type { By } from '../../common/happening';
import { refusal, type Reply } from '../../lobby/refusals';
import {
  DEFAULT_BUILD,
  MAX_BUILDS,
  MAX_CONFIGS,
  SERVER_KEPT_LEAST_MS,
  SERVER_KEPT_MS,
  SERVERS_KEPT,
} from '../../common/limits';
import { must } from '../../common/result';
import { Alarm } from '../kit/alarm';
import type { ProjectDocument, ServerRow, ServersPage } from './contract';
import { Agenda } from '../kit/agenda';
import { commit } from '../kit/commit';
import type { ConfigDraft, ConfigRevision, ProjectRpc } from './contract';
import { BuildFailures } from './failures';
import { changedConfigs, changedModes, type QueueDebt, own } from './changes';
import { Revisions } from './revisions';
import { Gathered } from '../kit/gathered';
import type { Host } from '../host';
import type { FarEnd } from '../kit/ports';
import { Outbox } from '../kit/outbox';
import {
  changed,
  DEFAULT_PLAYERS,
  NO_SECRETS,
  publicKeys,
  type PlayerSettings,
  type ProjectKeys,
  type ProjectSecrets,
  type SecretsChange,
} from './identity';
import { Watched } from '../kit/watched';

const DOCUMENT = 'document';
const SECRETS = 'secrets';
const SERVER = 'server:';
const PROBE = 'probe';
/** Old servers are removed in batches of this size, so that not every change has to search for them. */
const PRUNED = 200;
/** A server reports within a moment of being admitted. After this time its place is free for another server. */
const ADMITTED_MS = 60_000;

function fresh(): ProjectDocument {
  return { revision: 0, configs: {}, builds: { [DEFAULT_BUILD]: defaultBuild() } };
}

/** Upgrades a document that an earlier release saved. */
function current(saved: ProjectDocument): ProjectDocument {
  const builds = Object.entries(saved.builds).map(([name, build]) => [name, currentBuild(build)]);
  return { ...saved, builds: Object.fromEntries(builds) as ProjectDocument['builds'] };
}

function without<T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

export class ProjectActor implements ProjectRpc {
  readonly #host: Host;
  readonly #project: string;
  readonly #alarm: Alarm;
  readonly #outbox: Outbox<QueueDebt>;
  readonly #gathered: Gathered;
  readonly #watched: Watched;
  readonly #failures: BuildFailures;
  readonly #revisions: Revisions;
  readonly #servers = new Map<string, ServerRow>();
  /** Servers that were admitted and are not listed yet, with the time of their admission. */
  readonly #admitted = new Map<string, number>();
  /** When each stopped server leaves the list. */
  readonly #forgotten = new Agenda();
  #document: ProjectDocument;
  #secrets: ProjectSecrets;

  constructor(host: Host) {
    this.#host = host;
    this.#project = must(host.name[0], 'the id of a project');
    this.#alarm = new Alarm(host, () => [this.#outbox.nextAt(), this.#forgotten.nextAt]);
    this.#gathered = new Gathered(host);
    this.#watched = new Watched(host);
    this.#failures = new BuildFailures(host);
    this.#revisions = new Revisions(host);
    this.#document = current(host.store.get<ProjectDocument>(DOCUMENT) ?? fresh());
    this.#secrets = host.store.get<ProjectSecrets>(SECRETS) ?? NO_SECRETS;
    this.#outbox = new Outbox<QueueDebt>(
      host,
      ({ config, mode }) => JSON.stringify([config, mode]),
      (debt) => this.#tellQueue(debt),
    );
    for (const [, row] of host.store.list<ServerRow>(SERVER)) {
      this.#list({ ...row, block: currentRecord(row.block) });
    }
  }

  async document(): Promise<ProjectDocument> {
    const { builds } = this.#document;
    return this.#withKeys({ ...this.#document, builds: this.#failures.shownIn(builds) });
  }

  #withKeys(document: ProjectDocument): ProjectDocument {
    return this.#secrets === NO_SECRETS
      ? document
      : { ...document, keys: publicKeys(this.#secrets) };
  }

  async saveConfigs(
    drafts: readonly ConfigDraft[],
    ifRevision: number | null,
    players: Partial<PlayerSettings> = {},
    by?: By,
  ): Promise<Reply<ProjectDocument>> {
    const stale = this.#stale(ifRevision);
    if (stale !== null) {
      return stale;
    }
    const configs = new Map(Object.entries(this.#document.configs));
    for (const draft of drafts) {
      const id = configs.get(draft.name)?.id ?? this.#host.uuid();
      configs.set(draft.name, { ...draft, id, revision: this.#document.revision + 1 });
    }
    if (configs.size > MAX_CONFIGS) {
      return refusal('VALIDATION_ERROR', `A project has at most ${MAX_CONFIGS} lobby configs`);
    }
    const isTold = Object.keys(players).length > 0;
    const after = { ...DEFAULT_PLAYERS, ...this.#document.players, ...players };
    const patch = { configs: Object.fromEntries(configs), ...(isTold ? { players: after } : {}) };
    return this.#save(patch, by);
  }

  async secrets(): Promise<ProjectSecrets> {
    return this.#secrets;
  }

  async changeSecrets(change: SecretsChange): Promise<Reply<ProjectKeys>> {
    const next = changed(this.#secrets, change, this.#host.now());
    if (next !== this.#secrets) {
      commit(this.#host, () => this.#host.store.put(SECRETS, next));
      this.#secrets = next;
    } else if (change.act === 'remove token') {
      return refusal('NOT_FOUND', 'No secret has this id');
    }
    return { ok: true, value: publicKeys(next) };
  }

  async removeConfig(
    name: string,
    ifRevision: number | null,
    by?: By,
  ): Promise<Reply<ProjectDocument>> {
    const stale = this.#stale(ifRevision);
    if (stale !== null) {
      return stale;
    }
    if (!Object.hasOwn(this.#document.configs, name)) {
      return refusal('CONFIG_NOT_FOUND', `There is no lobby config ${name}`);
    }
    return this.#save({ configs: without(this.#document.configs, name) }, by);
  }

  async configHistory(name: string): Promise<readonly ConfigRevision[]> {
    return this.#revisions.of(name);
  }

  async saveBuild(draft: BuildDraft): Promise<Reply<ProjectDocument>> {
    const builds = new Map(Object.entries(this.#document.builds));
    const version = (builds.get(draft.name)?.version ?? 0) + 1;
    builds.set(draft.name, { ...draft, version });
    if (builds.size > MAX_BUILDS && !Object.hasOwn(this.#document.builds, draft.name)) {
      return refusal('VALIDATION_ERROR', `A project has at most ${MAX_BUILDS} builds`);
    }
    this.#failures.forget(draft.name);
    return this.#save({ builds: Object.fromEntries(builds) });
  }

  /** The built-in default build, with a version that was never used before. */
  #asGiven(): Build {
    const { version } = this.#document.builds[DEFAULT_BUILD] ?? { version: 0 };
    return { ...defaultBuild(), version: version + 1 };
  }

  async removeBuild(name: string): Promise<Reply<ProjectDocument>> {
    if (name !== DEFAULT_BUILD && !Object.hasOwn(this.#document.builds, name)) {
      return refusal('BUILD_NOT_FOUND', `There is no build ${name}`);
    }
    this.#failures.forget(name);
    const left = without(this.#document.builds, name);
    return this.#save({
      builds: name === DEFAULT_BUILD ? { ...left, [name]: this.#asGiven() } : left,
    });
  }

  #stale(ifRevision: number | null): Reply<never> | null {
    const { revision } = this.#document;
    return ifRevision === null || ifRevision === revision
      ? null
      : refusal(
          'PRECONDITION_FAILED',
          `The document is at revision ${revision}, not ${ifRevision}`,
        );
  }

  #save(patch: Partial<Omit<ProjectDocument, 'revision'>>, by?: By): Reply<ProjectDocument> {
    const before = this.#document;
    const next = { ...before, ...patch, revision: before.revision + 1 };
    const debts = patch.configs === undefined ? [] : changedModes(before.configs, patch.configs);
    commit(this.#host, () => {
      this.#host.store.put(DOCUMENT, next);
      for (const name of changedConfigs(before.configs, next.configs)) {
        this.#revisions.note(name, next.revision, own(next.configs, name) ?? null, by);
      }
      this.#revisions.prune(next.configs);
      this.#outbox.add(debts);
    });
    this.#document = next;
    this.#watched.changed();
    this.#outbox.flush();
    this.#alarm.arm();
    return { ok: true, value: this.#withKeys(next) };
  }

  async #tellQueue({ config, mode }: QueueDebt): Promise<void> {
    const { configs, revision } = this.#document;
    const ruled = ruledBy(config);
    const saved = Object.hasOwn(configs, ruled) ? configs[ruled] : undefined;
    const modes = saved?.enabled === true ? saved.matchmaking.modes : {};
    const now = Object.hasOwn(modes, mode) ? (modes[mode] ?? null) : null;
    const queue = this.#host.peers.queue(this.#project, config, mode);
    await queue.modeChanged(now, saved?.revision ?? revision);
  }

  async serverChanged(told: ServerRow): Promise<number> {
    const row = { ...told, block: currentRecord(told.block) };
    const id = row.block.instance_id;
    const known = this.#servers.get(id);
    if (known === undefined || known.seq < row.seq) {
      if (row.launch !== known?.launch) {
        this.#failures.hear(row, this.#document.builds);
      }
      this.#list(row);
      this.#watched.changed();
      void this.#gathered.put(SERVER + id, row);
      this.#prune();
      this.#alarm.arm();
    }
    await this.#gathered.settled();
    return this.#keptMs();
  }

  /** How far back the list reaches once it is full. */
  #keptMs(): number {
    const oldest = this.#forgotten.nextAt;
    const isFull = this.#servers.size >= SERVERS_KEPT && oldest !== null;
    const reach = isFull ? this.#host.now() + SERVER_KEPT_MS - oldest : SERVER_KEPT_MS;
    return Math.max(SERVER_KEPT_LEAST_MS, Math.min(SERVER_KEPT_MS, reach));
  }

  #list(row: ServerRow): void {
    const { instance_id: id, stopped_at: stoppedAt } = row.block;
    this.#servers.set(id, row);
    if (stoppedAt !== null) {
      this.#forgotten.set(id, Date.parse(stoppedAt) + SERVER_KEPT_MS);
    }
  }

  #forget(id: string): void {
    this.#servers.delete(id);
    this.#forgotten.delete(id);
    this.#watched.changed();
    void this.#gathered.delete(SERVER + id);
  }

  /** Removes the oldest stopped servers if there are too many. Live servers always stay. */
  #prune(): void {
    if (this.#servers.size < SERVERS_KEPT + PRUNED) {
      return;
    }
    const stopped = [...this.#servers.values()].filter(({ block }) => block.stopped_at !== null);
    stopped.sort((a, b) => (a.block.stopped_at ?? '').localeCompare(b.block.stopped_at ?? ''));
    for (const { block } of stopped.slice(0, this.#servers.size - SERVERS_KEPT)) {
      this.#forget(block.instance_id);
    }
  }

  /** Newest first. */
  async servers(
    limit: number,
    offset: number,
    shown?: readonly ServerStatus[],
  ): Promise<ServersPage> {
    const all = [...this.#servers.values()]
      .map(({ block }) => block)
      .filter(({ status }) => shown === undefined || shown.includes(status));
    all.sort((a, b) => b.created_at.localeCompare(a.created_at));
    const servers = all.slice(offset, offset + limit);
    const total = all.length;
    return { servers, total, limit, offset, has_more: offset + servers.length < total };
  }

  async admitServer(id: string, most: number): Promise<Reply<null>> {
    const now = this.#host.now();
    for (const [admitted, at] of this.#admitted) {
      if (this.#servers.has(admitted) || Math.abs(now - at) > ADMITTED_MS) {
        this.#admitted.delete(admitted);
      }
    }
    if (this.#servers.has(id) || this.#admitted.has(id)) {
      return { ok: true, value: null };
    }
    const live = [...this.#servers.values()].filter(({ block }) => block.stopped_at === null);
    if (live.length + this.#admitted.size >= most) {
      return refusal(
        'SERVERS_EXHAUSTED',
        `The project has its ${most} servers; one must end first`,
      );
    }
    this.#admitted.set(id, now);
    return { ok: true, value: null };
  }

  async lists(id: string): Promise<boolean> {
    return this.#servers.has(id);
  }

  async probe(at: number): Promise<void> {
    this.#host.store.put(PROBE, at);
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#watched.open();
  }

  alarm(): Promise<void> {
    return this.#alarm.fired(() => {
      this.#forgotten.takeDue(this.#host.now()).forEach((id) => this.#forget(id));
      this.#outbox.flush();
    });
  }
}
