// Looking for a match: which anchors an arrival can have completed, eldest first, and what set an anchor
// completes. Whole groups are dismissed by counts before any ticket of theirs is looked at; what is dismissed
// could not have matched, so the outcome is that of a full pass (docs/internals/design.md: What matching means).

import { type Goal, chooseSet } from './choice';
import { byAge, type Entry } from './entry';
import { type Cell, type Group, playersOf } from './cells';
import type { Counters } from './counters';
import type { Pairs } from './pairs';
import { Classes, type TicketClass } from './classes';
import type { Queue } from './queue';
import type { Solver } from '../teams/solver';
import type { Slices, Steps } from '../teams/steps';
import { Glimpse } from './glimpse';
import { SortedList } from '../../common/sorted-list';

/** What an attempt costs on top of the pairs it asks about, and for each candidate, in looks. */
const ATTEMPT = 48;
const CANDIDATE = 12;
/** What it costs to put a group into the order of the anchors, in looks. */
const HEAD = 12;

export interface Found {
  readonly anchor: Entry;
  /** All of the match, eldest first, the anchor among them. */
  readonly entries: readonly Entry[];
}

/** Matches of what size are looked for, at which instant and among whom: time goes on while a search pauses. */
export interface Aim {
  readonly goal: Goal;
  readonly now: () => number;
  /** Whether the ticket's time is over, so that it takes part in nothing (docs/internals/design.md A15). */
  readonly isOver: (entry: Entry) => boolean;
}

/** How many anchors there are for an event, and how many have been asked. */
export interface Progress {
  tried: number;
  of: number;
}

/** The tickets of a group, and the next of them to be asked with whom it would be asked. */
interface Head {
  entry: Entry;
  readonly rest: Iterator<Entry>;
  readonly newcomer: Entry;
  readonly order: number;
}

export class Search {
  readonly #queue: Queue;
  readonly #solver: Solver;
  readonly #pairs: Pairs;
  readonly #counters: Counters;
  readonly #steps: Steps;

  constructor(queue: Queue, solver: Solver, pairs: Pairs, counters: Counters) {
    this.#queue = queue;
    this.#solver = solver;
    this.#pairs = pairs;
    this.#counters = counters;
    this.#steps = pairs.steps;
  }

  /** Cells to each side that any pair can reach at `now`. */
  reachAt(now: number): number {
    return this.#queue.cells.reach(this.#queue.longestWait(now));
  }

  /** The cells in which all lie that a waiting ticket can reach at `now`. */
  around(entry: Entry, now: number): readonly Cell[] {
    const cells = this.#queue.cells.around(entry, this.reachAt(now));
    return cells.filter((cell) => cell !== undefined);
  }

  /** Whether the candidate may join the anchor's match: two of one partition, of any class. */
  isEligible(anchor: Entry, candidate: Entry, { now, isOver }: Omit<Aim, 'goal'>): boolean {
    const [one, other] = [anchor.ticketClass, candidate.ticketClass];
    return (
      !isOver(candidate) &&
      one.canAnchor &&
      other.canJoin &&
      this.#areRelated(one, other) &&
      this.#pairs.passes(anchor, candidate, now())
    );
  }

  /**
   * Visits the waiting tickets that may anchor a match with one of the newcomers, eldest first, each once, the
   * newcomers among them, until a visit says true.
   */
  *forEachAnchor(
    newcomers: readonly Entry[],
    { goal, now, isOver }: Aim,
    progress: Progress,
    visit: (anchor: Entry) => Slices<boolean>,
  ): Slices<boolean> {
    const heads = new SortedList<Head>(byHead);
    const add = (rest: Iterator<Entry>, newcomer: Entry): void => {
      const first = rest.next();
      if (first.done !== true) {
        heads.add({ entry: first.value, rest, newcomer, order: heads.size });
      }
    };
    progress.of = newcomers.length;
    for (const newcomer of newcomers) {
      add([newcomer].values(), newcomer);
      for (const group of yield* this.#groupsFor(newcomer, goal, now())) {
        if (this.#steps.left <= 0) {
          yield;
        }
        this.#pairs.look(HEAD);
        progress.of += group.size;
        add(group[Symbol.iterator](), newcomer);
      }
    }
    let last: Entry | null = null;
    for (let head = takeFirst(heads); head !== undefined;) {
      const { entry: anchor, newcomer } = head;
      this.#pairs.look(1);
      if (this.#steps.left <= 0) {
        yield;
      }
      if (anchor !== last && isWaiting(anchor) && isWaiting(newcomer) && !isOver(newcomer)) {
        if (anchor === newcomer || this.#pairs.passes(anchor, newcomer, now())) {
          last = anchor;
          if (yield* visit(anchor)) {
            return true;
          }
        }
        progress.tried += 1;
      }
      const next = head.rest.next();
      if (next.done === true) {
        head = takeFirst(heads);
      } else {
        head.entry = next.value;
        if (heads.first !== undefined && byHead(heads.first, head) < 0) {
          this.#pairs.look(HEAD);
          heads.add(head);
          head = takeFirst(heads);
        }
      }
    }
    return false;
  }

