// How a handler asks objects, answers and refuses. Between objects a refusal is a value. A handler throws it to serve.ts.

import { backoff, pause } from '../../common/later';
import type { Result } from '../../common/result';
import type { Issue } from '../../common/shape';
import { refusal, type Refusal, type Reply } from '../../lobby/refusals';
import { projectDocument } from '../../objects/caches/project';
import type { Peers } from '../../objects/contracts/peers';
import type { ProjectDocument } from '../../objects/contracts/project';

export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(why: Refusal) {
    super(why.detail);
    this.refusal = why;
  }
}

/** Throws a refusal as Refused, if there is one. */
export function throwAny(found: Refusal | null | undefined): void {
  if (found) {
    throw new Refused(found);
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

export function refuseWith(...[code, detail]: Parameters<typeof refusal>): never {
  throw new Refused(refusal(code, detail).refusal);
}

type Flag = 'retryable' | 'overloaded' | 'durableObjectReset';

export function hasFlag(error: unknown, name: Flag): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, name) === true;
}

/** Whether the platform says that the error may pass: after a deploy, a crash or a move of the object. */
export function isRetryable(error: unknown): boolean {
  const mayPass = hasFlag(error, 'retryable') || hasFlag(error, 'durableObjectReset');
  return mayPass && !hasFlag(error, 'overloaded');
}

/** The document of the caller's project, which may be 3 s old. */
export function documentOf(of: { peers: Peers; project: string }): Promise<ProjectDocument> {
  return projectDocument(of.peers, of.project, Date.now());
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

export function json<T>(value: T, status = 200, headers?: HeadersInit): Response {
  return jsonText(JSON.stringify(value), status, headers);
}

/** The headers of every JSON answer. A response copies them. */
const OF_JSON = new Headers({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
});

/** `text` is the JSON, or a stream of it. */
export function jsonText(
  text: string | ReadableStream<Uint8Array>,
  status = 200,
  headers?: HeadersInit,
): Response {
  if (headers === undefined) {
    return new Response(text, { status, headers: OF_JSON });
  }
  const all = new Headers(headers);
  OF_JSON.forEach((value, name) => all.set(name, value));
  return new Response(text, { status, headers: all });
}

/** A stream of JSON lines. `next`: the next part of the text, once the client can take it. Null: there is none. */
export function jsonLines(contentType: string, next: () => Promise<string | null>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (lines) => {
      const part = await next();
      if (part === null) {
        lines.close();
      } else {
        lines.enqueue(encoder.encode(part));
      }
    },
  });
  const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
  return new Response(body, { headers });
}
