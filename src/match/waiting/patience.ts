// How long a short match waits for a fuller one (docs/internals/design.md A5): a short pause, or longer if recent
// arrivals promise the missing players soon.

import { Lru } from '../../common/lru';
import type { Mode } from '../rules/mode';
import type { Difference } from '../rules/difference';
import { type Accepted, stateField } from '../rules/rule-type';
import { acceptedOf } from '../rules/rules';
import { numberField, type Ticket } from '../ticket/ticket';
import { SortedList } from '../../common/sorted-list';
import type { Slices } from '../teams/steps';
import { entriesIn } from './cells';
import { type Burst, byAge, type Entry, isWaiting, type Patience } from './entry';
import type { Aim, Queue } from './queue';
import type { AnchorSearch } from './search';

/** Lets simultaneous arrivals in before a short match starts. */
const SHORTEST_PATIENCE_MS = 75;
const LONGEST_PATIENCE_MS = 10_000;
/** Tickets of a burst come within less than this of each other. */
const BURST_GAP_MS = 1_000;
/** From so many tickets on a burst has a pace. Two may have come together by chance. */
const BURST_TICKETS = 3;
/** A burst is over when nobody has come for so many of its usual gaps. The pace of its first few tickets may mislead. */
const BURST_GAPS = 75;

/** Memory of a rate of arrivals, ms: an arrival this old weighs 1/e. */
const MEMORY_MS = 30_000;
/** Players choose the names of cells, so their number is bounded. Cells unused for the longest time are forgotten. */
const MOST_CELLS = 65_536;

type ArrivalRate = { readonly weight: number; readonly at: number };
/** What a mode says of waits: its timeout, in seconds, and the fewest players of a match by its own minima. */
export type PatienceTerms = { readonly timeout: number; readonly fewest: number };
/** What decides how long an anchor waits. */
type Wanting = Omit<Patience, 'due' | 'isOver'>;
type Arrival = { readonly at: number; readonly players: number };
type LastBurst = Pick<Patience, 'burst' | 'lastArrivalAt'>;

/** Until when the anchor waits for more; `rate` in players per ms. Asked at each arrival, so a lull ends it early. */
export function patientUntil(patience: Wanting, rate: number, terms: PatienceTerms): number {
  const { since, missing, lastArrivalAt } = patience;
  const longest = longestPatience(terms);
  const latest = since + longest;
  // A burst is not over while its next tickets come within the pause, with or without history.
  const quietFrom = missing === 0 ? since : Math.max(since, lastArrivalAt);
  const quietUntil = Math.min(quietFrom, latest) + SHORTEST_PATIENCE_MS;
  const comeInMs = missing === 0 ? 0 : missing / rate;
  const forecastUntil = lastArrivalAt + (comeInMs <= longest ? 2 * comeInMs : 0);
  const burstUntil = lastArrivalAt + lullOf(patience, terms);
  const awaitedUntil = Math.min(Math.max(forecastUntil, burstUntil), latest);
  return Math.max(quietUntil, Math.ceil(awaitedUntil));
}

/** For how long a match that may start short can wait for more, ms. */
export function longestPatience({ timeout }: Pick<PatienceTerms, 'timeout'>): number {
  return Math.min(LONGEST_PATIENCE_MS, (timeout * 1000) / 4);
}

/**
 * How long nobody comes before the burst counts as over (decision 65); 0 if there is none, or it would not bring the
 * missing players in time. If they are too few to play without this match, it may wait for them twice as long.
 */
function lullOf({ missing, lastArrivalAt, burst }: Wanting, terms: PatienceTerms): number {
  const tookMs = lastArrivalAt - burst.from;
  const neededMs = (missing * tookMs) / burst.players;
  if (missing === 0 || burst.tickets < BURST_TICKETS || neededMs > longestPatience(terms)) {
    return 0;
  }
  const most = missing < terms.fewest ? 2 * BURST_GAP_MS : BURST_GAP_MS;
  return Math.min(most, (BURST_GAPS * tookMs) / (burst.tickets - 1));
}

