/**
 * What the pool has done, in counts that are the same on every machine. Budgets are counts too, because the clock stands
 * still while a Worker computes (docs/internals/design.md: What matching means).
 */
export class Counters {
  /** Anchors for which candidates were gathered. */
  anchors = 0;
  /** Pairs of tickets that were compared. */
  evaluations = 0;
  /** Questions to the solver, whether it remembered the answer or not. */
  checks = 0;
  /** Steps of the solver's searches: states, and swaps that were tried. */
  nodes = 0;
  /** How often the steps ran out, so that work was left for later slices. */
  budgetHits = 0;
  /** The most steps that a part of a call has taken: what was due, an event, or a slice. */
  mostSteps = 0;
  /** Matches found by a sweep. Anything but 0 is a bug, or follows a budget hit. */
  sweepFound = 0;
}
