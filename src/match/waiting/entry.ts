// What the pool knows of a ticket, from enter until it is forgotten. A ticket that is refreshed gets a new entry.

import type { TicketClass } from './classes';
import type { Patience } from './patience';
import type { Ticket } from '../ticket/ticket';

export interface Entry {
  readonly ticket: Ticket;
  /** Place among those that began to wait at the same instant. */
  readonly number: number;
  readonly ticketClass: TicketClass;
  /** Values that must be equal for two to match; null when it matches nobody. */
  readonly partition: string | null;
  /** The number that decides the cell; 0 where none does. */
  readonly value: number;
  state: 'waiting' | 'reserved' | 'gone';
  /** When something next opens for it, epoch ms; Infinity for never. */
  opensAt: number;
  /** Set while it could start a short match. */
  patience: Patience | null;
  /** Only where matches may start short: when it came, and how many players per ms had been arriving. */
  came: { readonly at: number; readonly rate: number } | null;
}

/** The order of the queue (docs/internals/design.md A1): by the wait, then by arrival. */
export function byAge(one: Entry, other: Entry): number {
  return one.ticket.startedAt - other.ticket.startedAt || one.number - other.number;
}
