// Tickets that share equal parts: names and lists of regions, lists of roles, empty settings. A queue holds up to
// 100,000 tickets, and each came in a message of its own. The contents never change. Only the first thousand distinct
// parts are shared.

import type { Json } from '../../common/json';
import type { Ticket } from './ticket';

const MOST = 1000;

export class LeanTickets {
  readonly #known = new Map<string, unknown>();

  /** An equal ticket that shares its parts with others. */
  of(ticket: Ticket): Ticket {
    const { metadata } = ticket;
    const members = ticket.members.map(({ id, roles }) => ({ id, roles: this.#shared(roles) }));
    return {
      id: ticket.id,
      lobbyId: ticket.lobbyId,
      startedAt: ticket.startedAt,
      members,
      // The member's own string for the id.
      players: ticket.players.map((id) => members.find((each) => each.id === id)?.id ?? id),
      region: this.#shared(ticket.region),
      acceptableRegions: this.#shared(ticket.acceptableRegions),
      state: ticket.state,
      metadata: Object.keys(metadata).length === 0 ? this.#shared(metadata) : metadata,
    };
  }

  #shared<T extends Json>(part: T): T {
    const key = JSON.stringify(part);
    const first = this.#known.get(key);
    if (first === undefined && this.#known.size < MOST) {
      this.#known.set(key, part);
    }
    // What has the same text is the same JSON.
    return (first ?? part) as T;
  }
}
