// Waiting for other objects, with a limit.

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
