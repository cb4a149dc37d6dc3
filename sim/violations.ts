// What must hold for the state of a lobby, whatever happened to it.

import type { Lobby } from '../src/lobby/lobby';
import { ticketsOf } from '../src/lobby/tickets';

/** The invariants that a lobby violates, as sentences. */
export function violations(lobby: Lobby): readonly string[] {
  const found: string[] = [];
  const say = (holds: boolean, what: string): void => {
    if (!holds) {
      found.push(`${lobby.id}: ${what}`);
    }
  };
  const { players } = lobby;
  say(players.length > 0, 'has no players');
  say(players.length <= lobby.maxPlayers, 'holds more players than maxPlayers');
  say(new Set(players.map((player) => player.id)).size === players.length, 'has a player twice');
  say(
    players.some((player) => player.id === lobby.host),
    'has a host who is no player',
  );
  say(lobby.updatedAt >= lobby.createdAt, 'was updated before it was created');
  const tickets = ticketsOf(lobby.search);
  for (const what of ['ticketId', 'mode'] as const) {
    const all = new Set(tickets.map((ticket) => ticket[what]));
    say(all.size === tickets.length, `searches twice with one ${what}`);
  }
  const names = tickets.map(({ mode }) => mode).sort();
  const shown = lobby.search?.modes?.toSorted() ?? names;
  say(names.join() === shown.join(), `searches ${names.join()}, and shows ${shown.join()}`);
  return found;
}
