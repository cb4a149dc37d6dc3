// Looking for a match: which anchors an arrival can have completed, eldest first, and what set an
// anchor completes. Whole groups are dismissed by counts before any ticket is looked at; what is
// dismissed could not have matched, so the outcome is that of a full pass (matching.md section 3).

import type { Counters } from './counters';
import { type Age, NONE } from './index-ages';
import { type Candidate, chooseSet, type Question } from './index-choice';
import { acceptsRegion, type TicketClass } from './index-kinds';
import type { Store } from './index-store';
import { Window } from './index-window';
import type { Counts } from './packing';
import type { Solver } from './solver';

export type Goal = 'full' | 'short';

export interface AnchorQuery {
  readonly goal: Goal;
  readonly now: number;
  /** Only from this age on. */
  readonly from?: Age | null;
}

export interface Found {
  readonly anchor: number;
  /** All slots of the match, eldest first, the anchor among them. */
  readonly slots: readonly number[];
}

/** A list of possible anchors for one newcomer, walked from its eldest. */
interface Group {
  next: number;
  readonly newcomer: number;
}

export class Search {
  readonly #store: Store;
  readonly #solver: Solver;
  readonly #counters: Counters;
  readonly #window: Window;
  readonly #around: Window;
  readonly #budget: number;
  #limit = Infinity;
  #must: Counts = new Int32Array(0);
  #supplied: Counts = new Int32Array(0);
  readonly #ask: Readonly<Record<Goal, Question>>;