/** Whether a burst may still bring the missing players. */
export function isInBurst(patience: Patience | null, now: number, terms: PatienceTerms): boolean {
  return patience !== null && patience.lastArrivalAt + lullOf(patience, terms) > now;
}

/** The burst after so many players more have come. */
export function burstWith({ burst, lastArrivalAt }: LastBurst, players: number, at: number): Burst {
  return at - lastArrivalAt >= BURST_GAP_MS
    ? { from: at, tickets: 1, players }
    : { from: burst.from, tickets: burst.tickets + 1, players: burst.players + players };
}

/** The last of the arrivals, and the burst that brought it. */
export function lastBurst(arrivals: readonly Arrival[]): LastBurst {
  let last = { burst: { from: 0, tickets: 0, players: 0 }, lastArrivalAt: -Infinity };
  for (const { at, players } of arrivals.toSorted((one, other) => one.at - other.at)) {
    last = { burst: burstWith(last, players, at), lastArrivalAt: at };
  }
  return last;
}

function decayed(cell: ArrivalRate | undefined, now: number): number {
  return cell === undefined ? 0 : cell.weight * Math.exp(Math.min(0, cell.at - now) / MEMORY_MS);
}

/** How fast players arrive, by equals values, skill and region. No history reads 0, so that nobody waits on a guess. */
export class CompatibleArrivals {
  readonly #cells = new Lru<ArrivalRate>(MOST_CELLS);
  readonly #accepted: Accepted;
  readonly #equals: readonly string[];
  readonly #difference: Difference | null;

  constructor(mode: Mode) {
    this.#accepted = acceptedOf(mode);
    this.#equals = mode.rules.flatMap((rule) => (rule.type === 'equals' ? [rule.field] : []));
    const first = mode.rules.find((rule) => rule.type === 'difference');
    this.#difference = first !== undefined && first.maxDifference > 0 ? first : null;
  }

  observe(ticket: Ticket, now: number): void {
    const [cell] = this.#window(ticket);
    if (cell === undefined) {
      return;
    }
    const players = ticket.members.length;
    const regions = this.#accepted.by(ticket, now)?.map((region) => `in ${region}`) ?? ['open'];
    for (const kind of ['any', ...regions]) {
      const name = `${cell.name}|${kind}`;
      const known = this.#cells.get(name);
      const at = Math.max(known?.at ?? -Infinity, now);
      this.#cells.set(name, { weight: decayed(known, now) + players, at });
    }
  }

  /** Players per millisecond that have lately arrived and could have played with the ticket. */
  rate(ticket: Ticket, now: number): number {
    const window = this.#window(ticket);
    const rateOf = (kind: string): number =>
      window.reduce((sum, { name, share }) => {
        return sum + share * decayed(this.#cells.get(`${name}|${kind}`), now);
      }, 0) / MEMORY_MS;
    const rates = this.#accepted.by(ticket, now)?.map((region) => rateOf(`in ${region}`));
    // They all play in one region.
    return rates === undefined ? rateOf('any') : Math.max(0, ...rates) + rateOf('open');
  }

  /** The ticket's own cell first, then its neighbours, each with the share of it that is in reach. None: it lacks the number. */
  #window(ticket: Ticket): readonly { readonly name: string; readonly share: number }[] {
    const base = JSON.stringify(this.#equals.map((field) => stateField(ticket, field) ?? null));
    if (this.#difference === null) {
      return [{ name: base, share: 1 }];
    }
    const { field: compared, maxDifference } = this.#difference;
    const value = numberField(ticket, compared);
    if (value === null) {
      return [];
    }
    const scaled = value / maxDifference;
    const own = Math.floor(scaled);
    const above = scaled - own;
    return [
      { name: `${base}${own}`, share: 1 },
      { name: `${base}${own - 1}`, share: 1 - above },
      { name: `${base}${own + 1}`, share: above },
    ];
  }
}

/** The anchors that could start short: those with a possible short match. Whether one still has it is checked lazily. */
export class PatientAnchors {
  readonly arrivals: CompatibleArrivals;
  readonly #queue: Queue;
  readonly #search: AnchorSearch;
  readonly #terms: PatienceTerms;
  readonly #due = new SortedList<Entry>(
    (a, b) => (a.patience?.due ?? 0) - (b.patience?.due ?? 0) || byAge(a, b),
  );

