// What the pool has begun and not finished. A computation that may take long pauses when the steps of a call are
// spent, and continues later where it stopped. Tickets come and go meanwhile, so it then asks whether those it holds
// still wait.

/** For the pool's report, and for people who ask why. All counts are zero if nothing is left. */
export interface Work {
  /** Events whose matches are still being looked for. */
  readonly searches: number;
  /** Lobbies that may complete a match because of these events, and how many of them have been tried. */
  readonly anchors: { readonly tried: number; readonly of: number };
  /** Tickets of which it is not known yet when a rule next widens to another. */
  readonly toArm: number;
}

/** How far a task is with its full matches: how many anchors there are, and how many have been tried. */
export interface Looking {
  isMatching: boolean;
  tried: number;
  of: number;
}
