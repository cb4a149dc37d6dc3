// Looks for what makes a part of the running system useless while its process lives (part.ts): the wall clock was set
// back under the service, or the agent does not answer.

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves with what is wrong with a part, so that it must be started anew. Null: it is over. It is called when the part
 * is about to start; `started` settles when it accepts requests.
 */
export type Ails = (over: AbortSignal, started: Promise<unknown>) => Promise<string | null>;

const LOOK_MS = 1_000;
/** A smaller step is waited for: starting anew takes as long. */
const SET_BACK_MS = 1_500;
const ANSWER_MS = 5_000;
/** In a row. A machine that was asleep may lose one. */
const SILENCES = 3;

/** The clocks of this machine, and waiting. Tests pass their own. */
export interface Clocks {
  /** Epoch ms, which somebody may set. */
  wall(): number;
  /** In milliseconds. It never goes back. */
  steady(): number;
  sleep(ms: number, over: AbortSignal): Promise<unknown>;
}

const CLOCKS: Clocks = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  sleep: (ms, over) => sleep(ms, undefined, { signal: over, ref: false }).catch(() => undefined),
};

/**
 * Whether the wall clock was set back. workerd counts its timers by the wall clock, and its objects never see an earlier
 * time, so no timer of theirs fires until the clock shows that time again.
 */
export function clockSetBack(clocks: Clocks = CLOCKS): Ails {
  return async (over) => {
    let ahead = -Infinity;
    while (!over.aborted) {
      const now = clocks.wall() - clocks.steady();
      ahead = Math.max(ahead, now);
      if (ahead - now > SET_BACK_MS) {
        return `the clock was set back by ${Math.round((ahead - now) / 1000)} s, and its timers stand still`;
      }
      await clocks.sleep(LOOK_MS, over);
    }
    return null;
  };
}

/** Whether a part that has started does not answer `GET {url}/health`. */
export function noAnswer(
  url: string,
  { answers = answered, clocks = CLOCKS }: { answers?: typeof answered; clocks?: Clocks } = {},
): Ails {
  return async (over, started) => {
    await started.catch(() => undefined);
    let silences = 0;
    while (!over.aborted) {
      silences = (await answers(url, over)) ? 0 : silences + 1;
      if (silences >= SILENCES && !over.aborted) {
        return `it does not answer, ${silences} times in a row`;
      }
      await clocks.sleep(LOOK_MS, over);
    }
    return null;
  };
}

async function answered(url: string, over: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([over, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const answer = await fetch(`${url}/health`, { signal });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
