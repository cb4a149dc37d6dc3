// What an expression sees: two tickets and the mode, nothing else (spec: Rule semantics 5). Only own properties are
// visible. The library tells maps from lists by `constructor`, so an object that has a field of that name is shown as
// a Map.

import { stateField } from '../ticket/ticket';
import type { Ticket } from '../ticket/ticket';
import { type CelNode, pathOf } from './cel';

export type Scope = Record<'a' | 'b' | 'ctx', object>;

/** The scope of one evaluation at `now` (epoch ms). */
export function scopeOf(anchor: Ticket, candidate: Ticket, now: number, mode: object): Scope {
  return { a: ticketView(anchor, now), b: ticketView(candidate, now), ctx: mode };
}

const FIELDS: Readonly<Record<string, (ticket: Ticket, now: number) => unknown>> = {
  id: ({ id }) => id,
  partySize: ({ members }) => members.length,
  waitSeconds: ({ startedAt }, now) => Math.max(0, now - startedAt) / 1000,
  region: ({ region }) => region,
  acceptableRegions: ({ acceptableRegions }) => acceptableRegions,
  state: ({ state }) => ownOnly(state),
  metadata: ({ metadata }) => ownOnly(metadata),
};

function ticketView(ticket: Ticket, now: number): object {
  return Object.fromEntries(
    Object.entries(FIELDS).map(([name, read]) => [name, read(ticket, now)]),
  );
}

function ownOnly(value: object): object {
  return Object.hasOwn(value, 'constructor') ? new Map(Object.entries(value)) : value;
}

/** A field of a ticket that a program gets by name: half of what an evaluation costs is the way to its fields. */
export interface FieldRead {
  readonly name: string;
  readonly ticket: 'a' | 'b';
  /** Undefined where the ticket has no such field; the evaluation then fails. */
  readonly of: (ticket: Ticket, now: number) => unknown;
}

/** For `a.region`, `b.state.mmr` and the like. Null for anything else. */
export function readOf(node: CelNode): FieldRead | null {
  const [ticket, field, name, ...deeper] = node.op === '.' ? pathOf(node) : [];
  if ((ticket !== 'a' && ticket !== 'b') || field === undefined || deeper.length > 0) {
    return null;
  }
  if (name === undefined) {
    const of = FIELDS[field];
    return of === undefined ? null : { name: `${ticket}_${field}`, ticket, of };
  }
  return field === 'state'
    ? { name: `${ticket}_state_${name}`, ticket, of: (each) => stateField(each, name) }
    : null;
}
