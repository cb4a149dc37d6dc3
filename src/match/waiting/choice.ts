// The set of a match, out of the candidates of an anchor: each one, in the order of their wait, is taken if a complete
// match with everybody taken so far still exists (docs/internals/design.md A2, A6, A12). Tickets of one class are
// interchangeable, so the questions are asked of counts.

import type { Counts, Shape, Solver } from '../teams/solver';
import { type Slices, type Steps, untilAnswered } from '../teams/steps';
import { accepts, type Entry, type Regions, type TicketClass } from './entry';

/** Candidates, names of regions or options that are looked at for one step. */
const LOOKS_PER_STEP = 16;

/** Full matches, or short ones too. */
export type Goal = 'full' | 'short';

export interface Choosing {
  readonly solver: Solver;
  readonly steps: Steps;
  readonly goal: Goal;
  /** For each candidate, by its index: the candidates that must not be in one set with it. Absent: there are none. */
  readonly apart?: readonly ReadonlySet<number>[];
}

type Classed = Pick<Entry, 'ticketClass'>;

/** A region in which the match can lie. */
interface Option {
  /** Null if nobody names a region: then all are open to any. */
  readonly region: string | null;
  /** Those who accept it and are still to come in the walk. */
  readonly left: Map<Shape, number>;
  /** Shapes that cannot be taken any more. That never changes: fewer are left later, and more are taken. */
  readonly refused: Set<Shape>;
}
type Options = readonly Option[];

/**
 * Whom to take besides the anchor, or null; nobody where it is a match alone (docs/internals/design.md A7). Candidates are
 * eldest first, and pass with it. Of each class, only the eldest `cap` matter.
 */
export function* chooseSet<Party extends Classed>(
  anchor: Party,
  candidates: readonly Party[],
  choosing: Choosing,
): Slices<readonly Party[] | null> {
  const { solver, steps } = choosing;
  const must = new Map([[anchor.ticketClass.shape, 1]]);
  let { players } = anchor.ticketClass;
  const all = yield* optionsOf(anchor.ticketClass, candidates, steps);
  let options = yield* possible(must, all, choosing);
  if (options.length === 0) {
    return null;
  }
  const taken: Party[] = [];
  for (const candidate of candidates) {
    const { shape, regions, players: own } = candidate.ticketClass;
    if (players === solver.players) {
      break;
    }
    const usable = options.filter(({ region }) => accepts(regions, region));
    usable.forEach(({ left }) => addTo(left, shape, -1));
    steps.left -= options.length / LOOKS_PER_STEP;
    if (steps.left <= 0) {
      yield;
    }
    for (const { left, refused } of usable) {
      if (refused.has(shape)) {
        continue;
      }
      const more = new Map(must);
      addTo(more, shape, 1);
      if (yield* isPossible(more, left, choosing)) {
        addTo(must, shape, 1);
        // Options asked before this one have refused it. Those that were not asked may still take it.
        options = usable.filter((option) => !option.refused.has(shape));
        taken.push(candidate);
        players += own;
        break;
      }
      refused.add(shape);
    }
  }
  return taken;
}

/**
 * Every set of the anchor in the order of age, with the first one first: at each candidate the sets with it, then the sets
 * without it. Stops once `visit` says true. It is also called for dead ends, with null; there are some where lobbies are kept apart.
 */
