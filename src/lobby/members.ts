// The members of a lobby (spec: Create, Join, Leave, Kick; decisions 12, 15, 16).

import type { MemberId, PlayerId } from '../common/ids';
import { mergeJson, type JsonObject } from '../common/json';
import { ok, refuse } from '../common/result';
import {
  deletion,
  freeing,
  grown,
  leaving,
  returnedNews,
  touch,
  toWaiting,
  updated,
} from './change';
import type { SpectatorPlaces } from './config';
import type { Change, Debt, News } from './command';
import { findableIn, goneWith, isPutOut, keptIn } from './gone';
import type {
  GoneBy,
  KnownAttributes,
  Lobby,
  NewLobby,
  Part,
  Player,
  Policy,
  Status,
} from './lobby';
import { gameOf, IDLE, playerHosts, isSpectator, bookingOf, takesLateJoins } from './lobby';
import { refusal, type Refusal, type Reply } from './refusals';
import { goes, isIn, unwatched, watched, watchRefusal } from './spectators';
import { ticketsOf } from './tickets';
import type { LobbyView } from './view';

export interface Newcomer {
  readonly id: PlayerId;
  readonly memberId: MemberId;
  readonly state: JsonObject | null;
  readonly given?: KnownAttributes;
}

function playerOf(newcomer: Newcomer, now: number): Player {
  const state = newcomer.state === null ? null : mergeJson(null, newcomer.state);
  return { ...newcomer, state, joinedAt: now, seenAt: now, streaming: false };
}

/** A new lobby with its creator as host (spec: Create rule 1). */
export function found(wanted: NewLobby, host: Newcomer, now: number): Lobby {
  // Named one by one, because the request that is passed in has more fields.
  const { id, project, config, code, name, maxPlayers, region } = wanted;
  const { isPrivate, allowLateJoin, settings } = wanted;
  const home = { id, project, config, code, name, maxPlayers, region };
  const open = { isPrivate, allowLateJoin, settings };
  return {
    ...home,
    ...open,
    ...IDLE,
    status: 'waiting',
    host: host.id,
    players: [playerOf(host, now)],
    revision: 1,
    createdAt: now,
    updatedAt: now,
    activeAt: now,
  };
}

/** Why a newcomer may not join, or null (spec: Join rule 2; decision 12). `reserved`: places of those who claim seats. */
export function entryRefusal(lobby: Lobby, reserved: number, player?: PlayerId): Refusal | null {
  const { kicked = [] } = lobby.part?.places ?? {};
  if (player !== undefined && kicked.includes(player)) {
    return { code: 'LOBBY_NOT_ACCEPTING', detail: 'The game removed this player' };
  }
  const kept = keptIn(lobby).filter((id) => id !== player);
  if (bookingOf(lobby) !== null) {
    return { code: 'LOBBY_NOT_ACCEPTING', detail: 'A match is being made of the lobby' };
  }
  if (!isOpen(lobby.status, takesLateJoins(lobby) || isKept(lobby, player))) {
    const detail = `The lobby is ${lobby.status} and does not accept players`;
    return { code: 'LOBBY_NOT_ACCEPTING', detail };
  }
  if (lobby.players.length + kept.length + reserved >= lobby.maxPlayers) {
    return { code: 'LOBBY_FULL', detail: `All ${lobby.maxPlayers} places are taken` };
  }
  return null;
}

/** Whether players can join a lobby that browsing shows. */
export function acceptsPlayers(
  lobby: Pick<LobbyView, 'status' | 'allowLateJoin' | 'currentPlayers' | 'maxPlayers'>,
): boolean {
  return isOpen(lobby.status, lobby.allowLateJoin) && lobby.currentPlayers < lobby.maxPlayers;
}

/** Whether the player dropped out of the game, and the place may still be kept. */
function isKept(lobby: Lobby, player: PlayerId | undefined): boolean {
  return player !== undefined && keptIn(lobby).includes(player);
}

function isOpen(status: Status, lateJoin: boolean): boolean {
  return status === 'waiting' || (status === 'in_game' && lateJoin);
}

