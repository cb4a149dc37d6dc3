// Saving a change. What an object has in memory must be what its rows say: should the transaction
// fail, memory may be ahead of them, and the incarnation ends.

import type { Ports, Sync } from './ports';

/** All writes of `run`, or none and a new incarnation; throws what `run` or the storage throws. */
export function commit<T>(host: Ports, run: Sync<T>): T {
  try {
    return host.store.atomically(run);
  } catch (error) {
    host.abort(String(error));
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
