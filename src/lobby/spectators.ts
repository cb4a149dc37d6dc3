// Who watches a lobby (record 0108): how they come and go, and what they may say. Spectators are no players, so nothing that counts
// or asks players sees them: a lobby is decided as if they were not there. Pure.

import type { PlayerId } from '../common/ids';
import { ok } from '../common/result';
import { freeing, touch, unseen, updated } from './change';
import type { Change, Command } from './command';
import type { SpectatorPlaces } from './config';
import { isMember, isSpectator, type Lobby, type Spectator } from './lobby';
import { refusal, type Refusal, type Reply } from './refusals';

/** Whether they are in the lobby, to play or to watch. */
export function isIn(lobby: Lobby, player: PlayerId): boolean {
  return isMember(lobby, player) || isSpectator(lobby, player);
}

/** Why nobody more may watch, or null. `reserved`: places of those who claim seats. Absent `places`: the config has none. */
export function watchRefusal(
  lobby: Lobby,
  player: PlayerId,
  places: SpectatorPlaces | undefined,
  reserved = 0,
): Refusal | null {
  const { config, part, spectators = [] } = lobby;
  if (places === undefined) {
    const detail = `Config ${config} has no places for spectators`;
    return { code: 'LOBBY_NOT_ACCEPTING', detail };
  }
  if (part?.places.kicked?.includes(player)) {
    return { code: 'LOBBY_NOT_ACCEPTING', detail: 'The game removed this player' };
  }
  return spectators.length + reserved >= places.max
    ? { code: 'LOBBY_FULL', detail: `All ${places.max} places for spectators are taken` }
    : null;
}

/** The lobby with one more who watches. It is no activity: the lobby times out as if nobody had come. */
export function watched(
  lobby: Lobby,
  { id, memberId, former }: Pick<Spectator, 'id' | 'memberId' | 'former'>,
  now: number,
): Lobby {
  const { spectators = [] } = lobby;
  const seats = { memberId, ...(former && { former }) };
  const spectator: Spectator = { id, ...seats, joinedAt: now, seenAt: now, streaming: false };
  return touch(lobby, { spectators: [...spectators, spectator] }, now);
}

/** The lobby without that spectator, if it is one. */
export function unwatched(lobby: Lobby, player: PlayerId): Lobby {
  const { spectators = [] } = lobby;
  return isSpectator(lobby, player)
    ? { ...lobby, spectators: spectators.filter(({ id }) => id !== player) }
    : lobby;
}

/** A spectator goes, or is put out. Players are told that nobody watches from there any more. */
export function goes(lobby: Lobby, player: PlayerId, now: number, how: 'left' | 'kicked'): Change {
  const gone = lobby.spectators?.find(({ id }) => id === player);
  const next = touch(unwatched(lobby, player), {}, now);
  const { debts, news } = updated(next, gone && freeing(gone));
  const said = how === 'left' ? { kind: how, player } : { kind: how, player, lobby: next };
  return { lobby: next, debts, news: [said, ...news] };
}

/** What spectators may say: that they are there, and that they leave. */
export function saidBySpectator(
  lobby: Lobby,
  { type, player }: Command,
  now: number,
): Reply<Change> {
  switch (type) {
    case 'leave':
      return ok(goes(lobby, player, now, 'left'));
    case 'heartbeat':
      return ok(unseen(lobby));
    default:
      return refusal('INVALID_ACTION', ONLY_WATCHES);
  }
}

export const ONLY_WATCHES = 'Spectators only watch; join again without "as" to play';
