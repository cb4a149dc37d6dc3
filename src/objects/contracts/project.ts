// The contract of a Project object: configs and builds with one revision, their history, and the servers.

import type { ServerGroup } from '../../../packages/js/src/dashboard-types';
import type { PlayerSettings, ServerPage } from '../../../packages/js/src/admin-types';
import type { Build, BuildDraft } from '../../fleet/build';
import type { Hook } from '../../fleet/hook';
import type { ServerRecord, ServerState } from '../../fleet/port';
import type { By } from '../../common/happening';
import type { InstanceId } from '../../common/ids';
import type { Named } from '../../common/named';
import type { LobbyConfig } from '../../lobby/config';
import type { Reply } from '../../lobby/refusals';
import type { Watchable } from '../kit/listeners';
import type { Deed, DeedsQuery, SavedDeed } from './audit';
import type { BanChange, BanList } from './bans';
import type { Bell } from './bell';
import type { PlaceInLine } from './server';
import type { ProjectKeys, ProjectSecrets, SecretsChange } from './secrets';

/** A validated config, before the project gives it an id and a revision. */
export type ConfigDraft = Omit<LobbyConfig, 'id' | 'revision'>;

export interface ProjectRpc extends Watchable {
  document(): Promise<ProjectDocument>;
  /** Saves all drafts or none. Refuses PRECONDITION_FAILED unless `ifRevision` is null or the current revision. */
  saveConfigs(
    drafts: readonly ConfigDraft[],
    ifRevision: number | null,
    players?: Partial<PlayerSettings>,
    by?: By,
  ): Promise<Reply<ProjectDocument>>;
  removeConfig(name: string, ifRevision: number | null, by?: By): Promise<Reply<ProjectDocument>>;
  /** At most REVISIONS, newest first. */
  configHistory(name: string): Promise<readonly Revision<LobbyConfig>[]>;
  buildHistory(name: string): Promise<readonly Revision<Build>[]>;
  saveBuild(build: BuildDraft, by?: By): Promise<Reply<ProjectDocument>>;
  removeBuild(name: string, by?: By): Promise<Reply<ProjectDocument>>;
  /** Only for the Worker, which verifies and signs with them. */
  secrets(): Promise<ProjectSecrets>;
  /** Only for matches, which tell it of themselves. Null: nobody is told. */
  hook(): Promise<Hook | null>;
  /** Somebody waits for others. Tells the webhook, unless the same rang within QUIET_MS. */
  ring(bell: Bell): Promise<void>;
  /** Returns the keys as changed. Refuses NOT_FOUND if there is nothing to remove. Without `by`: the service made them. */
  changeSecrets(change: SecretsChange, by?: By): Promise<Reply<ProjectKeys>>;
  bans(): Promise<BanList>;
  /** Returns the revision of the bans after the change. Refuses VALIDATION_ERROR and NOT_FOUND. */
  changeBans(change: BanChange, by: By): Promise<Reply<number>>;
  /** Adds what another object did for an operator to the audit list. The project's own changes are there already. */
  noteDeed(deed: Deed): Promise<void>;
  /** The audit list, newest first. */
  deeds(query: DeedsQuery): Promise<readonly SavedDeed[]>;
  /** Returns for how long a server that ends now is remembered, in ms. */
  serverChanged(row: ServerRow): Promise<number>;
  /** Reserves a place for the server until it reports. Refuses SERVERS_EXHAUSTED if `most` servers are live. */
  admitServer(id: string, most: number): Promise<Reply<null>>;
  /** Whether it is that server's turn (record 0068). `isFull`: no fleet has room, so it joins the line, once. */
  standInLine(asked: InLine, isFull: boolean): Promise<TurnInLine>;
  /**
   * How long launches of the build in the region pause because they fail, ms. Null: they do not. 0: one may be tried.
   * `isTry`: the caller then does, and others wait.
   */
  launchPause(build: string, region: string, isTry: boolean): Promise<number | null>;
  /** A warm server for a match, which asks that server next. A given one is not given again for a while. Null: there is none. */
  takeWarm(wanted: WarmWanted): Promise<InstanceId | null>;
  /** Live servers first, then the newest first. `shown`: only servers in these states. Absent: all. */
  servers(
    limit: number,
    offset: number,
    shown?: readonly ServerState[],
    where?: ServersWhere,
  ): Promise<ServerPage>;
  /** All servers of the list, counted. */
  serverGroups(): Promise<readonly ServerGroup[]>;
  /** Whether `servers` lists that id. */
  lists(id: string): Promise<boolean>;
  /** Writes a row and returns once it is durable. Throws if nothing can be written. */
  probe(at: number): Promise<void>;
}

export interface ProjectDocument {
  readonly revision: number;
  readonly configs: Named<LobbyConfig>;
  readonly builds: Named<Build>;
  /** Absent: the defaults. */
  readonly players?: PlayerSettings;
  /** Absent: there are none yet. The keys have their own revision, apart from the document's. */
  readonly keys?: ProjectKeys;
  /** The revision of the list of bans. Absent: there has never been a ban. */
  readonly bans?: number;
}

/** A saved state of a config or build. */
export interface Revision<T> {
  readonly revision: number;
  /** Epoch ms. */
  readonly savedAt: number;
  /** Who saved this revision. Null: not known. */
  readonly by: By | null;
  /** Null: this revision deleted it. */
  readonly value: T | null;
}

/** A server that may have to wait for room. Each build and region has a line of its own. */
export interface InLine {
  readonly id: InstanceId;
  readonly build: string;
  readonly region: string;
  /** How long it waits at most, ms. */
  readonly patienceMs: number;
  /** Since when, if it waits already, epoch ms. */
  readonly since: number | null;
}

/** The warm servers that fit a match (record 0073). */
export interface WarmWanted {
  readonly build: string;
  readonly version: number;
  readonly region: string;
  readonly computeSize: string;
}

/** `position` 0: there is no line. */
export interface TurnInLine extends PlaceInLine {
  /** Whether it may be launched now. */
  readonly isTurn: boolean;
  /** How soon it shall ask again. */
  readonly againMs: number;
}

export interface ServerRow {
  readonly block: ServerRecord;
  readonly seq: number;
  /** Whether the build could be launched; `unable`: no fleet took it. Null or absent: not known. */
  readonly launch?: 'ran' | 'failed' | 'unable' | null;
  /** The fleet that has the server. Null or absent: none, or not known. */
  readonly fleet?: string | null;
  /** It waits for room. Absent: it does not. */
  readonly waits?: true;
}

/** Absent: any. */
interface ServersWhere {
  readonly build?: string;
  readonly region?: string;
  readonly fleet?: string;
  /** How the id begins. */
  readonly id?: string;
}
