// How a lobby changes: the spec's transition table as data (spec: States and transitions), and what the command modules
// build changes with. Every change of status goes through `become`.

import { MAX_LOBBY_BYTES } from '../common/limits';
import { ok, refuse } from '../common/result';
import { sseBytes, sseTextBytes } from '../common/sse';
import type { Change, Debt, News } from './command';
import { goneWithLobby } from './gone';
import type { Doing, GoneBy, Lobby, LobbyFields, Player, SearchTicket, Status } from './lobby';
import { gameHostOf, IDLE, inside } from './lobby';
import type { LeaveReason, ReturnReason } from './reasons';
import type { Refusal, Reply } from './refusals';
import { firstMode, queued, ticketsOf } from './tickets';

type Moves = Readonly<Partial<Record<Status, string>>>;

/** From -> to -> trigger. A lobby can be deleted in every status, so deletion is not in the table. */
export const TRANSITIONS = {
  waiting: {
    in_queue: 'POST /me/matchmaking; or a requeue after a declined match',
    starting: 'POST /me/start',
    match_found: 'POST /matches, with confirmation',
    matched: 'POST /matches, without; or a rematch',
  },
  in_queue: {
    waiting: 'cancel, timeout, a player left, config changed, launch failed',
    match_found: 'match formed, confirmation enabled',
    matched: 'match formed, confirmation not enabled; or joined a running match as backfill',
  },
  match_found: {
    matched: 'every lobby confirmed: the server is being created',
    waiting: 'declined, or the deadline passed',
    in_queue: 'another lobby declined, and the mode requeues those who accepted',
  },
  matched: {
    in_game: 'game server created',
    waiting: 'the launch failed, the match ended, or cancelled while it waits for a server',
  },
  starting: { in_game: 'server provisioned', waiting: 'server creation failed' },
  in_game: { waiting: 'POST /me/end-match, or the game server stopped' },
} as const satisfies Record<Status, Moves>;

export type Patch = Partial<Omit<LobbyFields, 'id' | 'revision' | 'updatedAt' | 'createdAt'>>;

/** One visible change: the patch, the next revision, and an `updatedAt` later than the last (decisions 9 and 10). */
export function touch(lobby: Lobby, patch: Patch, now: number): Lobby {
  const { revision, updatedAt } = lobby;
  return { ...lobby, ...patch, revision: revision + 1, updatedAt: Math.max(now, updatedAt + 1) };
}

/** The same for a change of status, or of what the lobby is part of. Throws for a transition not in the table. */
export function become(lobby: Lobby, doing: Doing, now: number, patch: Patch = {}): Lobby {
  const { status: to } = doing;
  const moves: Moves = TRANSITIONS[lobby.status];
  if (to !== lobby.status && moves[to] === undefined) {
    throw new Error(`no transition from ${lobby.status} to ${to}`);
  }
  return { ...touch(lobby, patch, now), ...doing };
}

function modeNameOf({ search, part }: Lobby): string {
  return search === null ? (part?.mode ?? '') : firstMode(search);
}

/**
 * The lobby is `waiting` again, and part of nothing (spec: waiting). It shows why there was no game, unless its own
 * players caused that: a client that polls hears no events.
 */
export function toWaiting(
  lobby: Lobby,
  now: number,
  patch: Patch = {},
  reason: ReturnReason | null = null,
): Lobby {
  const isOwn = reason === 'cancelled' || reason === 'player_left';
  const shows = reason !== null && reason !== 'game_ended' && !isOwn;
  const returned = shows ? { mode: modeNameOf(lobby), reason, at: now } : undefined;
  const { matchId, ticketId } = (lobby.status === 'in_game' && lobby.part) || {};
  const rematch = matchId && ticketId && { matchId, ticketId, step: 0 };
  return become(lobby, { ...IDLE, status: 'waiting', returned, rematch }, now, patch);
}

export function updated(lobby: Lobby, debts: readonly Debt[] = []): Change {
  return { lobby, debts, news: [{ kind: 'updated', lobby }] };
}

/** A saved change that no player can see. */
export function unseen(lobby: Lobby, debts: readonly Debt[] = []): Change {
  return { lobby, debts, news: [] };
}

