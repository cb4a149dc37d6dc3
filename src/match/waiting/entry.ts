// What the pool knows of a ticket, from the time it enters until it is forgotten. A refreshed ticket gets a new entry.

import type { Ticket } from '../ticket/ticket';
import type { TicketClass } from './classes';

/** Tickets that came one soon after the other. */
export interface Burst {
  /** When the first of them came. */
  readonly from: number;
  readonly tickets: number;
  readonly players: number;
}

/** Of an anchor that could start short and waits for more players. */
export interface Patience {
  /** When its set first became possible. */
  readonly since: number;
  /** Players missing to a full match: counted whenever the anchor is looked at, lowered by each eligible arrival. */
  missing: number;
  /** When the last eligible ticket arrived. */
  lastArrivalAt: number;
  burst: Burst;
  /** A step has just lowered the minima far enough: the match starts now (docs/internals/design.md A20). */
  readonly isOver: boolean;
  /** When to look again. The match starts then, unless there is a reason to wait longer. */
  due: number;
}

export interface Entry {
  readonly ticket: Ticket;
  /** The order of arrival, for tickets whose wait began at the same instant. */
  readonly number: number;
  readonly ticketClass: TicketClass;
  /** Only tickets with equal partitions can match. Null if the ticket matches nobody. */
  readonly partition: string | null;
  /** The number that decides the cell. 0 if nothing does. */
  readonly value: number;
  /** When it accepts more regions, epoch ms; Infinity for never. */
  readonly growsAt: number;
  state: 'waiting' | 'reserved' | 'gone';
  /** When a rule next widens to another ticket or running match, epoch ms; null for never. */
  opensAt: number | null;
  /** When a set that would not do will do, epoch ms: it is even enough, or who avoid each other may meet. Null: not known. */
  evenAt: number | null;
  /** Set while the ticket could anchor a short match. */
  patience: Patience | null;
  /** When it came, and how many players per ms had been arriving. Only in modes that start short matches. */
  came: { readonly at: number; readonly rate: number } | null;
}

/** The order of the queue (docs/internals/design.md A1): longest wait first, then order of arrival. */
export function byAge(one: Entry, other: Entry): number {
  return one.ticket.startedAt - other.ticket.startedAt || one.number - other.number;
}

export function isWaiting({ state }: Entry): boolean {
  return state === 'waiting';
}
