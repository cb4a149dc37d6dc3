// Looking for a match: which anchors an arrival can have completed, eldest first, and the set that an anchor
// completes. Whole groups of anchors are dismissed by counts (glimpse.ts). Whoever is dismissed could not have
// matched, so the outcome is that of a full pass (docs/internals/design.md: What matching means).

import { SortedList } from '../../common/sorted-list';
import type { Solver } from '../teams/solver';
import { type Slices, whileValid } from '../teams/steps';
import { type Cell, type Group, playersOf } from './cells';
import { chooseSet, type Goal } from './choice';
import { Classes, type TicketClass } from './classes';
import { byAge, type Entry, isWaiting } from './entry';
import { Glimpse } from './glimpse';
import type { Pairs } from './pairs';
import type { Queue } from './queue';

/** What an attempt costs besides the pairs it asks about, in looks. */
const ATTEMPT = 48;
const CANDIDATE = 12;
/** What putting a list into the order of the anchors costs, in looks. */
const HEAD = 12;

export interface Found {
  readonly anchor: Entry;
  /** Everybody in the match, eldest first, the anchor among them. */
  readonly entries: readonly Entry[];
  /** When the rules were asked. */
  readonly at: number;
}

/** Matches of which size are looked for, and among whom. */
export interface Aim {
  readonly goal: Goal;
  /** Whose time is over, so that it takes part in nothing (docs/internals/design.md A15). */
  readonly isOver: (entry: Entry) => boolean;
}

/** How far an event is with its full matches: how many anchors there are, and how many have been tried. */
export interface Looking {
  isMatching: boolean;
  tried: number;
  of: number;
}

/** Tickets that may anchor a match with the newcomer, eldest first: the next one, and the rest. */
interface Head {
  readonly entry: Entry;
  readonly rest: Iterator<Entry>;
  readonly newcomer: Entry;
  /** Tells apart heads with the same next ticket. */
  readonly order: number;
}

export class Search {
  readonly #queue: Queue;
  readonly #solver: Solver;
  readonly #pairs: Pairs;

  constructor(queue: Queue) {
    this.#queue = queue;
    this.#solver = queue.solver;
    this.#pairs = queue.pairs;
  }

  /** Whether the candidate may join the anchor's match now. The two are of one partition. */
  isEligible(anchor: Entry, candidate: Entry, isOver: Aim['isOver']): boolean {
    const [one, other] = [anchor.ticketClass, candidate.ticketClass];
    return (
      !isOver(candidate) &&
      one.canAnchor &&
      other.canJoin &&
      this.#areRelated(one, other) &&
      this.#pairs.passes(anchor.ticket, candidate.ticket, this.#queue.now)
    );
  }

