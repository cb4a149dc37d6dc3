// The set of a match, out of the candidates of an anchor: each candidate in the order of their wait is taken if a
// complete match with everybody taken so far still exists (docs/internals/design.md A2, A6, A12). Tickets of one
// class are interchangeable here, so the questions are asked of counts.

import type { Counts, Shape, Solver } from '../teams/solver';
import { type Slices, type Steps, untilAnswered } from '../teams/steps';
import type { Regions, TicketClass } from './classes';
import { addTo, Supply } from './supply';

/** Candidates, names of regions or options that are looked at for one step. */
const LOOKS_PER_STEP = 16;

/** Full matches, or short ones too. */
export type Goal = 'full' | 'short';

export interface Choosing {
  readonly solver: Solver;
  readonly steps: Steps;
  readonly goal: Goal;
}

/** A region in which the match can lie. */
interface Option {
  /** Null if nobody names a region: then all are open to any. */
  readonly region: string | null;
  /** Those who accept it and are still to come in the walk. */
  readonly left: Map<Shape, number>;
  /** Shapes of which no more can be taken. That never changes: fewer are left later, and more are taken. */
  readonly refused: Set<Shape>;
}

/**
 * Indices of the candidates to take besides the anchor; null if there is no match. Candidates come eldest first, and
 * each passes all rules with the anchor. Of a class the eldest `cap` are enough.
 */
export function* chooseSet(
  anchor: TicketClass,
  candidates: readonly TicketClass[],
  choosing: Choosing,
): Slices<readonly number[] | null> {
  const { solver, steps } = choosing;
  const must = new Map([[anchor.shape, 1]]);
  let players = anchor.players;
  const [eldest] = candidates;
  const isPair = eldest !== undefined && players + eldest.players === solver.players;
  if (isPair && (yield* isPossible(added(must, eldest.shape), new Map(), choosing))) {
    // The two make the match, and nothing else has to be asked (test/match/counters.test.ts).
    return [0];
  }
  let options: Option[] = [];
  for (const option of yield* optionsOf(anchor, candidates, choosing)) {
    if (yield* isPossible(must, option.left, choosing)) {
      options.push(option);
    }
  }
  if (options.length === 0) {
    return null;
  }
  const taken: number[] = [];
  for (const [at, { shape, regions, players: more }] of candidates.entries()) {
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
      if (yield* isPossible(added(must, shape), left, choosing)) {
        addTo(must, shape, 1);
        // Options asked before this one have refused it. Those that were not asked may still take it.
        options = usable.filter((option) => !option.refused.has(shape));
        taken.push(at);
        players += more;
        break;
      }
      refused.add(shape);
    }
  }
  return taken;
}

function* isPossible(
  must: Counts,
  may: Counts,
  { solver, steps, goal }: Choosing,
): Slices<boolean> {
  return (yield* untilAnswered(() => solver[goal](must, may, steps))) === 'yes';
}

/** The regions that the anchor accepts and somebody names, except those with too few players. */
function* optionsOf(
  anchor: TicketClass,
  candidates: readonly TicketClass[],
  { solver, steps, goal }: Choosing,
): Slices<readonly Option[]> {
  const byClass = new Map<string, { readonly ticketClass: TicketClass; count: number }>();
  for (const ticketClass of candidates) {
    const known = byClass.get(ticketClass.key);
    byClass.set(ticketClass.key, { ticketClass, count: 1 + (known?.count ?? 0) });
  }
  steps.left -= candidates.length / LOOKS_PER_STEP;
  const supply = new Supply();
  for (const { ticketClass, count } of byClass.values()) {
    steps.left -= (ticketClass.regions?.size ?? 0) / LOOKS_PER_STEP;
    if (steps.left <= 0) {
      yield;
    }
    supply.add(ticketClass, count, (region) => accepts(anchor.regions, region));
  }
  const fewest = (goal === 'full' ? solver.players : solver.fewest) - anchor.players;
  const named = [...supply.regions];
  const regions =
    named.length > 0
      ? named.filter((region) => supply.playersIn(region) >= fewest)
      : [[...(anchor.regions ?? [])][0] ?? null];
  const options: Option[] = [];
  for (const region of regions) {
    const left = supply.countsIn(region);
    options.push({ region, left, refused: new Set() });
    steps.left -= left.size / LOOKS_PER_STEP;
    if (steps.left <= 0) {
      yield;
    }
  }
  return options;
}

function added(counts: Counts, shape: Shape): Counts {
  const more = new Map(counts);
  addTo(more, shape, 1);
  return more;
}

function accepts(regions: Regions, region: string | null): boolean {
  return regions === null || (region !== null && regions.has(region));
}
