// A Project: its lobby configs and builds, and the list of its servers. One document under one
// revision; a save is all or nothing, and the queues of its modes are told (decision 32).

import type { Build } from '../lobby/build';
import type { LobbyConfig } from '../lobby/config';
import { refusal, type Reply } from '../lobby/refusals';
import { MAX_CONFIGS } from '../limits';
import { DEFAULT_BUILD } from '../match/version';
import { must } from '../result';
import { Alarm } from './alarm';
import type { ConfigDraft, ProjectDocument, ProjectRpc, ServerRow, ServersPage } from './contracts';
import { Gathered } from './gathered';
import type { Host } from './host';
import { migrate } from './migrations';
import { Outbox } from './outbox';

const DOCUMENT = 'document';
const SERVER = 'server:';
/** Stopped servers are listed for this long, */
const LIST_STOPPED_MS = 60 * 60_000;
/** and, beyond so many servers, the newest of them only. */
const LISTED = 2_000;
/** Removed at once, so that looking for them costs nothing each time. */
const PRUNED = 200;

interface QueueDebt {
  readonly config: string;
  readonly mode: string;
}

function fresh(): ProjectDocument {
  const build: Build = { name: DEFAULT_BUILD, version: '1', status: 'ready', launch: {} };
  return { revision: 0, configs: {}, builds: { [DEFAULT_BUILD]: build } };
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
  readonly #servers = new Map<string, ServerRow>();
  #document: ProjectDocument;

  constructor(host: Host) {
    this.#host = host;
    this.#project = must(host.name[0], 'the id of a project');
    migrate(host.store, []);
    this.#alarm = new Alarm(host);
    this.#gathered = new Gathered(host);
    this.#document = host.store.get<ProjectDocument>(DOCUMENT) ?? fresh();
    this.#outbox = new Outbox<QueueDebt>(
      host,
      ({ config, mode }) => JSON.stringify([config, mode]),
      (debt) => this.#tellQueue(debt),
    );
    for (const [, row] of host.store.list<ServerRow>(SERVER)) {
      this.#servers.set(row.block.instance_id, row);
    }
  }

  async document(): Promise<ProjectDocument> {
    return this.#document;
  }

  async saveConfigs(
    drafts: readonly ConfigDraft[],
    ifRevision: number | null,
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
    return this.#save({ configs: Object.fromEntries(configs) });
  }

  async removeConfig(name: string, ifRevision: number | null): Promise<Reply<ProjectDocument>> {
    const stale = this.#stale(ifRevision);
    if (stale !== null) {
      return stale;
    }
    if (!Object.hasOwn(this.#document.configs, name)) {
      return refusal('CONFIG_NOT_FOUND', `There is no lobby config ${name}`);
    }
    return this.#save({ configs: without(this.#document.configs, name) });
  }

  async saveBuild(build: Build): Promise<Reply<ProjectDocument>> {
    const builds = new Map(Object.entries(this.#document.builds)).set(build.name, build);
    return this.#save({ builds: Object.fromEntries(builds) });
  }

  async removeBuild(name: string): Promise<Reply<ProjectDocument>> {
    if (!Object.hasOwn(this.#document.builds, name)) {
      return refusal('BUILD_NOT_FOUND', `There is no build ${name}`);
    }
    return this.#save({ builds: without(this.#document.builds, name) });
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

  #save(patch: Partial<Omit<ProjectDocument, 'revision'>>): Reply<ProjectDocument> {
    const before = this.#document;
    const next = { ...before, ...patch, revision: before.revision + 1 };
    const debts = patch.configs === undefined ? [] : changedModes(before.configs, patch.configs);
    this.#host.store.atomically(() => {
      this.#host.store.put(DOCUMENT, next);
      this.#outbox.add(debts);
    });
    this.#document = next;
    this.#outbox.flush();
    this.#arm();
    return { ok: true, value: next };
  }

  async #tellQueue({ config, mode }: QueueDebt): Promise<void> {
    const { configs, revision } = this.#document;
    const saved = Object.hasOwn(configs, config) ? configs[config] : undefined;
    const modes = saved?.enabled === true ? saved.matchmaking.modes : {};
    const now = Object.hasOwn(modes, mode) ? (modes[mode] ?? null) : null;
    const queue = this.#host.peers.queue(this.#project, config, mode);
    await queue.modeChanged(now, saved?.revision ?? revision);
  }

  async serverChanged(row: ServerRow): Promise<void> {
    const id = row.block.instance_id;
    const known = this.#servers.get(id);
    if (known === undefined || known.seq < row.seq) {
      this.#servers.set(id, row);
      void this.#gathered.put(SERVER + id, row);
      this.#prune();
      this.#arm();
    }
    await this.#gathered.settled();
  }

  /** The oldest stopped ones go when there are too many; live ones always stay. */
  #prune(): void {
    if (this.#servers.size < LISTED + PRUNED) {
      return;
    }
    const stopped = [...this.#servers.values()].filter(({ block }) => block.stopped_at !== null);
    stopped.sort((a, b) => (a.block.stopped_at ?? '').localeCompare(b.block.stopped_at ?? ''));
    for (const { block } of stopped.slice(0, this.#servers.size - LISTED)) {
      this.#servers.delete(block.instance_id);
      void this.#gathered.delete(SERVER + block.instance_id);
    }
  }

  /** Newest first. */
  async servers(limit: number, offset: number): Promise<ServersPage> {
    const all = [...this.#servers.values()].map(({ block }) => block);
    all.sort((a, b) => b.created_at.localeCompare(a.created_at));
    const servers = all.slice(offset, offset + limit);
    const total = all.length;
    return { servers, total, limit, offset, has_more: offset + servers.length < total };
  }

  /** Always for all there is to do: after a restart it is not known what was armed before. */
  #arm(): void {
    this.#alarm.arm(this.#outbox.nextAt());
    for (const { block } of this.#servers.values()) {
      if (block.stopped_at !== null) {
        this.#alarm.arm(Date.parse(block.stopped_at) + LIST_STOPPED_MS);
        return;
      }
    }
  }

  async alarm(): Promise<void> {
    this.#alarm.fired();
    const limit = this.#host.now() - LIST_STOPPED_MS;
    for (const [id, { block }] of this.#servers) {
      if (block.stopped_at !== null && Date.parse(block.stopped_at) <= limit) {
        this.#servers.delete(id);
        void this.#gathered.delete(SERVER + id);
      }
    }
    this.#outbox.flush();
    this.#arm();
  }
}

type Configs = Readonly<Record<string, LobbyConfig>>;

/** Modes whose config was touched: their queues look again at what they hold. */
function changedModes(before: Configs, after: Configs): readonly QueueDebt[] {
  const debts: QueueDebt[] = [];
  for (const config of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = Object.hasOwn(before, config) ? before[config] : undefined;
    const now = Object.hasOwn(after, config) ? after[config] : undefined;
    if (old === undefined || old === now) {
      continue;
    }
    for (const mode of Object.keys(old.matchmaking.modes)) {
      debts.push({ config, mode });
    }
  }
  return debts;
}
