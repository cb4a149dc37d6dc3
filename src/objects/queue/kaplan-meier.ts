// How long searches take until they have a match. A search that ended without one, or goes on, only shows that its wait
// was at least so long (Kaplan-Meier). Leaving such searches out would promise too short a wait, above all in a queue
// that grows. Taking their time for a whole wait would promise an even shorter one.

/** Searches that waited so long, and those of them that have no match. */
export interface Waited {
  readonly ms: number;
  readonly matched: number;
  readonly unmatched: number;
}

/**
 * The milliseconds within which that share of the searches has a match. `waits`: the shortest first. Null if fewer than
 * `fewest` waited long enough to show it, or too few got a match.
 */
export function waitWithin(part: number, waits: readonly Waited[], fewest: number): number | null {
  let searching = waits.reduce((sum, { matched, unmatched }) => sum + matched + unmatched, 0);
  let without = 1;
  for (const { ms, matched, unmatched } of waits) {
    if (searching < fewest - 1e-9) {
      return null;
    }
    without *= 1 - matched / searching;
    searching -= matched + unmatched;
    if (1 - without >= part - 1e-9) {
      return ms;
    }
  }
  return null;
}
