// How a handler asks objects and refuses. Between objects a refusal is a value. Within a request it is thrown, so that
// each handler reads as what it does, and serve.ts answers it in one place.

import { backoff, pause } from '../common/later';
import type { Result } from '../common/result';
import type { Issue } from '../common/shape';
import { refusal, type Refusal, type Reply } from '../lobby/refusals';

export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(why: Refusal) {
    super(why.detail);
    this.refusal = why;
  }
}

/** The value of a reply. Throws its refusal as Refused. */
export function granted<T>(reply: Reply<T>): T {
  if (!reply.ok) {
    throw new Refused(reply.refusal);
  }
  return reply.value;
}

/** What was read. Throws VALIDATION_ERROR as Refused: `detail` is one line with all issues, `issues` is for programs. */
export function valid<T>(read: Result<T, readonly Issue[]>): T {
  if (read.ok) {
    return read.value;
  }
  const issues = read.refusal;
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new Refused({ code: 'VALIDATION_ERROR', detail: lines.join('; '), issues });
}

/** Throws that refusal as Refused. */
export function refuseWith(...[code, detail]: Parameters<typeof refusal>): never {
  throw new Refused(refusal(code, detail).refusal);
}

export function hasFlag(
  error: unknown,
  name: 'retryable' | 'overloaded' | 'durableObjectReset',
): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, name) === true;
}

/** Whether the platform says that the error may pass: after a deploy, a crash or a move of the object. */
export function isRetryable(error: unknown): boolean {
  const mayPass = hasFlag(error, 'retryable') || hasFlag(error, 'durableObjectReset');
  return mayPass && !hasFlag(error, 'overloaded');
}

const ATTEMPTS = 3;
const RETRIES = { first: 100, last: 200 };

/**
 * Runs `ask`, an idempotent call, until it answers or fails for good, at most three times. `ask` must make a new stub
 * for each call, because a stub that threw may be broken for good (docs/internals/gotchas.md: Objects and their calls).
 */
export async function retrying<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) {
        throw error;
      }
      await pause(backoff(attempt - 1, RETRIES, Math.random()));
    }
  }
}
