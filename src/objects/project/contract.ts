// What the Project may be asked: configs and builds under one revision, their history, its servers.

import type { Build, BuildDraft } from '../../fleet/build';
import type { ServerRecord, ServerStatus } from '../../fleet/port';
import type { By } from '../../happening';
import type { LobbyConfig } from '../../lobby/config';
import type { Reply } from '../../lobby/refusals';
import type { Watchable } from '../kit/watched';
import type { Identity, IdentityRpc, PlayerSettings } from './identity';

/** A config as validated, before the project gives it an id and a revision. */
export type ConfigDraft = Omit<LobbyConfig, 'id' | 'revision'>;

export interface ProjectRpc extends IdentityRpc, Watchable {
  document(): Promise<ProjectDocument>;
  /** All or nothing. `ifRevision`: PRECONDITION_FAILED unless it is the project's. */
  saveConfigs(
    drafts: readonly ConfigDraft[],
    ifRevision: number | null,
    players?: Partial<PlayerSettings>,
    by?: By,
  ): Promise<Reply<ProjectDocument>>;
  removeConfig(name: string, ifRevision: number | null, by?: By): Promise<Reply<ProjectDocument>>;
  /** Newest first, REVISIONS at most. */
  configHistory(name: string): Promise<readonly ConfigRevision[]>;
  saveBuild(build: BuildDraft): Promise<Reply<ProjectDocument>>;
  removeBuild(name: string): Promise<Reply<ProjectDocument>>;
  /** Answers for how long a server that ends now is remembered; an earlier release does not. */
  serverChanged(row: ServerRow): Promise<number | undefined>;
  /** Room for one server more, kept until it is heard of. SERVERS_EXHAUSTED where `most` are live. */
  admitServer(id: string, most: number): Promise<Reply<null>>;
  /** `shown`: of these statuses only; absent: of all. */
  servers(limit: number, offset: number, shown?: readonly ServerStatus[]): Promise<ServersPage>;
  /** Whether `servers` has a server of that id. */
  lists(id: string): Promise<boolean>;
  /** Writes a row, and answers once it is durable; throws where nothing can be written. */
  probe(at: number): Promise<void>;
}

/** A config as it was saved once. */
export interface ConfigRevision {
  readonly revision: number;
  /** Epoch ms. */
  readonly savedAt: number;
  /** Who saved it; null: not known. */
  readonly by: By | null;
  /** Null: it was deleted then. */
  readonly config: LobbyConfig | null;
}

export interface ProjectDocument extends Identity {
  readonly revision: number;
  readonly configs: Readonly<Record<string, LobbyConfig>>;
  readonly builds: Readonly<Record<string, Build>>;
}

export interface ServerRow {
  readonly block: ServerRecord;
  readonly seq: number;
  /** Whether its build could be launched; null or absent: that tells nothing. */
  readonly launch?: 'ran' | 'failed' | null;
}

export interface ServersPage {
  readonly servers: readonly ServerRecord[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}
