// A pass over all waiting tickets, in slices, so that no event ever computes for long: first for
// full matches, then for games with room, then for short matches. It finds nothing that the events
// have not found; it is for wake, for the safety net, and for what only asking can tell.

import type { Counters } from './counters';
import { NONE } from './index-ages';
import type { Search } from './index-search';
import type { Store } from './index-store';

/** What a pass is for: after a wake, by the safety net, or because expressions read the time. */
export type PassKind = 'wake' | 'sweep' | 'poll';

/** What is asked of each ticket, in this order, each of all before the next. */
export type Round = 'full' | 'backfill' | 'short';

/** Tickets of one slice. */
const SLICE = 2000;
/** A poll is not urgent: its slices leave time to others. */
const POLL_PAUSE_MS = 100;
const ROUNDS: readonly Round[] = ['full', 'backfill', 'short'];

export class FullPass {
  readonly #store: Store;
  readonly #search: Search;
  readonly #counters: Counters;
  #kind: PassKind = 'wake';
  #round = 0;
  /** Where it goes on; NONE when there is no pass under way. */
  #from = NONE;
  #dueAt = -Infinity;

  constructor(store: Store, search: Search, counters: Counters) {
    this.#store = store;
    this.#search = search;
    this.#counters = counters;
  }

  /** When the next slice is due: -Infinity for at once, Infinity when there is none. */
  get dueAt(): number {
    return this.#from === NONE ? Infinity : this.#dueAt;
  }

  /** A pass under way is left for the new one, which will ask the same, but for a poll. */
  start(kind: PassKind): void {
    if (kind === 'poll' && this.#from !== NONE) {
      return;
    }
    this.#kind = kind;
    this.#round = 0;
    this.#from = this.#store.ages.eldest;
    this.#dueAt = -Infinity;
  }

  /** The slot is about to leave the queue. */
  leave(slot: number): void {
    if (slot === this.#from) {
      this.#from = this.#store.ages.younger(slot);
    }
  }

  /** One slice; `ask` says how much it found for the slot. */
  run(now: number, ask: (slot: number, round: Round) => number): void {
    const { ages } = this.#store;
    this.#search.startEvent();
    let found = 0;
    for (let left = SLICE; left > 0 && this.#from !== NONE; left -= 1) {
      const slot = this.#from;
      this.#from = ages.younger(slot);
      found += ask(slot, ROUNDS[this.#round] ?? 'short');
      if (this.#from === NONE && this.#round + 1 < ROUNDS.length) {
        this.#from = ages.eldest;
        this.#round += 1;
      }
      if (this.#search.isExhausted) {
        break;
      }
    }
    this.#dueAt = this.#kind === 'poll' ? now + POLL_PAUSE_MS : -Infinity;
    if (this.#kind === 'sweep') {
      this.#counters.sweepFound += found;
    }
  }
}
