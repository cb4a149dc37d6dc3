// Makes the ticket of a lobby: to check whether the lobby may queue, and each time the queue gets the ticket.

import type { TicketId } from '../common/ids';
import { ticketOf } from '../match/ticket/aggregate';
import type { Mode } from '../match/rules/mode';
import type { Ticket } from '../match/ticket/ticket';
import type { Result } from '../common/result';
import type { Lobby } from './lobby';
import type { Refusal } from './refusals';

/** The lobby's ticket for the mode, or why it cannot have one. */
export function ticketFor(
  lobby: Lobby,
  mode: Mode,
  ticket: { readonly id: TicketId; readonly startedAt: number },
): Result<Ticket, Refusal> {
  const players = lobby.players.map(({ id, state }) => ({ id, state, isHost: id === lobby.host }));
  const { region, settings } = lobby;
  return ticketOf({ ...ticket, lobbyId: lobby.id, players, region, settings }, mode);
}
