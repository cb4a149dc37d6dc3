// What is told of each request: its id, which the answer and the log have, and its place in the counts.

import { metrics } from '../metrics';

const HEADER = 'x-request-id';
const GIVEN = /^[\w.:-]{1,128}$/;

const ids = new WeakMap<Request, string>();

/**
 * The caller's id for the request where it sent one that can be one, else one of its own. `last`:
 * nobody asks again, so that nothing is kept for it.
 */
export function requestIdOf(request: Request, asked?: 'last'): string {
  const given = request.headers.get(HEADER);
  if (given !== null && GIVEN.test(given)) {
    return given;
  }
  const id = ids.get(request) ?? crypto.randomUUID();
  if (asked !== 'last') {
    ids.set(request, id);
  }
  return id;
}

/** A copy of a request is the same request. */
export function sameRequest(copy: Request, request: Request): Request {
  ids.set(copy, requestIdOf(request));
  return copy;
}

/** Whether the request asks for a WebSocket. */
export function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket';
}

/** Those that are told apart in the metrics: a client may send any. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** What is noted of an answer, by its line: methods, routes and statuses are few. */
const noted = new Map<string, (seconds: number) => void>();

function noteOf(method: string, route: string, status: string): (seconds: number) => void {
  const line = `${method} ${route} ${status}`;
  const known = noted.get(line);
  if (known !== undefined) {
    return known;
  }
  const counted = metrics.counter('muster_http_requests_total', { method, route, status });
  const timed = metrics.histogram('muster_http_request_duration_seconds', { method, route });
  const note = (seconds: number): void => {
    counted();
    timed([seconds]);
  };
  noted.set(line, note);
  return note;
}

/** Counts it, says its id, and that it is what it says it is. `route`: its line of the table, whatever was asked of it. */
export function answeredAs(
  request: Request,
  answer: Response,
  { route, begunAt }: { readonly route: string; readonly begunAt: number },
): Response {
  const seconds = Math.max(0, Date.now() - begunAt) / 1000;
  const method = METHODS.has(request.method) ? request.method : 'other';
  noteOf(method, route, String(answer.status))(seconds);
  answer.headers.set(HEADER, requestIdOf(request, 'last'));
  answer.headers.set('x-content-type-options', 'nosniff');
  return answer;
}
