// Running something later.

import type { Now } from './clock';

/** Runs that once so many milliseconds have passed; answers how to take it back. */
export type Later = (ms: number, run: () => void) => () => void;

export interface Clock {
  /** Epoch ms. */
  readonly now: Now;
  readonly later: Later;
}

/** By a timer of the platform. An object that lives long has its own (src/objects/kit/timers.ts). */
export const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
