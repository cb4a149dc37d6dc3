// The set of a match, from the candidates an anchor may have: walked in wait order, each taken if a
// complete match with all taken so far still exists (matching.md A2, A6, A12). Tickets of one class
// stand in for each other, so the question is always asked of counts.

import { acceptsRegion, type Regions, type TicketClass } from './index-kinds';
import type { Counts } from './packing';
import type { Solver } from './solver';

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
}

export type Question = (must: Counts, may: Counts) => boolean;

/**
 * The slots to take besides the anchor's, or null when there is no match. Candidates come eldest
 * first, and with the anchor pass all rules; of a class it is enough to have the eldest `cap`.
 */
export function chooseSet(
  anchor: TicketClass,
  candidates: readonly Candidate[],
  solver: Solver,
  ask: Question,
): number[] | null {
  const must: Counts = new Int32Array(solver.shapes);
  must[anchor.shape] = 1;
  const [eldest] = candidates;
  if (eldest !== undefined && anchor.players + eldest.ticketClass.players === solver.players) {
    const { shape } = eldest.ticketClass;
    must[shape] = (must[shape] ?? 0) + 1;
    // The two share a region, or they would not be candidate and anchor.
    if (ask(must, new Int32Array(solver.shapes))) {
      return [eldest.slot];
    }
    must[shape] = (must[shape] ?? 0) - 1;
  }
  let options = optionsFor(anchor.regions, candidates, solver.shapes).filter((option) =>
    ask(must, option.left),
  );
  if (options.length === 0) {
    return null;
  }
  const taken: number[] = [];
  const refused = new Set<TicketClass>();
  let players = anchor.players;
  for (const { slot, ticketClass } of candidates) {
    const { shape, regions } = ticketClass;
    let usable = 0;
    for (const { region, left } of options) {
      if (accepts(regions, region)) {
        left[shape] = (left[shape] ?? 0) - 1;
        usable += 1;
      }
    }
    // Once refused, always refused: less is left, and more is taken.
    if (usable === 0 || refused.has(ticketClass)) {
      continue;
    }
    must[shape] = (must[shape] ?? 0) + 1;
    const open =
      usable === options.length
        ? options
        : options.filter((option) => accepts(regions, option.region));
    if (open.some((option) => ask(must, option.left))) {
      options = open;
      taken.push(slot);
      players += ticketClass.players;
      if (players === solver.players) {
        break;
      }
    } else {
      must[shape] = (must[shape] ?? 0) - 1;
      refused.add(ticketClass);
    }
  }
  return taken;
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
    return { region, left };
  });
}

function accepts(regions: Regions, region: number): boolean {
  return region === NO_REGION ? regions.numbers === null : acceptsRegion(regions, region);
}
