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

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    later(ms, resolve);
  });
}
