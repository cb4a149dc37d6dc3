// When the pool does what: each event is settled at its own instant, what is due happens in time order, and once
// all work is done no anchor can complete a match (docs/internals/design.md: What matching means).
//
// A call has a number of steps. An event that needs more is left as a task, and goes on in slices:
// - Tasks take turns, a slice each.
// - A later event does not wait: it is served at once, with steps of its own. What it matches is gone for the
//   tasks; what it makes possible is its own to find, so nothing is overlooked.
// - What is due at an instant waits for the tasks of that instant; what is due later does not.

import { byAge, type Entry } from './entry';
import type { Counters } from './counters';
import { LATE_MS } from '../pool';
import type { Queue } from './queue';
import type { Settling } from './settling';
import { type Task, Turns } from './turns';
import type { Work } from './work';
import type { Slices, Steps } from '../teams/steps';

/** Expressions over waitSeconds become true at no instant that is known: they are asked for. */
const POLL_MS = 1000;
/** A poll is not urgent: its slices leave time to others. */
const POLL_PAUSE_MS = 100;
/** Where more open at one instant, those left over are a task of their own: a few milliseconds. */
const MOST_DUE = 1000;

/** What a pass over all anchors is for; one that is later in the list takes the place of one that is to follow. */
const PASSES = ['poll', 'sweep', 'gathered', 'wake'] as const;
type PassKind = (typeof PASSES)[number];

interface Pass {
  readonly kind: PassKind;
  readonly task: Task;
  /** When its next slice is: -Infinity for at once. */
  dueAt: number;
}

export interface Limits {
  readonly counters: Counters;
  readonly steps: Steps;
  /** Steps of one call. */
  readonly budget: number;
  readonly pollsTime: boolean;
}

export class Events {
  readonly #queue: Queue;
  readonly #settling: Settling;
  readonly #counters: Counters;
  readonly #steps: Steps;
  readonly #budget: number;
  readonly #pollsTime: boolean;
  readonly #turns = new Turns();
  #pass: Pass | null = null;
  /** Another pass is to follow the one under way. */
  #nextPass: PassKind | null = null;
  /** The pool has been made anew from saved tickets. */
  #isRestored = false;
  /** Those whose time is over, while it takes slices to tell whether they can still start short. */
  #dropping: Slices | null = null;

  constructor(queue: Queue, settling: Settling, { counters, steps, budget, pollsTime }: Limits) {
    this.#queue = queue;
    this.#settling = settling;
    this.#counters = counters;
    this.#steps = steps;
    this.#budget = budget;
    this.#pollsTime = pollsTime;
  }

  /** The next instant at which anything is due; -Infinity for at once, Infinity for never. */
  get next(): number {
    const { games } = this.#settling;
    const isFreed = games.isUnsettled || this.#queue.cells.thinned.size > 0;
    return isFreed || this.#dropping !== null || !this.#turns.isEmpty
      ? -Infinity
      : Math.min(this.#pass?.dueAt ?? Infinity, this.#nextInstant);
  }

  /** What has been begun and is not done. */
  get work(): Work {
    const tasks = this.#pass === null ? this.#turns.tasks : [...this.#turns.tasks, this.#pass.task];
    const matching = tasks.filter(({ isMatching }) => isMatching);
    const tried = matching.reduce((sum, task) => sum + task.tried, 0);
    const of = matching.reduce((sum, task) => sum + task.of, 0);
    return { searches: matching.length, anchors: { tried, of }, toArm: this.#queue.unknown.size };
  }

  /** Runs what is due up to `now`, each at its own instant as far as the steps reach; `now`, or later. */
  proceed(now: number): number {
    this.#grant();
    const target = Math.max(now, this.#settling.settledAt);
    const isBusy = !this.#turns.isEmpty || this.#pass?.dueAt === -Infinity;
    const mayOpen = target > this.#settling.settledAt || !isBusy;
    const givenUpAt = this.#isRestored ? target : target - LATE_MS;
    this.#isRestored = false;
    this.#settling.givenUpAt = Math.max(this.#settling.givenUpAt, givenUpAt);
    let isDropped = this.#drop();
    this.#takeUpFreed();
    while (isDropped && this.#steps.left > 0) {
      const next = mayOpen ? this.#nextInstant : this.#nextTimeout;
      const at = Math.max(next, this.#settling.settledAt);
      if (at > target) {
        break;
      }
      this.#settling.settledAt = at;
      isDropped = this.#drop();
      if (isDropped && mayOpen) {
        this.#open(at);
      }
    }
    this.#settling.settledAt = target;
    return target;
  }

  /** Lets those leave whose time is over; false when the steps do not reach. */
  #drop(): boolean {
    this.#dropping ??= this.#settling.dropOverdue();
    if (this.#dropping.next().done !== true) {
      return false;
    }
    this.#dropping = null;
    return true;
  }

  /** A slice of what is left to do, at the instant reached. */
  goOn(): void {
    if (this.#pass !== null && this.#pass.dueAt <= this.#settling.settledAt) {
      this.#grant();
      this.#runPass();
    }
    this.#grant();
    this.#counters.budgetHits += this.#turns.run() ? 1 : 0;
    this.#takeUpFreed();
  }

  /** Reserved tickets wait, and what that makes possible happens. */
  arrive(entries: readonly Entry[]): void {
    this.#grant();
    entries.forEach((entry) => this.#queue.wait(entry));
    const sorted = entries.length < 2 ? entries : entries.toSorted(byAge);
    this.#begin((task) => this.#settling.arrivals(task, sorted));
  }

  /** Puts a ticket into the queue on wake; the pass that follows looks for matches. */
  restore(entry: Entry): void {
    this.#queue.wait(entry);
    this.#isRestored = true;
    this.#startPass('wake');
  }

  /** The safety net's pass over all anchors; slices that are left run as time proceeds. */
  sweep(): void {
    this.#grant();
    this.#startPass('sweep');
    this.#runPass();
  }

  /** Each part of a call gets half: time, and the event itself. */
  #grant(): void {
    const most = this.#budget / 2;
    if (this.#steps.left < most) {
      this.#counters.mostSteps = Math.max(this.#counters.mostSteps, most - this.#steps.left);
    }
    this.#steps.left = most;
  }

  get #nextTimeout(): number {
    const eldest = this.#queue.waiting.first;
    return eldest === undefined ? Infinity : this.#queue.timeoutOf(eldest);
  }

  get #nextInstant(): number {
    if (this.#queue.waiting.size === 0) {
      return Infinity;
    }
    const { openings, patient, settledAt } = this.#settling;
    // Until it has begun, the pass that wakes the pool asks all that a poll would.
    const polls = this.#pollsTime && settledAt > -Infinity;
    return Math.min(
      this.#nextTimeout,
      openings.next,
      patient?.next ?? Infinity,
      polls ? (Math.floor(settledAt / POLL_MS) + 1) * POLL_MS : Infinity,
    );
  }

  /** Runs a new task as far as the steps reach; the rest is left for its turn. */
  #begin(work: (task: Task) => Slices): void {
    const task = newTask(work);
    this.#steps.asker = 'guest';
    const isDone = task.work.next().done === true;
    this.#steps.asker = null;
    if (!isDone) {
      this.#counters.budgetHits += 1;
      if (!this.#turns.add(task)) {
        this.#startPass('gathered');
      }
    }
  }

