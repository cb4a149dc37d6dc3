// The seats of players in the game that a lobby shows, for their seat tickets (record 0022). Pure.
// Only players that the match was formed with, or that backfill admitted, belong to a team (decision 45).

import type { Lobby, Player } from './lobby';

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
}

/** Names the lobby's stay in its game, because a lobby can enter the same match twice. Null: it plays no game. */
function gameOf({ status, part, game }: Lobby): string | null {
  return status === 'in_game' ? (part?.ticketId ?? game?.instanceId ?? null) : null;
}

/** The player joined during the current game, and so takes no place in it. */
export function isLate(lobby: Lobby, { cameDuring }: Player): boolean {
  return cameDuring !== undefined && cameDuring === gameOf(lobby);
}

/**
 * Marks a newcomer who is not part of the current game. A player of the match who left and joins again gets the
 * place back, unless backfill may have given it to somebody else.
 */
export function marked(lobby: Lobby, newcomer: Player): Player {
  const cameDuring = gameOf(lobby);
  const { part } = lobby;
  const isBack = part?.backfills === false && part.places.members.includes(newcomer.id);
  return cameDuring === null || isBack ? newcomer : { ...newcomer, cameDuring };
}

/** The player's seat in the current game. Null: there is none. */
export function seatOf(lobby: Lobby, player: string): Seat | null {
  const { game, part, status, id, players } = lobby;
  const block = game?.block ?? null;
  const member = players.find((each) => each.id === player);
  if (
    member === undefined ||
    status !== 'in_game' ||
    block === null ||
    block.status === 'stopped'
  ) {
    return null;
  }
  const late = isLate(lobby, member);
  const where = { lobby: id, match: part?.matchId ?? null, instance: block.instance_id, late };
  const places = part?.places ?? null;
  if (late || places === null || places.aside.includes(member.id)) {
    return { ...where, team: null, teamName: null, role: null };
  }
  const { team, teamName, roles } = places;
  const role = roles !== null && Object.hasOwn(roles, member.id) ? roles[member.id] : null;
  return { ...where, team, teamName, role: role ?? null };
}
