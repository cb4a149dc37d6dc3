// The lobby as clients see it (spec: Lobby, Player, Matchmaking block; decision 9), and its players' seats (record 0022).

import type {
  Lobby as LobbyView,
  Matchmaking,
  QueueStats as Stats,
} from '../../packages/js/src/types';
import { iso } from '../common/clock';
import type { PlayerId } from '../common/ids';
import { blockForPlayers, blockForStrangers } from '../fleet/block';
import type { JsonObject } from '../common/json';
import { keptIn } from './gone';
import { gameHostOf, isLate, isSpectator, takesLateJoins, type Lobby, type Places } from './lobby';
import { firstMode, ticketsOf } from './tickets';

export type { LobbyView };

/** What a queue says to all of its lobbies. */
export type QueueStats = Omit<Stats, 'wait'>;

/** Only players that the match was formed with, or that backfill admitted, belong to a team (decision 45). */
export interface Seat {
  readonly lobby: string;
  /** Null after a direct start. */
  readonly match: string | null;
  readonly instance: string;
  /** Null after a direct start, and for players who take no place. */
  readonly team: number | null;
  readonly teamName: string | null;
  readonly role: string | null;
  /** The player joined the lobby during the game. */
  readonly late: boolean;
  /** The player hosts the game in this term (record 0069). */
  readonly hosts?: number;
  /** It is no seat: its holder only watches (record 0108). */
  readonly spectator?: true;
}

/** What an answer holds for the calling player besides the lobby. */
export interface ForCaller {
  /** For its ticket. */
  readonly seat?: Seat | null;
  /**
   * The caller's stream is quiet. Its relay hears when everything older than this answer has been sent, and the lobby
   * waits to hear when the answer leaves (decision 39).
   */
  readonly isQuiet?: boolean;
}

export interface LobbyReading extends ForCaller {
  readonly lobby: LobbyView;
}

export interface Surroundings {
  readonly customProperties: JsonObject;
  readonly queueStats: QueueStats;
  /** Null: its config has no links. */
  readonly inviteUrl?: string | null;
}

export const NO_STATS: QueueStats = { playersSearching: 0, lobbiesInQueue: 0, avgWaitSeconds: 0 };

function matchmakingOf(lobby: Lobby, stats: QueueStats): Matchmaking | null {
  if (lobby.status === 'in_queue') {
    const { startedAt, modes } = lobby.search;
    const one = { mode: firstMode(lobby.search), startedAt: iso(startedAt), queueStats: stats };
    const tickets = new Map(ticketsOf(lobby.search).map((ticket) => [ticket.mode, ticket]));
    const since = (mode: string): string => iso(tickets.get(mode)?.waitsFrom ?? startedAt);
    return modes ? { ...one, modes: modes.map((mode) => ({ mode, since: since(mode) })) } : one;
  }
  if (lobby.status !== 'match_found' && lobby.status !== 'matched') {
    return null;
  }
  const { mode, startedAt, confirmation, waiting } = lobby.part;
  const line = waiting && { ...waiting, since: iso(waiting.since) };
  const queued = { mode, startedAt: iso(startedAt), ...(line && { waiting_for_server: line }) };
  if (confirmation === null || lobby.status === 'matched') {
    return queued;
  }
  const { deadline, refill, ...counts } = confirmation;
  const sought = refill && { refill: { ...refill, until: iso(refill.until) } };
  return { ...queued, confirmation: { deadline: iso(deadline), ...counts, ...sought } };
}

/** The complete view of a lobby. Every endpoint and event shows the same one. */
export function viewOf(lobby: Lobby, around: Surroundings): LobbyView {
  const block = lobby.game?.block ?? null;
  const { returned, lastResult, rematch, spectators = [] } = lobby;
  return {
    id: lobby.id,
    code: lobby.code,
    name: lobby.name,
    config: lobby.config,
    status: lobby.status,
    host: lobby.host,
    maxPlayers: lobby.maxPlayers,
    currentPlayers: lobby.players.length + keptIn(lobby).length,
    region: lobby.region,
    isPrivate: lobby.isPrivate,
    allowLateJoin: takesLateJoins(lobby),
    settings: lobby.settings,
    players: lobby.players.map(({ id, state }) => ({ id, state, isHost: id === lobby.host })),
    server: block === null ? null : blockForPlayers(block),
    matchmaking: matchmakingOf(lobby, around.queueStats),
    matchId: lobby.part?.matchId ?? null,
    ...(returned === undefined ? {} : { returned: { ...returned, at: iso(returned.at) } }),
    ...(rematch?.votes && { rematch: { ...rematch.votes, until: iso(rematch.votes.until) } }),
    ...(lastResult === undefined ? {} : { lastResult: { ...lastResult, at: iso(lastResult.at) } }),
    ...(around.inviteUrl ? { invite_url: around.inviteUrl } : {}),
    customProperties: around.customProperties,
    revision: lobby.revision,
    createdAt: iso(lobby.createdAt),
    updatedAt: iso(lobby.updatedAt),
    // Last, so that operations may add and remove them.
    ...(spectators.length > 0 && {
      currentSpectators: spectators.length,
      spectators: spectators.map(({ id }) => ({ id })),
    }),
  };
}

/** The view for players who are not in the lobby's match. */
export function viewForStrangers(view: LobbyView): LobbyView {
  return view.server === null ? view : { ...view, server: blockForStrangers(view.server) };
}

/** The view for callers who only browse. The last result names players who may have left; who is in it invites, and plays again. */
export function viewForBrowsing(whole: LobbyView): LobbyView {
  const { lastResult: _, invite_url: __, rematch: ___, spectators: ____, ...view } = whole;
  return viewForStrangers(view);
}

/** The lobby's team, or the player's own if its players are in several. */
function teamIn({ team, teamName, split = [] }: Places, player: PlayerId) {
  const own = split.findIndex(({ players }) => players.includes(player));
  return own < 0 ? { team, teamName } : { team: own, teamName: split[own]?.name ?? null };
}

const NO_PLACE = { team: null, teamName: null, role: null };

function gameIn({ id, status, game, part }: Lobby) {
  const block = game?.block ?? null;
  const isOver = block === null || block.status === 'stopped';
  return status !== 'in_game' || isOver
    ? null
    : { lobby: id, match: part?.matchId ?? null, instance: block.instance_id };
}

/**
 * What admits spectators of the lobby to its game. Null: it plays none. It always names a match, because a game server that does not
 * know of spectators lets in whoever has no match.
 */
export function spectatorSeatIn(lobby: Lobby): Seat | null {
  const where = gameIn(lobby);
  const match = where && (where.match ?? where.instance);
  return where && { ...where, match, late: false, ...NO_PLACE, spectator: true };
}

export function seatOf(lobby: Lobby, player: string): Seat | null {
  if (isSpectator(lobby, player)) {
    return spectatorSeatIn(lobby);
  }
  const { part, players } = lobby;
  const member = players.find((each) => each.id === player);
  const place = gameIn(lobby);
  if (member === undefined || place === null) {
    return null;
  }
  const late = isLate(lobby, member);
  const host = gameHostOf(lobby);
  const hosts = host?.id === player && { hosts: host.term };
  const where = { ...place, late };
  if (late || part === null || !part.places.members.includes(member.id)) {
    return { ...where, ...hosts, ...NO_PLACE };
  }
  const { roles } = part.places;
  const { team, teamName } = teamIn(part.places, member.id);
  const role = roles !== null && Object.hasOwn(roles, member.id) ? roles[member.id] : null;
  return { ...where, ...hosts, team, teamName, role: role ?? null };
}
