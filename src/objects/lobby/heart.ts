// What the parts of a Lobby object (its debts, its news, its row) see of its core.

import type { LobbyId, MemberId, PlayerId, TicketId } from '../../ids';
import type { Change, ReturnReason } from '../../lobby/command';
import type { LobbyConfig } from '../../lobby/config';
import type { Lobby, Policy } from '../../lobby/lobby';
import type { LobbyView } from '../../lobby/view';
import type { QueueStats } from '../../match/engine/proposal';
import type { Host } from '../kit/host';

export interface Home {
  readonly project: string;
  readonly config: string;
}

export interface LobbyHeart {
  readonly host: Host;
  readonly id: LobbyId;
  readonly lobby: Lobby | null;
  /** Where the lobby lives; kept apart from it, since what is owed outlives it. */
  readonly home: Home;
  /** The membership it was founded with; names the founding to the Directory. */
  readonly founder: MemberId;
  /** Loaded before every decision. */
  readonly config: LobbyConfig;
  readonly policy: Policy;
  /** Players with an open stream. */
  readonly connected: ReadonlySet<PlayerId>;
  /** Statistics as the queue last told them; part of every view while queued. */
  stats: QueueStats;
  view(lobby: Lobby): LobbyView;
  /** The newest config of the lobby, from the isolate's cache. Await it before deciding. */
  loadConfig(home: Home): Promise<void>;
  /** Resolves once no hold is on the lobby: a request that would break one waits for its outcome. */
  unheld(): Promise<void>;
  /** Saves a change with what it owes, then tells it. Synchronous: no event comes between. */
  apply(change: Change): void;
  /** The queue has the ticket: what it told of itself is shown at once (decision 26). */
  entered(ticketId: TicketId, stats: QueueStats): void;
  /** The queue, or the lobby itself, gives the ticket up; another ticket is not touched. */
  returned(ticketId: TicketId, reason: ReturnReason): void;
}
