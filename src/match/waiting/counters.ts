// What the pool has done, in counts that no machine and no clock changes: budgets are counts too,
// because the clock stands still while a Worker computes (docs/internals/design.md: What matching means).

export interface Counters {
  enters: number;
  matches: number;
  /** Anchors for which an exact set was looked for. */
  anchors: number;
  /** Pairs of tickets that were compared. */
  evaluations: number;
  /** Feasibility questions put to the solver, answered from memory or not. */
  checks: number;
  /** Steps of the solvers' searches: states, and swaps that were tried. */
  nodes: number;
  /** Times that steps ran out, and work was left for later slices. */
  budgetHits: number;
  /** Most steps that a part of a call has taken: of time, of an event, of a slice. */
  mostSteps: number;
  /** Matches found by a sweep: anything but 0 is a bug, or follows a budget hit. */
  sweepFound: number;
}

export function newCounters(): Counters {
  return {
    enters: 0,
    matches: 0,
    anchors: 0,
    evaluations: 0,
    checks: 0,
    nodes: 0,
    budgetHits: 0,
    mostSteps: 0,
    sweepFound: 0,
  };
}
