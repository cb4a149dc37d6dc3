// The indexed pool's events, each settled at its own instant: what is due happens in time order, and
// after each event no anchor can complete a match (matching.md sections 0, 2 and 3). An arrival is
// tried only with the anchors it can have completed; the outcome is that of a full pass.

import type { Counters } from './counters';
import { FullPass, type Round } from './engine-pass';
import { startsShort } from './hold';
import { type Age, NONE } from './index-ages';
import { Games } from './index-games';
import { Holds } from './index-holds';
import { Openings } from './index-openings';
import type { Plan } from './index-plan';
import { type Found, Search } from './index-search';
import type { Store } from './index-store';
import type { Mode } from './mode';
import type { Outcome } from './outcome';
import type { Propose } from './proposals';
import type { Solver } from './solver';

/** Expressions over waitSeconds become true at no instant that is known: they are asked for. */
const POLL_MS = 1000;

export interface Parts {
  readonly mode: Mode;
  readonly plan: Plan;
  readonly counters: Counters;
  readonly solver: Solver;
  readonly store: Store;
  readonly propose: Propose;
}

interface Unfinished {
  readonly newcomers: readonly number[];
  /** The eldest anchor not yet tried. */
  readonly from: Age;
}

export class Engine {
  readonly games: Games;
  readonly holds: Holds | null;
  readonly #plan: Plan;
  readonly #counters: Counters;
  readonly #store: Store;
  readonly #search: Search;
  readonly #propose: Propose;
  readonly #openings: Openings;
  #settledAt = -Infinity;
  readonly #pass: FullPass;
  /** Arrivals whose anchors could not all be tried within one event's budget. */
  #unfinished: Unfinished[] = [];
  #isRestored = false;

