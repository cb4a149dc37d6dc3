// When rules widen far enough for two tickets to meet: the next such instant of each waiting ticket. For every pair
// that will open, at least one of the two knows an instant no later: whoever comes last notes its pairs with all
// before it.
//
// Only waiting tickets open, because only a waiting ticket can be noted again. An opening of any other would be due and
// never done. A walk may find its ticket reserved after a pause, or reserved and back, with another walk that knows
// more: so `Queue.opens` refuses the first, and never moves an opening to a later instant.

import type { Slices } from '../teams/steps';
import type { Cell } from './cells';
import { Classes, type Entry, isWaiting } from './entry';
import type { Queue } from './queue';

/** Pairs are left out if a cell has so many more than twice what a match can use: it is long until they are missed. */
const SPARE = 8;
/** More than rounding can move an instant, ms. */
const ROUNDING_MS = 2;

export class Openings {
  readonly #queue: Queue;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /**
   * Notes when after `until` the next pair of the ticket opens, whichever of the two is the anchor. Tells which
   * anchors got a useful candidate more when pairs with it opened from `since` to `until`, both in whole milliseconds.
   */
  *note(entry: Entry, since: number, until: number): Slices<ReadonlySet<Entry>> {
    const { classes } = this.#queue;
    const own = entry.ticketClass;
    const opened = new Set<Entry>();
    let soonest = Infinity;
    for (const { cell, gap } of this.#cellsNear(entry)) {
      for (const group of cell.groups) {
        if (this.#queue.look(Classes.looksOf(own))) {
          yield;
        }
        const its = group.ticketClass;
        const isAsked = classes.mayJoin(own, its) || classes.mayJoin(its, own);
        for (const other of isAsked ? group : []) {
          if (this.#queue.look(1)) {
            yield;
          }
          if (!isWaiting(entry)) {
            return opened;
          }
          // The others of the group are younger, so their pairs open no sooner.
          if (this.#earliest(entry, other, gap) >= soonest) {
            break;
          }
          const at = other === entry ? Infinity : this.#queue.widensAt(entry.ticket, other.ticket);
          if (at < since || at >= soonest) {
            continue;
          }
          const anchors = [entry, other].filter((anchor) =>
            this.#isUseful(anchor, anchor === entry ? other : entry),
          );
          if (at <= until) {
            anchors.forEach((anchor) => opened.add(anchor));
          } else if (anchors.length > 0) {
            soonest = at;
          }
        }
      }
    }
    this.#queue.opens(entry, soonest);
    return opened;
  }

  /** True if the candidate can matter to the anchor once they meet. */
  #isUseful(anchor: Entry, candidate: Entry): boolean {
    return (
      this.#queue.classes.mayJoin(anchor.ticketClass, candidate.ticketClass) &&
      !this.#hasPlenty(anchor, candidate) &&
      this.#queue.passesEver(anchor.ticket, candidate.ticket)
    );
  }

  /**
   * True if the anchor's cell alone has more candidates of that class for it than a match can use: one more, farther
   * away, completes nothing. When the cell has fewer, its pairs are noted after all (`Queue.reserve`). Without this
   * a crowd that cannot match would be busy with pairs that open in vain (test/match/counters.test.ts).
   */
  #hasPlenty(anchor: Entry, { ticketClass }: Entry): boolean {
    const { measure, isMeasureAll } = this.#queue.plan;
    const [home] = isMeasureAll ? this.#queue.cells.around(anchor, 0) : [];
    const group = home?.groupOf(ticketClass);
    const cap = this.#queue.solver.cap(ticketClass.shape);
    if (home === undefined || group === undefined || group.size <= 2 * cap + SPARE) {
      return false;
    }
    const isWithin = home.high - home.low <= (measure?.max ?? -1);
    group.reliedOn = isWithin ? cap : group.reliedOn;
    return isWithin;
  }

  /** The cells with which pairs of the ticket could open, nearest first. `gap`: no ticket of the cell is nearer. */
  #cellsNear(entry: Entry): readonly { readonly cell: Cell; readonly gap: number }[] {
    const { measure, timeoutMs } = this.#queue.plan;
    const { widening } = this.#queue.rules;
    if (widening === 0) {
      return [];
    }
    // If only one rule widens, pairs within it are open already.
    const within = widening === 1 && measure?.reach ? measure.max : -Infinity;
    const { value } = entry;
    // No ticket waits longer than the timeout.
    return this.#queue.cells
      .around(entry, this.#queue.cells.reach(timeoutMs))
      .filter((cell) => cell !== undefined)
      .filter(({ low, high }) => Math.max(value - low, high - value) > within)
      .map((cell) => ({ cell, gap: Math.max(0, cell.low - value, value - cell.high) }))
      .sort((a, b) => a.gap - b.gap);
  }

  /** A pair so far apart opens no sooner than this. */
  #earliest(one: Entry, other: Entry, gap: number): number {
    const { measure } = this.#queue.plan;
    const start = Math.min(one.ticket.startedAt, other.ticket.startedAt);
    const isOpen = gap <= (measure?.max ?? Infinity);
    return isOpen ? start : start + (measure?.reach?.when(gap) ?? Infinity) - ROUNDING_MS;
  }
}
