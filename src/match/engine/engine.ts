// The indexed pool's events, each settled at its own instant: what is due happens in time order, and
// once all work is done no anchor can complete a match (docs/internals/design.md: What matching means). An arrival
// is tried only with the anchors it can have completed; the outcome is that of a full pass.
//
// A call has a number of steps. An event that needs more is left as a task, and goes on in slices:
// - Within a task anchors are tried eldest first; one whose search is open comes first again.
// - Tasks take turns, a slice each, a few at a time, so that what each has searched is kept. Each slice
//   sees the queue as it then is.
// - A later event does not wait: it is served at once, with steps of its own. What it matches is gone
//   for the tasks; what it makes possible is its own to find, so nothing is overlooked.
// - What is due at an instant waits for the tasks of that instant; what is due later does not.

import type { Counters } from './counters';
import type { Outcome } from './outcome';
import type { Round } from './pass';
import { type Parts, Phases } from './phases';
import { ARMS_IN, Named, Task } from './task';
import { Turns } from './turns';
import type { Work } from './work';
import { LATE_MS } from '../pool';
import { type Age, NONE } from '../index/ages';
import type { Games } from '../index/games';
import type { PatientAnchors } from '../index/patient';
import type { Plan } from '../index/plan';
import type { TicketStore } from '../index/store';

/** Expressions over waitSeconds become true at no instant that is known: they are asked for. */
const POLL_MS = 1000;
/** Where more open at one instant, those left over are a task of their own: a few milliseconds. */
const MOST_DUE = 4000;
/** What the caller has to do for a dropped ticket, in steps. */
const DROP_STEPS = 20;

export class Engine {
  readonly #plan: Plan;
  readonly #counters: Counters;
  readonly #store: TicketStore;
  readonly #budget: number;
  readonly #phases: Phases;
  readonly #turns: Turns;
  #isRestored = false;
  /** The eldest's timeout is due, and of its short matches those of anchors before are settled. */
  #expiring: { readonly sequence: number; readonly from: Age } | null = null;

  constructor(parts: Parts) {
    this.#plan = parts.plan;
    this.#counters = parts.counters;
    this.#store = parts.store;
    this.#budget = parts.budget;
    this.#phases = new Phases(parts);
    this.#turns = new Turns(parts.store);
  }

  get games(): Games {
    return this.#phases.games;
  }

  get patient(): PatientAnchors | null {
    return this.#phases.patient;
  }

  /** Takes a slot out of the queue. */
  remove(slot: number): void {
    this.#phases.remove(slot);
  }

