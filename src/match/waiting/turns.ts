// What earlier calls left, and whose turn it is. A few take turns at a time, so that what each has searched fits
// in memory; one that has had many slices goes behind the others.

import type { Looking } from './settling';
import type { Slices } from '../teams/steps';

/** So many take turns: with the pass and whoever is due, no more than there are searches kept. */
const IN_TURNS = 4;
/** More become one pass over all anchors, which asks what they would. */
const MOST_TASKS = 32;
/** Slices after which a task first goes behind the others; then after twice as many, and so on. */
const FIRST_SHARE = 64;

export interface Task extends Looking {
  readonly work: Slices;
}

export class Turns {
  #tasks: { readonly task: Task; slices: number; share: number }[] = [];

  get isEmpty(): boolean {
    return this.#tasks.length === 0;
  }

  get tasks(): readonly Task[] {
    return this.#tasks.map(({ task }) => task);
  }

  /** False where there were too many: all are forgotten, and a pass has to take their place. */
  add(task: Task): boolean {
    this.#tasks.push({ task, slices: 0, share: FIRST_SHARE });
    if (this.#tasks.length <= MOST_TASKS) {
      return true;
    }
    this.#tasks = [];
    return false;
  }

  /** A slice of the next; true when it paused again. */
  run(): boolean {
    const next = this.#tasks.shift();
    if (next === undefined || next.task.work.next().done === true) {
      return false;
    }
    next.slices += 1;
    const isOver = next.slices >= next.share;
    if (isOver) {
      next.slices = 0;
      next.share *= 2;
    }
    this.#tasks.splice(isOver ? this.#tasks.length : IN_TURNS - 1, 0, next);
    return true;
  }
}