  constructor(queue: Queue, search: AnchorSearch) {
    this.#queue = queue;
    this.#search = search;
    this.#terms = { timeout: queue.plan.mode.timeout, fewest: queue.solver.fewest };
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

  /** Tells the patient anchors of a newcomer. */
  *tell(newcomer: Entry): Slices {
    for (const anchor of yield* this.#patientWith(newcomer, 'short')) {
      const { patience } = anchor;
      if (patience !== null) {
        const { players } = newcomer.ticketClass;
        const { now } = this.#queue;
        const missing = Math.max(0, patience.missing - players);
        const burst = burstWith(patience, players, now);
        this.#wait(anchor, { ...patience, missing, lastArrivalAt: now, burst });
      }
    }
  }

  /** Makes the anchor patient if it could start short and is not patient yet. */
  *begin(anchor: Entry): Slices {
    if (isWaiting(anchor) && anchor.patience === null && (yield* this.#couldStart(anchor))) {
      const { now } = this.#queue;
      yield* this.#look(anchor, { since: now, isOver: false });
    }
  }

  /** A step has come for the anchor: if it can start short, its patience is over. Bots wait for a burst (decision 65). */
  *end(anchor: Entry): Slices {
    if (isWaiting(anchor) && (yield* this.#couldStart(anchor))) {
      const { now } = this.#queue;
      yield* this.#look(anchor, { since: now, isOver: false });
      const { patience } = anchor;
      const waits = this.#queue.solverOf(anchor).bots && isInBurst(patience, now, this.#terms);
      if (patience !== null && !waits) {
        this.set(anchor, { ...patience, isOver: true, due: now });
      }
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
        this.set(anchor, { ...patience, due: Infinity });
      } else if (!(yield* this.#couldStart(anchor))) {
        this.set(anchor, null);
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

  /** Counts how many players are missing to a set that has been possible `since`, and when the others came. */
  *#look(anchor: Entry, { since, isOver }: Pick<Patience, 'since' | 'isOver'>): Slices {
    const full = this.#queue.solver.players;
    let { players } = anchor.ticketClass;
    const arrivals = [{ at: anchor.came?.at ?? since, players }];
    for (const other of entriesIn(this.#queue.around(anchor))) {
      if (this.#queue.look(1)) {
        yield;
      }
      if (other !== anchor && this.#search.isEligible(anchor, other, 'short')) {
        players += other.ticketClass.players;
        arrivals.push({ at: other.came?.at ?? -Infinity, players: other.ticketClass.players });
        if (players >= full) {
          break;
        }
      }
    }
    if (isWaiting(anchor)) {
      const missing = Math.max(0, full - players);
      this.#wait(anchor, { since, isOver, missing, ...lastBurst(arrivals) });
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

  #wait(anchor: Entry, patience: Omit<Patience, 'due'>): void {
    const { now } = this.#queue;
    // A burst holds bots back, and who may come otherwise does not (docs/internals/design.md A23).
    const rate = this.#queue.solverOf(anchor).bots ? 0 : (anchor.came?.rate ?? 0);
    const due = patientUntil(patience, rate, this.#terms);
    this.set(anchor, { ...patience, due: patience.isOver ? now : due });
  }

  /** Null: the ticket is not patient any more, or does not wait any more. */
  set(entry: Entry, patience: Patience | null): void {
    if (entry.patience !== null) {
      this.#due.delete(entry);
    }
    entry.patience = patience;
    if (patience !== null) {
      this.#due.add(entry);
    }
  }
}
