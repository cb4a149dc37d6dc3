// A Project object: holds the project's lobby configs and builds, which are one document with one revision, and the
// list of its servers. A save is all or nothing, and the queues of changed modes are told (decision 32).

import type { Hook, TellHook } from '../../fleet/hook';
import { defaultBuild, type Build, type BuildDraft } from '../../fleet/build';
import type { LobbyConfig } from '../../lobby/config';
import { ruledBy } from '../../lobby/playground';
import type { By } from '../../common/happening';
import { refusal, type Reply } from '../../lobby/refusals';
import { DEFAULT_BUILD, MAX_BUILDS, MAX_CONFIGS } from '../../common/limits';
import { own, without } from '../../common/named';
import { must, ok } from '../../common/result';
import type { ProjectDocument, ServerRow, ProjectRpc } from '../contracts/project';
import { commit } from '../kit/commit';
import { Audit } from './audit';
import type { Deed, DeedsQuery } from '../contracts/audit';
import type { BanChange, BanList } from '../contracts/bans';
import type { Bell } from '../contracts/bell';
import { DEFAULT_PLAYERS, type ProjectSecrets, type SecretsChange } from '../contracts/secrets';
import { withBan } from './bans';
import { ring } from './bells';
import { Brakes } from './brake';
import { BuildFailures } from './failures';
import { changedModes, deedOfBan, deedOfSecret, deedsOfSave, type RecheckDebt } from './changes';
import { Revisions } from './revisions';
import { WaitingLines } from './line';
import { ServerList } from './servers';
import { WarmServers, type WarmDebt } from './warm';
import type { ActorPorts } from '../contracts/actor-ports';
import type { FarEnd } from '../kit/ports';
import { Life } from '../kit/life';
import { MAX_VIEWERS, secretsAfter, NO_SECRETS, publicKeys } from './identity';
import { Watched } from '../kit/listeners';

const DOCUMENT = 'document';
const SECRETS = 'secrets';
const BANS = 'bans';

export class ProjectActor implements ProjectRpc {
  readonly #ports: ActorPorts;
  readonly #project: string;
  readonly #life: Life<RecheckDebt | WarmDebt>;
  readonly #servers: ServerList;
  readonly #lines: WaitingLines;
  readonly #warm: WarmServers;
  readonly #watched: Watched;
  readonly #failures: BuildFailures;
  readonly #brakes = new Brakes();
  readonly #configs: Revisions<LobbyConfig>;
  readonly #builds: Revisions<Build>;
  readonly #audit: Audit;
  readonly #tell: TellHook;
  #document: ProjectDocument;
  #secrets: ProjectSecrets;

