// A search has a ticket in the queue of each of its modes. One is in front, in the fields of the search itself, and a
// lobby holds with that one alone: so there is one hold, whatever queue asks (record 0065).

import type { TicketId } from '../common/ids';
import type { Search, SearchTicket } from './lobby';

/** All of them, the one in front first. */
export function ticketsOf(search: Search | null | undefined): readonly SearchTicket[] {
  return search ? [search, ...(search.also ?? [])] : [];
}

export function ticketIn(
  search: Search | null | undefined,
  id: TicketId,
): SearchTicket | undefined {
  return ticketsOf(search).find(({ ticketId }) => ticketId === id);
}

export function furtherTicket(first: TicketId, index: number): TicketId {
  return `${first}-${index + 1}` as TicketId;
}

/** The mode that players see as the search's: the first of those that are left. */
export function firstMode({ modes, mode }: Pick<Search, 'modes' | 'mode'>): string {
  return modes?.[0] ?? mode;
}

/** The modes in whose queues it waits now, the first one first. */
export function queuesOf(search: Search): readonly string[] {
  const now = new Set(queued(ticketsOf(search)).map(({ mode }) => mode));
  return (search.modes ?? [search.mode]).filter((mode) => now.has(mode));
}

/** Those in their queues: others enter when their time comes. */
export function queued(tickets: readonly SearchTicket[]): readonly SearchTicket[] {
  return tickets.filter(({ entersAt }) => entersAt === undefined);
}

export function shifted(ticket: SearchTicket, ms: number): SearchTicket {
  const { waitsFrom = 0, giveUpAt, entersAt } = ticket;
  const comes = entersAt === undefined ? {} : { entersAt: entersAt + ms };
  return { ...ticket, waitsFrom: waitsFrom + ms, giveUpAt: giveUpAt + ms, ...comes };
}

function fronted(search: Search, next: SearchTicket, also: readonly SearchTicket[]): Search {
  return { ...search, entersAt: undefined, ...next, also };
}

/** The search with that ticket in front. Null: no queue has that ticket, or the lobby is held with another one. */
export function facing(search: Search, id: TicketId): Search | null {
  const { ticketId, mode, waitsFrom, giveUpAt, holdSeq, entersAt, also = [] } = search;
  const next = queued(ticketsOf(search)).find((each) => each.ticketId === id);
  if (next === undefined || next === search) {
    return next === undefined ? null : search;
  }
  const before = { ticketId, mode, waitsFrom, giveUpAt, holdSeq, entersAt };
  const others = also.filter((each) => each !== next);
  return search.hold === null ? fronted(search, next, [before, ...others]) : null;
}

export function ticketChanged(search: Search, id: TicketId, change: Partial<SearchTicket>): Search {
  const its = <T extends SearchTicket>(each: T): T =>
    each.ticketId === id ? { ...each, ...change } : each;
  return { ...its(search), ...(search.also && { also: search.also.map(its) }) };
}

/** The search without that ticket; null: it was the last. If all others have yet to enter, the first of them does now. */
export function dropping(search: Search, id: TicketId, now: number): Search | null {
  const gone = ticketIn(search, id)?.mode;
  const modes = search.modes?.filter((mode) => mode !== gone);
  const left = (search.also ?? []).filter(({ ticketId }) => ticketId !== id);
  if (search.ticketId !== id) {
    return { ...search, modes, also: left };
  }
  const [next, ...others] = left.toSorted((a, b) => (a.entersAt ?? 0) - (b.entersAt ?? 0));
  if (next === undefined) {
    return null;
  }
  const early = Math.min(0, now - (next.entersAt ?? now));
  return { ...fronted(search, shifted(next, early), others), modes, hold: null };
}
