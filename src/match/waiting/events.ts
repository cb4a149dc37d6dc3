// When the pool does what. Each event is settled at its own instant, and what is due happens in the order of time.
// Once all work is done, no anchor can complete a match (docs/internals/design.md: What matching means).
//
// A call has a number of steps. An event that needs more becomes a task and continues in slices:
// - Tasks take turns, a slice each. Too many of them become one pass over all anchors, which asks what they would.
// - A later event does not wait for them. It gets steps of its own. What it matches is gone for the tasks; what it
//   makes possible, it finds itself.
// - What is due at an instant waits for the tasks of that instant, but not what is due later.
// - Each slice takes a task at least one unit of its work further, however few its steps: a generator pauses before a
//   unit and does that unit when it continues. So whatever keeps the pool busy must be something that a slice can do.
//   Only waiting tickets are in `unknown`, open or have patience: a task does nothing for any other.

import { LATE_MS } from '../pool';
import type { Slices } from '../teams/steps';
import { byAge, type Entry } from './entry';
import type { Queue } from './queue';
import type { Looking } from './search';
import type { Settling } from './settling';
import type { Work } from './work';

/** No event announces when an expression over waitSeconds becomes true, so it is polled. */
const POLL_MS = 1000;
/** A poll is not urgent: it leaves time to others between its slices. */
const POLL_PAUSE_MS = 100;
/** If more tickets are due at one instant, the others follow as a task of their own. Some milliseconds of work. */
const MOST_DUE = 1000;
/** Fewer than there are searches kept (teams/open-questions.ts). */
const MOST_TASKS = 16;

interface Task {
  readonly looking: Looking;
  readonly work: Slices;
}

/** A task that asks everybody. */
interface Pass extends Task {
  readonly isPoll: boolean;
  isBegun: boolean;
  /** When its next slice is; -Infinity for at once. */
  dueAt: number;
}

export class Events {
  readonly #queue: Queue;
  readonly #settling: Settling;
  /** Steps of one call. */
  readonly #budget: number;
  /** The next in turn comes first. */
  #tasks: Task[] = [];
  #pass: Pass | null = null;
  /** Another pass follows the one under way. */
  #passesAgain = false;
  /** The pool has been made anew from saved tickets. */
  #isRestored = false;
  /** Set while it takes slices to tell whether those whose time is over can still start short. */
  #dropping: Slices | null = null;

  constructor(queue: Queue, settling: Settling, budget: number) {
    this.#queue = queue;
    this.#settling = settling;
    this.#budget = budget;
  }

  /** The next instant at which anything is due; -Infinity for at once, Infinity for never. */
  get next(): number {
    const isBusy = this.#tasks.length > 0 || this.#dropping !== null;
    return isBusy || this.#settling.games.isUnsettled || this.#mustNote
      ? -Infinity
      : Math.min(this.#pass?.dueAt ?? Infinity, this.#nextInstant);
  }

  /** What has been begun and is not done. */
  get work(): Work {
    const all = this.#pass === null ? this.#tasks : [...this.#tasks, this.#pass];
    const matching = all.map(({ looking }) => looking).filter(({ isMatching }) => isMatching);
    const tried = matching.reduce((sum, looking) => sum + looking.tried, 0);
    const of = matching.reduce((sum, looking) => sum + looking.of, 0);
    return { searches: matching.length, anchors: { tried, of }, toArm: this.#queue.unknown.size };
  }

  /** Does what is due up to `now`, each at its own instant, as far as the steps suffice. */
  proceed(now: number): void {
    this.#grant();
    const queue = this.#queue;
    const target = Math.max(now, queue.now);
    const isBusy = this.#tasks.length > 0 || this.#pass?.dueAt === -Infinity;
    const mayOpen = target > queue.now || !isBusy;
    const givenUpAt = this.#isRestored ? target : target - LATE_MS;
    this.#isRestored = false;
    queue.givenUpAt = Math.max(queue.givenUpAt, givenUpAt);
    let isDropped = this.#drop();
    this.#takeUp();
    while (isDropped && this.#queue.steps.left > 0) {
      const next = mayOpen ? this.#nextInstant : this.#nextTimeout;
      if (next > target) {
        break;
      }
      queue.now = Math.max(next, queue.now);
      isDropped = this.#drop();
      if (isDropped && mayOpen) {
        this.#open();
      }
    }
    queue.now = target;
  }

  /** A slice of what is left to do, at the instant reached. */
  goOn(): void {
    if (this.#pass !== null && this.#pass.dueAt <= this.#queue.now) {
      this.#grant();
      this.#runPass();
    }
    this.#grant();
    const task = this.#tasks.shift();
    if (task !== undefined && task.work.next().done !== true) {
      this.#queue.counters.budgetHits += 1;
      this.#tasks.push(task);
    }
    this.#takeUp();
  }

  /** Reserved tickets wait, and what that makes possible happens. */
  arrive(entries: readonly Entry[]): void {
    this.#grant();
    entries.forEach((entry) => this.#queue.wait(entry));
    const sorted = entries.toSorted(byAge);
    this.#begin((looking) => this.#settling.arrivals(looking, sorted));
  }

  /** Puts a ticket into the queue on wake. The pass that follows looks for matches. */
  restore(entry: Entry): void {
    this.#queue.wait(entry);
    this.#isRestored = true;
    this.#startPass(false);
  }

  /** The safety net: a pass over all anchors. */
  sweep(): void {
    this.#grant();
    this.#startPass(false);
    this.#runPass();
  }

  /** Gives half the steps of a call: to what is due, to the event itself, or to a slice. */
  #grant(): void {
    const { steps, counters } = this.#queue;
    const most = this.#budget / 2;
    if (steps.left < most) {
      counters.mostSteps = Math.max(counters.mostSteps, most - steps.left);
    }
    steps.left = most;
  }

  get #nextTimeout(): number {
    const eldest = this.#queue.waiting.first;
    return eldest === undefined ? Infinity : this.#queue.timeoutOf(eldest);
  }

  get #nextInstant(): number {
    const { now, waiting } = this.#queue;
    const { openings, patient } = this.#settling;
    if (waiting.size === 0) {
      return Infinity;
    }
    // Before the pool has reached any instant, the pass that wakes it asks what a poll would.
    const isPolled = this.#queue.pairs.rules.pollsTime && now > -Infinity;
    return Math.min(
      this.#nextTimeout,
      openings.next,
      patient?.next ?? Infinity,
      isPolled ? (Math.floor(now / POLL_MS) + 1) * POLL_MS : Infinity,
    );
  }