/** Adds a player who has the seat. Refuses as `entryRefusal` does, and PAYLOAD_TOO_LARGE if the state does not fit. */
export function admit(lobby: Lobby, newcomer: Newcomer, now: number): Reply<Change> {
  const refused = entryRefusal(lobby, 0, newcomer.id);
  if (refused !== null) {
    return refuse(refused);
  }
  const { part } = lobby;
  const cameDuring = gameOf(lobby);
  // A player of the match who left and joins again gets the place back, unless backfill may have given it away.
  const isIts = part?.places.members.includes(newcomer.id) && !isPutOut(lobby, newcomer.id);
  const isBack = part?.backfills === false && isIts === true;
  const returning = isKept(lobby, newcomer.id) ? { returning: lobby.revision + 1 } : {};
  const late = cameDuring === null || isBack ? {} : { cameDuring, ...returning };
  const { former } = lobby.spectators?.find(({ id }) => id === newcomer.id) ?? {};
  const player = { ...playerOf(newcomer, now), ...late, ...(former && { former }) };
  const players = [...lobby.players, player];
  const next = touch(unwatched(lobby, newcomer.id), { players, activeAt: now }, now);
  const change = grown(lobby, next);
  // The match says whether the place is still there.
  const asks = part?.places.isTold === true || 'returning' in late || (isBack && isHeard(lobby));
  if (!change.ok) {
    return change;
  }
  const { debts, news } = change.value;
  const switched: News = { kind: 'switched', player: newcomer.id };
  return ok({
    ...change.value,
    debts: part !== null && asks ? [...debts, rosterDebt(part)] : debts,
    news: isSpectator(lobby, newcomer.id) ? [switched, ...news] : news,
  });
}

function rosterDebt({ matchId }: Part): Extract<Debt, { act: 'roster' }> {
  return { to: 'match', act: 'roster', matchId };
}

/** Whether the match hears who leaves: it fills places, its game follows them, or a player hosts, so that players may vote. */
function isHeard({ part, game }: Lobby): boolean {
  const { backfills = false, places } = part ?? {};
  return backfills || places?.isTold === true || (part !== null && playerHosts(game));
}

/** The lobby with those who came back by that revision, and whose places the match has kept. Null: nothing changes. */
export function seatedAgain(
  lobby: Lobby,
  { revision, members }: { readonly revision: number; readonly members: readonly PlayerId[] },
  now: number,
): Change | null {
  const isSeated = ({ id, returning = Infinity }: Player): boolean =>
    returning <= revision && members.includes(id);
  const players = lobby.players.map((player) => {
    const { cameDuring: _, returning: __, ...seated } = player;
    return isSeated(player) ? seated : player;
  });
  return lobby.players.some(isSeated) ? updated(touch(lobby, { players }, now)) : null;
}

export interface Removal {
  readonly player: PlayerId;
  readonly connected: ReadonlySet<PlayerId>;
  readonly now: number;
  /** Absent: the player goes by their own will, or is silent. */
  readonly by?: GoneBy;
}

/**
 * The lobby without one player. In the queue this cancels matchmaking, at `match_found` it is a decline
 * (decision 15). When the last player goes, the lobby is deleted.
 */
function without(lobby: Lobby, removal: Removal): Change {
  const gone = lobby.players.find(({ id }) => id === removal.player);
  const players = lobby.players.filter(({ id }) => id !== removal.player);
  // The longest-present connected player, or else the longest-present player (decision 16).
  const heir = players.find(({ id }) => removal.connected.has(id)) ?? players[0] ?? null;
  const { now, by = 'self' } = removal;
  if (gone === undefined || heir === null) {
    return deletion(lobby, () => by);
  }
  const host = lobby.host === gone.id ? heir.id : lobby.host;
  const left = goneWith(lobby, { id: gone.id, memberId: gone.memberId, at: now, by });
  const patch = { players, host, activeAt: now, gone: left };
  const isStillIts = findableIn({ ...lobby, players, gone: left }).includes(gone.id);
  const debts = freeing(gone).map((seat, at): Debt =>
    isStillIts && at === 0 ? { ...seat, isKept: true } : seat,
  );
  if (lobby.search !== null) {
    debts.push(...leaving(ticketsOf(lobby.search), 'player_left'));
    const after = toWaiting(lobby, now, patch, 'player_left');
    return { lobby: after, debts, news: returnedNews(lobby, after, 'player_left') };
  }
  const { part } = lobby;
  if (lobby.status === 'match_found') {
    const { matchId } = lobby.part;
    debts.push({ to: 'match', act: 'decline', matchId, reason: 'player_left' });
  } else if (part !== null && (isHeard(lobby) || by !== 'self')) {
    // A match that fills open places must hear of every player who leaves (decision 30), and each of who is put out.
    debts.push(rosterDebt(part));
  }
  return updated(touch(lobby, patch, now), debts);
}

