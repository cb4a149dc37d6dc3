// Who sits where in the game that a lobby shows: what a seat ticket says (record 0022). Pure.

import type { PlayerId } from '../ids';
import type { Lobby } from './lobby';

/** What a match says of one lobby's places. */
export interface Places {
  /** Index of the team among those of the mode. */
  readonly team: number;
  readonly teamName: string | null;
  /** Of the lobby's players, where the mode has roles. */
  readonly roles: Readonly<Record<PlayerId, string>> | null;
  /** Players who came with the lobby and take no place, such as spectators. */
  readonly aside: readonly PlayerId[];
}

export interface Seat {
  readonly lobby: string;
  /** Null after a direct start. */
  readonly match: string | null;
  readonly instance: string;
  /** Null after a direct start, and for who takes no place. */
  readonly team: number | null;
  readonly teamName: string | null;
  readonly role: string | null;
}

/** The player's seat in the game that the lobby shows; null while there is none. */
export function seatOf(lobby: Lobby, player: string): Seat | null {
  const { game, part, status, id, players } = lobby;
  const block = game?.block ?? null;
  const isMember = players.some((each) => each.id === player);
  if (!isMember || status !== 'in_game' || block === null || block.status === 'stopped') {
    return null;
  }
  const where = { lobby: id, match: part?.matchId ?? null, instance: block.instance_id };
  const places = part?.places ?? null;
  if (places === null || places.aside.some((each) => each === player)) {
    return { ...where, team: null, teamName: null, role: null };
  }
  const { team, teamName, roles } = places;
  const role = roles !== null && Object.hasOwn(roles, player) ? roles[player as PlayerId] : null;
  return { ...where, team, teamName, role: role ?? null };
}
