// The one place that turns failures into HTTP (spec: Error body; decision 3). A refusal shows its detail. An
// unexpected error shows nothing and is logged as one JSON object.

import { logEvent, type Facts } from '../common/log';
import {
  isInternal,
  noteDamage,
  storageTrouble,
  type StorageTrouble,
} from '../common/storage-error';
import { overloads } from './overloads';
import { metrics } from '../common/metrics';
import { disk } from '../objects/kit/disk';
import { requestIdOf } from './requests';
import { hasFlag, isRetryable, Refused } from './refused';
import { REFUSALS, type Refusal } from '../lobby/refusals';

/** How many seconds a client should wait while nothing can be saved. */
export const STORAGE_RETRY_SECONDS = 5;

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

export function problem(refusal: Refusal, headers: HeadersInit = {}): Response {
  const { status, message: error } = REFUSALS[refusal.code];
  metrics.count('muster_refusals_total', { code: refusal.code });
  if (refusal.code === 'OVERLOADED') {
    overloads.refused(Date.now());
  }
  const all = new Headers(headers);
  if (refusal.retryAfter !== undefined) {
    all.set('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfter))));
  }
  const { code, detail, rate, until } = refusal;
  // A detail such as `name: must be a string` has the field and the message.
  const [, path = '', message = detail] = /^([\w.[\]-]+): (.*)$/s.exec(detail) ?? [];
  const issues = code === 'VALIDATION_ERROR' ? (refusal.issues ?? [{ path, message }]) : undefined;
  if (rate !== undefined) {
    all.set('x-ratelimit-limit', String(rate.limit));
    all.set('x-ratelimit-remaining', String(rate.remaining));
    all.set('x-ratelimit-reset', String(rate.resetSeconds));
  }
  // Absent fields are no part of the JSON.
  return json({ error, detail, status, code, issues, until }, status, all);
}

/** The refusals for errors of the storage. */
const STORAGE_PROBLEMS: Readonly<Record<StorageTrouble, Pick<Refusal, 'code' | 'detail'>>> = {
  full: { code: 'STORAGE_FULL', detail: 'The disk of the service is full' },
  damaged: { code: 'UNAVAILABLE', detail: 'The database of the service is damaged' },
  unwritable: { code: 'UNAVAILABLE', detail: 'The storage cannot be written' },
};

/**
 * Turns a thrown error into an answer. A refusal shows its detail. Else it is 503 if the platform says that the error
 * may pass, if the platform itself failed, or if the disk takes no writes. Otherwise 500, which reveals nothing about the
 * error. The log has the path without its query, which may carry a key (decision 7). `about`: what is known of the call.
 */
export function failure(error: unknown, request: Request, about: Facts = {}): Response {
  if (error instanceof Refused) {
    return problem(error.refusal);
  }
  const cause = error instanceof Error ? error : new Error(String(error));
  const { name, message } = cause;
  const stack = cause.stack?.slice(0, 4_000) ?? '';
  const path = new URL(request.url).pathname;
  noteDamage(cause);
  // The platform's only message if it failed itself, for example if it cannot write.
  const isPlatform = isInternal(cause);
  const trouble = isPlatform && disk.isShort ? 'full' : storageTrouble(cause);
  const unsaved = trouble && STORAGE_PROBLEMS[trouble];
  const passing = isRetryable(error) || hasFlag(error, 'overloaded') || isPlatform;
  const event = unsaved ? 'storage_failed' : passing ? 'request_unavailable' : 'request_failed';
  const requestId = requestIdOf(request);
  logEvent(event, { requestId, ...about, method: request.method, path, name, message, stack });
  if (unsaved !== null) {
    return problem({ ...unsaved, retryAfter: STORAGE_RETRY_SECONDS });
  }
  if (passing) {
    const detail = 'The service is busy or restarting; try again';
    return problem({ code: 'UNAVAILABLE', detail, retryAfter: 1 });
  }
  return problem({ code: 'INTERNAL', detail: 'The service failed; its log says why' });
}
