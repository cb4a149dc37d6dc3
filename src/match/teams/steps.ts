// Searches that can be cut and go on later. Work is counted, never timed: the clock stands still
// while a Worker computes, and a count gives the same outcome on every machine (docs/internals/design.md: What
// matching means).

/**
 * What a caller still allows, shared by all it asks: whoever works takes from `left`. One step is about
 * a state of a search, 0.3 to 1 microsecond of Node's time. A call may go over by some hundreds of them.
 */
export interface Steps {
  left: number;
  /**
   * Whether what is cut will be asked for again: in turns, when nothing is said; perhaps, by a guest;
   * never, by who only glances.
   */
  asker?: 'guest' | 'glance' | null;
}

/** For callers that are not cut. */
export function unlimited(): Steps {
  return { left: Infinity };
}

/**
 * `open`: the steps were spent before the answer was found. It is neither yes nor no. Who asks the
 * same question again goes on where the search stopped; the answer does not depend on the cuts.
 * Words and not booleans, so that no condition takes an open question for an answer.
 */
export type Answer = 'yes' | 'no' | 'open';

/** A computation that pauses (`yield`) where its steps are spent, and what it comes to. */
export type Slices<T = void> = Generator<undefined, T, undefined>;

/** A search under way: each call goes on with it for as long as there are steps. */
export type Search<T> = (steps: Steps) => T | 'open';

/** `work` pays from the steps it is given, which are those of whoever runs the search at the time. */
export function searchOf<T>(work: (steps: Steps) => Slices<T>): Search<T> {
  const own = { left: 0 };
  const slices = work(own);
  return (steps) => {
    own.left = steps.left;
    const { done, value } = slices.next();
    steps.left = own.left;
    return done === true ? value : 'open';
  };
}