export function* eachSet<Party extends Classed>(
  anchor: Party,
  candidates: readonly Party[],
  choosing: Choosing,
  visit: (set: readonly Party[] | null) => Slices<boolean>,
): Slices {
  const { solver, steps, apart } = choosing;
  const taken: Party[] = [];
  let visits = 0;
  /** By how many of those taken each candidate is kept out. It is not counted on meanwhile. */
  const barred = candidates.map(() => 0);
  const bar = (at: number, by: 1 | -1, options: Options): void => {
    for (const other of apart?.[at] ?? []) {
      const bars = (barred[other] ?? 0) + by;
      barred[other] = bars;
      const { ticketClass } = candidates[other] ?? {};
      if (ticketClass !== undefined && other > at && bars === (by > 0 ? 1 : 0)) {
        options
          .filter(({ region }) => accepts(ticketClass.regions, region))
          .forEach(({ left }) => addTo(left, ticketClass.shape, -by));
      }
    }
  };
  function* from(at: number, must: Counts, players: number, options: Options): Slices<boolean> {
    const candidate = candidates[at];
    if (options.length === 0) {
      return false;
    }
    if (players === solver.players || candidate === undefined) {
      visits += 1;
      return yield* visit(taken);
    }
    if ((barred[at] ?? 0) > 0) {
      return yield* from(at + 1, must, players, options);
    }
    const before = visits;
    steps.left -= options.length / LOOKS_PER_STEP;
    if (steps.left <= 0) {
      yield;
    }
    const { shape, regions, players: own } = candidate.ticketClass;
    const usable = options.filter(({ region }) => accepts(regions, region));
    usable.forEach(({ left }) => addTo(left, shape, -1));
    const more = new Map(must);
    addTo(more, shape, 1);
    taken.push(candidate);
    bar(at, 1, usable);
    const withIt = yield* possible(more, usable, choosing);
    let isOver = yield* from(at + 1, more, players + own, withIt);
    bar(at, -1, usable);
    taken.pop();
    isOver ||= yield* from(at + 1, must, players, yield* possible(must, options, choosing));
    usable.forEach(({ left }) => addTo(left, shape, 1));
    if (apart === undefined || visits > before) {
      return isOver;
    }
    visits += 1;
    return yield* visit(null);
  }
  const must = new Map([[anchor.ticketClass.shape, 1]]);
  const options = yield* optionsOf(anchor.ticketClass, candidates, steps);
  yield* from(0, must, anchor.ticketClass.players, yield* possible(must, options, choosing));
}

function* isPossible(must: Counts, may: Counts, by: Choosing): Slices<boolean> {
  return (yield* untilAnswered(() => by.solver[by.goal](must, may, by.steps))) === 'yes';
}

/** The options in which all of `must` can be in one match. */
function* possible(must: Counts, options: Options, choosing: Choosing): Slices<Options> {
  const found: Option[] = [];
  for (const option of options) {
    if (yield* isPossible(must, option.left, choosing)) {
      found.push(option);
    }
  }
  return found;
}

/** The regions that the anchor accepts and somebody names; if nobody names any, one that it accepts. */
function* optionsOf(anchor: TicketClass, among: readonly Classed[], steps: Steps): Slices<Options> {
  const supply = new Supply();
  for (const { ticketClass } of among) {
    steps.left -= (1 + (ticketClass.regions?.size ?? 0)) / LOOKS_PER_STEP;
    if (steps.left <= 0) {
      yield;
    }
    supply.add(ticketClass, 1, anchor.regions);
  }
  const { regions } = supply;
  const options: Option[] = [];
  for (const region of regions.length > 0 ? regions : [[...(anchor.regions ?? [])][0] ?? null]) {
    const left = supply.countsIn(region);
    options.push({ region, left, refused: new Set() });
    steps.left -= left.size / LOOKS_PER_STEP;
    if (steps.left <= 0) {
      yield;
    }
  }
  return options;
}

/** Parties by shape and region. A match lies in one region, so each is asked alone (docs/internals/design.md A12). */
export class Supply {
  readonly #all = new Map<Shape, number>();
  readonly #open = new Map<Shape, number>();
  readonly #named = new Map<string, Map<Shape, number>>();

  /** So many parties of the class. Only the regions `among` these are told apart. */
  add({ shape, regions }: TicketClass, count: number, among: Regions): void {
    addTo(this.#all, shape, count);
    if (regions === null) {
      addTo(this.#open, shape, count);
    }
    for (const region of regions ?? []) {
      if (accepts(among, region)) {
        const counts = this.#named.get(region) ?? new Map<Shape, number>();
        this.#named.set(region, counts);
        addTo(counts, shape, count);
      }
    }
  }

  /** Those that somebody names. */
  get regions(): readonly string[] {
    return [...this.#named.keys()];
  }

  /** Parties that accept the region, by shape; all parties for null. The caller may change the counts. */
  countsIn(region: string | null): Map<Shape, number> {
    const counts = new Map(region === null ? this.#all : this.#open);
    const named = region === null ? undefined : this.#named.get(region);
    named?.forEach((count, shape) => addTo(counts, shape, count));
    return counts;
  }
}

export function addTo(counts: Map<Shape, number>, shape: Shape, count: number): void {
  counts.set(shape, (counts.get(shape) ?? 0) + count);
}
