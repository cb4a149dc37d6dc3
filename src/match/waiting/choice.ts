// The set of a match, from the candidates an anchor may have: walked in wait order, each taken if a complete
// match with all taken so far still exists (docs/internals/design.md A2, A6, A12). Tickets of one class stand
// in for each other, so the question is always asked of counts.

import type { Regions, TicketClass } from './classes';
import type { Counts, Shape, Solver } from '../teams/solver';
import type { Answer, Slices, Steps } from '../teams/steps';

/** Names of regions, and candidates of a region, looked at for one step. */
const LOOKS_PER_STEP = 16;

/** Names that are counted for one step. */
const NAMES_PER_STEP = 4;

/** The sets of regions that name a region: the same object for regions that are in the same sets. */
type Namers = symbol;

/** Full matches, or short ones too. */
export type Goal = 'full' | 'short';

export interface Choosing {
  readonly solver: Solver;
  readonly steps: Steps;
  readonly goal: Goal;
  /** Whether all candidates still wait: asked after each pause, and when they do not, the choice is void. */
  readonly isValid: () => boolean;
}

/** A region in which the match may lie, and what of it is still to come in the walk. */
interface Option {
  /** Null: no region is named, and only tickets open to all go together. */
  readonly region: string | null;
  readonly left: Map<Shape, number>;
  /** Shapes of which no more can be taken there: less is left later, and more is taken. */
  readonly refused: Set<Shape>;
}

/**
 * Indices of the candidates to take besides the anchor; null when there is no match, or the choice is void.
 * Candidates come eldest first, and with the anchor pass all rules; of a class it is enough to have the eldest
 * `cap`.
 */
export function* chooseSet(
  anchor: TicketClass,
  candidates: readonly TicketClass[],
  choosing: Choosing,
): Slices<readonly number[] | null> {
  const { solver } = choosing;
  const must = new Map([[anchor.shape, 1]]);
  let players = anchor.players;
  const [eldest] = candidates;
  if (eldest !== undefined && players + eldest.players === solver.players) {
    // The two share a region, or they would not be anchor and candidate.
    const answer = yield* askWith(eldest.shape, must, new Map(), choosing);
    if (answer !== 'no') {
      return answer === 'yes' ? [0] : null;
    }
  }
  let options: Option[] = [];
  for (const option of yield* optionsOf(anchor, candidates, choosing)) {
    const answer = yield* ask(must, option.left, choosing);
    if (answer === 'void') {
      return null;
    }
    if (answer === 'yes') {
      options.push(option);
    }
  }
  if (options.length === 0) {
    return null;
  }
  const taken: number[] = [];
  for (let at = 0; at < candidates.length && players < solver.players; at += 1) {
    const candidate = candidates[at] ?? anchor;
    const { shape } = candidate;
    if (choosing.steps.left <= 0) {
      yield;
      if (!choosing.isValid()) {
        return null;
      }
    }
    const usable = options.filter(({ region }) => accepts(candidate.regions, region));
    usable.forEach(({ left }) => add(left, shape, -1));
    choosing.steps.left -= options.length / LOOKS_PER_STEP;
    for (const option of usable.filter(({ refused }) => !refused.has(shape))) {
      const answer = yield* askWith(shape, must, option.left, choosing);
      if (answer === 'void') {
        return null;
      }
      if (answer === 'yes') {
        add(must, shape, 1);
        // Those asked before it are refused; those after it may yet be.
        options = usable.filter(({ refused }) => !refused.has(shape));
        taken.push(at);
        players += candidate.players;
        break;
      }
      option.refused.add(shape);
    }
  }
  return taken;
}

type Told = Exclude<Answer, 'open'> | 'void';

function* ask(must: Counts, may: Counts, { solver, steps, goal, isValid }: Choosing): Slices<Told> {
  for (;;) {
    const answer = solver[goal](must, may, steps);
    if (answer !== 'open') {
      return answer;
    }
    yield;
    if (!isValid()) {
      return 'void';
    }
  }
}

/** With one more of the shape. */
function* askWith(shape: Shape, must: Counts, may: Counts, choosing: Choosing): Slices<Told> {
  const more = new Map(must);
  add(more, shape, 1);
  return yield* ask(more, may, choosing);
}

/**
 * The regions that the anchor accepts and somebody names, each with the candidates that accept it. Of regions
 * that the same candidates name there is one, and of those with too few players none.
 */
function* optionsOf(
  anchor: TicketClass,
  candidates: readonly TicketClass[],
  choosing: Choosing,
): Slices<readonly Option[]> {
  const { steps, isValid } = choosing;
  const options: Option[] = [];
  for (const region of yield* regionsOf(anchor, candidates, choosing)) {
    const left = new Map<Shape, number>();
    for (const { regions, shape } of candidates) {
      if (accepts(regions, region)) {
        add(left, shape, 1);
      }
    }
    options.push({ region, left, refused: new Set() });
    steps.left -= candidates.length / LOOKS_PER_STEP;
    if (steps.left <= 0) {
      yield;
      if (!isValid()) {
        return [];
      }
    }
  }
  return options;
}

function* regionsOf(
  anchor: TicketClass,
  candidates: readonly TicketClass[],
  { solver, steps, goal, isValid }: Choosing,
): Slices<readonly (string | null)[]> {
  const fewest = (goal === 'full' ? solver.players : solver.fewest) - anchor.players;
  const bySet = new Map<string, { readonly regions: Regions; players: number }>();
  for (const { regionKey, regions, players } of candidates) {
    const known = bySet.get(regionKey);
    if (known === undefined) {
      bySet.set(regionKey, { regions, players });
    } else {
      known.players += players;
    }
  }
  let open = 0;
  const named = new Map<string, { players: number; namers: Namers | null }>();
  for (const { regions, players } of bySet.values()) {
    open += regions === null ? players : 0;
    steps.left -= (1 + (regions?.size ?? 0)) / NAMES_PER_STEP;
    if (steps.left <= 0) {
      yield;
      if (!isValid()) {
        return [];
      }
    }
    const more = new Map<Namers | null, Namers>();
    for (const region of regions ?? []) {
      if (accepts(anchor.regions, region)) {
        const known = named.get(region) ?? { players: 0, namers: null };
        const namers = more.get(known.namers) ?? Symbol();
        more.set(known.namers, namers);
        named.set(region, { players: known.players + players, namers });
      }
    }
  }
  if (named.size === 0) {
    return [[...(anchor.regions ?? [])][0] ?? null];
  }
  const distinct = new Map<Namers | null, string>();
  for (const [region, { players, namers }] of named) {
    if (players + open >= fewest) {
      distinct.set(namers, region);
    }
  }
  return [...distinct.values()];
}

function add(counts: Map<Shape, number>, shape: Shape, count: number): void {
  counts.set(shape, (counts.get(shape) ?? 0) + count);
}

function accepts(regions: Regions, region: string | null): boolean {
  return regions === null || (region !== null && regions.has(region));
}
