// Waiting with a limit.

import type { Later } from '../../common/later';

/** Resolves like the work, or rejects once the limit has passed. The work itself goes on. */
export async function within<T>(
  host: { readonly later: Later },
  ms: number,
  work: Promise<T>,
): Promise<T> {
  let cancel = (): void => {};
  const limit = new Promise<never>((_, reject) => {
    cancel = host.later(ms, () => reject(new Error(`no answer within ${ms} ms`)));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel();
  }
}

/** A wait that somebody may end before its time. */
export interface Wait {
  readonly over: Promise<void>;
  /** Ends the wait. Of a wait that is over, it changes nothing. */
  readonly end: () => void;
}

/** A wait of at most that time. */
export function waitOf(host: { readonly later: Later }, ms: number): Wait {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const cancel = host.later(ms, resolve);
  const end = (): void => {
    cancel();
    resolve();
  };
  return { over, end };
}
