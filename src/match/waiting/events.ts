// When the pool does what. Each event is settled at its own instant, and what is due happens in the order of time.
// Once all work is done, no anchor can complete a match (docs/internals/design.md: What matching means).
//
// A call has a number of steps. Work that needs more becomes a task and continues in slices:
// - Tasks take turns, a slice each. An event beyond the last of them is settled anew, together with others, once
//   another is done.
// - A later event does not wait for them. It gets steps of its own. What it matches is gone for the tasks; what it
//   makes possible, it finds itself.
// - What is due at an instant waits for the tasks of that instant, but not what is due later.
// - Each slice takes a task at least one unit of its work further, however few its steps: a generator pauses before a
//   unit and does that unit when it continues. So whatever keeps the pool busy must be something that a slice can do.
//   Only waiting tickets are in `unknown`, open or have patience: a task does nothing for any other.

import type { Work } from '../../../packages/js/src/dashboard-types';
import { LATE_MS } from '../pool';
import type { Slices } from '../teams/steps';
import { byAge, type Entry, isWaiting } from './entry';
import type { Queue } from './queue';
import type { Settling } from './settling';
import type { Looking } from './search';

/** No event announces when an expression over waitSeconds becomes true, so it is polled. */
const POLL_MS = 1000;
/** A poll is not urgent: it leaves time to others between its slices. */
const POLL_PAUSE_MS = 100;
/** Fewer events than there are searches kept (`OpenQuestions`). */
const MOST_TASKS = 16;

/** So many tickets whose regions become more are looked at together. */
const MOST_GROWN = 16;

interface Task {
  /** `notes`: notes what opens next where that is not known. `pass` and `poll`: ask everybody. */
  readonly kind: 'event' | 'notes' | 'pass' | 'poll';
  readonly looking: Looking;
  readonly work: Slices;
  /** When its next slice is; -Infinity for at once. */
  dueAt: number;
}

export class Events {
  readonly #queue: Queue;
  readonly #settling: Settling;
  readonly #budget: number;
  /** The next in turn comes first. */
  #tasks: Task[] = [];
  /** Tickets that came when there were too many tasks. */
  #late: Entry[] = [];
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
    const mustTakeUp = this.#queue.unknown.size > 0 || this.#settling.games.isUnsettled;
    return mustTakeUp || this.#dropping !== null
      ? -Infinity
      : Math.min(...this.#tasks.map(({ dueAt }) => dueAt), this.#nextInstant);
  }

