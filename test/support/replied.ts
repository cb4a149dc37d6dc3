// A thrown refusal as a value, so that tests look at both outcomes in the same way.

import { Refused } from '../../src/http/wire/answer';
import type { Reply } from '../../src/lobby/refusals';

/** What the call returns, or the refusal that it throws. */
export async function replied<T>(call: () => T | Promise<T>): Promise<Reply<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    if (error instanceof Refused) {
      return { ok: false, refusal: error.refusal };
    }
    throw error;
  }
}