  /** `budget`: evaluations of one event. */
  constructor(store: Store, solver: Solver, counters: Counters, budget: number) {
    this.#budget = budget;
    this.#store = store;
    this.#solver = solver;
    this.#counters = counters;
    this.#window = new Window(store.buckets);
    this.#around = new Window(store.buckets);
    this.#ask = {
      full: (must, may) => solver.full(must, may),
      short: (must, may) => solver.short(must, may),
    };
  }

  /** Buckets to each side that any pair can reach at `now`. */
  radiusAt(now: number): number {
    const { ages } = this.#store;
    const longest = ages.eldest === NONE ? 0 : now - ages.startedAt(ages.eldest);
    return this.#store.radius(Math.max(0, longest));
  }

  /** Opens a new budget of evaluations. */
  startEvent(): void {
    this.#limit = this.#counters.evaluations + this.#budget;
  }

  /** A budget is a count: the clock stands still while a Worker computes. */
  get isExhausted(): boolean {
    return this.#counters.evaluations > this.#limit;
  }

  /**
   * The waiting slots that may anchor a match with one of the newcomers, eldest first, each once;
   * the newcomers among them. `visit` ends the walk by returning true. Where to go on, when the
   * budget does not reach for all; null when all have been visited.
   */
  forEachAnchor(
    newcomers: readonly number[],
    { goal, now, from = null }: AnchorQuery,
    visit: (anchor: number) => boolean,
  ): Age | null {
    const groups: Group[] = [];
    for (const newcomer of newcomers) {
      this.#collect(newcomer, goal, now, groups);
    }
    const { ages, buckets } = this.#store;
    const [first] = groups;
    if (groups.length === 1 && first !== undefined) {
      visit(first.newcomer);
      return null;
    }
    let last = NONE;
    for (;;) {
      let eldest: Group | null = null;
      for (const group of groups) {
        if (group.next !== NONE && (eldest === null || ages.isOlder(group.next, eldest.next))) {
          eldest = group;
        }
      }
      if (eldest === null) {
        return null;
      }
      const anchor = eldest.next;
      const { newcomer } = eldest;
      // A newcomer stands for itself, in a group of its own.
      const isItself = anchor === newcomer;
      eldest.next = isItself ? NONE : buckets.next(anchor);
      if (eldest.next === newcomer) {
        eldest.next = buckets.next(newcomer);
      }
      if (anchor === last || (from !== null && ages.isBefore(anchor, from))) {
        continue;
      }
      if (this.isExhausted) {
        return ages.ageOf(anchor);
      }
      if (isItself || this.passes(anchor, newcomer, now)) {
        last = anchor;
        if (visit(anchor)) {
          return null;
        }
      }
    }
  }

  /** The match that the anchor completes at `now`, or null. */
  attempt(anchor: number, goal: Goal, now: number): Found | null {
    const anchorClass = this.#store.classOf(anchor);
    if (!anchorClass.canAnchor) {
      return null;
    }
    const radius = this.radiusAt(now);
    this.#around.fetch(this.#store.partitionOf(anchor), this.#store.keyOf(anchor), radius);
    const fewest = goal === 'full' ? this.#solver.players : this.#solver.fewest;
    if (this.#around.players(0, 2 * radius) < fewest) {
      return null;
    }
    this.#counters.anchors += 1;
    const candidates: Candidate[] = [];
    const players = this.#gather(anchor, now, candidates);
    if (players < fewest) {
      return null;
    }
    const { compare } = this.#store.ages;
    candidates.sort((a, b) => compare(a.slot, b.slot));
    const taken = chooseSet(anchorClass, candidates, this.#solver, this.#ask[goal]);
    if (taken === null || (goal === 'short' && taken.length === 0)) {
      return null;
    }
    return { anchor, slots: [anchor, ...taken].sort(compare) };
  }

  /** Columns only: partition and class have been seen to. */
  passes(anchor: number, candidate: number, now: number): boolean {
    this.#counters.evaluations += 1;
    return this.#store.columns.passes(anchor, candidate, now);
  }

  /** The whole test for two tickets of one partition. */
  passesAll(anchor: number, candidate: number, now: number): boolean {
    const anchorClass = this.#store.classOf(anchor);
    const candidateClass = this.#store.classOf(candidate);
    return (
      anchorClass.canAnchor &&
      candidateClass.canJoin &&
      this.#store.kinds.areRelated(anchorClass, candidateClass) &&
      this.passes(anchor, candidate, now)
    );
  }

  /** Adds the eldest useful candidates of the anchor; the players of all, the anchor's too. */
  #gather(anchor: number, now: number, into: Candidate[]): number {
    const { buckets, kinds } = this.#store;
    const anchorClass = this.#store.classOf(anchor);
    let { players } = anchorClass;
    for (let at = 0; at < this.#around.length; at += 1) {
      for (let list = this.#around.firstList(at); list !== NONE; list = buckets.nextList(list)) {
        const ticketClass = kinds.classAt(buckets.classOf(list));
        if (!ticketClass.canJoin || !kinds.areRelated(anchorClass, ticketClass)) {
          continue;
        }
        let room = this.#solver.cap(ticketClass.shape);
        for (let slot = buckets.head(list); slot !== NONE && room > 0; slot = buckets.next(slot)) {
          if (slot !== anchor && this.passes(anchor, slot, now)) {
            into.push({ slot, ticketClass });
            players += ticketClass.players;
            room -= 1;
          }
        }
      }
    }
    return players;
  }

  /** The lists around a newcomer in which an anchor of a match with it could be. */
  #collect(newcomer: number, goal: Goal, now: number, groups: Group[]): void {
    const { buckets, kinds } = this.#store;
    const newcomerClass = this.#store.classOf(newcomer);
    groups.push({ next: newcomer, newcomer });
    if (!newcomerClass.canJoin) {
      return;
    }
    const radius = this.radiusAt(now);
    const window = this.#window;
    window.fetch(this.#store.partitionOf(newcomer), this.#store.keyOf(newcomer), 2 * radius);
    const fewest = goal === 'full' ? this.#solver.players : this.#solver.fewest;
    for (let at = radius; at <= 3 * radius; at += 1) {
      const bucket = window.bucket(at);
      if (bucket === NONE || window.players(at - radius, at + radius) < fewest) {
        continue;
      }
      for (let list = buckets.firstList(bucket); list !== NONE; list = buckets.nextList(list)) {
        const anchorClass = kinds.classAt(buckets.classOf(list));
        if (
          anchorClass.canAnchor &&
          kinds.areRelated(anchorClass, newcomerClass) &&
          this.#couldMatch(anchorClass, newcomerClass, at, { radius, goal })
        ) {
          const head = buckets.head(list);
          groups.push({ next: head === newcomer ? buckets.next(head) : head, newcomer });
        }
      }
    }
  }

  /** An upper bound: all that lies around the bucket at `at`, whether it passes the rules or not. */
  #couldMatch(
    anchor: TicketClass,
    newcomer: TicketClass,
    at: number,
    { radius, goal }: { readonly radius: number; readonly goal: Goal },
  ): boolean {
    if (this.#must.length < this.#solver.shapes) {
      this.#must = new Int32Array(this.#solver.shapes);
      this.#supplied = new Int32Array(this.#solver.shapes);
    }
    const must = this.#must.fill(0);
    must[anchor.shape] = 1;
    must[newcomer.shape] = (must[newcomer.shape] ?? 0) + 1;
    if (anchor.players + newcomer.players === this.#solver.players) {
      return this.#ask[goal](must, this.#supplied.fill(0));
    }
    const listed = anchor.regions.numbers ?? newcomer.regions.numbers;
    if (listed === null) {
      return this.#ask[goal](must, this.#supply(at, radius, null));
    }
    return listed.some(
      (region) =>
        acceptsRegion(anchor.regions, region) &&
        acceptsRegion(newcomer.regions, region) &&
        this.#ask[goal](must, this.#supply(at, radius, region)),
    );
  }

  /** All tickets around the bucket at `at` that accept the region, less those that must be in. */
  #supply(at: number, radius: number, region: number | null): Counts {
    const { buckets, kinds } = this.#store;
    const supply = this.#supplied.fill(0);
    for (let near = at - radius; near <= at + radius; near += 1) {
      for (let list = this.#window.firstList(near); list !== NONE; list = buckets.nextList(list)) {
        const { shape, regions } = kinds.classAt(buckets.classOf(list));
        if (region === null || acceptsRegion(regions, region)) {
          supply[shape] = (supply[shape] ?? 0) + buckets.count(list);
        }
      }
    }
    for (let shape = 0; shape < supply.length; shape += 1) {
      supply[shape] = Math.max(0, (supply[shape] ?? 0) - (this.#must[shape] ?? 0));
    }
    return supply;
  }
}