  /** Drops everybody whose time is over; false if the steps do not suffice. */
  #drop(): boolean {
    this.#dropping ??= this.#settling.dropOverdue();
    if (this.#dropping.next().done !== true) {
      return false;
    }
    this.#dropping = null;
    return true;
  }

  /** What is due at the instant reached, besides timeouts, which come before matching (docs/internals/design.md A15). */
  #open(): void {
    const { now, unknown } = this.#queue;
    const { openings, patient } = this.#settling;
    const due = openings.takeDue(MOST_DUE);
    this.#queue.steps.left -= due.length;
    due.forEach(({ entry }) => unknown.add(entry));
    if (this.#queue.pairs.rules.pollsTime && now % POLL_MS === 0) {
      this.#startPass(true);
      this.#runPass();
    }
    if (due.length > 0 || (patient !== null && patient.next <= now)) {
      this.#begin((looking) => this.#settling.opened(looking, due));
    }
  }

  /** Tickets have left on whom others relied. Tasks and passes note what they have to themselves. */
  get #mustNote(): boolean {
    return this.#queue.unknown.size > 0 && this.#tasks.length === 0 && this.#pass === null;
  }

  /** What tickets that left or came back have made necessary. */
  #takeUp(): void {
    if (this.#settling.games.isUnsettled && this.#tasks.length === 0) {
      this.#begin((looking) => this.#settling.arrivals(looking, []));
    }
    if (this.#mustNote) {
      this.#begin((looking) => this.#settling.noteUnknown(looking));
    }
  }

  /** Runs a new task as far as the steps suffice. The rest is left for its turns. */
  #begin(work: (looking: Looking) => Slices): void {
    const task = newTask(work);
    if (task.work.next().done !== true) {
      this.#queue.counters.budgetHits += 1;
      this.#tasks.push(task);
    }
    if (this.#tasks.length > MOST_TASKS) {
      this.#tasks = [];
      this.#startPass(false);
    }
  }

  /** If a pass has begun already, another follows it. A poll asks nothing that the one under way does not. */
  #startPass(isPoll: boolean): void {
    if (this.#pass === null) {
      const task = newTask((looking) => this.#settling.everyone(looking));
      this.#pass = { ...task, isPoll, isBegun: false, dueAt: -Infinity };
    } else if (!isPoll && this.#pass.isBegun) {
      this.#passesAgain = true;
    }
  }

  /** A slice of the pass. */
  #runPass(): void {
    const pass = this.#pass;
    if (pass === null) {
      return;
    }
    pass.isBegun = true;
    if (pass.work.next().done !== true) {
      this.#queue.counters.budgetHits += 1;
      pass.dueAt = pass.isPoll ? this.#queue.now + POLL_PAUSE_MS : -Infinity;
      return;
    }
    this.#pass = null;
    if (this.#passesAgain) {
      this.#passesAgain = false;
      this.#startPass(false);
    }
  }
}

function newTask(work: (looking: Looking) => Slices): Task {
  const looking = { isMatching: true, tried: 0, of: 0 };
  return { looking, work: work(looking) };
}
