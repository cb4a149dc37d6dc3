// When tickets come into each other's reach as rules widen: of each waiting ticket the next instant at
// which a pair with it opens (docs/internals/design.md: What matching means). Holds always: of a pair whose
// opening could complete a match at least one of the two knows an instant no later; who comes last notes its
// pairs with all before it.

import type { Cell, Group } from './cells';
import { Classes } from './classes';
import { byAge, type Entry } from './entry';
import type { Pairs } from './pairs';
import type { Plan } from './plan';
import type { Queue } from './queue';
import type { Solver } from '../teams/solver';
import type { Slices } from '../teams/steps';
import { SortedList } from '../../common/sorted-list';

/** What of a class a cell must have beyond all use before pairs with more of it are left out. */
const PLENTY = 8;
/** More than the widening solved for time can miss by, ms. */
const ROUNDING_MS = 2;

/** A group, and whether a new pair with one of it can matter to the ticket as anchor, and to the other one. */
interface Near {
  readonly group: Group;
  readonly me: boolean;
  readonly them: boolean;
  /** No ticket of the group lies nearer. */
  readonly gap: number;
}

/** Which instants are asked for: all lie before the end. */
interface Wanted {
  readonly isAsked: (at: number) => boolean;
  readonly end: () => number;
}

export class Openings {
  readonly #plan: Plan;
  readonly #queue: Queue;
  readonly #solver: Solver;
  readonly #pairs: Pairs;
  readonly #soonest = new SortedList<Entry>((a, b) => a.opensAt - b.opensAt || byAge(a, b));

  constructor(plan: Plan, queue: Queue, solver: Solver, pairs: Pairs) {
    this.#plan = plan;
    this.#queue = queue;
    this.#solver = solver;
    this.#pairs = pairs;
  }

  /** Infinity when nothing will open. */
  get next(): number {
    return this.#soonest.first?.opensAt ?? Infinity;
  }

  /** Takes out those whose instant has come, so many at most. */
  takeDue(at: number, most: number): readonly { readonly entry: Entry; readonly since: number }[] {
    const due: { readonly entry: Entry; readonly since: number }[] = [];
    for (let entry = this.#soonest.first; entry !== undefined; entry = this.#soonest.first) {
      if (entry.opensAt > at || due.length >= most) {
        break;
      }
      due.push({ entry, since: entry.opensAt });
      this.set(entry, Infinity);
    }
    return due.sort((a, b) => byAge(a.entry, b.entry));
  }

  /** Infinity for never. */
  set(entry: Entry, at: number): void {
    if (entry.opensAt < Infinity) {
      this.#soonest.delete(entry);
    }
    entry.opensAt = at;
    if (at < Infinity) {
      this.#soonest.add(entry);
    }
  }

  /** Something outside the queue opens for the ticket: a game with room. */
  lower(entry: Entry, at: number): void {
    if (at < entry.opensAt) {
      this.set(entry, at);
    }
  }

  /** When after `since` the next pair of the ticket opens, whichever of the two is the anchor; Infinity for never. */
  *soonestOf(entry: Entry, since: number): Slices<number> {
    let soonest = Infinity;
    const isAsked = (at: number): boolean => at > since && at < soonest;
    yield* this.#pairsOf(entry, { isAsked, end: () => soonest }, (other, { me, them }, at) => {
      const isPair =
        (me && this.#pairs.passesEver(entry, other)) ||
        (them && this.#pairs.passesEver(other, entry));
      soonest = isPair ? at : soonest;
    });
    return soonest;
  }

