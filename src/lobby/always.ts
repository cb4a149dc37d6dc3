// What must hold for the state of a lobby, whatever happened to it.

import type { Lobby } from './lobby';
import { ticketsOf } from './tickets';

/** The sentences that do not hold. `before`: null for a new lobby. */
export function brokenInLobby(lobby: Lobby, before: Lobby | null = null): readonly string[] {
  const { players, spectators = [] } = lobby;
  const tickets = ticketsOf(lobby.search);
  const modes = tickets.map(({ mode }) => mode).sort();
  const shown = lobby.search?.modes?.toSorted() ?? modes;
  const ids = players.map(({ id }) => id);
  const rules: readonly (readonly [boolean, string])[] = [
    [players.length > 0, 'a lobby has players'],
    [players.length <= lobby.maxPlayers, 'a lobby has at most maxPlayers'],
    [
      areDifferent([...ids, ...spectators.map(({ id }) => id)]),
      'a lobby has no player twice, nor one who watches it',
    ],
    [ids.includes(lobby.host), 'the host of a lobby is one of its players'],
    [lobby.updatedAt >= lobby.createdAt, 'a lobby is created before it is updated'],
    [areDifferent(tickets.map(({ ticketId }) => ticketId)), 'a lobby has no ticket twice'],
    [areDifferent(modes), 'a lobby searches no mode twice'],
    [shown.join() === modes.join(), 'a lobby shows the modes that it searches'],
    [lobby.revision >= (before?.revision ?? 0), 'the revision of a lobby never goes back'],
  ];
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}

function areDifferent(all: readonly string[]): boolean {
  return new Set(all).size === all.length;
}
