// Saves a change. If the transaction fails, memory may be ahead of the rows, so the incarnation ends.

import type { Ports, Sync } from './ports';

/** Commits all writes of `run`, or none and ends the incarnation. Throws what `run` or the storage throws. */
export function commit<T>(ports: Ports, run: Sync<T>): T {
  try {
    return ports.store.atomically(run);
  } catch (error) {
    ports.abort(String(error));
    throw error;
  }
}

/** The value. Throws for a promise, which a type can hide: the transaction would end before its writes. */
export function atOnce<T>(value: T): T {
  if (value instanceof Promise) {
    throw new TypeError('a transaction cannot await');
  }
  return value;
}
