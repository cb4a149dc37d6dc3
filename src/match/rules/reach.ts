// How far a lobby reaches after a wait: what a rule that widens lets pass, and the exact instant from which it does.

/** It never falls as the wait goes on. */
export interface Reach {
  /** After so many ms. */
  readonly at: (waitMs: number) => number;
  /** After how many ms it is that far, give or take a rounding; Infinity for never. */
  readonly when: (gap: number) => number;
}

/** Seconds of wait, and the reach from then on: straight between the points, and level after the last. */
export type Curve = readonly (readonly [seconds: number, reach: number])[];

/**
 * From `max` to its double at the timeout (spec: Rule semantics 3). It goes on beyond, and never widens in a mode without
 * a timeout (docs/internals/design.md A4).
 */
export function doubling(max: number, timeoutSeconds: number): Reach {
  const timeoutMs = timeoutSeconds * 1000;
  return {
    at: (waitMs) => (timeoutMs > 0 ? max * (1 + waitMs / timeoutMs) : max),
    when: (gap) => {
      const waitMs = timeoutMs * (gap / max - 1);
      return gap <= max ? 0 : waitMs <= timeoutMs ? waitMs : Infinity;
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

/**
 * The first whole ms at or after `start` at which it holds, near `guess`; Infinity if that is Infinity. From then on it
 * holds. A formula solved for time can miss by a rounding: the test itself has the last word.
 */
export function firstMs(start: number, guess: number, holds: (at: number) => boolean): number {
  const first = Math.ceil(start);
  if (!(guess < Infinity)) {
    return Infinity;
  }
  let at = Math.max(first, Math.ceil(guess));
  while (at > first && holds(at - 1)) {
    at -= 1;
  }
  while (!holds(at)) {
    at += 1;
  }
  return at;
}
