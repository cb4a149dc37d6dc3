// The lobby as clients see it (spec: Lobby, Player, Matchmaking block; decision 9).

import type {
  Lobby as LobbyView,
  Matchmaking,
  QueueStats as ShownStats,
} from '../../client/src/types';
import { iso } from '../common/clock';
import { blockForPlayers, blockForStrangers } from '../fleet/block';
import type { JsonObject } from '../common/json';
import { takesLateJoins, type Lobby } from './lobby';
import type { Seat } from './seat';

export type { LobbyView };

/** What a queue says to all of its lobbies. */
export type QueueStats = Omit<ShownStats, 'wait'>;

/** What an answer holds for the calling player besides the lobby. */
export interface ForCaller {
  /** For its ticket. */
  readonly seat?: Seat | null;
  /**
   * The caller's stream is quiet. Its relay hears when everything older than this answer has been sent, and the
   * lobby waits to hear when the answer leaves (decision 39).
   */
  readonly isQuiet?: boolean;
}

export interface LobbyReading extends ForCaller {
  readonly lobby: LobbyView;
}

/** What a view shows besides the lobby itself. */
export interface Surroundings {
  readonly customProperties: JsonObject;
  readonly queueStats: QueueStats;
}

export const NO_STATS: QueueStats = { playersSearching: 0, lobbiesInQueue: 0, avgWaitSeconds: 0 };

function matchmakingOf(lobby: Lobby, stats: QueueStats): Matchmaking | null {
  const { search, part } = lobby;
  if (search !== null) {
    return { mode: search.mode, startedAt: iso(search.startedAt), queueStats: stats };
  }
  if (part === null || (lobby.status !== 'match_found' && lobby.status !== 'matched')) {
    return null;
  }
  const queued = { mode: part.mode, startedAt: iso(part.startedAt) };
  if (part.confirmation === null || lobby.status !== 'match_found') {
    return queued;
  }
  const { deadline, confirmed } = part.confirmation;
  return { ...queued, confirmation: { deadline: iso(deadline), confirmed } };
}

/** The complete view of a lobby. Every endpoint and event shows the same one. */
export function viewOf(lobby: Lobby, around: Surroundings): LobbyView {
  const block = lobby.game?.block ?? null;
  const { returned, lastResult } = lobby;
  return {
    id: lobby.id,
    code: lobby.code,
    name: lobby.name,
    config: lobby.config,
    status: lobby.status,
    host: lobby.host,
    maxPlayers: lobby.maxPlayers,
    currentPlayers: lobby.players.length,
    region: lobby.region,
    isPrivate: lobby.isPrivate,
    allowLateJoin: takesLateJoins(lobby),
    settings: lobby.settings,
    players: lobby.players.map((player) => ({
      id: player.id,
      state: player.state,
      isHost: player.id === lobby.host,
    })),
    server: block === null ? null : blockForPlayers(block),
    matchmaking: matchmakingOf(lobby, around.queueStats),
    matchId: lobby.part?.matchId ?? null,
    ...(returned === undefined ? {} : { returned: { ...returned, at: iso(returned.at) } }),
    ...(lastResult === undefined ? {} : { lastResult: { ...lastResult, at: iso(lastResult.at) } }),
    customProperties: around.customProperties,
    revision: lobby.revision,
    createdAt: iso(lobby.createdAt),
    updatedAt: iso(lobby.updatedAt),
  };
}

/** The view for players who are not in the lobby's match. */
export function viewForStrangers(view: LobbyView): LobbyView {
  return view.server === null ? view : { ...view, server: blockForStrangers(view.server) };
}

/** The view for callers who only browse. The last result names players who may have left. */
export function viewForBrowsing(whole: LobbyView): LobbyView {
  const { lastResult: _, ...view } = whole;
  return viewForStrangers(view);
}
