// The tickets of a queue as the game's own matcher reads them (record 0107): a log of which came, changed or went, in memory. A reader
// knows its place in the log. Of another log, as before the object woke, it gets all tickets from the beginning.

import type { TicketId } from '../../common/ids';
import { waitOf, type Wait } from '../../common/later';
import type { ActorPorts } from '../contracts/actor-ports';
import type { TicketPage } from '../contracts/queue';
import type { SavedTickets } from './tickets';

/** How many changes a page has at most. */
const MOST = 100;
/** The log begins anew when it is so much longer than the queue. */
const SPARE = 5_000;

export class TicketFeed {
  readonly #ports: ActorPorts;
  readonly #tickets: SavedTickets;
  /** The ticket of each change. */
  #log: TicketId[] = [];
  /** The last change of each ticket in the log. */
  readonly #last = new Map<TicketId, number>();
  #id = '';
  /** How long the log was when its readers were last told. */
  #told = 0;
  readonly #readers = new Set<Wait>();

  /** All tickets must have been read. */
  constructor(ports: ActorPorts, tickets: SavedTickets) {
    this.#ports = ports;
    this.#tickets = tickets;
    this.#begin();
  }

  #begin(): void {
    this.#id = this.#ports.uuid();
    this.#log = [...this.#tickets.byWait].map(({ id }) => id);
    this.#last.clear();
    this.#log.forEach((id, at) => this.#last.set(id, at));
    this.#told = this.#log.length;
  }

  note(id: TicketId): void {
    this.#last.set(id, this.#log.push(id) - 1);
  }

  /** What was noted is saved, if anything was. */
  tell(): void {
    if (this.#log.length === this.#told) {
      return;
    }
    if (this.#log.length > 2 * this.#tickets.byId.size + SPARE) {
      this.#begin();
    }
    this.#told = this.#log.length;
    this.#readers.forEach(({ end }) => end());
  }

  /** As soon as there is anything, or `waitMs` have passed. */
  async read(after: string, waitMs: number): Promise<TicketPage> {
    const page = this.#page(after);
    if (waitMs === 0 || page.isWhole || page.tickets.length + page.gone.length > 0) {
      return page;
    }
    const wait = waitOf(this.#ports, waitMs);
    this.#readers.add(wait);
    await wait.over;
    this.#readers.delete(wait);
    return this.#page(after);
  }

  #page(after: string): TicketPage {
    const [id = '', place = ''] = after.split('.');
    const isWhole = id !== this.#id || !/^\d{1,15}$/.test(place);
    const changed: TicketId[] = [];
    let at = isWhole ? 0 : Number(place);
    for (; at < this.#log.length && changed.length < MOST; at += 1) {
      const ticket = this.#log[at];
      if (ticket !== undefined && this.#last.get(ticket) === at) {
        changed.push(ticket);
      }
    }
    const tickets = changed.flatMap((each) => this.#tickets.get(each)?.ticket ?? []);
    const gone = changed.filter((each) => this.#tickets.get(each) === undefined);
    return { tickets, gone, next: `${this.#id}.${at}`, isWhole };
  }
}
