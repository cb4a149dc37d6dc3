// What the pool has begun and not finished. A computation that may be long pauses where the steps of a call are
// spent and goes on where it stopped. While it pauses tickets come and go: who goes on looks whether those it
// holds still wait.

/** For the pool's report, and for people who ask why: counts of zero when nothing is left. */
export interface Work {
  /** Events whose matches are still being looked for. */
  readonly searches: number;
  /** Lobbies that may complete a match by these events, and those of them asked so far. */
  readonly anchors: { readonly tried: number; readonly of: number };
  /** Tickets of which it is not yet known when a rule next widens to another. */
  readonly toArm: number;
}