/** spec: Leave. With hostLeaveBehavior `delete` the lobby ends for everybody. */
export function leave(lobby: Lobby, removal: Removal, policy: Policy): Change {
  const isHost = lobby.host === removal.player;
  if (isHost && lobby.players.length > 1 && policy.hostLeaveBehavior === 'delete') {
    return deletion(lobby, ({ id }) => (id === removal.player ? 'self' : 'player'));
  }
  const { debts, ...left } = without(lobby, removal);
  // Who leaves while a match is found has turned it down.
  const by = removal.player;
  const change = {
    ...left,
    debts: debts.map((debt): Debt =>
      debt.to === 'match' && (debt.act === 'decline' || debt.act === 'left')
        ? { ...debt, by }
        : debt,
    ),
  };
  // The last player to leave hears of the deletion, as any other player would.
  return change.lobby === null
    ? change
    : { ...change, news: [{ kind: 'left', player: removal.player }, ...change.news] };
}

/**
 * A player begins to watch, in the same seat. A lobby that searches or plays stays as it is, a lobby has a player, and a host who
 * may not leave it may not watch it.
 */
export function standAside(
  lobby: Lobby,
  removal: Removal,
  places: SpectatorPlaces | undefined,
  { hostLeaveBehavior }: Policy,
): Reply<Change> {
  const { player, now } = removal;
  const refused = watchRefusal(lobby, player, places);
  if (refused !== null) {
    return refuse(refused);
  }
  const { status, players, host } = lobby;
  const member = players.find(({ id }) => id === player);
  const isNeeded = players.length === 1 || (host === player && hostLeaveBehavior === 'delete');
  if (member === undefined || status !== 'waiting' || isNeeded) {
    const why = isNeeded ? 'the lobby would end without this player' : `the lobby is ${status}`;
    return refusal('INVALID_STATE', `The player cannot begin to watch: ${why}`);
  }
  const { debts, ...change } = without(watched(lobby, member, now), removal);
  const owed = debts.filter(({ to }) => to !== 'seat');
  return ok({ ...change, debts: owed, news: [{ kind: 'switched', player }, ...change.news] });
}

/** Heartbeat expiry removes that player alone (decision 16), who sees the lobby a last time (decision 23). */
export function expel(lobby: Lobby, removal: Removal): Change {
  const { player, now } = removal;
  if (isSpectator(lobby, player)) {
    return goes(lobby, player, now, 'kicked');
  }
  const change = without(lobby, removal);
  return change.lobby === null
    ? change
    : { ...change, news: [{ kind: 'kicked', player, lobby: change.lobby }, ...change.news] };
}

/** The change without the players whom the game has put out, if some of them are still there. */
export function withoutKicked(
  change: Change,
  connected: ReadonlySet<PlayerId>,
  now: number,
): Change {
  const { kicked = [] } = change.lobby?.part?.places ?? {};
  return kicked.reduce((before, player) => {
    const { lobby } = before;
    if (lobby === null || !isIn(lobby, player)) {
      return before;
    }
    const { debts, news, ...out } = expel(lobby, { player, connected, now, by: 'player' });
    return { ...out, debts: [...before.debts, ...debts], news: [...before.news, ...news] };
  }, change);
}

/**
 * spec: Kick; an operator may kick a host too. PLAYER_NOT_FOUND for a player who is not in the lobby and has no place kept, nor, for
 * the server key, a vote.
 */
export function putOut(lobby: Lobby, removal: Removal): Reply<Change> {
  const { player, now, by = 'key' } = removal;
  const isHere = isIn(lobby, player);
  const isKnown = by === 'key' ? findableIn(lobby).includes(player) : isKept(lobby, player);
  const away = !isHere && isKnown && lobby.gone?.find(({ id }) => id === player);
  if (away && lobby.part !== null) {
    const gone = goneWith(lobby, { id: player, memberId: away.memberId, at: now, by });
    return ok(updated(touch(lobby, { gone }, now), [rosterDebt(lobby.part)]));
  }
  if (!isHere) {
    return refusal('PLAYER_NOT_FOUND', 'That player is not in the lobby');
  }
  return ok(expel(lobby, removal));
}
