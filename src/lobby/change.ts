// Helpers that build changes. The command modules share them.

import type { Change, Debt, News } from './command';
import type { Lobby, Search } from './lobby';
import type { ReturnReason } from './reasons';

/** One visible change and nothing else. */
export function updated(lobby: Lobby, debts: readonly Debt[] = []): Change {
  return { lobby, debts, news: [{ kind: 'updated', lobby }] };
}

/** A saved change that no player can see. */
export function unseen(lobby: Lobby): Change {
  return { lobby, debts: [], news: [] };
}

/** The lobby came back from matchmaking. Players hear the reason first, then the update (decision 25). */
export function returnedNews(before: Lobby, after: Lobby, reason: ReturnReason): readonly News[] {
  const mode = before.search?.mode ?? before.part?.mode ?? '';
  return [
    { kind: 'returned', id: after.id, mode, reason },
    { kind: 'updated', lobby: after },
  ];
}

/** A match that fills open places must hear of every player who leaves (decision 30). */
export function rosterDebts(lobby: Lobby): readonly Debt[] {
  return lobby.part?.backfills === true && lobby.status !== 'match_found'
    ? [{ to: 'match', act: 'roster', matchId: lobby.part.matchId }]
    : [];
}

/** The ticket enters the queue. One that waits there takes over every change of its lobby, and keeps its wait. */
export function entering({ mode, ticketId }: Pick<Search, 'mode' | 'ticketId'>): Debt {
  return { to: 'queue', act: 'enter', mode, ticketId };
}

export function leaving(
  { mode, ticketId }: Pick<Search, 'mode' | 'ticketId'>,
  reason: ReturnReason,
): Debt {
  return { to: 'queue', act: 'leave', mode, ticketId, reason };
}

/** The debts of a lobby that leaves everything it is part of: its queue, its match and its server. */
function lettingGo(lobby: Lobby): readonly Debt[] {
  const debts: Debt[] = [];
  if (lobby.search !== null) {
    debts.push(leaving(lobby.search, 'player_left'));
  }
  if (lobby.part !== null) {
    const { matchId, ticketId } = lobby.part;
    debts.push({ to: 'match', act: 'left', matchId, ticketId });
  }
  if (lobby.game?.own === true) {
    debts.push({ to: 'server', act: 'stop', instanceId: lobby.game.instanceId });
  }
  return debts;
}

/**
 * The lobby ends: every seat is freed, its code and row go, its server is stopped best-effort.
 * spec: lobby_deleted; decision 37.
 */
export function deletion(lobby: Lobby): Change {
  const seats = lobby.players.map(({ id, memberId }): Debt => ({
    to: 'seat',
    player: id,
    memberId,
  }));
  return {
    lobby: null,
    debts: [...seats, { to: 'directory', act: 'remove' }, ...lettingGo(lobby)],
    news: [{ kind: 'deleted', id: lobby.id }],
  };
}
