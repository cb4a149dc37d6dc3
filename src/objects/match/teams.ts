// Who of a party takes a place, and in which team of the mode. Pure.

import type { PlayerId } from '../../ids';
import { isExcluded } from '../../match/ticket/aggregate';
import type { Mode } from '../../match/rules/mode';
import type { PartySnapshot } from '../lobby/contract';
import type { Roster } from './contract';

/** The players of a party who take places: spectators and the like do not. */
export function membersOf(players: PartySnapshot['players'], mode: Mode): readonly PlayerId[] {
  return players.filter((who) => !isExcluded(who, mode)).map(({ id }) => id);
}

/** The players of a party who take no place. */
export function asideOf(players: PartySnapshot['players'], mode: Mode): readonly PlayerId[] {
  return players.filter((who) => isExcluded(who, mode)).map(({ id }) => id);
}

/** Those who take places are those the match was made for: a lobby may change until it holds. */
export function isAsTicketed(
  made: readonly PlayerId[],
  { players }: PartySnapshot,
  mode: Mode,
): boolean {
  const now = new Set(membersOf(players, mode));
  return made.length === now.size && made.every((id) => now.has(id));
}

/** In an asymmetric mode teams are found by name: a partial match may lack some. */
export function teamIndex(roster: Roster, formed: number): number {
  const name = roster.teams[formed]?.name ?? null;
  const names = Object.keys(roster.rules.teamComposition ?? {});
  return name === null ? formed : Math.max(0, names.indexOf(name));
}
