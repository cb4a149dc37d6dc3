// What the oracle chooses, written from docs/internals/design.md: What matching means: the set of an anchor.

import type { OpenMatch } from '../../../src/match/pool';
import type { Ticket } from '../../../src/match/ticket/ticket';
import type { Patience } from './oracle-patience';
import type { PlainTeams } from './oracle-teams';

export interface Entry {
  ticket: Ticket;
  readonly sequence: number;
  enteredAt: number;
  /** Compatible players per ms that had been arriving when it came. */
  rate: number;
  patience: Patience | null;
  /** That it accepts by the last instant at which they became more; null for any. */
  regions: readonly string[] | null;
  /** When they become more; Infinity for never. */
  growsAt: number;
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
    return isAlone(anchor, teams, full) ? taken : null;
  }
  eligible.forEach((candidate, index) => {
    if (possible([...taken, candidate], eligible.slice(index + 1))) {
      taken = [...taken, candidate];
    }
  });
  return taken.sort(byAge);
}

/** Rules and regions are about others, so they say nothing of a lobby that is a match alone (docs/internals/design.md A7). */
export function isAlone({ ticket }: Entry, teams: PlainTeams, full: boolean): boolean {
  return teams.arrange([ticket], [], full) !== null;
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
  const list = entry.regions;
  return list === null || (region !== null && list.includes(region));
}

/** Regions worth trying: all that are named and accepted by all of `must`; null for none named. */
export function sharedRegions(
  all: readonly Entry[],
  must: readonly Entry[],
): readonly (string | null)[] {
  const named = new Set(all.flatMap(({ regions }) => regions ?? []));
  return [null, ...named].filter((region) => must.every((entry) => accepts(entry, region)));
}
