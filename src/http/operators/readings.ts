// What each page of the dashboard is shown. It imports this type, so nothing here knows the platform.

import type {
  LobbiesView,
  Overview,
  QueueReport,
  ServersView,
} from '../../../packages/js/src/dashboard-types';
import type { LobbyView } from '../../lobby/view';
import type { ProjectDocument } from '../../objects/contracts/project';

export interface Readings {
  readonly overview: Overview;
  readonly project: ProjectDocument;
  readonly lobbies: LobbiesView;
  readonly lobby: { readonly lobby: LobbyView | null };
  readonly queue: { readonly report: QueueReport; readonly saved: boolean };
  readonly servers: ServersView;
}
