// How long a short match waits for a fuller one: its patience (docs/internals/design.md A5). A short pause, or longer if
// recent arrivals promise the missing players soon.

import { Lru } from '../../common/lru';
import type { Mode } from '../rules/mode';
import { stateField } from '../rules/rule-type';
import type { Ticket } from '../ticket/ticket';
import { SortedList } from '../../common/sorted-list';
import type { Slices } from '../teams/steps';
import { entriesIn } from './cells';
import { byAge, type Entry, isWaiting, type Patience } from './entry';
import type { Aim, Queue } from './queue';
import type { Search } from './search';

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
    const rateIn = (cell: string): number => decayed(this.#cells.get(cell), now) / MEMORY_MS;
    let total = 0;
    for (const { name, share } of this.#window(ticket)) {
      const rates = ticket.acceptableRegions.map((region) => rateIn(`${name}|in ${region}`));
      const rate =
        rates.length === 0 ? rateIn(`${name}|any`) : Math.max(...rates) + rateIn(`${name}|open`);
      total += share * rate;
    }
    return total;
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

/**
 * The anchors that could start short. Every waiting anchor with a possible short match is patient. That one no longer has
 * such a match is found out when it is looked at.
 */
export class PatientAnchors {
  readonly arrivals: CompatibleArrivals;
  readonly #queue: Queue;
  readonly #search: Search;
  readonly #due = new SortedList<Entry>(
    (a, b) => (a.patience?.due ?? 0) - (b.patience?.due ?? 0) || byAge(a, b),
  );

  constructor(queue: Queue, search: Search) {
    this.#queue = queue;
    this.#search = search;
    this.arrivals = new CompatibleArrivals(queue.plan.mode);
  }

  /** When the next patience ends; Infinity for never. */
  get next(): number {
    return this.#due.first?.patience?.due ?? Infinity;
  }

  /** The ticket came `at` that instant. What has been arriving until `now` is its forecast. */
  measure(entry: Entry, at: number, now = at): void {
    entry.came = { at, rate: this.arrivals.rate(entry.ticket, now) };
  }

  /** The ticket is not patient any more, or does not wait any more. */
  forget(entry: Entry): void {
    this.#set(entry, null);
  }

  /** Tells the patient anchors of a newcomer. */
  *tell(newcomer: Entry): Slices {
    for (const anchor of yield* this.#patientWith(newcomer, 'short')) {
      const { patience } = anchor;
      if (patience !== null) {
        const missing = Math.max(0, patience.missing - newcomer.ticketClass.players);
        this.#wait(anchor, { ...patience, missing, lastArrivalAt: this.#queue.now });
      }
    }
  }

  /** Makes the anchor patient if it could start short and is not patient yet. */
  *begin(anchor: Entry): Slices {
    if (isWaiting(anchor) && anchor.patience === null && (yield* this.#couldStart(anchor))) {
      const { now } = this.#queue;
      yield* this.#look(anchor, { since: now, missing: 0, lastArrivalAt: now, due: now });
    }
  }

  /** The next anchor whose patience has ended; null if there is none. */
  *nextEnded(): Slices<Entry | null> {
    for (let anchor = this.#due.first; anchor !== undefined; anchor = this.#due.first) {
      const { patience } = anchor;
      if (patience === null || patience.due > this.#queue.now) {
        return null;
      }
      if (this.#queue.isOver(anchor)) {
        // It is looked at once more when its timeout is handled.
        this.#set(anchor, { ...patience, due: Infinity });
      } else if (!(yield* this.#couldStart(anchor))) {
        this.forget(anchor);
      } else {
        yield* this.#look(anchor, patience);
        if (anchor.patience !== null && anchor.patience.due <= this.#queue.now) {
          return anchor;
        }
      }
    }
    return null;
  }

  /** The patient anchors that could play with a member who would otherwise be lost to the timeout, eldest first. */
  *anchorsWith(member: Entry): Slices<readonly Entry[]> {
    const others = yield* this.#patientWith(member, 'late');
    return [...others, ...(member.patience === null ? [] : [member])].sort(byAge);
  }

  *#couldStart(anchor: Entry): Slices<boolean> {
    if (this.#queue.steps.left <= 0) {
      yield;
    }
    return (yield* this.#search.attempt(anchor, 'short')) !== null;
  }

  /** Counts how many players are missing, and when the last one came. */
  *#look(anchor: Entry, before: Patience): Slices {
    const full = this.#queue.plan.mode.teams * this.#queue.plan.mode.playersPerTeam;
    let { players } = anchor.ticketClass;
    let lastArrivalAt = anchor.came?.at ?? before.since;
    for (const other of entriesIn(this.#queue.around(anchor))) {
      if (this.#queue.look(1)) {
        yield;
      }
      if (other !== anchor && this.#search.isEligible(anchor, other, 'short')) {
        players += other.ticketClass.players;
        lastArrivalAt = Math.max(lastArrivalAt, other.came?.at ?? -Infinity);
        if (players >= full) {
          break;
        }
      }
    }
    if (isWaiting(anchor)) {
      this.#wait(anchor, { ...before, missing: Math.max(0, full - players), lastArrivalAt });
    }
  }

  *#patientWith(newcomer: Entry, aim: Aim): Slices<readonly Entry[]> {
    const found: Entry[] = [];
    const around = this.#due.size === 0 ? [] : this.#queue.around(newcomer);
    for (const anchor of entriesIn(around)) {
      if (this.#queue.look(1)) {
        yield;
      }
      const isOther = anchor !== newcomer && anchor.patience !== null;
      if (isOther && this.#search.isEligible(anchor, newcomer, aim)) {
        found.push(anchor);
      }
    }
    return found;
  }

  #wait(anchor: Entry, patience: Patience): void {
    const due = patientUntil(patience, anchor.came?.rate ?? 0, this.#queue.plan.mode);
    this.#set(anchor, { ...patience, due });
  }

  #set(entry: Entry, patience: Patience | null): void {
    if (entry.patience !== null) {
      this.#due.delete(entry);
    }
    entry.patience = patience;
    if (patience !== null) {
      this.#due.add(entry);
    }
  }
}
