// How a handler refuses. Between objects a refusal is a value. Within a request it is thrown, so that each handler
// reads as what it does, and serve.ts answers it in one place.

import type { Result } from '../common/result';
import type { Issue } from '../common/shape';
import { refusal, type Refusal, type Reply } from '../lobby/refusals';
import { invalid } from './body';

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

/** What was read. Throws VALIDATION_ERROR with its issues as Refused. */
export function valid<T>(read: Result<T, readonly Issue[]>): T {
  return granted(read.ok ? read : invalid(read.refusal));
}

/** Throws that refusal as Refused. */
export function refuseWith(...[code, detail]: Parameters<typeof refusal>): never {
  throw new Refused(refusal(code, detail).refusal);
}