  constructor({ mode, plan, counters, solver, store, propose }: Parts) {
    this.#plan = plan;
    this.#counters = counters;
    this.#store = store;
    this.#propose = propose;
    this.#search = new Search(store, solver, counters, plan.budget);
    this.#openings = new Openings(plan, store, solver);
    this.holds = startsShort(mode) ? new Holds(mode, store, this.#search) : null;
    this.games = new Games(plan, store, this.#search);
    this.#pass = new FullPass(store, this.#search, counters);
  }

  /** The next instant at which anything is due; -Infinity for at once, Infinity for never. */
  get next(): number {
    const isBehind = this.#isRestored || this.#unfinished.length > 0 || this.games.isUnsettled;
    return isBehind ? -Infinity : Math.min(this.#pass.dueAt, this.#nextEvent);
  }

  get #nextEvent(): number {
    const { ages } = this.#store;
    for (const slot of this.#openings.takeThinned()) {
      this.#arm(slot, this.#settledAt);
    }
    if (ages.eldest === NONE) {
      return Infinity;
    }
    return Math.min(
      this.#store.timeoutOf(ages.eldest),
      this.#openings.next,
      this.holds?.next ?? Infinity,
      this.#plan.pollsTime ? (Math.floor(this.#settledAt / POLL_MS) + 1) * POLL_MS : Infinity,
    );
  }

  /** Runs all that is due up to `now`, each at its own instant; the instant reached. */
  proceed(now: number, out: Outcome): number {
    const target = Math.max(now, this.#settledAt);
    if (this.#isRestored) {
      this.#isRestored = false;
      this.#wake(target, out);
    } else if (this.#pass.dueAt <= target) {
      this.#runPass(target, out);
    }
    const unfinished = this.#unfinished.shift();
    if (unfinished !== undefined) {
      this.#matchWith(this.#stillWaiting(unfinished.newcomers), target, out, unfinished.from);
    }
    if (this.games.isUnsettled) {
      this.#backfill([], this.#settledAt, out);
    }
    for (let next = this.#nextEvent; next <= target; next = this.#nextEvent) {
      this.#step(Math.max(next, this.#settledAt), out);
    }
    this.#settledAt = target;
    return target;
  }

  /** Puts slots into the queue and settles what that makes possible. */
  arrive(slots: readonly number[], now: number, out: Outcome): void {
    for (const slot of slots) {
      this.#store.link(slot);
    }
    this.#settledAt = now;
    const sorted = slots.length < 2 ? slots : [...slots].sort(this.#store.ages.compare);
    this.#matchWith(sorted, now, out);
    // Who is matched at once need not know what would have opened.
    for (const slot of this.#stillWaiting(slots)) {
      this.#arm(slot, now);
    }
    this.#backfill(sorted, now, out);
    if (this.holds !== null) {
      this.holds.arrive(this.#stillWaiting(sorted), now);
      this.#endHolds(now, out);
    }
  }

  /** Puts a slot into the queue on wake; the next `proceed` looks for matches. */
  restore(slot: number): void {
    this.#store.link(slot);
    this.#isRestored = true;
  }

  /** Takes a slot out of the queue. */
  remove(slot: number): void {
    this.#pass.leave(slot);
    this.#store.unlink(slot);
    this.#openings.forget(slot);
    this.holds?.forget(slot);
  }

  /** Starts the safety net's pass over all anchors; slices that are left run as time proceeds. */
  sweep(now: number, out: Outcome): void {
    this.#pass.start('sweep');
    this.#runPass(now, out);
  }

  expire(slot: number, out: Outcome): void {
    out.dropped.push({ ticket: this.#store.idOf(slot), reason: 'timeout' });
    this.forget(slot);
  }

  forget(slot: number): void {
    this.holds?.forgetTicket(this.#store.idOf(slot));
    this.#store.forget(slot);
  }

  /** Timeouts come before matching at the same instant (matching.md A15). */
  #step(at: number, out: Outcome): void {
    this.#settledAt = at;
    this.#dropOverdue(at, out);
    const due = this.#openings.take(at);
    // A pair that would have opened may be gone. Where nothing but events makes matches possible,
    // to look in vain is harmless; where time does, what is found must not depend on who was there.
    const opened = new Set(this.#plan.pollsTime ? [] : due);
    for (const slot of due) {
      this.#openings.openedBy(slot, at).forEach((anchor) => opened.add(anchor));
    }
    const anchors = [...opened].sort(this.#store.ages.compare);
    for (const slot of anchors) {
      if (this.#store.isWaiting(slot)) {
        this.#tryAnchor(slot, at, out);
      }
    }
    if (this.#plan.pollsTime && at % POLL_MS === 0) {
      this.#pass.start('poll');
      this.#runPass(at, out);
    }
    for (const slot of this.#stillWaiting(due)) {
      this.#arm(slot, at);
    }
    const rest = this.#stillWaiting(anchors);
    this.#backfill(rest, at, out);
    this.#beginHolds(rest, at);
    this.#endHolds(at, out);
  }

  /** Notes when something next opens for the slot, in the queue or in a running game. */
  #arm(slot: number, now: number): void {
    this.#openings.arm(slot, now);
    this.#openings.lower(slot, this.games.opensAt(slot, now));
  }

  #dropOverdue(at: number, out: Outcome): void {
    const { ages } = this.#store;
    while (ages.eldest !== NONE && this.#store.timeoutOf(ages.eldest) <= at) {
      const eldest = ages.eldest;
      const found = this.holds?.startWith(eldest, at) ?? null;
      if (found === null || !this.#take(found, out)) {
        this.remove(eldest);
        this.expire(eldest, out);
      }
    }
  }

  #wake(now: number, out: Outcome): void {
    this.#settledAt = now;
    this.#dropOverdue(now, out);
    const { ages } = this.#store;
    for (let slot = ages.eldest; slot !== NONE; slot = ages.younger(slot)) {
      this.#arm(slot, now);
    }
    this.#pass.start('wake');
    this.#runPass(now, out);
  }

  #matchWith(
    newcomers: readonly number[],
    now: number,
    out: Outcome,
    from: Age | null = null,
  ): void {
    this.#search.startEvent();
    let waiting = newcomers;
    while (waiting.length > 0) {
      const taken = out.matches.length;
      const rest = this.#search.forEachAnchor(waiting, { goal: 'full', now, from }, (anchor) =>
        this.#tryAnchor(anchor, now, out),
      );
      if (rest !== null) {
        this.#counters.budgetHits += 1;
        this.#unfinished.push({ newcomers: waiting, from: rest });
      }
      if (out.matches.length === taken) {
        return;
      }
      waiting = this.#stillWaiting(waiting);
    }
  }

  #tryAnchor(anchor: number, now: number, out: Outcome): boolean {
    const found = this.#search.attempt(anchor, 'full', now);
    return found !== null && this.#take(found, out);
  }

  #take(found: Found, out: Outcome): boolean {
    const proposal = this.#propose(found);
    if (proposal === null) {
      this.#counters.budgetHits += 1;
      return false;
    }
    out.matches.push(proposal);
    this.#counters.matches += 1;
    for (const slot of found.slots) {
      this.remove(slot);
    }
    return true;
  }

  #backfill(slots: readonly number[], now: number, out: Outcome): void {
    if (this.games.isEmpty) {
      return;
    }
    const asked = this.games.settle(now, (slot, at) => this.#openings.lower(slot, at));
    const all = [...new Set([...this.#stillWaiting(slots), ...asked])];
    for (const slot of all.sort(this.#store.ages.compare)) {
      const proposal = this.games.backfill(slot, now);
      if (proposal !== null) {
        out.backfills.push(proposal);
        this.remove(slot);
      }
    }
  }

  #endHolds(now: number, out: Outcome): void {
    for (const slot of this.holds?.due(now) ?? []) {
      const found = this.#store.isWaiting(slot) ? (this.holds?.look(slot, now) ?? null) : null;
      if (found !== null && !this.#take(found, out)) {
        this.holds?.forget(slot);
      }
    }
  }

  #runPass(now: number, out: Outcome): void {
    const ask: Readonly<Record<Round, (slot: number) => void>> = {
      full: (slot) => this.#tryAnchor(slot, now, out),
      backfill: (slot) => this.#backfill([slot], now, out),
      short: (slot) => this.#beginHolds([slot], now),
    };
    this.#pass.run(now, (slot, round) => {
      const before = out.found;
      ask[round](slot);
      return out.found - before;
    });
    this.#endHolds(now, out);
  }

  #beginHolds(slots: readonly number[], now: number): void {
    for (const slot of this.#stillWaiting(slots)) {
      this.holds?.begin(slot, now);
    }
  }

  #stillWaiting(slots: readonly number[]): number[] {
    return slots.filter((slot) => this.#store.isWaiting(slot));
  }
}
