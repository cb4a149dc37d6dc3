// A pass over all waiting tickets, in slices, so that no call ever computes for long: first for
// full matches, then for games with room, then for short matches. It finds nothing that the events
// have not found; it is for wake, for the safety net, and for what only asking can tell. On wake it
// also notes when something next opens for each ticket.

import type { Counters } from './counters';
import { NONE } from '../index/ages';
import type { TicketStore } from '../index/store';

/**
 * What a pass is for: after a wake, instead of many events, by the safety net, or because expressions
 * read the time.
 */
export type PassKind = 'wake' | 'gathered' | 'sweep' | 'poll';

/** What is asked of each ticket, in this order, each of all before the next. */
export type Round = 'full' | 'arm' | 'backfill' | 'short';

/** A poll is not urgent: its slices leave time to others. */
const POLL_PAUSE_MS = 100;
const ROUNDS: readonly Round[] = ['full', 'backfill', 'short'];
const WAKING: readonly Round[] = ['full', 'arm', 'backfill', 'short'];
/** One that does more takes the place of one that is to follow. */
const WEIGHT: Readonly<Record<PassKind, number>> = { poll: 0, sweep: 1, gathered: 2, wake: 3 };

export class FullPass {
  readonly #store: TicketStore;
  readonly #counters: Counters;
  #kind: PassKind = 'wake';
  #round = 0;
  /** Where it goes on; NONE when there is no pass under way. */
  #from = NONE;
  /** When the search for that ticket began. */
  #since: number | null = null;
  /** Another is to follow the one under way. */
  #again: PassKind | null = null;
  #dueAt = -Infinity;
  #begunAt = -Infinity;
  #asked = 0;

  constructor(store: TicketStore, counters: Counters) {
    this.#store = store;
    this.#counters = counters;
  }

  /** When the next slice is due: -Infinity for at once, Infinity when there is none. */
  get dueAt(): number {
    return this.#from === NONE ? Infinity : this.#dueAt;
  }

  get isUnderWay(): boolean {
    return this.#from !== NONE;
  }

  /** Tickets asked for full matches so far, of all; null when that is not what is under way. */
  get progress(): { readonly asked: number; readonly of: number } | null {
    const { tickets } = this.#store.totals;
    return this.#from === NONE || this.#round > 0
      ? null
      : { asked: Math.min(this.#asked, tickets), of: tickets };
  }

  /** Tickets of which it is not known when something next opens for them. */
  get toArm(): number {
    if (this.#from === NONE || this.#kind !== 'wake' || this.#round > WAKING.indexOf('arm')) {
      return 0;
    }
    const { tickets } = this.#store.totals;
    return this.#round === 0 ? tickets : Math.max(0, tickets - this.#asked);
  }

  /** When the pass under way began: what opened since then is to be noted. */
  get begunAt(): number {
    return this.#begunAt;
  }

  /** True while the slot has yet to be asked for a full match. */
  isAhead(slot: number): boolean {
    return this.#from !== NONE && this.#round === 0 && !this.#store.ages.isOlder(slot, this.#from);
  }

  /** One under way is finished first, and then this one begins; a poll asks nothing that is new. */
  start(kind: PassKind, now: number): void {
    if (this.#from === NONE) {
      this.#begin(kind, this.#store.ages.eldest);
      this.#begunAt = now;
    } else if (kind !== 'poll' && WEIGHT[kind] >= WEIGHT[this.#again ?? 'poll']) {
      this.#again = kind;
    }
  }

  /** The slot is about to leave the queue. */
  leave(slot: number): void {
    if (slot === this.#from) {
      this.#since = null;
      const { ages } = this.#store;
      this.#moveOn(ages.eldest === slot ? ages.younger(slot) : ages.eldest);
    }
  }

  /** One slice; `ask` says how much it found for the slot, or null when it has to be asked again. */
  run(now: number, ask: (slot: number, round: Round, since: number) => number | null): void {
    const { steps } = this.#store;
    while (this.#from !== NONE && steps.left > 0) {
      const slot = this.#from;
      this.#since ??= now;
      const found = ask(slot, this.#rounds[this.#round] ?? 'short', this.#since);
      if (found === null) {
        break;
      }
      this.#since = null;
      steps.left -= 1;
      this.#counters.sweepFound += this.#kind === 'sweep' ? found : 0;
      // Who was matched has left the queue, and the pass moved on.
      if (this.#from === slot) {
        this.#asked += 1;
        this.#moveOn(this.#store.ages.eldest);
      }
    }
    this.#dueAt = this.#kind === 'poll' ? now + POLL_PAUSE_MS : -Infinity;
  }

  get #rounds(): readonly Round[] {
    return this.#kind === 'wake' ? WAKING : ROUNDS;
  }

  /** To the next ticket, or to the eldest for the next round. */
  #moveOn(eldest: number): void {
    this.#from = this.#store.ages.younger(this.#from);
    if (this.#from === NONE && this.#round + 1 < this.#rounds.length) {
      this.#from = eldest;
      this.#round += 1;
      this.#asked = 0;
    }
    if (this.#from === NONE && this.#again !== null) {
      this.#begin(this.#again, eldest);
    }
  }

  #begin(kind: PassKind, from: number): void {
    this.#kind = kind;
    this.#again = null;
    this.#round = 0;
    this.#asked = 0;
    this.#from = from;
    this.#dueAt = -Infinity;
  }
}
