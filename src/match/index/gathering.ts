// The candidates of an anchor: the eldest useful ones of each class around it. Where expressions are many to
// evaluate the walk may be cut; as long as nobody has come or gone since, it goes on where it stopped.

import type { Counters } from '../engine/counters';
import { NONE } from './ages';
import type { TicketStore } from './store';
import type { Window } from './window';
import type { Solver } from '../sets/solver';

export class Gathering {
  readonly #store: TicketStore;
  readonly #solver: Solver;
  readonly #counters: Counters;
  readonly #window: Window;
  /** The candidates so far, in no order. */
  readonly slots: number[] = [];
  /** Their players and the anchor's. */
  players = 0;
  /** Tickets and lists looked at by the last call. */
  walked = 0;
  /** For whom and when the walk is that was cut; which state of the buckets it is of. */
  #anchor = NONE;
  #sequence = -1;
  #now = 0;
  #version = -1;
  /** How far it came: position in the window, list, slot, and how many more of the list are of use. */
  #at = 0;
  #list = NONE;
  #slot = NONE;
  #room = 0;

  /** Looks at what lies in the store's window. */
  constructor(store: TicketStore, solver: Solver, counters: Counters) {
    this.#store = store;
    this.#solver = solver;
    this.#counters = counters;
    this.#window = store.window;
  }

  /** All candidates in the window that pass at `now`; false when the steps do not reach. */
  run(anchor: number, now: number): boolean {
    const { ages, buckets, columns, kinds } = this.#store;
    const anchorClass = this.#store.classOf(anchor);
    this.#begin(anchor, now, anchorClass.players);
    for (; this.#at < this.#window.length; this.#at += 1) {
      let list = this.#list === NONE ? this.#window.firstList(this.#at) : this.#list;
      for (; list !== NONE; list = buckets.nextList(list)) {
        const ticketClass = kinds.classAt(buckets.classOf(list));
        this.walked += 1;
        if (!ticketClass.canJoin || !kinds.areRelated(anchorClass, ticketClass)) {
          continue;
        }
        const isCut = list === this.#list;
        let room = isCut ? this.#room : this.#solver.cap(ticketClass.shape);
        let slot = isCut ? this.#slot : buckets.head(list);
        for (; slot !== NONE && room > 0; slot = buckets.next(slot)) {
          if (slot === anchor || this.#store.isOver(slot)) {
            continue;
          }
          const answer = columns.passes(anchor, slot, now);
          this.#counters.evaluations += 1;
          this.walked += 1;
          if (answer === 'yes') {
            this.slots.push(slot);
            this.players += ticketClass.players;
            room -= 1;
          } else if (answer === 'open') {
            this.#list = list;
            this.#slot = slot;
            this.#room = room;
            this.#anchor = anchor;
            this.#sequence = ages.sequence(anchor);
            this.#now = now;
            this.#version = buckets.version;
            return false;
          }
        }
        this.#list = NONE;
      }
    }
    return true;
  }

  /** Where it was cut, or from the beginning. */
  #begin(anchor: number, now: number, players: number): void {
    this.walked = 0;
    const { ages, buckets } = this.#store;
    const isCut =
      this.#anchor === anchor &&
      this.#sequence === ages.sequence(anchor) &&
      this.#now === now &&
      this.#version === buckets.version;
    this.#anchor = NONE;
    if (!isCut) {
      this.slots.length = 0;
      this.players = players;
      this.#at = 0;
      this.#list = NONE;
    }
  }
}
