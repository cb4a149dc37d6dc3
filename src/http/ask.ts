// Repeats a call to an object if the platform says that this may help: after a deploy, a crash or a move of the
// object. Only for idempotent calls.

import { pause } from '../common/later';
import { isRetryable } from './problem';

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 50;

/**
 * Runs `ask` until it answers, at most three times. `ask` must make a new stub for each call, because a stub that
 * threw may be broken for good (docs/internals/gotchas.md: Objects and their calls).
 */
export async function retrying<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) {
        throw error;
      }
      await pause(Math.random() * FIRST_WAIT_MS * 2 ** attempt);
    }
  }
}
