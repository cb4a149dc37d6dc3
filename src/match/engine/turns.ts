// The tasks that are left, and which of them has the next slice. A few take turns at a time, so that what
// each has searched is kept; one that has had many slices goes behind the others. Where there are too
// many, all anchors are to be asked instead, which asks what they ask.

import { ARMS_IN, Named, Task, unarmedOf, untoldOf } from './task';
import type { Work } from './work';
import type { TicketStore } from '../index/store';

/** So many take turns: with the pass and whoever is due, no more than there are searches kept. */
const IN_TURNS = 4;
const MOST_TASKS = 32;

export class Turns {
  readonly #store: TicketStore;
  /** The next to have a turn first. */
  #tasks: Task[] = [];

  constructor(store: TicketStore) {
    this.#store = store;
  }

  /** What the tasks have yet to do. */
  get work(): Work {
    const searches = this.#tasks.filter(isMatching);
    const sum = (of: (task: Task) => number): number =>
      searches.reduce((total, task) => total + of(task), 0);
    return {
      searches: searches.length,
      anchors: { tried: sum(({ tried }) => tried), of: sum(({ of }) => of) },
      toArm: this.#tasks.reduce((total, task) => total + unarmedOf(task).length, 0),
    };
  }

  /** True when a task may find the waiting slot a match. */
  isLookedFor(slot: number): boolean {
    const { ages } = this.#store;
    return this.#tasks.some((task) => {
      const { kind, anchors, subjects, from } = task;
      return (
        isMatching(task) &&
        ((anchors ?? subjects).slots.includes(slot) ||
          (kind === 'arrival' && (from === null || !ages.isBefore(slot, from))))
      );
    });
  }

  get isEmpty(): boolean {
    return this.#tasks.length === 0;
  }

  /** The task whose turn it is, which is to be put back if it is not done. */
  take(): Task | undefined {
    return this.#tasks.shift();
  }

  putBack(task: Task): void {
    this.#tasks.splice(task.hasHadItsShare() ? this.#tasks.length : IN_TURNS - 1, 0, task);
  }

  /** `gathered`: there were too many, and a pass has to ask what they would have. */
  add(task: Task): 'added' | 'gathered' {
    this.#tasks.push(task);
    if (this.#tasks.length <= MOST_TASKS) {
      return 'added';
    }
    const named = (slots: readonly number[]): Named =>
      new Named(
        this.#store,
        [...new Set(slots)].filter((slot) => this.#store.isWaiting(slot)),
      );
    const at = Math.min(...this.#tasks.map((each) => each.at));
    const gathered = new Task('arming', at, named(this.#tasks.flatMap(unarmedOf)));
    gathered.newcomers = named(this.#tasks.flatMap(untoldOf));
    this.#tasks = [gathered];
    return 'gathered';
  }
}

/** True while a task looks for full matches. */
function isMatching({ kind, phase }: Task): boolean {
  return phase < ARMS_IN[kind];
}
