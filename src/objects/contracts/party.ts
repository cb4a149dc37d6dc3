// A lobby as part of a match, and who of it takes places there.

import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import type { AskedBy } from '../../lobby/lobby';
import type { Mode } from '../../match/rules/mode';
import { isExcluded } from '../../match/ticket/aggregate';

/** The part of a lobby that goes into a match, as of its hold (decision 36). */
export interface PartySnapshot extends AskedBy {
  readonly lobbyId: LobbyId;
  readonly ticketId: TicketId;
  readonly name: string;
  readonly host: PlayerId;
  readonly startedAt: number;
  readonly settings: JsonObject;
  /** Absent: an earlier release took it. */
  readonly region?: string;
  readonly players: readonly { readonly id: PlayerId; readonly state: JsonObject | null }[];
  /** The project has hooks. Absent: it has none. */
  readonly hooks?: true;
  /** When it was held, epoch ms. Absent: no match is traced. */
  readonly heldAt?: number;
}

/** The players of a party who take places. Spectators and other excluded roles take none. */
export function membersOf(players: PartySnapshot['players'], mode: Mode): readonly PlayerId[] {
  return players.filter((who) => !isExcluded(who, mode)).map(({ id }) => id);
}

/** The players of a party who take no place. */
export function asideOf(players: PartySnapshot['players'], mode: Mode): readonly PlayerId[] {
  return players.filter((who) => isExcluded(who, mode)).map(({ id }) => id);
}

/** Whether the players who take places are still those the ticket was made for. A lobby may change until its hold. */
export function isAsTicketed(made: readonly PlayerId[], party: PartySnapshot, mode: Mode): boolean {
  const now = new Set(membersOf(party.players, mode));
  return made.length === now.size && made.every((id) => now.has(id));
}
