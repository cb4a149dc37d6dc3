// What the dashboard is told, page by page: the types of its snapshots, which it shares.

import type { LobbyView } from '../../lobby/view';
import type { QueueStats } from '../../match/waiting/proposal';
import type { BrowsePage } from '../../objects/directory/contract';
import type { ProjectDocument, ServersPage } from '../../objects/project/contract';
import type { Census, QueueReport } from '../../objects/reports';

/** One config in use: saved, or only a name that lobbies were created under. */
export interface ConfigOverview {
  readonly name: string;
  readonly saved: boolean;
  readonly enabled: boolean;
  readonly census: Census;
  readonly modes: readonly { readonly name: string; readonly stats: QueueStats }[];
}

export interface Overview {
  readonly configs: readonly ConfigOverview[];
  readonly servers: ServersPage;
  readonly builds: number;
}

export interface LobbiesView {
  readonly census: Census;
  readonly page: BrowsePage;
}

/** The answer to each view. */
export interface Readings {
  readonly overview: Overview;
  readonly project: ProjectDocument;
  readonly lobbies: LobbiesView;
  readonly lobby: { readonly lobby: LobbyView | null };
  readonly queue: { readonly report: QueueReport; readonly saved: boolean };
  readonly servers: ServersPage;
}

/** Something that a search has found. */
export type Hit =
  | { readonly kind: 'lobby'; readonly config: string; readonly id: string; readonly name: string }
  | {
      readonly kind: 'player';
      readonly config: string;
      readonly id: string;
      readonly lobbyId: string;
    }
  | { readonly kind: 'server'; readonly id: string; readonly name: string }
  /** Of the form that matches have; whether there was such a one, its own page tells. */
  | { readonly kind: 'match'; readonly id: string };
