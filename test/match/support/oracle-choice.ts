// What the oracle chooses, written from docs/internals/design.md: What matching means: the set of an anchor, and
// the region.

import type { Patience } from '../../../src/match/waiting/entry';
import type { OpenMatch } from '../../../src/match/pool';
import type { Ticket } from '../../../src/match/ticket/ticket';
import type { PlainTeams } from './oracle-teams';

export interface Entry {
  ticket: Ticket;
  readonly sequence: number;
  enteredAt: number;
  /** Compatible players per ms that had been arriving when it came. */
  rate: number;
  patience: Patience | null;
}

/** The oldest exact set (full) or the oldest maximal set (short) with the anchor, or null. */
export function choose(
  anchor: Entry,
  eligible: readonly Entry[],
  teams: PlainTeams,
  full: boolean,
): Entry[] | null {
  let taken: Entry[] = [anchor];
  const possible = (must: readonly Entry[], rest: readonly Entry[]): boolean =>
    sharedRegions([...must, ...rest], must).some((region) => {
      const usable = rest.filter((entry) => accepts(entry, region));
      return teams.arrange(tickets(must), tickets(usable), full) !== null;
    });
  if (!possible(taken, eligible)) {
    return null;
  }
  eligible.forEach((candidate, index) => {
    if (possible([...taken, candidate], eligible.slice(index + 1))) {
      taken = [...taken, candidate];
    }
  });
  return !full && taken.length < 2 ? null : taken.sort(byAge);
}

export function byAge(a: Entry, b: Entry): number {
  return a.ticket.startedAt - b.ticket.startedAt || a.sequence - b.sequence;
}

export function tickets(entries: readonly Entry[]): readonly Ticket[] {
  return entries.map((entry) => entry.ticket);
}

/** The game's anchor no longer waits: only the candidate's wait widens (docs/internals/design.md A17). */
export function gameAnchor(match: OpenMatch, candidate: Ticket): Ticket {
  return { ...match.anchor, startedAt: candidate.startedAt };
}

export function accepts(entry: Entry, region: string | null): boolean {
  const list = entry.ticket.acceptableRegions;
  return list.length === 0 || (region !== null && list.includes(region));
}

/** Regions worth trying: all that are named and accepted by all of `must`; null for none named. */
export function sharedRegions(
  all: readonly Entry[],
  must: readonly Entry[],
): readonly (string | null)[] {
  const named = new Set(all.flatMap((entry) => entry.ticket.acceptableRegions));
  return [null, ...named].filter((region) => must.every((entry) => accepts(entry, region)));
}

/** spec: Rule semantics 7; docs/internals/design.md A12. */
export function electRegion(anchor: Ticket, all: readonly Ticket[]): string {
  const lists = all.map((ticket) => ticket.acceptableRegions).filter((list) => list.length > 0);
  const shared = (lists[0] ?? []).filter((region) => lists.every((list) => list.includes(region)));
  const votes = (region: string): number =>
    lists.reduce((sum, list) => sum + 1 / (list.indexOf(region) + 1), 0);
  const rank = (region: string): number => {
    const index = anchor.acceptableRegions.indexOf(region);
    return index < 0 ? Infinity : index;
  };
  const order = (a: string, b: string): number => {
    const lead = votes(b) - votes(a);
    if (Math.abs(lead) > 1e-9) {
      return lead;
    }
    return rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(a) - rank(b);
  };
  return [...shared].sort(order)[0] ?? anchor.region;
}