  /** What is due at the instant apart from timeouts, which come before matching (docs/internals/design.md A15). */
  #open(at: number): void {
    const { openings, games, patient } = this.#settling;
    const due = openings.takeDue(at, MOST_DUE);
    this.#steps.left -= due.length;
    due.forEach(({ entry }) => this.#queue.unknown.add(entry));
    if (this.#pollsTime && at % POLL_MS === 0) {
      this.#startPass('poll');
      this.#runPass();
    }
    if (due.length > 0 || !games.isEmpty || patient !== null) {
      this.#begin((task) => this.#settling.opened(task, due));
    }
  }

  /** Places of running games that have come free, and pairs that had been left out and now count. */
  #takeUpFreed(): void {
    const { games, settledAt } = this.#settling;
    if (games.isUnsettled && this.#turns.isEmpty) {
      this.#begin((task) => this.#settling.arrivals(task, []));
    }
    const thinned = [...this.#queue.cells.thinned];
    this.#queue.cells.thinned.clear();
    if (thinned.length > 0) {
      const entries = thinned.flatMap((group) => [...group]);
      entries.forEach((entry) => this.#queue.unknown.add(entry));
      this.#begin((task) => {
        task.isMatching = false;
        return this.#settling.noteOpenings(entries, settledAt);
      });
    }
  }

  #startPass(kind: PassKind): void {
    if (this.#pass === null) {
      const task = newTask((own) => this.#settling.everyone(own));
      this.#pass = { kind, task, dueAt: -Infinity };
    } else if (
      kind !== 'poll' &&
      PASSES.indexOf(kind) >= PASSES.indexOf(this.#nextPass ?? 'poll')
    ) {
      // A poll asks nothing that the one under way does not.
      this.#nextPass = kind;
    }
  }

  /** A slice of the pass. */
  #runPass(): void {
    const pass = this.#pass;
    if (pass === null) {
      return;
    }
    const { out } = this.#settling;
    const before = out.found;
    const isDone = pass.task.work.next().done === true;
    this.#counters.sweepFound += pass.kind === 'sweep' ? out.found - before : 0;
    if (!isDone) {
      this.#counters.budgetHits += 1;
      pass.dueAt = pass.kind === 'poll' ? this.#settling.settledAt + POLL_PAUSE_MS : -Infinity;
      return;
    }
    this.#pass = null;
    if (this.#nextPass !== null) {
      this.#startPass(this.#nextPass);
      this.#nextPass = null;
    }
    if (this.#settling.patient !== null) {
      this.#begin(() => this.#settling.endPatience());
    }
  }
}

function newTask(work: (task: Task) => Slices): Task {
  const task = { isMatching: true, tried: 0, of: 0, work: noSlices() };
  task.work = work(task);
  return task;
}

function* noSlices(): Slices {
  // Until the work is made, which reads the task.
}
