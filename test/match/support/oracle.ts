// The pool written straight from matching.md section 2: at every event it looks at all anchors,
// oldest first. Exact and slow: the measure of the indexed pool. It shares with it the rules
// (rules.ts) and the arithmetic of holds (hold.ts), nothing else.

import type { TicketId } from '../../../src/ids';
import { CompatibleArrivals, type Hold, holdUntil, startsShort } from '../../../src/match/hold';
import type { Mode } from '../../../src/match/mode';
import { choosePlainly, type PlainTeams, type Promised } from './oracle-teams';
import type { Dropped, Pool, PoolOutcome } from '../../../src/match/pool';
import type { BackfillProposal, OpenMatch, Proposal, QueueStats } from '../../../src/match/proposal';
import { compileRules, stateField } from '../../../src/match/rules';
import type { Ticket } from '../../../src/match/ticket';

interface Entry {
  ticket: Ticket;
  readonly sequence: number;
  enteredAt: number;
  /** Compatible players per ms that had been arriving when it came. */
  rate: number;
  hold: Hold | null;
}

interface Open {
  readonly match: OpenMatch;
  readonly taken: Map<TicketId, Promised>;
}

const POLL_MS = 1000;

/** Whether an event concerns the anchor. */
type Scope = (anchor: Entry) => boolean;

const everyone: Scope = () => true;

class Outcome implements PoolOutcome {
  readonly matches: Proposal[] = [];
  readonly backfills: BackfillProposal[] = [];
  readonly dropped: Dropped[] = [];
}

export function makeOracle(mode: Mode): Pool {
  return new Oracle(mode);
}

class Oracle implements Pool {
  readonly #mode: Mode;
  readonly #rules: ReturnType<typeof compileRules>;
  readonly #teams: PlainTeams;
  readonly #arrivals: CompatibleArrivals;
  #waiting: Entry[] = [];
  readonly #reserved = new Map<TicketId, Entry>();
  readonly #open = new Map<string, Open>();
  #sequence = 0;
  #settledAt = -Infinity;
  #restored = false;
  /** A promised place has come free. */
  #freed = false;

  constructor(mode: Mode) {
    this.#mode = mode;
    this.#rules = compileRules(mode);
    this.#teams = choosePlainly(mode);
    this.#arrivals = new CompatibleArrivals(mode);
  }

  enter(ticket: Ticket, now: number): PoolOutcome {
    const out = new Outcome();
    if (this.has(ticket.id)) {
      return out;
    }
    const at = this.#proceed(now, out);
    const entry = this.#entry(ticket, at);
    this.#arrivals.observe(ticket, at);
    if (!this.#teams.fits(ticket)) {
      out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
    } else if (this.#expiresAt(entry) <= at) {
      out.dropped.push({ ticket: ticket.id, reason: 'timeout' });
    } else {
      this.#insert(entry);
      this.#settleArrivals(at, out, [entry]);
    }
    return out;
  }

  refresh(ticket: Ticket, now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const entry = this.#waiting.find((known) => known.ticket.id === ticket.id);
    if (entry === undefined) {
      return out;
    }
    this.#remove(entry);
    entry.ticket = { ...ticket, startedAt: entry.ticket.startedAt };
    entry.hold = null;
    entry.rate = this.#arrivals.rate(entry.ticket, at);
    if (!this.#teams.fits(ticket)) {
      out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      return out;
    }
    this.#insert(entry);
    this.#settleArrivals(at, out, [entry]);
    return out;
  }

  leave(id: TicketId): void {
    this.#waiting = this.#waiting.filter((entry) => entry.ticket.id !== id);
    this.#reserved.delete(id);
    for (const open of this.#open.values()) {
      this.#freed = open.taken.delete(id) || this.#freed;
    }
  }

  commit(tickets: readonly TicketId[]): void {
    for (const id of tickets) {
      this.#waiting = this.#waiting.filter((entry) => entry.ticket.id !== id);
      this.#reserved.delete(id);
    }
  }

  release(tickets: readonly TicketId[], now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const back: Entry[] = [];
    for (const id of tickets) {
      const entry = this.#reserved.get(id);
      if (entry !== undefined) {
        this.leave(id);
        back.push(entry);
      }
    }
    for (const entry of [...back].sort(byAge)) {
      if (this.#expiresAt(entry) <= at) {
        out.dropped.push({ ticket: entry.ticket.id, reason: 'timeout' });
        back.splice(back.indexOf(entry), 1);
      } else {
        entry.hold = null;
        this.#insert(entry);
      }
    }
    this.#settleArrivals(at, out, back);
    return out;
  }

