// The pool written straight from docs/internals/design.md: What matching means: at every event it looks at all
// anchors, oldest first. Exact and slow: the measure of the indexed pool. It shares the rules with it, and nothing else:
// lint lets no file of the oracle import anything of src/match/waiting.

import type { Work } from '../../../packages/js/src/dashboard-types';
import type { TicketId } from '../../../src/common/ids';
import type { Mode } from '../../../src/match/rules/mode';
import {
  type BackfillProposal,
  LATE_MS,
  type OpenMatch,
  type PoolOutcome,
} from '../../../src/match/pool';
import { compileRules } from '../../../src/match/rules/rules';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { meetAt } from './oracle-avoid';
import { byAge, type Entry, gameAnchor } from './oracle-choice';
import { Arrivals } from './oracle-patience';
import { everyone, type Event, OracleQueue, Outcome, type Scope } from './oracle-queue';
import { stepsOf } from './oracle-sizes';
import { choosePlainly, type PlainTeams, type Promised } from './oracle-teams';
import type { PlainPool } from './trace';

const POLL_MS = 1000;

export function makeOracle(mode: Mode): PlainPool {
  return new Oracle(mode);
}

class Oracle implements PlainPool {
  readonly #mode: Mode;
  readonly #rules: ReturnType<typeof compileRules>;
  readonly #teams: PlainTeams;
  readonly #queue: OracleQueue;
  readonly #arrivals: Arrivals;
  #sequence = 0;
  #settledAt = -Infinity;
  #restored = false;
  /** A promised place has come free. */
  #freed = false;

