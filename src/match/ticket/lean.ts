// Tickets that share what is the same in many of them: names of regions, lists of them, lists of roles,
// empty settings. A queue holds a hundred thousand, each of which came as a message of its own. Holds
// always: the ticket says the same. Lists beyond the first thousand different ones are not shared.

import type { PartyMember, Ticket } from './ticket';
import type { PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';

const MOST = 1000;
const NO_SETTINGS: JsonObject = {};

export class LeanTickets {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  /** The ticket, made of shared parts as far as they go. */
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
    // No list in JSON begins like one of a single text.
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

/** The same text that the member has: nearly always all players of a lobby queue, in one order. */
function sameId(id: PlayerId, members: readonly PartyMember[], at: number): PlayerId {
  const member = members[at]?.id === id ? members[at] : members.find((each) => each.id === id);
  return member?.id ?? id;
}