  /** Visits every waiting ticket that may anchor a match with one of the newcomers, the newcomers included, by age. */
  *forEachAnchor(
    newcomers: readonly Entry[],
    { goal, isOver }: Aim,
    looking: Looking,
    visit: (anchor: Entry) => Slices,
  ): Slices {
    const heads = new SortedList<Head>(byHead);
    let lists = 0;
    const add = (rest: Iterator<Entry>, newcomer: Entry, order = (lists += 1)): void => {
      const next = rest.next();
      if (next.done !== true) {
        heads.add({ entry: next.value, rest, newcomer, order });
      }
    };
    looking.of = newcomers.length;
    for (const newcomer of newcomers) {
      add([newcomer].values(), newcomer);
      for (const group of yield* this.#groupsFor(newcomer, goal)) {
        looking.of += group.size;
        add(group[Symbol.iterator](), newcomer);
      }
    }
    let last: Entry | null = null;
    for (let head = heads.first; head !== undefined; head = heads.first) {
      const { entry: anchor, rest, newcomer, order } = head;
      heads.delete(head);
      this.#pairs.look(HEAD);
      if (this.#queue.steps.left <= 0) {
        yield;
      }
      if (!isWaiting(newcomer) || isOver(newcomer)) {
        continue;
      }
      const isAsked = anchor !== last && isWaiting(anchor);
      if (isAsked && (anchor === newcomer || this.#passes(anchor, newcomer))) {
        last = anchor;
        yield* visit(anchor);
      }
      looking.tried += 1;
      add(rest, newcomer, order);
    }
  }

  /** The match that the anchor completes, or null. */
  *attempt(anchor: Entry, aim: Aim): Slices<Found | null> {
    const takesPart = (entry: Entry): boolean => isWaiting(entry) && !aim.isOver(entry);
    const { ticketClass } = anchor;
    while (takesPart(anchor)) {
      const at = this.#queue.now;
      if (ticketClass.players === this.#solver.players) {
        // It fills all teams alone. Rules are about pairs, and here is none.
        return { anchor, entries: [anchor], at };
      }
      const candidates = (yield* this.#candidates(anchor, aim)).sort(byAge);
      if (!candidates.every(takesPart)) {
        // One of them left during a pause. A younger ticket of that class may take the place.
        continue;
      }
      const fewest = this.#fewest(aim.goal) - ticketClass.players;
      if (candidates.reduce((sum, each) => sum + each.ticketClass.players, 0) < fewest) {
        return null;
      }
      const choosing = { solver: this.#solver, steps: this.#queue.steps, goal: aim.goal };
      const classes = candidates.map((each) => each.ticketClass);
      const taken = yield* whileValid(
        chooseSet(ticketClass, classes, choosing),
        () => takesPart(anchor) && candidates.every(takesPart),
      );
      // If one of them is gone since a pause, who can play now is another question.
      if (taken !== 'void') {
        const isMatch = taken !== null && (aim.goal === 'full' || taken.length > 0);
        const entries = [anchor, ...(taken ?? []).flatMap((index) => candidates[index] ?? [])];
        return isMatch ? { anchor, entries: entries.sort(byAge), at } : null;
      }
    }
    return null;
  }

  /** Of each class the eldest useful tickets that pass; none if there are too few players around. */
  *#candidates(anchor: Entry, { goal, isOver }: Aim): Slices<Entry[]> {
    this.#pairs.look(ATTEMPT);
    const around = anchor.ticketClass.canAnchor ? this.#queue.around(anchor) : [];
    if (playersOf(around) < this.#fewest(goal)) {
      return [];
    }
    this.#queue.counters.anchors += 1;
    const found: Entry[] = [];
    for (const { groups } of around) {
      for (const group of groups) {
        const { ticketClass } = group;
        if (this.#queue.steps.left <= 0) {
          yield;
        }
        const isRelated = this.#areRelated(anchor.ticketClass, ticketClass);
        let room = isRelated && ticketClass.canJoin ? this.#solver.cap(ticketClass.shape) : 0;
        for (const entry of room > 0 ? group : []) {
          this.#pairs.look(1);
          if (this.#queue.steps.left <= 0) {
            yield;
          }
          const takesPart = entry !== anchor && isWaiting(entry) && !isOver(entry);
          if (takesPart && this.#passes(anchor, entry)) {
            this.#pairs.look(CANDIDATE);
            found.push(entry);
            room -= 1;
            if (room === 0) {
              break;
            }
          }
        }
      }
    }
    return found;
  }

  /** The groups around a newcomer in which an anchor of a match with it could be. */
  *#groupsFor(newcomer: Entry, goal: Goal): Slices<readonly Group[]> {
    const { ticketClass } = newcomer;
    const groups: Group[] = [];
    if (!ticketClass.canJoin) {
      return groups;
    }
    const { cells, reach } = this.#queue;
    const around = cells.around(newcomer, 2 * reach);
    const glimpse = new Glimpse(ticketClass, this.#solver, goal, this.#queue.steps);
    for (let at = reach; at <= 3 * reach; at += 1) {
      const window = around.slice(at - reach, at + reach + 1).filter(isCell);
      const cell = around[at];
      if (cell === undefined || playersOf(window) < this.#fewest(goal)) {
        continue;
      }
      yield* glimpse.lookAt(window);
      for (const group of cell.groups) {
        if (this.#queue.steps.left <= 0) {
          yield;
        }
        const isRelated = this.#areRelated(group.ticketClass, ticketClass);
        if (isRelated && group.ticketClass.canAnchor && glimpse.couldMatch(group.ticketClass)) {
          groups.push(group);
        }
      }
    }
    return groups;
  }

  #passes(anchor: Entry, candidate: Entry): boolean {
    return this.#pairs.passes(anchor.ticket, candidate.ticket, this.#queue.now);
  }

  #fewest(goal: Goal): number {
    return goal === 'full' ? this.#solver.players : this.#solver.fewest;
  }

  #areRelated(one: TicketClass, other: TicketClass): boolean {
    this.#pairs.look(Classes.looksOf(one));
    return this.#queue.classes.areRelated(one, other);
  }
}

function isCell(cell: Cell | undefined): cell is Cell {
  return cell !== undefined;
}

function byHead(one: Head, other: Head): number {
  return byAge(one.entry, other.entry) || one.order - other.order;
}