/** The lobby came back from matchmaking. Players hear the reason first, then the update (decision 25). */
export function returnedNews(before: Lobby, after: Lobby, reason: ReturnReason): readonly News[] {
  const { id, returned } = after;
  const mode = modeNameOf(before);
  return [
    {
      kind: 'returned',
      id,
      mode,
      reason,
      detail: returned?.detail,
      retryAfter: returned?.retryAfter,
    },
    { kind: 'updated', lobby: after },
  ];
}

/** The ticket enters the queue. One that waits there takes over every change of its lobby, and keeps its wait. */
export function entering({ mode, ticketId }: SearchTicket, afterMs = 0): Debt {
  const debt = { to: 'queue', act: 'enter', mode, ticketId } as const;
  return afterMs === 0 ? debt : { ...debt, afterMs };
}

/** An update of a lobby whose tickets, if it searches, take the change over and keep their wait (decisions 13, 14). */
export function refreshed(lobby: Lobby): Change {
  return updated(
    lobby,
    queued(ticketsOf(lobby.search)).map((each) => entering(each)),
  );
}

/** The player's seats are free: that of the lobby's config first, then those of the configs that it has left. */
export function freeing({
  id: player,
  memberId,
  former = [],
}: Pick<Player, 'id' | 'memberId' | 'former'>): readonly Extract<Debt, { to: 'seat' }>[] {
  return [{ memberId }, ...former].map((seat) => ({ to: 'seat', player, ...seat }));
}

export function leaving(tickets: readonly SearchTicket[], reason: LeaveReason): readonly Debt[] {
  return queued(tickets).map(({ mode, ticketId }): Debt => {
    return { to: 'queue', act: 'leave', mode, ticketId, reason };
  });
}

/**
 * The lobby ends: every seat is freed, its code and row go, it leaves its queue and its match, and a server of its own
 * is stopped best-effort. spec: lobby_deleted; decision 37. `by`: how each of its players goes.
 */
export function deletion(lobby: Lobby, by: (player: Player) => GoneBy = () => 'player'): Change {
  const { id: lobbyId, players, search, part, game } = lobby;
  const debts: Debt[] = inside(lobby).flatMap(freeing);
  debts.push({ to: 'directory', act: 'remove' });
  debts.push(...leaving(ticketsOf(search), 'player_left'));
  if (part !== null) {
    const { matchId, ticketId } = part;
    const gone = goneWithLobby(lobby, by);
    const how = gone.length > 0 && { gone };
    debts.push({ to: 'match', act: 'left', matchId, ticketId, ...how });
  }
  const host = gameHostOf({ game });
  if (host !== null && part !== null && players.some(({ id }) => id === host.id)) {
    const { instanceId, term } = host;
    debts.push({ to: 'server', act: 'lost', instanceId, term });
  }
  if (game?.own === true) {
    debts.push({ to: 'server', act: 'stop', instanceId: game.instanceId });
  }
  return { lobby: null, debts, news: [{ kind: 'deleted', id: lobbyId }] };
}

/** Room for the parts of a view that players do not write: the server, the config's properties, the frame. */
const RESERVED_BYTES = 64 * 1024;
/** `{"id":"","state":null,"isHost":false},` */
const PLAYER_BYTES = 40;

/** Bytes of a lobby's view that its players wrote. The cost grows with the number of players, not with their bytes. */
export function writtenBytes({ name, settings, players }: Lobby): number {
  let bytes = sseTextBytes(name) + sseBytes(settings);
  for (const { id, state } of players) {
    bytes += PLAYER_BYTES + sseTextBytes(id) + (state === null ? 0 : sseBytes(state));
  }
  return bytes;
}

/** PAYLOAD_TOO_LARGE if the lobby grows too large: every change sends all of it to every member. It may always shrink. */
export function growthRefusal(before: Lobby, after: Lobby): Refusal | null {
  const most = MAX_LOBBY_BYTES - RESERVED_BYTES;
  const bytes = writtenBytes(after);
  if (bytes <= most || bytes <= writtenBytes(before)) {
    return null;
  }
  const detail = `The settings and all players' states would take ${bytes} bytes, and a lobby holds at most ${most}`;
  return { code: 'PAYLOAD_TOO_LARGE', detail };
}

/** The update to `after`, which may be larger. Refuses as `growthRefusal` does. */
export function grown(before: Lobby, after: Lobby): Reply<Change> {
  const refused = growthRefusal(before, after);
  return refused === null ? ok(refreshed(after)) : refuse(refused);
}
