// How a handler refuses. Between objects a refusal is a value. Within a request it is thrown, so that each handler
// reads as what it does, and serve.ts answers it in one place.

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
