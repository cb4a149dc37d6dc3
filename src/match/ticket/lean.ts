// Tickets that share equal parts: names and lists of regions, lists of roles, empty settings. A queue holds up to
// 100,000 tickets, and each came in a message of its own. The contents never change. Only the first thousand distinct
// lists are shared.

import type { PartyMember, Ticket } from './ticket';
import type { PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';

const MOST = 1000;
const NO_SETTINGS: JsonObject = {};

export class LeanTickets {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  /** An equal ticket that shares its parts with others. */
  of(ticket: Ticket): Ticket {
    const members = ticket.members.map(({ id, roles }) => ({ id, roles: this.#list(roles) }));
    return {
      id: ticket.id,
      lobbyId: ticket.lobbyId,
      startedAt: ticket.startedAt,
      members,
      players: ticket.players.map((id, at) => sameId(id, members, at)),
      region: this.#text(ticket.region),
      acceptableRegions: this.#list(ticket.acceptableRegions),
      state: ticket.state,
      metadata: Object.keys(ticket.metadata).length === 0 ? NO_SETTINGS : ticket.metadata,
    };
  }

  #text(text: string): string {
    return shared(this.#texts, text, text);
  }

  #list(list: readonly string[]): readonly string[] {
    // No JSON begins with `=`.
    const key = list.length === 1 ? `=${list[0]}` : JSON.stringify(list);
    return shared(this.#lists, key, list);
  }
}

function shared<T>(known: Map<string, T>, key: string, value: T): T {
  const first = known.get(key);
  if (first === undefined && known.size < MOST) {
    known.set(key, value);
  }
  return first ?? value;
}

/** The member's own string for the id. Nearly always, all players of a lobby queue, in the same order. */
function sameId(id: PlayerId, members: readonly PartyMember[], at: number): PlayerId {
  const member = members[at]?.id === id ? members[at] : members.find((each) => each.id === id);
  return member?.id ?? id;
}
