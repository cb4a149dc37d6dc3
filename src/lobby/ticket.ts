// The ticket of a lobby, made in this one place: to see whether it may queue, and each time that the
// queue is told of it.

import type { TicketId } from '../ids';
import { ticketOf } from '../match/ticket/aggregate';
import type { Mode } from '../match/rules/mode';
import type { Ticket } from '../match/ticket/ticket';
import type { Result } from '../result';
import type { Lobby } from './lobby';
import type { Refusal } from './refusals';

/** The lobby as a ticket of its mode, or why it cannot be one. */
export function ticketFor(
  lobby: Lobby,
  mode: Mode,
  ticket: { readonly id: TicketId; readonly startedAt: number },
): Result<Ticket, Refusal> {
  const players = lobby.players.map(({ id, state }) => ({ id, state, isHost: id === lobby.host }));
  const { region, settings } = lobby;
  return ticketOf({ ...ticket, lobbyId: lobby.id, players, region, settings }, mode);
}
