// The one place that turns failures into HTTP (spec: Error body; decision 3).

import { logEvent, type Facts } from '../../common/log';
import { isInternal, noteDamage, storageTrouble } from '../../common/storage-error';
import type { StorageTrouble } from '../../common/storage-error';
import { overloads } from './overloads';
import { metrics } from '../../common/metrics';
import { disk } from '../../objects/kit/disk';
import { requestIdOf } from './requests';
import { hasFlag, isRetryable, json, Refused } from './answer';
import { REFUSALS, type Refusal } from '../../lobby/refusals';

/** How many seconds a client should wait while nothing can be saved. */
export const STORAGE_RETRY_SECONDS = 5;

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
  const { code, detail, rate, until, instanceId } = refusal;
  // A detail such as `name: must be a string` has the field and the message.
  const [, path = '', message = detail] = /^([\w.[\]-]+): (.*)$/s.exec(detail) ?? [];
  const isOfFields = ['VALIDATION_ERROR', 'MATCH_NOT_MADE', 'LOBBY_NOT_MOVED'].includes(code);
  const issues = isOfFields ? (refusal.issues ?? [{ path, message }]) : undefined;
  if (rate !== undefined) {
    all.set('x-ratelimit-limit', String(rate.limit));
    all.set('x-ratelimit-remaining', String(rate.remaining));
    all.set('x-ratelimit-reset', String(rate.resetSeconds));
  }
  // Absent fields are no part of the JSON.
  return json({ error, detail, status, code, issues, until, instance_id: instanceId }, status, all);
}

const STORAGE_PROBLEMS: Readonly<Record<StorageTrouble, Pick<Refusal, 'code' | 'detail'>>> = {
  full: { code: 'STORAGE_FULL', detail: "The service's disk is full" },
  damaged: { code: 'UNAVAILABLE', detail: 'The database of the service is damaged' },
  unwritable: { code: 'UNAVAILABLE', detail: 'The storage cannot be written' },
};

/**
 * Turns a thrown error into an answer. A refusal shows its detail. Else it is 503 if the platform says that the error
 * may pass, if the platform itself failed, or if the disk takes no writes. Otherwise 500, which reveals nothing about the
 * error. The log has the path without its query, which may carry a key (decision 7). `about`: what is known of the call.
 * `passingSeconds`: how long a client should wait for what may pass.
 */
export function failure(
  error: unknown,
  request: Request,
  about: Facts = {},
  passingSeconds = 1,
): Response {
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
  const busy = 'The service is busy or restarting; try again';
  return passing
    ? problem({ code: 'UNAVAILABLE', detail: busy, retryAfter: passingSeconds })
    : problem({ code: 'INTERNAL', detail: 'The service failed; its log says why' });
}
