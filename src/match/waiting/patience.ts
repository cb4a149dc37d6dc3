// How long a short match waits for a fuller one: its patience (docs/internals/design.md A5). A short pause, or longer if
// recent arrivals promise the missing players soon. Pure arithmetic on instants.

import { Lru } from '../../common/lru';
import type { Mode } from '../rules/mode';
import { stateField } from '../rules/rule-type';
import type { Ticket } from '../ticket/ticket';

/** Lets simultaneous arrivals in before a short match starts. */
const SHORTEST_PATIENCE_MS = 75;
const LONGEST_PATIENCE_MS = 10_000;

/** Memory of a rate of arrivals, ms: an arrival this old weighs 1/e. */
const MEMORY_MS = 30_000;
/** Players choose the names of cells, so their number is bounded. Cells unused for the longest time are forgotten. */
const MOST_CELLS = 65_536;

interface Rate {
  readonly weight: number;
  readonly at: number;
}

/** Of an anchor that could start short and waits for more players. */
export interface Patience {
  /** When its set first became possible. */
  readonly since: number;
  /** Players missing to a full match: counted whenever the anchor is looked at, lowered by each eligible arrival. */
  missing: number;
  /** When the last eligible ticket arrived. */
  lastArrivalAt: number;
  /** When to look again. The match starts then, unless there is a reason to wait longer. */
  due: number;
}

/** True if the mode lets a match start short. Modes with roles ask for exactly their roles (A14). */
export function startsShort(mode: Mode): boolean {
  return (
    mode.teamComposition === null &&
    (mode.minPlayersPerTeam < mode.playersPerTeam || mode.minTeams < mode.teams)
  );
}

/**
 * Until when the anchor waits for a fuller match; `rate` in players per millisecond. Asked again at every eligible
 * arrival and whenever the anchor is looked at, so a lull ends its patience early.
 */
export function patientUntil(patience: Omit<Patience, 'due'>, rate: number, mode: Mode): number {
  const longest = Math.min(LONGEST_PATIENCE_MS, (mode.timeout * 1000) / 4);
  // A burst is not over while its next tickets come within the pause, with or without history.
  const quietFrom = Math.max(patience.since, patience.missing === 0 ? 0 : patience.lastArrivalAt);
  const earliest = Math.min(quietFrom, patience.since + longest) + SHORTEST_PATIENCE_MS;
  const predicted = patience.missing === 0 ? 0 : patience.missing / rate;
  if (!(predicted <= longest)) {
    return earliest;
  }
  const until = Math.min(patience.lastArrivalAt + 2 * predicted, patience.since + longest);
  return Math.max(earliest, Math.ceil(until));
}

function decayed(cell: Rate | undefined, now: number): number {
  return cell === undefined ? 0 : cell.weight * Math.exp(Math.min(0, cell.at - now) / MEMORY_MS);
}

/**
 * How fast players have been arriving in a pool, by what makes tickets compatible: values of equals rules, skill,
 * regions. A cell without history reads zero, so that nobody waits on a guess.
 */
export class CompatibleArrivals {
  readonly #cells = new Lru<Rate>(MOST_CELLS);
  readonly #equals: readonly string[];
  readonly #difference: { readonly field: string; readonly width: number } | null;

  constructor(mode: Mode) {
    this.#equals = mode.rules.flatMap((rule) => (rule.type === 'equals' ? [rule.field] : []));
    const first = mode.rules.find((rule) => rule.type === 'difference');
    this.#difference =
      first === undefined || first.maxDifference <= 0
        ? null
        : { field: first.field, width: first.maxDifference };
  }

  observe(ticket: Ticket, now: number): void {
    const [cell] = this.#window(ticket);
    const base = cell?.name ?? '';
    const players = ticket.members.length;
    const regions = ticket.acceptableRegions.map((region) => `in ${region}`);
    for (const kind of ['any', ...(regions.length === 0 ? ['open'] : regions)]) {
      const name = `${base}|${kind}`;
      const known = this.#cells.get(name);
      const at = Math.max(known?.at ?? -Infinity, now);
      this.#cells.set(name, { weight: decayed(known, now) + players, at });
    }
  }

  /** Players per millisecond that have lately arrived and could have played with the ticket. */
  rate(ticket: Ticket, now: number): number {
    let total = 0;
    for (const { name, share } of this.#window(ticket)) {
      total += share * this.#rateFor(name, ticket, now);
    }
    return total;
  }

  /** Players per millisecond that have lately arrived in the cell. */
  #rateIn(cell: string, now: number): number {
    return decayed(this.#cells.get(cell), now) / MEMORY_MS;
  }

  #rateFor(base: string, ticket: Ticket, now: number): number {
    if (ticket.acceptableRegions.length === 0) {
      return this.#rateIn(`${base}|any`, now);
    }
    const best = ticket.acceptableRegions.map((region) =>
      this.#rateIn(`${base}|in ${region}`, now),
    );
    return Math.max(...best) + this.#rateIn(`${base}|open`, now);
  }

  /** The ticket's own cell first, then its neighbours, each with the share of it that is in reach. */
  #window(ticket: Ticket): readonly { readonly name: string; readonly share: number }[] {
    const base = JSON.stringify(this.#equals.map((field) => stateField(ticket, field) ?? null));
    if (this.#difference === null) {
      return [{ name: base, share: 1 }];
    }
    const value = stateField(ticket, this.#difference.field);
    const scaled = typeof value === 'number' ? value / this.#difference.width : 0;
    const own = Math.floor(scaled);
    const above = scaled - own;
    return [
      { name: `${base}${own}`, share: 1 },
      { name: `${base}${own - 1}`, share: 1 - above },
      { name: `${base}${own + 1}`, share: above },
    ];
  }
}