  advance(now: number): PoolOutcome {
    const out = new Outcome();
    this.#proceed(now, out);
    return out;
  }

  sweep(now: number): PoolOutcome {
    const out = new Outcome();
    this.#settle(this.#proceed(now, out), out, { arrived: [], concerns: everyone });
    return out;
  }

  nextAt(): number | null {
    if (this.#restored || this.#freed) {
      return 0;
    }
    let next = Infinity;
    const sooner = (at: number | null): void => {
      if (at !== null && at < next) {
        next = at;
      }
    };
    for (const anchor of this.#waiting) {
      sooner(this.#expiresAt(anchor));
      sooner(anchor.hold?.due ?? null);
      for (const candidate of this.#waiting) {
        if (candidate !== anchor) {
          sooner(this.#opening(anchor.ticket, candidate.ticket));
        }
      }
      for (const { match } of this.#open.values()) {
        sooner(this.#opening(gameAnchor(match, anchor.ticket), anchor.ticket));
      }
    }
    if (this.#rules.pollsTime && this.#waiting.length > 0) {
      sooner((Math.floor(this.#settledAt / POLL_MS) + 1) * POLL_MS);
    }
    return next === Infinity ? null : next;
  }

  offer(match: OpenMatch, now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const known = this.#open.get(match.matchId)?.taken ?? new Map<TicketId, Promised>();
    const taken = new Map([...known].filter(([id]) => this.#reserved.has(id)));
    this.#open.set(match.matchId, { match, taken });
    this.#settle(at, out, { arrived: [], concerns: everyone });
    return out;
  }

  withdraw(matchId: string): void {
    this.#open.delete(matchId);
  }

  has(id: TicketId): boolean {
    return this.#reserved.has(id) || this.#waiting.some((entry) => entry.ticket.id === id);
  }

  stats(now: number): QueueStats {
    const all = [...this.#waiting, ...this.#reserved.values()];
    const waits = all.map((entry) => Math.max(0, now - entry.ticket.startedAt) / 1000);
    return {
      playersSearching: all.reduce((sum, entry) => sum + entry.ticket.members.length, 0),
      lobbiesInQueue: all.length,
      avgWaitSeconds: all.length === 0 ? 0 : waits.reduce((a, b) => a + b, 0) / all.length,
    };
  }

  restore(ticket: Ticket): void {
    if (!this.has(ticket.id)) {
      this.#insert(this.#entry(ticket, ticket.startedAt));
      this.#restored = true;
    }
  }

  restoreReserved(ticket: Ticket): void {
    if (!this.has(ticket.id)) {
      this.#reserved.set(ticket.id, this.#entry(ticket, ticket.startedAt));
    }
  }

  #entry(ticket: Ticket, now: number): Entry {
    const rate = this.#arrivals.rate(ticket, now);
    return { ticket, sequence: this.#sequence++, enteredAt: now, rate, hold: null };
  }

  /** Runs all events due up to `now`, each at its own instant; the instant reached. */
  #proceed(now: number, out: Outcome): number {
    const target = Math.max(now, this.#settledAt);
    if (this.#restored) {
      this.#restored = false;
      this.#step(target, out, everyone);
    }
    if (this.#freed) {
      this.#freed = false;
      this.#backfillAll(this.#settledAt, out);
    }
    for (let next = this.nextAt(); next !== null && next <= target; next = this.nextAt()) {
      const at = Math.max(next, this.#settledAt);
      this.#step(at, out, this.#rules.pollsTime && at % POLL_MS !== 0 ? this.#openedAt(at) : everyone);
    }
    this.#settledAt = target;
    return target;
  }

  /** Timeouts come before matching at the same instant (matching.md A15). */
  #step(at: number, out: Outcome, concerns: Scope): void {
    let eldest = this.#waiting[0];
    while (eldest !== undefined && this.#expiresAt(eldest) <= at) {
      if (!this.#startWith(eldest, at, out)) {
        this.#remove(eldest);
        out.dropped.push({ ticket: eldest.ticket.id, reason: 'timeout' });
      }
      eldest = this.#waiting[0];
    }
    this.#settle(at, out, { arrived: [], concerns });
  }

  /** A held match starts at once rather than lose a member to the timeout (matching.md A5). */
  #startWith(member: Entry, at: number, out: Outcome): boolean {
    for (const anchor of this.#waiting) {
      const chosen = anchor.hold === null ? null : this.#choose(anchor, at, false);
      if (chosen?.includes(member)) {
        this.#propose(anchor, chosen, false, out);
        return true;
      }
    }
    return false;
  }

  /**
   * Where expressions read the time no instant tells when they become true: between two polls an
   * event concerns only those it touches. Otherwise it makes no difference, and all are asked.
   */
  #settleArrivals(at: number, out: Outcome, arrived: readonly Entry[]): void {
    const touches = (anchor: Entry): boolean =>
      arrived.some(
        (entry) =>
          this.#waiting.includes(entry) &&
          (entry === anchor || this.#isEligible(anchor, entry, at)),
      );
    this.#settle(at, out, { arrived, concerns: this.#rules.pollsTime ? touches : everyone });
  }

  /** Anchors for which a pair opens at this very instant. */
  #openedAt(at: number): Scope {
    const opened = new Set(
      this.#waiting.filter((anchor) =>
        this.#waiting.some(
          (other) =>
            other !== anchor && this.#rules.opensAt(anchor.ticket, other.ticket) === at,
        ),
      ),
    );
    return (anchor) => opened.has(anchor);
  }

  #settle(
    at: number,
    out: Outcome,
    event: { readonly arrived: readonly Entry[]; readonly concerns: Scope },
  ): void {
    this.#settledAt = at;
    for (let index = 0; index < this.#waiting.length; ) {
      const anchor = this.#waiting[index];
      const isAsked = anchor !== undefined && event.concerns(anchor);
      const chosen = isAsked ? this.#choose(anchor, at, true) : null;
      if (anchor !== undefined && chosen !== null) {
        this.#propose(anchor, chosen, true, out);
        index = 0;
      } else {
        index += 1;
      }
    }
    this.#freed = false;
    this.#backfillAll(at, out);
    if (startsShort(this.#mode)) {
      this.#holds(at, out, event);
    }
  }

  #backfillAll(at: number, out: Outcome): void {
    for (const entry of [...this.#waiting]) {
      this.#backfill(entry, at, out);
    }
  }

  #holds(
    at: number,
    out: Outcome,
    event: { readonly arrived: readonly Entry[]; readonly concerns: Scope },
  ): void {
    const here = event.arrived.filter((entry) => this.#waiting.includes(entry));
    for (const anchor of this.#waiting) {
      const { hold } = anchor;
      if (hold === null) {
        if (event.concerns(anchor) && this.#choose(anchor, at, false) !== null) {
          const begun = { since: at, missing: 0, lastArrivalAt: at, due: at };
          anchor.hold = begun;
          this.#look(anchor, begun, at);
        }
        continue;
      }
      for (const entry of here) {
        if (entry !== anchor && this.#isEligible(anchor, entry, at)) {
          hold.missing = Math.max(0, hold.missing - entry.ticket.members.length);
          hold.lastArrivalAt = at;
          hold.due = holdUntil(hold, anchor.rate, this.#mode);
        }
      }
    }
    const due = this.#waiting.filter((entry) => (entry.hold?.due ?? Infinity) <= at);
    due.sort((a, b) => (a.hold?.due ?? 0) - (b.hold?.due ?? 0) || byAge(a, b));
    for (const anchor of due) {
      if (!this.#waiting.includes(anchor) || anchor.hold === null) {
        continue;
      }
      const chosen = this.#choose(anchor, at, false);
      if (chosen === null) {
        anchor.hold = null;
        continue;
      }
      this.#look(anchor, anchor.hold, at);
      if (anchor.hold.due <= at) {
        this.#propose(anchor, chosen, false, out);
      }
    }
  }

  #look(anchor: Entry, hold: Hold, at: number): void {
    const eligible = this.#eligible(anchor, at);
    const players = [anchor, ...eligible].reduce((sum, e) => sum + e.ticket.members.length, 0);
    hold.missing = Math.max(0, this.#mode.teams * this.#mode.playersPerTeam - players);
    hold.lastArrivalAt = Math.max(anchor.enteredAt, ...eligible.map((entry) => entry.enteredAt));
    hold.due = holdUntil(hold, anchor.rate, this.#mode);
  }

  #eligible(anchor: Entry, at: number): readonly Entry[] {
    return this.#waiting.filter(
      (entry) => entry !== anchor && this.#isEligible(anchor, entry, at),
    );
  }

  /** All rules, and a region that both accept (spec: Rule semantics 7). */
  #isEligible(anchor: Entry, candidate: Entry, at: number): boolean {
    return (
      this.#rules.passes(anchor.ticket, candidate.ticket, at) &&
      sharedRegions([anchor, candidate], [anchor, candidate]).length > 0
    );
  }

  /** The oldest exact set (full) or the oldest maximal set (short) with the anchor, or null. */
  #choose(anchor: Entry, at: number, full: boolean): Entry[] | null {
    const pool = this.#eligible(anchor, at);
    let taken: Entry[] = [anchor];
    const possible = (must: readonly Entry[], rest: readonly Entry[]): boolean =>
      sharedRegions([...must, ...rest], must).some((region) => {
        const usable = rest.filter((entry) => accepts(entry, region));
        return this.#teams.arrange(tickets(must), tickets(usable), full) !== null;
      });
    if (!possible(taken, pool)) {
      return null;
    }
    pool.forEach((candidate, index) => {
      if (possible([...taken, candidate], pool.slice(index + 1))) {
        taken = [...taken, candidate];
      }
    });
    return !full && taken.length < 2 ? null : taken.sort(byAge);
  }

  #propose(anchor: Entry, chosen: readonly Entry[], full: boolean, out: Outcome): void {
    const all = tickets(chosen);
    const players = all.reduce((sum, ticket) => sum + ticket.members.length, 0);
    const field = this.#mode.useVersionFromState;
    const version = field === null ? undefined : stateField(anchor.ticket, field);
    out.matches.push({
      anchor: anchor.ticket.id,
      tickets: all.map((ticket) => ticket.id),
      teams: this.#teams.arrange(all, [], full) ?? [],
      region: electRegion(anchor.ticket, all),
      version: version === undefined ? null : String(version),
      full: players === this.#teams.players,
    });
    chosen.forEach((entry) => this.#reserve(entry));
  }

  #backfill(entry: Entry, at: number, out: Outcome): void {
    const byStart = [...this.#open.values()].sort(
      (a, b) =>
        a.match.startedAt - b.match.startedAt || (a.match.matchId < b.match.matchId ? -1 : 1),
    );
    for (const { match, taken } of byStart) {
      const { ticket } = entry;
      const field = this.#mode.useVersionFromState;
      const version = field === null ? undefined : stateField(ticket, field);
      if (
        accepts(entry, match.region) &&
        match.version === (version === undefined ? null : String(version)) &&
        this.#rules.passes(gameAnchor(match, ticket), ticket, at)
      ) {
        const place = this.#teams.place(ticket, match, [...taken.values()]);
        if (place !== null) {
          const proposal = { matchId: match.matchId, ticket: ticket.id, ...place };
          taken.set(ticket.id, { ...place, players: ticket.members.length });
          out.backfills.push(proposal);
          this.#reserve(entry);
          return;
        }
      }
    }
  }

  #opening(anchor: Ticket, candidate: Ticket): number | null {
    const at = this.#rules.opensAt(anchor, candidate);
    return at !== null && at > this.#settledAt ? at : null;
  }

  #expiresAt(entry: Entry): number {
    const { timeout } = this.#mode;
    return timeout > 0 ? entry.ticket.startedAt + timeout * 1000 : Infinity;
  }

