// Timers.

import type { Now } from './clock';

/** Runs a function after `ms` milliseconds. Returns a function that cancels it. */
export type Later = (ms: number, run: () => void) => () => void;

export interface Clock {
  /** Epoch ms. */
  readonly now: Now;
  readonly later: Later;
}

/** Uses a timer of the platform. A long-lived object has its own timers (src/objects/kit/timers.ts). */
export const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Resolves after `ms`, by the timers of `on`. Default: those of the platform. */
export function pause(ms: number, on: Pick<Clock, 'later'> = { later }): Promise<void> {
  return new Promise((resolve) => {
    on.later(ms, resolve);
  });
}
