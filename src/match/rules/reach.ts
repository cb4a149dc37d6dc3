// How far a lobby reaches after a wait: what a rule that widens lets pass, and the exact instant from which it does.

/** It never falls as the wait goes on. */
export interface Reach {
  readonly at: (waitMs: number) => number;
  /** After how many ms it is that far, give or take a rounding; Infinity for never. */
  readonly when: (gap: number) => number;
}

/** Seconds of wait, and the reach from then on: straight between the points, and level after the last. */
export type Curve = readonly (readonly [seconds: number, reach: number])[];

/** From `max` to its double at the timeout, and on (spec: Rule semantics 3); else level (docs/internals/design.md A4). */
export function doubling(max: number, timeoutSeconds: number): Reach {
  const timeoutMs = timeoutSeconds * 1000;
  return {
    at: (waitMs) => (timeoutMs > 0 ? max + (max * waitMs) / timeoutMs : max),
    when: (gap) => {
      const waitMs = timeoutMs * (gap / max - 1);
      return gap <= max ? 0 : timeoutMs > 0 && waitMs <= timeoutMs ? waitMs : Infinity;
    },
  };
}

/** Decision 55. The first point is at 0 s, and each later one is later and no lower. */
export function along(curve: Curve): Reach {
  return {
    at(waitMs) {
      let [since, reach] = [0, 0];
      for (const [seconds, next] of curve) {
        const until = seconds * 1000;
        if (waitMs < until) {
          return reach + ((next - reach) * (waitMs - since)) / (until - since);
        }
        [since, reach] = [until, next];
      }
      return reach;
    },
    when(gap) {
      let [since, reach] = [0, 0];
      for (const [seconds, next] of curve) {
        const until = seconds * 1000;
        if (gap <= next) {
          return gap <= reach || next === reach
            ? since
            : since + ((until - since) * (gap - reach)) / (next - reach);
        }
        [since, reach] = [until, next];
      }
      return Infinity;
    },
  };
}

/** Nothing is looked for further than this from a guess: some twelve days. */
const FARTHEST_MS = 2 ** 30;

/**
 * The first whole ms from `start` on at which it holds, near `guess`; Infinity if that is Infinity, or far off. Once it
 * holds it goes on holding. A formula solved for time can miss by a rounding, so the test has the last word.
 */
export function firstMs(start: number, guess: number, holds: (at: number) => boolean): number {
  if (!(guess < Infinity)) {
    return Infinity;
  }
  const first = Math.ceil(start);
  let to = Math.max(first, Math.ceil(guess));
  let from = to - 1;
  for (let step = 1; from >= first && holds(from); step *= 2) {
    to = from;
    from -= step;
  }
  for (let step = 1; !holds(to); step *= 2) {
    if (step > FARTHEST_MS) {
      return Infinity;
    }
    from = to;
    to += step;
  }
  // It holds at `to`, and not at `from`, unless that is before the first.
  from = Math.max(from, first - 1);
  while (to - from > 1) {
    const middle = from + Math.floor((to - from) / 2);
    if (holds(middle)) {
      to = middle;
    } else {
      from = middle;
    }
  }
  return to;
}