  get work(): Work {
    const matching = this.#tasks.map(({ looking }) => looking).filter((each) => each.isMatching);
    const tried = matching.reduce((sum, looking) => sum + looking.tried, 0);
    const of = matching.reduce((sum, looking) => sum + looking.of, 0);
    return { searches: matching.length, anchors: { tried, of }, toArm: this.#queue.unknown.size };
  }

  /** Does what is due up to `now`, each at its own instant, as far as the steps suffice. */
  proceed(now: number): void {
    this.#grant();
    const queue = this.#queue;
    const target = Math.max(now, queue.now);
    const mayOpen = target > queue.now || !this.#tasks.some(({ dueAt }) => dueAt === -Infinity);
    queue.givenUpAt = Math.max(queue.givenUpAt, this.#isRestored ? target : target - LATE_MS);
    if (this.#isRestored) {
      queue.wokenAt = target;
      this.#settling.grow(target, Infinity);
    }
    this.#isRestored = false;
    let isDropped = this.#drop();
    this.#takeUp();
    while (isDropped && queue.steps.left > 0) {
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
    const task = this.#tasks.find(({ dueAt }) => dueAt <= this.#queue.now);
    if (task !== undefined) {
      this.#grant();
      this.#run(task);
    }
    this.#takeUp();
  }

  /** Reserved tickets wait, and what that makes possible happens. */
  arrive(entries: readonly Entry[]): void {
    this.#grant();
    entries.forEach((entry) => this.#queue.wait(entry));
    this.#settle(entries.toSorted(byAge));
    this.#takeUp();
  }

  /** Puts a ticket into the queue on wake. The pass that follows looks for matches. */
  restore(entry: Entry): void {
    this.#queue.wait(entry);
    this.#isRestored = true;
    if (!this.#tasks.some(({ kind, looking }) => kind === 'pass' && looking.of === 0)) {
      this.#begin('pass', (looking) => this.#settling.everyone(looking));
    }
  }

  /** The safety net: a pass over all anchors. */
  sweep(): void {
    this.#grant();
    this.#askAll('pass');
    this.#takeUp();
  }

  /** A slice of a pass over all anchors: of the one under way, if there is one. */
  #askAll(kind: 'pass' | 'poll'): void {
    const known = this.#tasks.find((task) => task.kind === 'pass' || task.kind === 'poll');
    this.#run(known ?? this.#begin(kind, (looking) => this.#settling.everyone(looking)));
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
    const { now, waiting, opening } = this.#queue;
    const { patient } = this.#settling;
    if (waiting.size === 0) {
      return Infinity;
    }
    // Before the pool has reached any instant, the pass that wakes it asks what a poll would.
    const isPolled = this.#queue.rules.pollsTime && now > -Infinity;
    return Math.min(
      this.#nextTimeout,
      opening.first?.opensAt ?? Infinity,
      this.#queue.growing.first?.growsAt ?? Infinity,
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
    const { now, rules } = this.#queue;
    const { patient } = this.#settling;
    this.#queue.takeOpened();
    if (rules.pollsTime && now % POLL_MS === 0) {
      this.#askAll('poll');
    }
    const notes = this.#tasks.find(({ kind }) => kind === 'notes');
    if (notes === undefined) {
      this.#takeUp();
    } else {
      this.#run(notes);
    }
    // Full matches come first.
    if (patient !== null && patient.next <= now && !this.#isUnderWay('notes')) {
      this.#settle([]);
    }
    // Who accepts more regions is like a newcomer.
    const grown = this.#settling.grow(now, MOST_GROWN);
    if (grown.length > 0) {
      this.#settle(grown);
      this.#takeUp();
    }
  }

  #isUnderWay(kind: Task['kind']): boolean {
    return this.#tasks.some((task) => task.kind === kind);
  }

  /** Begins the work that arrivals, departures and deadlines have caused, unless it is under way. */
  #takeUp(): void {
    const { now, unknown } = this.#queue;
    const events = this.#tasks.filter(({ kind }) => kind === 'event').length;
    if (this.#late.length > 0 && events < MOST_TASKS) {
      this.#settle(this.#late.splice(0).filter(isWaiting).sort(byAge));
    } else if (this.#settling.games.isUnsettled && events === 0) {
      this.#settle([]);
    }
    if (unknown.size > 0 && now > -Infinity && !this.#isUnderWay('notes')) {
      this.#run(this.#begin('notes', (looking) => this.#settling.notes(looking)));
    }
  }

  #settle(subjects: readonly Entry[]): void {
    this.#run(this.#begin('event', (looking) => this.#settling.arrivals(looking, subjects)));
    if (this.#tasks.filter(({ kind }) => kind === 'event').length > MOST_TASKS) {
      this.#tasks.pop();
      this.#late.push(...subjects);
    }
  }

  /** A new task, whose turn is the last. */
  #begin(kind: Task['kind'], work: (looking: Looking) => Slices): Task {
    const looking = { isMatching: kind !== 'notes', tried: 0, of: 0 };
    const task = { kind, looking, work: work(looking), dueAt: -Infinity };
    this.#tasks.push(task);
    return task;
  }

  /** Runs the task as far as the steps suffice. The rest is left for its next turn. */
  #run(task: Task): void {
    const isDone = task.work.next().done === true;
    this.#tasks = this.#tasks.filter((each) => each !== task);
    if (!isDone) {
      this.#queue.counters.budgetHits += 1;
      task.dueAt = task.kind === 'poll' ? this.#queue.now + POLL_PAUSE_MS : -Infinity;
      this.#tasks.push(task);
    }
  }
}
