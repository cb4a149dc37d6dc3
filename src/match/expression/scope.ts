// What an expression sees: two tickets and the mode, nothing else (spec: Rule semantics 5).
// Only own properties: the library asks for own keys, and an object that shadows `constructor`,
// by which the library tells maps from lists, is shown as a Map.

import type { Ticket } from '../ticket/ticket';

export type Scope = Record<'a' | 'b' | 'ctx', object>;

export interface Pair {
  readonly anchor: Ticket;
  readonly candidate: Ticket;
  /** Epoch ms. */
  readonly now: number;
}

/** The scope of one evaluation at `now` (epoch ms). A fresh object: nothing of it is kept. */
export function scopeOf(anchor: Ticket, candidate: Ticket, now: number, mode: object): Scope {
  return { a: ticketView(anchor, now), b: ticketView(candidate, now), ctx: mode };
}

/** Scopes of one expression: of two pairs asked one after the other, one ticket is mostly the same. */
export class Scopes {
  readonly #scope: Scope;
  #anchor: Ticket | null = null;
  #candidate: Ticket | null = null;
  #now = NaN;

  constructor(mode: object) {
    this.#scope = { a: mode, b: mode, ctx: mode };
  }

  /** It holds until the next is asked for. */
  of({ anchor, candidate, now }: Pair): Scope {
    const isSameTime = now === this.#now;
    this.#now = now;
    if (anchor !== this.#anchor || !isSameTime) {
      this.#anchor = anchor;
      this.#scope.a = ticketView(anchor, now);
    }
    if (candidate !== this.#candidate || !isSameTime) {
      this.#candidate = candidate;
      this.#scope.b = ticketView(candidate, now);
    }
    return this.#scope;
  }
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
