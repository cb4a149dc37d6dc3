// What an expression sees: two tickets and the mode, nothing else (spec: Rule semantics 5).
// Only own properties: the library asks for own keys, and an object that shadows `constructor`,
// by which the library tells maps from lists, is shown as a Map.

import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';

export type Scope = Record<'a' | 'b' | 'ctx', object>;

/** The scope of one evaluation at `now` (epoch ms). A fresh object: nothing of it is kept. */
export function scopeOf(anchor: Ticket, candidate: Ticket, now: number, mode: Mode): Scope {
  return { a: ticketView(anchor, now), b: ticketView(candidate, now), ctx: mode };
}

function ticketView(ticket: Ticket, now: number): object {
  return {
    id: ticket.id,
    partySize: ticket.members.length,
    waitSeconds: Math.max(0, now - ticket.startedAt) / 1000,
    region: ticket.region,
    acceptableRegions: ticket.acceptableRegions,
    state: ownOnly(ticket.state),
    metadata: ownOnly(ticket.metadata),
  };
}

function ownOnly(value: object): object {
  return Object.hasOwn(value, 'constructor') ? new Map(Object.entries(value)) : value;
}