  constructor(ports: ActorPorts, tell: TellHook = async () => {}) {
    this.#ports = ports;
    this.#tell = tell;
    this.#project = must(ports.name[0], 'the id of a project');
    this.#servers = new ServerList(ports);
    this.#lines = new WaitingLines(ports);
    this.#watched = new Watched(ports);
    this.#failures = new BuildFailures(ports);
    this.#configs = new Revisions(ports, 'revision:');
    this.#builds = new Revisions(ports, 'revision of build:');
    this.#audit = new Audit(ports);
    this.#document = ports.store.get<ProjectDocument>(DOCUMENT) ?? {
      revision: 0,
      configs: {},
      builds: { [DEFAULT_BUILD]: defaultBuild() },
    };
    this.#secrets = ports.store.get<ProjectSecrets>(SECRETS) ?? NO_SECRETS;
    this.#life = new Life<RecheckDebt | WarmDebt>(ports, {
      keyOf: (debt) => ('warm' in debt ? debt.warm : JSON.stringify([debt.config, debt.mode])),
      deliver: (debt) => ('warm' in debt ? this.#warm.pay(debt) : this.#tellQueue(debt)),
      times: () => [this.#warm.nextAt()],
    });
    this.#warm = new WarmServers(ports, this.#servers, {
      document: () => this.#document,
      isFull: (region) => this.#lines.isFull(region),
      save: (change) => {
        this.#life.save(() => this.#life.owe(change()));
      },
    });
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
    ...[drafts, ifRevision, players = {}, by]: Parameters<ProjectRpc['saveConfigs']>
  ): Promise<Reply<ProjectDocument>> {
    const stale = this.#stale(ifRevision);
    if (stale !== null) {
      return stale;
    }
    const configs = new Map(Object.entries(this.#document.configs));
    for (const draft of drafts) {
      const id = configs.get(draft.name)?.id ?? this.#ports.uuid();
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

  async hook(): Promise<Hook | null> {
    return this.#secrets.hooks ?? null;
  }

  async ring(bell: Bell): Promise<void> {
    const { hooks } = this.#secrets;
    return hooks && ring(this.#ports, this.#tell, hooks, bell);
  }

  async changeSecrets(change: SecretsChange, by?: By): ReturnType<ProjectRpc['changeSecrets']> {
    const next = secretsAfter(this.#secrets, change, this.#ports.now());
    if ((next.viewers?.length ?? 0) > MAX_VIEWERS) {
      return refusal('VALIDATION_ERROR', `A project has at most ${MAX_VIEWERS} viewer keys`);
    }
    if (next !== this.#secrets) {
      commit(this.#ports, () => {
        this.#ports.store.put(SECRETS, next);
        this.#audit.note({ ...deedOfSecret(change), by });
      });
      this.#secrets = next;
      this.#watched.changed();
    } else if (change.act.startsWith('remove')) {
      return refusal('NOT_FOUND', 'Nothing by this name exists to remove');
    }
    return ok(publicKeys(next));
  }

  get #bans(): BanList {
    return this.#ports.store.get<BanList>(BANS) ?? { revision: 0, bans: [] };
  }

  async bans(): Promise<BanList> {
    return this.#bans;
  }

  async changeBans(change: BanChange, by: By): Promise<Reply<number>> {
    const { store } = this.#ports;
    const next = withBan(this.#bans, change, this.#ports.now());
    if (!next.ok) {
      return next;
    }
    const document = { ...this.#document, bans: next.value.revision };
    commit(this.#ports, () => {
      store.put(BANS, next.value);
      store.put(DOCUMENT, document);
      this.#audit.note({ ...deedOfBan(change), by });
    });
    this.#document = document;
    return ok(next.value.revision);
  }

  async noteDeed(deed: Deed): Promise<void> {
    commit(this.#ports, () => this.#audit.note(deed));
  }

  async deeds(query: DeedsQuery): ReturnType<ProjectRpc['deeds']> {
    return this.#audit.find(query);
  }

  async removeConfig(name: string, ifRevision: number | null, by?: By) {
    const stale = this.#stale(ifRevision);
    if (stale !== null) {
      return stale;
    }
    if (!Object.hasOwn(this.#document.configs, name)) {
      return refusal('CONFIG_NOT_FOUND', `There is no lobby config ${name}`);
    }
    return this.#save({ configs: without(this.#document.configs, name) }, by);
  }

  async configHistory(name: string): ReturnType<ProjectRpc['configHistory']> {
    return this.#configs.of(name);
  }

  async buildHistory(name: string): ReturnType<ProjectRpc['buildHistory']> {
    return this.#builds.of(name);
  }

  async saveBuild(draft: BuildDraft, by?: By): Promise<Reply<ProjectDocument>> {
    const { builds } = this.#document;
    const known = own(builds, draft.name);
    if (known === undefined && Object.keys(builds).length >= MAX_BUILDS) {
      return refusal('VALIDATION_ERROR', `A project has at most ${MAX_BUILDS} builds`);
    }
    this.#failures.forget(draft.name);
    // A deleted build that is saved again is another one: matches may still run on the first (decision 56).
    const last = known ?? this.#builds.of(draft.name).find(({ value }) => value !== null)?.value;
    const saved = { ...draft, version: (last?.version ?? 0) + 1 };
    return this.#save({ builds: { ...builds, [draft.name]: saved } }, by);
  }

  async removeBuild(name: string, by?: By): Promise<Reply<ProjectDocument>> {
    const known = own(this.#document.builds, name);
    if (name !== DEFAULT_BUILD && known === undefined) {
      return refusal('BUILD_NOT_FOUND', `There is no build ${name}`);
    }
    this.#failures.forget(name);
    const builds = without(this.#document.builds, name);
    // The built-in default build stays, with a version that was never used before.
    const build = { ...defaultBuild(), version: (known?.version ?? 0) + 1 };
    const left = name === DEFAULT_BUILD ? { ...builds, [name]: build } : builds;
    return this.#save({ builds: left }, by);
  }

  #stale(ifRevision: number | null): Reply<never> | null {
    const { revision } = this.#document;
    const why = `The document is at revision ${revision}, not ${ifRevision}`;
    const isStale = ifRevision !== null && ifRevision !== revision;
    return isStale ? refusal('PRECONDITION_FAILED', why) : null;
  }

  #save(patch: Partial<Omit<ProjectDocument, 'revision'>>, by?: By): Reply<ProjectDocument> {
    const before = this.#document;
    const next = { ...before, ...patch, revision: before.revision + 1 };
    const debts = patch.configs === undefined ? [] : changedModes(before.configs, patch.configs);
    const save = (): void => {
      this.#ports.store.put(DOCUMENT, next);
      this.#configs.keep(before.configs, next.configs, next.revision, by);
      this.#builds.keep(before.builds, next.builds, next.revision, by);
      deedsOfSave(before, next).forEach((deed) => this.#audit.note({ ...deed, by }));
      this.#document = next;
      this.#life.owe([...debts, ...this.#warm.settle()]);
    };
    this.#life.save(save, () => {
      this.#brakes.clear();
      this.#watched.changed();
    });
    return ok(this.#withKeys(next));
  }

  async #tellQueue({ config, mode }: RecheckDebt): Promise<void> {
    const { configs, revision } = this.#document;
    const saved = own(configs, ruledBy(config));
    const now = (saved?.enabled === true && own(saved.matchmaking.modes, mode)) || null;
    const queue = this.#ports.peers.queue(this.#project, config, mode);
    await queue.modeChanged(now, saved?.revision ?? revision);
  }

  async launchPause(...[build, region, isTry]: Parameters<ProjectRpc['launchPause']>) {
    return this.#brakes.pause(build, region, isTry, this.#ports.now());
  }

  async takeWarm(...[wanted]: Parameters<ProjectRpc['takeWarm']>) {
    return this.#warm.take(wanted);
  }

  async serverChanged(row: ServerRow): Promise<number> {
    const known = this.#servers.of(row.block.instance_id);
    if (known === undefined || known.seq < row.seq) {
      if (row.launch !== known?.launch) {
        this.#failures.hear(row, this.#document.builds);
        this.#brakes.hear(row, this.#document.builds, this.#ports.now());
      }
      this.#servers.put(row);
      for (const id of this.#lines.heard(row)) {
        this.#ports.background(this.#ports.peers.server(id).turn());
      }
      this.#warm.heard(row);
      this.#watched.changed();
    }
    await this.#servers.settled();
    return this.#servers.keptMs();
  }

  async servers(...asked: Parameters<ProjectRpc['servers']>) {
    return this.#servers.page(...asked);
  }

  async serverGroups(): ReturnType<ProjectRpc['serverGroups']> {
    return [...this.#lines.shown(), ...this.#warm.shown(), ...this.#servers.groups()];
  }

  async standInLine(...asked: Parameters<ProjectRpc['standInLine']>) {
    const place = this.#lines.stand(...asked);
    if (place.position > 0) {
      this.#watched.changed();
      this.#warm.noRoom(...asked);
    }
    return place;
  }

  async admitServer(id: string, most: number): Promise<Reply<null>> {
    return this.#servers.admit(id, most);
  }

  async lists(id: string): Promise<boolean> {
    return this.#servers.of(id) !== undefined;
  }

  async probe(at: number): Promise<void> {
    this.#ports.store.put('probe', at);
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#watched.open();
  }

  alarm(): Promise<void> {
    return this.#life.fired(() => this.#warm.turn());
  }
}
