// Whom each player of a one against one met last (docs/internals/design.md A22), as far as the journal is read back.

import type { PlayerId } from '../../common/ids';
import { Lru } from '../../common/lru';
import type { Mode } from '../rules/mode';
import { avoiding } from '../ticket/avoids';
import type { Ticket } from '../ticket/ticket';
import type { Line } from './lines';

const MATCHES = 3;
/** Players who are remembered: those who were matched last. */
const PLAYERS = 10_000;

export class Opponents {
  readonly #mode: () => Mode | null;
  /** One entry for each of the last matches, the latest first. */
  readonly #met = new Lru<readonly (readonly PlayerId[])[]>(PLAYERS);

  /** `mode`: as it is saved now. Nothing is remembered while it allows rematches. */
  constructor(mode: () => Mode | null) {
    this.#mode = mode;
  }

  told(line: Line): void {
    const isDuel = line.k === 'formed' && line.kind === 'new' && this.#mode()?.rematch === 'avoid';
    const parties = isDuel ? line.parties : [];
    for (const party of parties) {
      const met = parties.flatMap((each) => (each === party ? [] : each.players));
      for (const id of party.players) {
        this.#met.set(id, [met, ...(this.#met.get(id) ?? [])].slice(0, MATCHES));
      }
    }
  }

  /** The ticket, with the last opponents of its players among those whom they avoid. */
  avoided(ticket: Ticket): Ticket {
    const isAvoided = this.#mode()?.rematch === 'avoid';
    const met = isAvoided ? ticket.players.flatMap((id) => this.#met.get(id) ?? []) : [];
    return met.length === 0
      ? ticket
      : { ...ticket, ...avoiding([ticket.avoids, ...met], ticket.players) };
  }
}
