// What the pool has done, in counts that are the same on every machine. Budgets are counts too, because the clock stands
// still while a Worker computes (docs/internals/design.md: What matching means).

export interface Counters {
  /** Anchors for which candidates were gathered. */
  anchors: number;
  /** Pairs of tickets that were compared. */
  evaluations: number;
  /** Questions to the solver, whether it remembered the answer or not. */
  checks: number;
  /** Steps of the solver's searches: states, and swaps that were tried. */
  nodes: number;
  /** How often the steps ran out, so that work was left for later slices. */
  budgetHits: number;
  /** The most steps that a part of a call has taken: what was due, an event, or a slice. */
  mostSteps: number;
  /** Matches found by a sweep. Anything but 0 is a bug, or follows a budget hit. */
  sweepFound: number;
}

export function newCounters(): Counters {
  return {
    anchors: 0,
    evaluations: 0,
    checks: 0,
    nodes: 0,
    budgetHits: 0,
    mostSteps: 0,
    sweepFound: 0,
  };
}