  /** The next instant at which anything is due; -Infinity for at once, Infinity for never. */
  get next(): number {
    this.#grant();
    const nextEvent = this.#nextEvent;
    const isBehind = this.#isRestored || !this.#turns.isEmpty || this.games.isUnsettled;
    return isBehind ? -Infinity : Math.min(this.#phases.pass.dueAt, nextEvent);
  }

  /** What has been begun and is not done. */
  get work(): Work {
    const { pass } = this.#phases;
    const { searches, anchors, toArm } = this.#turns.work;
    const { progress } = pass;
    return {
      searches: searches + (progress === null ? 0 : 1),
      anchors: {
        tried: anchors.tried + (progress?.asked ?? 0),
        of: anchors.of + (progress?.of ?? 0),
      },
      toArm: toArm + pass.toArm,
    };
  }

  /** True when a search that is not done may find the waiting slot a match. */
  isLookedFor(slot: number): boolean {
    return this.#phases.pass.isAhead(slot) || this.#turns.isLookedFor(slot);
  }

  get #nextEvent(): number {
    this.#armThinned();
    const { ages } = this.#store;
    if (ages.eldest === NONE) {
      return Infinity;
    }
    return Math.min(
      this.#store.timeoutOf(ages.eldest),
      this.#phases.openings.next,
      this.patient?.next ?? Infinity,
      // Until it has begun, the pass that wakes the pool asks all that a poll would.
      this.#plan.pollsTime && this.#phases.settledAt > -Infinity
        ? (Math.floor(this.#phases.settledAt / POLL_MS) + 1) * POLL_MS
        : Infinity,
    );
  }

  /** Runs what is due up to `now`, each at its own instant as far as the steps reach; `now`, or later. */
  proceed(now: number, out: Outcome): number {
    const target = Math.max(now, this.#phases.settledAt);
    const hasMoved = target > this.#phases.settledAt;
    this.#grant();
    this.#phases.givenUpAt = this.#isRestored ? target : target - LATE_MS;
    this.#dropOverdue(this.#phases.givenUpAt, out);
    if (this.#isRestored) {
      this.#isRestored = false;
      this.#phases.pass.start('wake', target);
    }
    this.#fillFreed(out);
    if (hasMoved || !this.#isBusy) {
      let next = this.#nextEvent;
      for (; next <= target && this.#store.steps.left > 0; next = this.#nextEvent) {
        this.#step(Math.max(next, this.#phases.settledAt), out);
      }
    }
    this.#phases.settledAt = target;
    return target;
  }

  /** A slice of what is left to do, at the instant reached. */
  goOn(now: number, out: Outcome): void {
    this.#grant();
    if (this.#phases.pass.dueAt <= now) {
      this.#runPass(now, out);
    }
    const task = this.#turns.take();
    if (task !== undefined) {
      this.#grant();
      if (!this.#run(task, out)) {
        this.#turns.putBack(task);
      }
    }
    this.#fillFreed(out);
  }

  /** Puts slots into the queue and settles what that makes possible. */
  arrive(slots: readonly number[], now: number, out: Outcome): void {
    this.#grant();
    for (const slot of slots) {
      this.#store.link(slot);
    }
    this.#phases.settledAt = now;
    const sorted = slots.length < 2 ? slots : [...slots].sort(this.#store.ages.compare);
    this.#begin(new Task('arrival', now, new Named(this.#store, sorted)), out);
  }

  /** The same for one slot: nearly always all is done within the steps, and no task is made. */
  arriveAlone(slot: number, now: number, out: Outcome): void {
    this.#grant();
    this.#store.link(slot);
    this.#phases.settledAt = now;
    const { steps } = this.#store;
    steps.asker = 'guest';
    const reached = { from: null as Age | null, tried: 0 };
    reached.from = this.#phases.matchWith([slot], now, out, reached);
    const isMatched = reached.from === null;
    const isArmed = isMatched && this.#phases.armAlone(slot, now);
    steps.asker = null;
    if (isArmed && this.games.isEmpty && this.patient === null) {
      return;
    }
    const task = new Task('arrival', now, new Named(this.#store, [slot]));
    if (isArmed) {
      task.phase = ARMS_IN.arrival + 1;
      this.#begin(task, out);
      return;
    }
    task.phase = isMatched ? ARMS_IN.arrival : 0;
    task.from = reached.from;
    task.tried = reached.tried;
    task.of = this.#phases.possible;
    this.#counters.budgetHits += 1;
    this.#leave(task);
  }

  /** Puts a slot into the queue on wake; the next `proceed` looks for matches. */
  restore(slot: number): void {
    this.#store.link(slot);
    this.#isRestored = true;
  }

  /** Starts the safety net's pass over all anchors; slices that are left run as time proceeds. */
  sweep(now: number, out: Outcome): void {
    this.#grant();
    this.#phases.pass.start('sweep', now);
    this.#runPass(now, out);
  }

  expire(slot: number, out: Outcome): void {
    out.dropped.push({ ticket: this.#store.idOf(slot), reason: 'timeout' });
    this.#store.steps.left -= DROP_STEPS;
    this.forget(slot);
  }

  forget(slot: number): void {
    this.patient?.forgetTicket(this.#store.idOf(slot));
    this.#store.forget(slot);
  }

  /** Each part of a call gets half: time, and the event itself. */
  #grant(): void {
    const { steps } = this.#store;
    const most = this.#budget / 2;
    if (steps.left < most) {
      this.#counters.mostSteps = Math.max(this.#counters.mostSteps, most - steps.left);
    }
    steps.left = most;
  }

  get #isBusy(): boolean {
    return !this.#turns.isEmpty || this.#phases.pass.dueAt === -Infinity;
  }

  /** Places of running games that have come free. */
  #fillFreed(out: Outcome): void {
    if (this.games.isUnsettled && this.#turns.isEmpty) {
      this.#begin(new Task('arrival', this.#phases.settledAt, new Named(this.#store, [])), out);
    }
  }

  /** Runs a new task as far as the steps reach; the rest is left for its turn. */
  #begin(task: Task, out: Outcome): void {
    const { steps } = this.#store;
    steps.asker = 'guest';
    const isDone = this.#run(task, out);
    steps.asker = null;
    if (!isDone) {
      this.#leave(task);
    }
  }

  #leave(task: Task): void {
    if (this.#turns.add(task) === 'gathered') {
      this.#phases.pass.start('gathered', this.#phases.settledAt);
    }
  }

  /** Runs the task's phases as far as the steps reach; true when all are done. */
  #run(task: Task, out: Outcome): boolean {
    const phases = this.#phases.of[task.kind];
    for (; task.phase < phases.length; task.phase += 1) {
      if (phases[task.phase]?.(task, out) === false) {
        this.#counters.budgetHits += 1;
        return false;
      }
      task.done = 0;
      task.from = null;
    }
    return true;
  }

  /** Timeouts come before matching at the same instant (docs/internals/design.md A15). */
  #step(at: number, out: Outcome): void {
    this.#phases.settledAt = at;
    if (!this.#dropOverdue(at, out)) {
      return;
    }
    const due: { readonly slot: number; readonly since: number }[] = [];
    while (this.#phases.openings.next <= at && due.length < MOST_DUE) {
      const slot = this.#phases.openings.first;
      due.push({ slot, since: this.#phases.openings.next });
      this.#phases.openings.forget(slot);
    }
    due.sort((a, b) => this.#store.ages.compare(a.slot, b.slot));
    const slots = due.map(({ slot }) => slot);
    const subjects = new Named(this.#store, slots);
    const since = due.map((each) => each.since);
    if (this.#plan.pollsTime && at % POLL_MS === 0) {
      this.#phases.pass.start('poll', at);
      this.#runPass(at, out);
    }
    if (due.length > 0 || !this.games.isEmpty || this.patient !== null) {
      this.#begin(new Task('instant', at, subjects, since), out);
    }
  }

  /** False when the steps do not reach: the rest is still due. */
  #dropOverdue(at: number, out: Outcome): boolean {
    const { ages, steps } = this.#store;
    while (ages.eldest !== NONE && this.#store.timeoutOf(ages.eldest) <= at) {
      if (steps.left <= 0) {
        return false;
      }
      const eldest = ages.eldest;
      const sequence = ages.sequence(eldest);
      const from = this.#expiring?.sequence === sequence ? this.#expiring.from : null;
      const hasGivenUp = this.#store.timeoutOf(eldest) <= this.#phases.givenUpAt;
      const found = hasGivenUp ? null : (this.patient?.startWith(eldest, at, from) ?? null);
      if (found !== null && 'sequence' in found) {
        this.#expiring = { sequence, from: found };
        return false;
      }
      const taken = found === null ? 'next' : this.#phases.take(found, at, out);
      if (taken === 'open') {
        this.#expiring = { sequence, from: ages.ageOf(found?.anchor ?? eldest) };
        return false;
      }
      if (taken === 'next') {
        this.remove(eldest);
        this.expire(eldest, out);
      }
    }
    return true;
  }

  #runPass(now: number, out: Outcome): void {
    const ask: Readonly<Record<Round, (slot: number, at: number) => boolean>> = {
      full: (slot, at) => this.#phases.tryAnchor(slot, at, out) !== 'open',
      arm: (slot) => this.#phases.arm(slot, this.#phases.pass.begunAt),
      backfill: (slot, at) => this.games.isEmpty || this.#phases.backfill(slot, at, out),
      short: (slot, at) => this.patient?.begin(slot, at) ?? true,
    };
    this.#phases.pass.run(now, (slot, round, since) => {
      const before = out.found;
      const isDone = ask[round](slot, this.#plan.pollsTime ? since : now);
      return isDone ? out.found - before : null;
    });
    if (this.#phases.pass.isUnderWay) {
      this.#counters.budgetHits += 1;
    } else {
      this.#phases.endPatience(now, out);
    }
  }

  /** Slots whose pairs had been left out and now count. */
  #armThinned(): void {
    const slots = this.#phases.openings.takeThinned();
    if (slots.length > 0) {
      const named = new Named(this.#store, slots);
      const task = new Task('arming', this.#phases.settledAt, named);
      if (!this.#phases.armAll(task)) {
        this.#leave(task);
      }
    }
  }
}
