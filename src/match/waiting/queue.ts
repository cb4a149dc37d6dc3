// The tickets of a pool: all of them by id, and those that wait by age and by place. One that is reserved for a
// match keeps its age, to wait again should the claim be refused.

import type { TicketId } from '../../common/ids';
import { Cells } from './cells';
import { Classes, type TicketClass } from './classes';
import { byAge, type Entry } from './entry';
import { keyOf, type Plan } from './plan';
import { stateField } from '../rules/rule-type';
import type { Solver } from '../teams/solver';
import { SortedList } from '../../common/sorted-list';
import { type Ticket, valueKey } from '../ticket/ticket';

export class Queue {
  readonly classes: Classes;
  readonly cells: Cells;
  /** Those that wait, eldest first. */
  readonly waiting = new SortedList<Entry>(byAge);
  readonly #plan: Plan;
  readonly #entries = new Map<TicketId, Entry>();
  #numbers = 0;
  /** Waiting tickets of which it is not known when something opens for them. */
  readonly unknown = new Set<Entry>();
  #players = 0;
  /** Starts are summed from the first one on: sums of whole epochs would lose milliseconds. */
  #epoch = 0;
  #starts = 0;

  constructor(plan: Plan, solver: Solver) {
    this.#plan = plan;
    this.classes = new Classes(plan, solver);
    this.cells = new Cells(plan.measure, plan.timeoutMs);
  }

  find(id: TicketId): Entry | undefined {
    return this.#entries.get(id);
  }

  /** When the ticket's time is over; never, in a mode without a timeout (docs/internals/design.md A4). */
  timeoutOf({ ticket }: Entry): number {
    const { timeoutMs } = this.#plan;
    return timeoutMs > 0 ? ticket.startedAt + timeoutMs : Infinity;
  }

  /** The longest wait of any that waits, ms. */
  longestWait(now: number): number {
    const eldest = this.waiting.first;
    return eldest === undefined ? 0 : Math.max(0, now - eldest.ticket.startedAt);
  }

  /** Waiting and reserved, for the statistics; `meanStart` in epoch ms. */
  get totals(): { readonly tickets: number; readonly players: number; readonly meanStart: number } {
    const { size: tickets } = this.#entries;
    const meanStart = this.#epoch + this.#starts / Math.max(1, tickets);
    return { tickets, players: this.#players, meanStart };
  }

  /** Takes a ticket in as reserved; null when no team can ever hold it. */
  add(ticket: Ticket): Entry | null {
    const entry = this.#entryOf(ticket, this.#numbers);
    if (entry !== null) {
      this.#numbers += 1;
      this.#count(entry, 1);
      this.#entries.set(ticket.id, entry);
    }
    return entry;
  }

  /** Puts what is now known of a reserved ticket in the place of what was; null when no team can hold it. */
  replace(before: Entry, given: Ticket): Entry | null {
    const { startedAt } = before.ticket;
    const ticket = given.startedAt === startedAt ? given : { ...given, startedAt };
    const entry = this.#entryOf(ticket, before.number);
    this.forget(before);
    if (entry !== null) {
      this.#count(entry, 1);
      this.#entries.set(ticket.id, entry);
    }
    return entry;
  }

  /** A reserved ticket waits; when something opens for it is not known. */
  wait(entry: Entry): void {
    entry.state = 'waiting';
    this.waiting.add(entry);
    this.cells.add(entry);
    this.unknown.add(entry);
  }

  /** A waiting ticket is reserved. */
  reserve(entry: Entry): void {
    this.unknown.delete(entry);
    this.waiting.delete(entry);
    this.cells.delete(entry);
    entry.state = 'reserved';
  }

  /** Forgets a reserved ticket. */
  forget(entry: Entry): void {
    entry.state = 'gone';
    this.#count(entry, -1);
    this.#entries.delete(entry.ticket.id);
  }

  /** Where a ticket would lie. */
  placeOf(ticket: Ticket): Pick<Entry, 'partition' | 'value'> {
    const { same, numeric, measure } = this.#plan;
    const value = measure === null ? 0 : stateField(ticket, measure.field);
    if (
      typeof value !== 'number' ||
      numeric.some((field) => typeof stateField(ticket, field) !== 'number')
    ) {
      return { partition: null, value: 0 };
    }
    let partition = '';
    for (const { attribute, required } of same) {
      const key = keyOf(ticket, attribute);
      if (key === undefined && required) {
        return { partition: null, value };
      }
      const part = key === undefined ? '?' : valueKey(key);
      // With its length, a value cannot pass for two.
      partition += `${part.length} ${part} `;
    }
    return { partition, value };
  }

  #entryOf(ticket: Ticket, number: number): Entry | null {
    const ticketClass: TicketClass | null = this.classes.of(ticket);
    return ticketClass === null
      ? null
      : {
          ticket,
          number,
          ticketClass,
          ...this.placeOf(ticket),
          state: 'reserved',
          opensAt: Infinity,
          patience: null,
          came: null,
        };
  }

  #count({ ticket, ticketClass }: Entry, sign: 1 | -1): void {
    if (this.#entries.size === 0) {
      this.#epoch = ticket.startedAt;
    }
    this.#players += sign * ticketClass.players;
    this.#starts += sign * (ticket.startedAt - this.#epoch);
  }
}
