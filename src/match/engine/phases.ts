// What the pool's events do, in phases: look for full matches, note what opens next, fill games with
// room, have patience with short matches. A phase that runs out of steps says so, and goes on where it stopped.

import type { Counters } from './counters';
import { startsShort } from './patience';
import type { Outcome } from './outcome';
import { FullPass } from './pass';
import type { Propose } from './proposals';
import { Named, type Task, type TaskKind } from './task';
import { type Age, NONE } from '../index/ages';
import { Games } from '../index/games';
import { PatientAnchors } from '../index/patient';
import { Openings } from '../index/openings';
import type { Plan } from '../index/plan';
import { type Found, Search, type Visited } from '../index/search';
import type { TicketStore } from '../index/store';
import type { Mode } from '../rules/mode';
import type { Solver } from '../sets/solver';

/** What the caller has to do for a match, in steps. */
const MATCH_STEPS = 100;

export interface Parts {
  readonly mode: Mode;
  readonly plan: Plan;
  readonly counters: Counters;
  readonly solver: Solver;
  readonly store: TicketStore;
  readonly propose: Propose;
  /** Steps of one call. */
  readonly budget: number;
}

/** One phase of a task; false when the steps did not reach. */
type Phase = (task: Task, out: Outcome) => boolean;

export class Phases {
  readonly games: Games;
  readonly patient: PatientAnchors | null;
  readonly openings: Openings;
  readonly pass: FullPass;
  #settledAt = -Infinity;
  #givenUpAt = -Infinity;
  readonly of: Readonly<Record<TaskKind, readonly Phase[]>>;
  readonly #plan: Plan;
  readonly #counters: Counters;
  readonly #store: TicketStore;
  readonly #search: Search;
  readonly #propose: Propose;

  constructor({ mode, plan, counters, solver, store, propose }: Parts) {
    this.#plan = plan;
    this.#counters = counters;
    this.#store = store;
    this.#propose = propose;
    this.#search = new Search(store, solver, counters);
    this.openings = new Openings(plan, store, solver);
    this.patient = startsShort(mode) ? new PatientAnchors(mode, store, this.#search) : null;
    this.games = new Games(plan, store, this.#search);
    this.pass = new FullPass(store, counters);
    const arm: Phase = (task) => this.armAll(task);
    const fill: readonly Phase[] = [
      (task) => this.#settleGames(task),
      (task, out) => this.#backfillAll(task, out),
    ];
    const end: Phase = (task, out) => this.endPatience(this.#instantOf(task), out);
    this.of = {
      arrival: [
        (task, out) => this.#matchArrivals(task, out),
        arm,
        ...fill,
        (task) => this.#tellPatient(task, task.subjects),
        (task) => this.#waitForArrivals(task),
        end,
      ],
      instant: [
        (task) => this.#findOpened(task),
        (task, out) => this.#matchOpened(task, out),
        arm,
        ...fill,
        (task) => this.#waitForOpened(task),
        end,
      ],
      arming: [arm, (task) => this.#tellPatient(task, task.newcomers)],
    };
  }

  /** The instant reached: who timed out by then is out of all that follows. */
  get settledAt(): number {
    return this.#settledAt;
  }

  set settledAt(instant: number) {
    this.#settledAt = instant;
    this.#store.endAt(Math.max(instant, this.#givenUpAt));
  }

  /** Who timed out by then has given up; it never goes back. */
  get givenUpAt(): number {
    return this.#givenUpAt;
  }

  set givenUpAt(instant: number) {
    this.#givenUpAt = Math.max(this.#givenUpAt, instant);
    this.settledAt = this.#settledAt;
  }

  #matchArrivals(task: Task, out: Outcome): boolean {
    const waiting = task.subjects.waiting();
    const rest = this.matchWith(waiting, this.#instantOf(task), out, task);
    task.of = Math.max(task.of, this.#search.possible);
    task.from = rest;
    return rest === null;
  }

  /** Full matches with these slots, which wait; the age of the anchor from which to go on, null when done. */
  matchWith(
    slots: readonly number[],
    now: number,
    out: Outcome,
    task: Pick<Task, 'from' | 'tried'> = { from: null, tried: 0 },
  ): Age | null {
    const visit = (anchor: number): Visited => this.tryAnchor(anchor, now, out);
    let waiting = slots;
    while (waiting.length > 0) {
      const taken = out.matches.length;
      const query = { goal: 'full', now, from: task.from } as const;
      const rest = this.#search.forEachAnchor(waiting, query, visit);
      task.tried += this.#search.walkedAnchors;
      if (rest !== null || out.matches.length === taken) {
        return rest;
      }
      waiting = waiting.filter((slot) => this.#store.isWaiting(slot));
    }
    return null;
  }

  /** Anchors that the last arrival could have completed a match with. */
  get possible(): number {
    return this.#search.possible;
  }

  /** Notes when something next opens for a slot that has just come; false when the steps do not reach. */
  armAlone(slot: number, now: number): boolean {
    return !this.#store.isWaiting(slot) || (this.#store.steps.left > 0 && this.arm(slot, now));
  }

  #findOpened(task: Task): boolean {
    const { subjects, since } = task;
    for (task.done = subjects.next(task.done); task.done < since.length;) {
      const slot = subjects.slots[task.done] ?? NONE;
      const opened =
        this.#store.steps.left > 0
          ? this.openings.openedBy(slot, since[task.done] ?? 0, this.settledAt)
          : null;
      if (opened === null) {
        return false;
      }
      opened.forEach((anchor) => task.opened.add(anchor));
      task.done = subjects.next(task.done + 1);
    }
    // A pair that would have opened may be gone. Where nothing but events makes matches possible,
    // to look in vain is harmless; where time does, what is found must not depend on who was there.
    const found = this.#plan.pollsTime ? [] : subjects.waiting();
    const all = [...new Set([...found, ...task.opened])].filter((slot) =>
      this.#store.isWaiting(slot),
    );
    task.anchors = new Named(this.#store, all.sort(this.#store.ages.compare));
    task.of = all.length;
    return true;
  }

  #matchOpened(task: Task, out: Outcome): boolean {
    const now = this.#instantOf(task);
    return this.#forEach(task, task.anchors, (slot) => {
      const visited = this.tryAnchor(slot, now, out);
      task.tried += visited === 'open' ? 0 : 1;
      return visited !== 'open';
    });
  }

  /** Notes when something next opens for the slots, in the queue or in a running game. */
  armAll(task: Task): boolean {
    // What opened since the task began is due, and not forgotten.
    return this.#forEach(task, task.subjects, (slot) => this.arm(slot, task.at));
  }

  /** What opened from `since` on, and when the next does; false when the steps did not reach. */
  arm(slot: number, since: number): boolean {
    const isKnown = this.openings.arm(slot, since);
    const game = this.games.opensAt(slot, since);
    if (game === 'open') {
      return false;
    }
    this.openings.lower(slot, game);
    return isKnown;
  }

  #settleGames(task: Task): boolean {
    if (this.games.isEmpty) {
      task.asked = new Named(this.#store, []);
      return true;
    }
    const now = this.#instantOf(task);
    const later = (slot: number, at: number): void => this.openings.lower(slot, at);
    if (!this.games.settle(now, task.roomFor, later)) {
      return false;
    }
    const asked = (task.anchors ?? task.subjects).waiting();
    const all = [...new Set([...asked, ...task.roomFor])].filter((slot) =>
      this.#store.isWaiting(slot),
    );
    task.asked = new Named(this.#store, all.sort(this.#store.ages.compare));
    return true;
  }

  #backfillAll(task: Task, out: Outcome): boolean {
    const now = this.#instantOf(task);
    return this.#forEach(task, task.asked, (slot) => this.backfill(slot, now, out));
  }

  backfill(slot: number, now: number, out: Outcome): boolean {
    const proposal = this.games.backfill(slot, now);
    if (proposal === 'open') {
      return false;
    }
    if (proposal !== null) {
      out.backfills.push(proposal);
      this.#store.steps.left -= MATCH_STEPS;
      this.remove(slot);
    }
    return true;
  }

  #tellPatient(task: Task, newcomers: Named | null): boolean {
    const now = this.#instantOf(task);
    return this.#forEach(task, newcomers, (slot) => this.patient?.tell(slot, now) ?? true);
  }

  #waitForArrivals(task: Task): boolean {
    const waiting = task.subjects.waiting();
    const rest = this.patient?.arrive(waiting, this.#instantOf(task), task.from) ?? null;
    task.from = rest;
    return rest === null;
  }

  #waitForOpened(task: Task): boolean {
    const now = this.#instantOf(task);
    return this.#forEach(task, task.anchors, (slot) => this.patient?.begin(slot, now) ?? true);
  }

  /** From where the task stands; false when the steps are spent or one could not be done. */
  #forEach(task: Task, named: Named | null, act: (slot: number) => boolean): boolean {
    const slots = named?.slots ?? [];
    for (; task.done < slots.length; task.done += 1) {
      if (named?.isWaiting(task.done) === true) {
        if (this.#store.steps.left <= 0 || !act(slots[task.done] ?? NONE)) {
          return false;
        }
      }
    }
    return true;
  }

