// The set of a match, from the candidates an anchor may have: walked in wait order, each taken if a
// complete match with all taken so far still exists (docs/design.md A2, A6, A12). Tickets of one class
// stand in for each other, so the question is always asked of counts.

import { acceptsRegion, type Regions, type TicketClass } from './kinds';
import type { Counts } from '../sets/packing';
import type { Solver } from '../sets/solver';
import type { Answer } from '../sets/steps';

/** Stands for "no region is named": only open tickets go together. */
const NO_REGION = -1;

export interface Candidate {
  readonly slot: number;
  readonly ticketClass: TicketClass;
}

/** One region in which the match may lie, and what of it is still to come in the walk. */
interface Option {
  readonly region: number;
  readonly left: Counts;
  /** Shapes of which no more can be taken there: less is left later, and more is taken. */
  readonly refused: Uint8Array;
}

export type Question = (must: Counts, may: Counts) => Answer;

/**
 * The slots to take besides the anchor's, null when there is no match, `open` when a question has
 * no answer yet. Candidates come eldest first, and with the anchor pass all rules; of a class it is
 * enough to have the eldest `cap`.
 */
export function chooseSet(
  anchor: TicketClass,
  candidates: readonly Candidate[],
  solver: Solver,
  ask: Question,
): number[] | null | 'open' {
  const must: Counts = new Int32Array(solver.shapes);
  must[anchor.shape] = 1;
  const [eldest] = candidates;
  if (eldest !== undefined && anchor.players + eldest.ticketClass.players === solver.players) {
    // The two share a region, or they would not be candidate and anchor.
    const answer = ask(withOne(must, eldest.ticketClass.shape), new Int32Array(solver.shapes));
    if (answer !== 'no') {
      return answer === 'yes' ? [eldest.slot] : answer;
    }
  }
  const all = optionsFor(anchor.regions, candidates, solver.shapes);
  const answers = all.map((option) => ask(must, option.left));
  if (answers.includes('open')) {
    return 'open';
  }
  let options = all.filter((_, at) => answers[at] === 'yes');
  if (options.length === 0) {
    return null;
  }
  const taken: number[] = [];
  let { players } = anchor;
  for (const { slot, ticketClass } of candidates) {
    const { shape, regions } = ticketClass;
    const usable: Option[] = [];
    for (const option of options) {
      if (accepts(regions, option.region)) {
        option.left[shape] = (option.left[shape] ?? 0) - 1;
        if (option.refused[shape] === 0) {
          usable.push(option);
        }
      }
    }
    if (usable.length === 0) {
      continue;
    }
    must[shape] = (must[shape] ?? 0) + 1;
    const some = someOption(usable, must, shape, ask);
    if (some === 'open') {
      return some;
    }
    if (some === 'no') {
      must[shape] = (must[shape] ?? 0) - 1;
      continue;
    }
    options = usable.filter((option) => option.refused[shape] === 0);
    taken.push(slot);
    players += ticketClass.players;
    if (players === solver.players) {
      break;
    }
  }
  return taken;
}

function withOne(counts: Counts, shape: number): Counts {
  const more = counts.slice();
  more[shape] = (more[shape] ?? 0) + 1;
  return more;
}

/** Whether all of `must` can be had in one of the options; those where not are marked up to then. */
function someOption(
  options: readonly Option[],
  must: Counts,
  shape: number,
  ask: Question,
): Answer {
  for (const option of options) {
    const answer = ask(must, option.left);
    if (answer !== 'no') {
      return answer;
    }
    option.refused[shape] = 1;
  }
  return 'no';
}

/** Every region that the anchor accepts and somebody names, with the candidates accepting it. */
function optionsFor(
  regions: Regions,
  candidates: readonly Candidate[],
  shapes: number,
): readonly Option[] {
  const tallies = new Map<TicketClass, number>();
  for (const { ticketClass } of candidates) {
    tallies.set(ticketClass, (tallies.get(ticketClass) ?? 0) + 1);
  }
  const named =
    regions.numbers ??
    new Set([...tallies.keys()].flatMap((ticketClass) => ticketClass.regions.numbers ?? []));
  const tried = [...named];
  return (tried.length === 0 ? [NO_REGION] : tried).map((region) => {
    const left: Counts = new Int32Array(shapes);
    for (const [ticketClass, count] of tallies) {
      if (accepts(ticketClass.regions, region)) {
        left[ticketClass.shape] = (left[ticketClass.shape] ?? 0) + count;
      }
    }
    return { region, left, refused: new Uint8Array(shapes) };
  });
}

function accepts(regions: Regions, region: number): boolean {
  return region === NO_REGION ? regions.numbers === null : acceptsRegion(regions, region);
}