  /** The match that the anchor completes, or null. */
  *attempt(anchor: Entry, { goal, now, isOver }: Aim): Slices<Found | null> {
    const { ticketClass } = anchor;
    const takesPart = (entry: Entry): boolean => isWaiting(entry) && !isOver(entry);
    if (!takesPart(anchor)) {
      return null;
    }
    if (ticketClass.players === this.#solver.players) {
      // A team that takes it takes no other: rules are for pairs, and here is none.
      return { anchor, entries: [anchor] };
    }
    const fewest = goal === 'full' ? this.#solver.players : this.#solver.fewest;
    this.#pairs.look(ATTEMPT);
    for (;;) {
      const around = ticketClass.canAnchor ? this.around(anchor, now()) : [];
      if (playersOf(around) < fewest) {
        return null;
      }
      const passing = yield* this.#candidates(anchor, around, now(), takesPart);
      const candidates = [...passing].filter(takesPart);
      this.#counters.anchors += 1;
      const players = candidates.reduce((sum, each) => sum + each.ticketClass.players, 0);
      if (ticketClass.players + players < fewest || !takesPart(anchor)) {
        return null;
      }
      const isValid = (): boolean => takesPart(anchor) && candidates.every(takesPart);
      const classes = candidates.map((each) => each.ticketClass);
      const choosing = { solver: this.#solver, steps: this.#steps, goal, isValid };
      const taken = yield* chooseSet(ticketClass, classes, choosing);
      if (isValid()) {
        if (taken === null || (goal === 'short' && taken.length === 0)) {
          return null;
        }
        const entries = [anchor, ...taken.flatMap((at) => candidates[at] ?? [])].sort(byAge);
        return { anchor, entries };
      }
      // One of them is gone since the search paused: who may play now is another question.
      if (!takesPart(anchor)) {
        return null;
      }
    }
  }

  /** Of each class the eldest useful ones that pass, eldest first. */
  *#candidates(
    anchor: Entry,
    around: readonly Cell[],
    now: number,
    takesPart: (entry: Entry) => boolean,
  ): Slices<SortedList<Entry>> {
    const found = new SortedList<Entry>(byAge);
    for (const cell of around) {
      for (const group of cell.groups) {
        const { ticketClass } = group;
        if (this.#steps.left <= 0) {
          yield;
        }
        const isRelated = this.#areRelated(anchor.ticketClass, ticketClass);
        if (!isRelated || !ticketClass.canJoin || group.size === 0) {
          continue;
        }
        let room = this.#solver.cap(ticketClass.shape);
        for (const entry of group) {
          if (room <= 0) {
            break;
          }
          this.#pairs.look(1);
          if (this.#steps.left <= 0) {
            yield;
          }
          if (entry !== anchor && takesPart(entry) && this.#pairs.passes(anchor, entry, now)) {
            this.#pairs.look(CANDIDATE);
            found.add(entry);
            room -= 1;
          }
        }
      }
    }
    return found;
  }

  #areRelated(one: TicketClass, other: TicketClass): boolean {
    this.#pairs.look(Classes.looksOf(one));
    return this.#queue.classes.areRelated(one, other);
  }

  /** The groups around a newcomer in which an anchor of a match with it could be. */
  *#groupsFor(newcomer: Entry, goal: Goal, now: number): Slices<readonly Group[]> {
    const { ticketClass } = newcomer;
    if (!ticketClass.canJoin || !isWaiting(newcomer)) {
      return [];
    }
    const groups: Group[] = [];
    const reach = this.reachAt(now);
    const fewest = goal === 'full' ? this.#solver.players : this.#solver.fewest;
    const cells = this.#queue.cells.around(newcomer, 2 * reach);
    const glimpse = new Glimpse(ticketClass, this.#solver, goal, this.#steps);
    for (let at = reach; at <= 3 * reach; at += 1) {
      const around = cells.slice(at - reach, at + reach + 1).filter((cell) => cell !== undefined);
      const cell = cells[at];
      if (cell === undefined || playersOf(around) < fewest) {
        continue;
      }
      yield* glimpse.lookAt(around);
      for (const group of cell.groups) {
        if (this.#steps.left <= 0) {
          yield;
        }
        if (!isWaiting(newcomer)) {
          return [];
        }
        const isRelated = this.#areRelated(group.ticketClass, ticketClass);
        const canAnchor = isRelated && group.size > 0 && group.ticketClass.canAnchor;
        if (canAnchor && glimpse.couldMatch(group.ticketClass)) {
          groups.push(group);
        }
      }
    }
    return groups;
  }
}

function byHead(one: Head, other: Head): number {
  return byAge(one.entry, other.entry) || one.order - other.order;
}

/** The first, which is not in the list any more. */
function takeFirst(heads: SortedList<Head>): Head | undefined {
  const { first } = heads;
  if (first !== undefined) {
    heads.delete(first);
  }
  return first;
}

function isWaiting({ state }: Entry): boolean {
  return state === 'waiting';
}