  tryAnchor(anchor: number, now: number, out: Outcome): Visited {
    const found = this.#search.attempt(anchor, 'full', now);
    return found === null ? 'next' : found === 'open' ? found : this.take(found, now, out);
  }

  take(found: Found, now: number, out: Outcome): Visited {
    const isStill = this.#passesStill(found, now);
    const proposal =
      isStill === 'open' ? isStill : isStill === 'done' ? this.#propose(found) : null;
    if (proposal === 'open') {
      this.#search.keepFound();
      return proposal;
    }
    this.#store.steps.left -= found.cost;
    if (proposal === null) {
      return 'next';
    }
    out.matches.push(proposal);
    this.#counters.matches += 1;
    this.#store.steps.left -= MATCH_STEPS;
    for (const slot of found.slots) {
      this.remove(slot);
    }
    return 'done';
  }

  /** A search that took until now asked expressions what they said when it began. */
  #passesStill({ anchor, slots }: Found, now: number): Visited {
    if (now === this.settledAt) {
      return 'done';
    }
    for (const slot of slots) {
      const answer = slot === anchor ? 'yes' : this.#search.passes(anchor, slot, this.settledAt);
      if (answer !== 'yes') {
        return answer === 'open' ? answer : 'next';
      }
    }
    return 'done';
  }

  endPatience(now: number, out: Outcome): boolean {
    return this.patient?.end(this.settledAt, (slot) => this.#endOf(slot, now, out)) ?? true;
  }

  #endOf(slot: number, now: number, out: Outcome): boolean {
    if (this.#store.steps.left <= 0) {
      return false;
    }
    const found = this.patient?.look(slot, now) ?? null;
    if (found === null || found === 'open') {
      return found === null;
    }
    const taken = this.take(found, now, out);
    if (taken === 'next') {
      this.patient?.forget(slot);
    }
    return taken !== 'open';
  }

  /** Takes a slot out of the queue. */
  remove(slot: number): void {
    this.pass.leave(slot);
    this.#store.unlink(slot);
    this.openings.forget(slot);
    this.patient?.forget(slot);
  }

  /** The instant at which a task asks: where expressions read the time, that of its event. */
  #instantOf(task: Task): number {
    return this.#plan.pollsTime ? task.at : this.settledAt;
  }
}