  /** The anchors that from `since` to `until`, both to the millisecond, got a candidate more by a pair of the ticket. */
  *openedBy(entry: Entry, since: number, until: number): Slices<ReadonlySet<Entry>> {
    const opened = new Set<Entry>();
    const isAsked = (at: number): boolean => at >= since && at <= until;
    yield* this.#pairsOf(entry, { isAsked, end: () => until + 1 }, (other, { me, them }) => {
      if (me && this.#pairs.passesEver(entry, other)) {
        opened.add(entry);
      }
      if (them && this.#pairs.passesEver(other, entry)) {
        opened.add(other);
      }
    });
    return opened;
  }

  /** Visits the pairs of the ticket that open at instants that are asked for, all before the `end`, while it waits. */
  *#pairsOf(
    entry: Entry,
    { isAsked, end }: Wanted,
    visit: (other: Entry, near: Near, at: number) => void,
  ): Slices {
    for (const near of this.#near(entry)) {
      for (const other of near?.group ?? [entry]) {
        if (this.#pairs.steps.left <= 0) {
          yield;
          if (entry.state !== 'waiting') {
            return;
          }
        }
        if (near === null || other === entry) {
          continue;
        }
        this.#pairs.look(1);
        // Those that follow are younger still, and open no sooner.
        if (this.#earliest(entry, other, near.gap) >= end()) {
          break;
        }
        const apart = Math.abs(entry.value - other.value);
        if (this.#earliest(entry, other, apart) < end()) {
          const at = this.#pairs.widensAt(entry.ticket, other.ticket);
          if (isAsked(at)) {
            visit(other, near, at);
          }
        }
      }
    }
  }

  /** The groups with which a pair of the ticket could open, the nearest first; null where the steps are spent. */
  *#near(entry: Entry): Generator<Near | null, void, undefined> {
    const { measure, timeoutMs } = this.#plan;
    const { cells, classes } = this.#queue;
    const { widening } = this.#pairs.rules;
    if (widening === 0) {
      return;
    }
    // No ticket waits longer than the timeout, so nothing ever widens beyond twice the rule.
    const reach = cells.reach(timeoutMs);
    const around = cells.around(entry, reach);
    const home = around[reach];
    // Where only one rule widens, those within it are open already.
    const within = widening === 1 && measure?.widens === true ? measure.max : -Infinity;
    const own = entry.ticketClass;
    const byGap = around
      .flatMap((cell) => (cell === undefined ? [] : [{ cell, ...cell.bounds }]))
      .filter(({ low, high }) => Math.max(entry.value - low, high - entry.value) > within)
      .map(({ cell, low, high }) => ({
        cell,
        gap: Math.max(0, low - entry.value, entry.value - high),
      }))
      .sort((a, b) => a.gap - b.gap);
    for (const { cell, gap } of byGap) {
      for (const group of cell.groups) {
        const theirs = group.ticketClass;
        if (this.#pairs.steps.left <= 0) {
          yield null;
        }
        this.#pairs.look(Classes.looksOf(own));
        if (group.size > 0 && classes.areRelated(own, theirs)) {
          const me = own.canAnchor && theirs.canJoin && !this.#isPlenty(home, theirs);
          const them = theirs.canAnchor && own.canJoin && !this.#isPlenty(cell, own);
          if (me || them) {
            yield { group, me, them, gap };
          }
        }
      }
    }
  }

  /** No pair of the two that lies so far apart opens sooner. */
  #earliest(one: Entry, other: Entry, gap: number): number {
    const { measure, timeoutMs } = this.#plan;
    const max = measure?.max ?? Infinity;
    const start = Math.min(one.ticket.startedAt, other.ticket.startedAt);
    return gap <= max ? start : start + timeoutMs * (gap / max - 1) - ROUNDING_MS;
  }

  /**
   * True when every ticket of the cell passes with as many of the class as could ever be used: one more of
   * them, further off, completes nothing that was not complete before. Pairs left out so are noted after all
   * when the cell no longer has more of the class than can be used.
   */
  #isPlenty(cell: Cell | undefined, ticketClass: Entry['ticketClass']): boolean {
    const { measure, isMeasureAll } = this.#plan;
    if (cell === undefined || measure === null || !isMeasureAll) {
      return false;
    }
    const cap = this.#solver.cap(ticketClass.shape);
    const plenty = 2 * cap + PLENTY;
    const group = cell.groupOf(ticketClass);
    if (group === undefined || group.size <= plenty) {
      return false;
    }
    const { low, high } = cell.bounds;
    if (high - low > measure.max) {
      return false;
    }
    group.reliedOn = cap;
    return true;
  }
}