  constructor(mode: Mode) {
    this.#mode = mode;
    this.#rules = compileRules(
      mode,
      mode.rules.filter(({ type }) => type !== 'latency'),
    );
    this.#teams = choosePlainly(mode);
    this.#queue = new OracleQueue(mode, this.#rules, this.#teams);
    this.#arrivals = new Arrivals(mode);
  }

  enter(ticket: Ticket, now: number): PoolOutcome {
    const out = new Outcome();
    if (this.has(ticket.id)) {
      return out;
    }
    const at = this.#proceed(now, out);
    const entry = this.#entry(ticket, at);
    this.#arrivals.came(ticket, at);
    if (!this.#teams.fits(ticket)) {
      out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
    } else if (this.#queue.expiresAt(entry) <= at) {
      out.dropped.push({ ticket: ticket.id, reason: 'timeout' });
    } else {
      this.#queue.insert(entry);
      this.#settleArrivals(at, out, [entry]);
    }
    return out;
  }

  refresh(ticket: Ticket, now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const entry = this.#queue.waiting.find((known) => known.ticket.id === ticket.id);
    if (entry === undefined) {
      return out;
    }
    this.#queue.remove(entry);
    entry.ticket = { ...ticket, startedAt: entry.ticket.startedAt };
    entry.patience = null;
    this.#queue.settleRegions(entry, at);
    entry.rate = this.#arrivals.rate(entry.ticket, at);
    if (!this.#teams.fits(ticket)) {
      out.dropped.push({ ticket: ticket.id, reason: 'unmatchable' });
      return out;
    }
    this.#queue.insert(entry);
    this.#settleArrivals(at, out, [entry]);
    return out;
  }

  leave(id: TicketId): void {
    this.#queue.waiting = this.#queue.waiting.filter((entry) => entry.ticket.id !== id);
    this.#queue.reserved.delete(id);
    this.#free(id, () => true);
  }

  /** The places promised to the ticket, where they are to be free again. */
  #free(id: TicketId, isFree: (promise: Promised, matchId: string) => boolean): void {
    for (const [matchId, promised] of this.#queue.promised) {
      const promise = promised.get(id);
      if (promise !== undefined && isFree(promise, matchId)) {
        promised.delete(id);
        this.#freed ||= this.#queue.open.has(matchId);
      }
    }
  }

  commit(tickets: readonly TicketId[]): void {
    for (const id of tickets) {
      this.#queue.waiting = this.#queue.waiting.filter((entry) => entry.ticket.id !== id);
      this.#queue.reserved.delete(id);
      this.#free(id, ({ isTold }, matchId) => isTold || !this.#queue.open.has(matchId));
    }
  }

  release(tickets: readonly TicketId[], now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const back: Entry[] = [];
    for (const id of tickets) {
      const entry = this.#queue.reserved.get(id);
      if (entry !== undefined) {
        this.leave(id);
        back.push(entry);
      }
    }
    for (const entry of [...back].sort(byAge)) {
      if (this.#queue.expiresAt(entry) <= at) {
        out.dropped.push({ ticket: entry.ticket.id, reason: 'timeout' });
        back.splice(back.indexOf(entry), 1);
      } else {
        entry.patience = null;
        this.#queue.settleRegions(entry, at);
        this.#queue.insert(entry);
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
    for (const anchor of this.#queue.waiting) {
      sooner(this.#queue.expiresAt(anchor));
      sooner(anchor.patience?.due ?? null);
      sooner(anchor.growsAt);
      sooner(this.#queue.evenAt(anchor, this.#settledAt));
      const meets = this.#queue.meetsInGames(anchor);
      sooner(meets > this.#settledAt ? meets : null);
      stepsOf(this.#mode, anchor.ticket)
        .filter((at) => at > this.#settledAt)
        .forEach(sooner);
      for (const candidate of this.#queue.waiting) {
        if (candidate !== anchor) {
          sooner(this.#opening(anchor.ticket, candidate.ticket));
          const meet = meetAt(this.#mode, anchor.ticket, candidate.ticket);
          sooner(meet > this.#settledAt ? meet : null);
        }
      }
      for (const match of this.#queue.open.values()) {
        const anchored = gameAnchor(match, anchor.ticket);
        sooner(this.#opening(anchored, anchor.ticket, this.#queue.gameRules));
      }
    }
    if (this.#rules.pollsTime && this.#queue.waiting.length > 0) {
      sooner((Math.floor(this.#settledAt / POLL_MS) + 1) * POLL_MS);
    }
    return next === Infinity ? null : next;
  }

  offer(match: OpenMatch, now: number): PoolOutcome {
    const out = new Outcome();
    const at = this.#proceed(now, out);
    const known = this.#queue.promised.get(match.matchId) ?? new Map<TicketId, Promised>();
    for (const [id, promise] of known) {
      // The same offer does not say that the ticket is in.
      if (match.seq !== undefined && match.seq === promise.offer) {
        continue;
      }
      promise.isTold = true;
      if (!this.#queue.reserved.has(id)) {
        known.delete(id);
      }
    }
    this.#queue.open.set(match.matchId, match);
    this.#settle(at, out, { arrived: [], concerns: everyone });
    return out;
  }

  withdraw(matchId: string): void {
    this.#queue.open.delete(matchId);
    const promised = this.#queue.promised.get(matchId) ?? new Map<TicketId, Promised>();
    for (const id of [...promised.keys()].filter((each) => !this.#queue.reserved.has(each))) {
      promised.delete(id);
    }
    promised.forEach((promise) => {
      promise.isTold = true;
    });
  }

  work(): Work {
    return { searches: 0, anchors: { tried: 0, of: 0 }, toArm: 0 };
  }

  isLookedFor(): boolean {
    return false;
  }

  has(id: TicketId): boolean {
    return (
      this.#queue.reserved.has(id) || this.#queue.waiting.some((entry) => entry.ticket.id === id)
    );
  }

  overruns(): number {
    return 0;
  }

  restore(ticket: Ticket): void {
    if (!this.has(ticket.id)) {
      this.#queue.insert(this.#entry(ticket, ticket.startedAt));
      this.#restored = true;
    }
  }

  restoreReserved(ticket: Ticket, backfill: BackfillProposal | null): void {
    if (!this.has(ticket.id)) {
      this.#queue.reserved.set(ticket.id, this.#entry(ticket, ticket.startedAt));
      if (backfill !== null) {
        this.#queue.promise(backfill, ticket);
      }
    }
  }

  #entry(ticket: Ticket, now: number): Entry {
    const rate = this.#arrivals.rate(ticket, now);
    const entry = {
      ticket,
      sequence: this.#sequence++,
      enteredAt: now,
      rate,
      patience: null,
      regions: null,
      growsAt: Infinity,
    };
    this.#queue.settleRegions(entry, now);
    return entry;
  }

  /** Runs all events due up to `now`, each at its own instant; the instant reached. */
  #proceed(now: number, out: Outcome): number {
    const target = Math.max(now, this.#settledAt);
    this.#giveUp(this.#restored ? target : target - LATE_MS, out);
    if (this.#restored) {
      this.#restored = false;
      this.#queue.waiting.forEach((entry) => this.#queue.settleRegions(entry, target));
      this.#step(target, out, { arrived: [], concerns: everyone });
    }
    if (this.#freed) {
      this.#freed = false;
      this.#backfillAll(this.#settledAt, out);
    }
    for (let next = this.nextAt(); next !== null && next <= target; next = this.nextAt()) {
      const at = Math.max(next, this.#settledAt);
      const isPoll = !this.#rules.pollsTime || at % POLL_MS === 0;
      const concerns = isPoll ? everyone : this.#openedAt(at);
      this.#step(at, out, { arrived: [], concerns, isTime: true });
      // Whose regions become more is like a newcomer.
      const grown = this.#queue.waiting.filter((entry) => entry.growsAt <= at);
      grown.forEach((entry) => this.#queue.settleRegions(entry, at));
      if (grown.length > 0) {
        this.#settleArrivals(at, out, grown);
      }
    }
    this.#settledAt = target;
    return target;
  }

  /** Who timed out by then is gone, whatever was possible before (decision 44). */
  #giveUp(until: number, out: Outcome): void {
    const over = this.#queue.waiting.filter((entry) => this.#queue.expiresAt(entry) <= until);
    for (const entry of over) {
      this.#queue.remove(entry);
      out.dropped.push({ ticket: entry.ticket.id, reason: 'timeout' });
    }
  }

  /** Timeouts come before matching at the same instant (docs/internals/design.md A15). */
  #step(at: number, out: Outcome, event: Event): void {
    let eldest = this.#queue.waiting[0];
    while (eldest !== undefined && this.#queue.expiresAt(eldest) <= at) {
      if (!this.#queue.startWith(eldest, at, out)) {
        this.#queue.remove(eldest);
        out.dropped.push({ ticket: eldest.ticket.id, reason: 'timeout' });
      }
      eldest = this.#queue.waiting[0];
    }
    this.#settle(at, out, event);
  }

  /**
   * Where expressions read the time no instant tells when they become true: between two polls an
   * event concerns only those it touches. Otherwise it makes no difference, and all are asked.
   */
  #settleArrivals(at: number, out: Outcome, arrived: readonly Entry[]): void {
    const touches = (anchor: Entry): boolean =>
      arrived.some(
        (entry) =>
          this.#queue.waiting.includes(entry) &&
          (entry === anchor || this.#queue.isEligible(anchor, entry, at)),
      );
    this.#settle(at, out, { arrived, concerns: this.#rules.pollsTime ? touches : everyone });
  }

  /** Anchors for which a pair opens at this very instant. */
  #openedAt(at: number): Scope {
    const opened = new Set(
      this.#queue.waiting.filter(
        (anchor) =>
          this.#queue.waiting.some(
            (other) => other !== anchor && this.#rules.opensAt(anchor.ticket, other.ticket) === at,
          ) || stepsOf(this.#mode, anchor.ticket).includes(at),
      ),
    );
    return (anchor) => opened.has(anchor);
  }

  #settle(at: number, out: Outcome, event: Event): void {
    this.#settledAt = at;
    for (let index = 0; index < this.#queue.waiting.length;) {
      const anchor = this.#queue.waiting[index];
      const isAsked = anchor !== undefined && event.concerns(anchor);
      const chosen = isAsked ? this.#queue.choose(anchor, at, true) : null;
      if (anchor !== undefined && chosen !== null) {
        this.#queue.propose(anchor, chosen, { full: true, at }, out);
        index = 0;
      } else {
        index += 1;
      }
    }
    this.#freed = false;
    this.#backfillAll(at, out);
    if (this.#queue.startsShort) {
      this.#queue.patience(at, out, event);
    }
  }

  #backfillAll(at: number, out: Outcome): void {
    for (const entry of this.#queue.waiting) {
      this.#queue.backfill(entry, at, out);
    }
  }

  #opening(anchor: Ticket, candidate: Ticket, rules = this.#rules): number | null {
    const at = rules.opensAt(anchor, candidate);
    return at !== null && at > this.#settledAt ? at : null;
  }
}
