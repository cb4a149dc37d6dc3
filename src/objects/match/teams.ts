// Which players of a party take places, and in which team of the mode. Pure.

import type { PlayerId } from '../../common/ids';
import { isExcluded } from '../../match/ticket/aggregate';
import type { Mode } from '../../match/rules/mode';
import type { PartySnapshot } from '../lobby/contract';
import type { Roster } from './contract';

/** The players of a party who take places. Spectators and other excluded roles take none. */
export function membersOf(players: PartySnapshot['players'], mode: Mode): readonly PlayerId[] {
  return players.filter((who) => !isExcluded(who, mode)).map(({ id }) => id);
}

/** The players of a party who take no place. */
export function asideOf(players: PartySnapshot['players'], mode: Mode): readonly PlayerId[] {
  return players.filter((who) => isExcluded(who, mode)).map(({ id }) => id);
}

/** Whether the players who take places are still those the ticket was made for. A lobby may change until its hold. */
export function isAsTicketed(
  made: readonly PlayerId[],
  { players }: PartySnapshot,
  mode: Mode,
): boolean {
  const now = new Set(membersOf(players, mode));
  return made.length === now.size && made.every((id) => now.has(id));
}

/** The team's index in the mode. An asymmetric mode finds it by name, because a partial match may lack teams. */
export function teamIndex(roster: Roster, formed: number): number {
  const name = roster.teams[formed]?.name ?? null;
  const names = Object.keys(roster.rules.teamComposition ?? {});
  return name === null ? formed : Math.max(0, names.indexOf(name));
}