  #reserve(entry: Entry): void {
    this.#remove(entry);
    this.#reserved.set(entry.ticket.id, entry);
  }

  #remove(entry: Entry): void {
    this.#waiting = this.#waiting.filter((known) => known !== entry);
  }

  #insert(entry: Entry): void {
    this.#waiting = [...this.#waiting, entry].sort(byAge);
  }
}

function byAge(a: Entry, b: Entry): number {
  return a.ticket.startedAt - b.ticket.startedAt || a.sequence - b.sequence;
}

function tickets(entries: readonly Entry[]): readonly Ticket[] {
  return entries.map((entry) => entry.ticket);
}

/** The game's anchor no longer waits: only the candidate's wait widens (matching.md A17). */
function gameAnchor(match: OpenMatch, candidate: Ticket): Ticket {
  return { ...match.anchor, startedAt: candidate.startedAt };
}

function accepts(entry: Entry, region: string | null): boolean {
  const list = entry.ticket.acceptableRegions;
  return list.length === 0 || (region !== null && list.includes(region));
}

/** Regions worth trying: all that are named and accepted by all of `must`; null for none named. */
function sharedRegions(all: readonly Entry[], must: readonly Entry[]): readonly (string | null)[] {
  const named = new Set(all.flatMap((entry) => entry.ticket.acceptableRegions));
  return [null, ...named].filter((region) => must.every((entry) => accepts(entry, region)));
}

/** spec: Rule semantics 7; matching.md A12. */
function electRegion(anchor: Ticket, all: readonly Ticket[]): string {
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
