// What an expression sees: two tickets and the mode, nothing else (spec: Rule semantics 5). Only own properties are
// visible. The library tells maps from lists by `constructor`, so an object that has a field of that name is shown as
// a Map.

import type { Ticket } from '../ticket/ticket';

export type Scope = Record<'a' | 'b' | 'ctx', object>;

/** The scope of one evaluation at `now` (epoch ms). */
export function scopeOf(anchor: Ticket, candidate: Ticket, now: number, mode: object): Scope {
  return { a: ticketView(anchor, now), b: ticketView(candidate, now), ctx: mode };
}

function ticketView(ticket: Ticket, now: number): object {
  const { id, members, region, acceptableRegions, state, metadata } = ticket;
  return {
    id,
    partySize: members.length,
    waitSeconds: waitSeconds(ticket, now),
    region,
    acceptableRegions,
    state: ownOnly(state),
    metadata: ownOnly(metadata),
  };
}

export function waitSeconds({ startedAt }: Ticket, now: number): number {
  return Math.max(0, now - startedAt) / 1000;
}

function ownOnly(value: object): object {
  return Object.hasOwn(value, 'constructor') ? new Map(Object.entries(value)) : value;
}
