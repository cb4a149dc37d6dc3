// What is told of each request: its id, which the answer and the log have, and its place in the counts.

import { metrics } from '../metrics';

const HEADER = 'x-request-id';
const GIVEN = /^[\w.:-]{1,128}$/;

const ids = new WeakMap<Request, string>();

/** The caller's id for the request where it sent one that can be one, else one of its own. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(HEADER) ?? '';
  if (GIVEN.test(given)) {
    return given;
  }
  const id = ids.get(request) ?? crypto.randomUUID();
  ids.set(request, id);
  return id;
}

/** A copy of a request is the same request. */
export function sameRequest(copy: Request, request: Request): Request {
  ids.set(copy, requestIdOf(request));
  return copy;
}

/** Counts it, and says its id. `route`: its line of the table, whatever was asked of it. */
export function answeredAs(
  request: Request,
  answer: Response,
  { route, begunAt }: { readonly route: string; readonly begunAt: number },
): Response {
  const { method } = request;
  metrics.count('muster_http_requests_total', { method, route, status: String(answer.status) });
  const seconds = Math.max(0, Date.now() - begunAt) / 1000;
  metrics.observe('muster_http_request_duration_seconds', [seconds], { method, route });
  answer.headers.set(HEADER, requestIdOf(request));
  return answer;
}
