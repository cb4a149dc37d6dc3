// Saving a change. What an object has in memory must be what its rows say: should the transaction
// fail, memory may be ahead of them, and the incarnation ends.

import type { Ports } from './ports';

/** All writes of `run`, or none and a new incarnation; throws what `run` or the storage throws. */
export function commit<T>(host: Ports, run: () => T): T {
  try {
    return host.store.atomically(run);
  } catch (error) {
    host.abort(String(error));
    throw error;
  }
}
