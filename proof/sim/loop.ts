// The virtual clock and its events: one at a time, in order of time, ties in an order of chance.
// Between two events every promise that can go on has gone on.

import type { Random } from './random';

export interface Timer {
  cancelled: boolean;
}

interface Event extends Timer {
  readonly at: number;
  readonly tie: number;
  readonly order: number;
  readonly run: () => void;
}

function before(a: Event, b: Event): boolean {
  return a.at !== b.at ? a.at < b.at : a.tie !== b.tie ? a.tie < b.tie : a.order < b.order;
}

/** Resolves after all microtasks: Node runs its ticks once none is left. */
function drained(): Promise<void> {
  return new Promise(onNextTick);
}

function onNextTick(resolve: () => void): void {
  process.nextTick(resolve);
}

export class Loop {
  readonly #random: Random;
  readonly #heap: Event[] = [];
  #now: number;
  #orders = 0;
  #atEnd: (() => void)[] = [];
  steps = 0;

  constructor(random: Random, startsAt = 0) {
    this.#random = random;
    this.#now = startsAt;
  }

  /** Milliseconds since the run began. This is the true time, which no object sees. */
  get now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Timer {
    return this.at(this.#now + ms, run);
  }

  at(time: number, run: () => void): Timer {
    this.#orders += 1;
    const at = Math.max(time, this.#now);
    const event = { at, tie: this.#random.below(8), order: this.#orders, run, cancelled: false };
    this.#push(event);
    return event;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Runs events until there are none, the time is over, or `done` returns true. */
  async run(until: number, done: () => boolean): Promise<void> {
    while (!done()) {
      const [next] = this.#heap;
      if (next === undefined || next.at > until) {
        this.#now = Math.max(this.#now, until);
        return;
      }
      this.#pop();
      if (next.cancelled) {
        continue;
      }
      this.#now = next.at;
      this.steps += 1;
      next.run();
      await drained();
      while (this.#atEnd.length > 0) {
        const ends = this.#atEnd;
        this.#atEnd = [];
        ends.forEach((end) => end());
        await drained();
      }
    }
  }

  /** Runs once everything that the current event caused has run. */
  atEnd(run: () => void): void {
    this.#atEnd.push(run);
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || before(above, event)) {
        break;
      }
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) {
      return;
    }
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      if (left === undefined) {
        break;
      }
      const isRight = right !== undefined && before(right, left);
      const child = isRight ? right : left;
      if (before(last, child)) {
        break;
      }
      heap[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    heap[index] = last;
  }
}
