// The id of each request, which is in the answer and the log, and the metrics of requests.

import { Buckets, type Limit } from '../../common/buckets';
import { metrics } from '../../common/metrics';
import type { AskedBy } from '../../lobby/lobby';
import type { Env } from '../../objects/placement/env';
import { overloads } from './overloads';

const HEADER = 'x-request-id';
const GIVEN = /^[\w.:-]{1,128}$/;

const ids = new WeakMap<Request, string>();

/**
 * The caller's id if it is valid, or else a new one, in which no 404 stands: the hosted service's SDK looks for that in
 * the body of an error (decision 3). `last`: nobody asks again, so the id is not kept.
 */
export function requestIdOf(request: Request, asked?: 'last'): string {
  const sent = request.headers.get(HEADER);
  if (sent !== null && GIVEN.test(sent)) {
    return sent;
  }
  const id = ids.get(request) ?? crypto.randomUUID().replace(/40(?=4)/g, '4a');
  if (asked !== 'last') {
    ids.set(request, id);
  }
  return id;
}

/** How many of a project's searches and starts count as traced by their callers, in an isolate: whoever has a client key can ask. */
const ASKED_TRACES: Limit = { most: 60, perMs: 60_000 };
const askedTraces = new Buckets(1_000);
/** The project in which a request has taken one of these. */
const tracing = new WeakMap<Request, string>();
/** A `traceparent` of W3C Trace Context whose trace is recorded. */
const RECORDED = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f][13579bdf]$/;

/** What is kept of a request that begins a search or a game. A trace counts unless the request is refused (`answeredAs`). */
export function askedBy({
  request,
  env,
  project,
}: {
  readonly request: Request;
  readonly env: Pick<Env, 'OTLP_URL'>;
  readonly project: string;
}): AskedBy {
  const requestId = requestIdOf(request);
  const trace = env.OTLP_URL ? request.headers.get('traceparent') : null;
  // Its handler may run again elsewhere.
  const isFew = (): boolean =>
    tracing.has(request) || askedTraces.left(project, ASKED_TRACES, Date.now()) >= 1;
  if (trace === null || !RECORDED.test(trace) || !isFew()) {
    return { requestId };
  }
  if (!tracing.has(request)) {
    tracing.set(request, project);
    askedTraces.take(project, ASKED_TRACES, Date.now());
  }
  return { requestId, trace };
}

/** A refused request leaves its trace to another: whoever may only ask must not use up those of others. */
function giveTraceBack(request: Request): void {
  const project = tracing.get(request);
  if (project !== undefined) {
    askedTraces.take(project, ASKED_TRACES, Date.now(), -1);
  }
}

export function sameRequest(copy: Request, request: Request): Request {
  ids.set(copy, requestIdOf(request));
  return copy;
}

/** The request with the method that it means. Some HTTP libraries only send GET and POST (decision 77). */
export function asMeant(request: Request): Request {
  const meant = request.method === 'POST' && request.headers.get('x-http-method-override');
  const method = meant ? meant.toUpperCase() : '';
  return /^(?:PATCH|PUT|DELETE)$/.test(method)
    ? sameRequest(new Request(request, { method }), request)
    : request;
}

export function isUpgrade({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket';
}

/** Methods that the metrics distinguish. A client may send any other method. */
const METHODS = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

/** The function that counts an answer, by method, route and status, of which there are few. */
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

/** With its id, unless the hosted service's SDK would read "no lobby" in it: then only the header has it (decision 3). */
async function withId(answer: Response, id: string): Promise<Response> {
  const text = await answer.text();
  const isMisleading = id.includes('404') && answer.status !== 404;
  const isProblem = text.startsWith('{"error":') && !isMisleading;
  const body = isProblem ? `${text.slice(0, -1)},"requestId":${JSON.stringify(id)}}` : text;
  return new Response(text === '' ? null : body, answer);
}

/** Counts the answer, and adds its id and `nosniff`. `route` is the route's path in the table. */
export async function answeredAs(
  request: Request,
  answer: Response,
  { route, begunAt }: { readonly route: string; readonly begunAt: number },
): Promise<Response> {
  const now = Date.now();
  overloads.answered(now);
  const seconds = Math.max(0, now - begunAt) / 1000;
  const method = METHODS.test(request.method) ? request.method : 'other';
  noteOf(method, route, String(answer.status))(seconds);
  if (answer.status >= 400) {
    giveTraceBack(request);
  }
  const id = requestIdOf(request, 'last');
  answer.headers.set(HEADER, id);
  answer.headers.set('x-content-type-options', 'nosniff');
  return answer.status < 400 ? answer : withId(answer, id);
}

/** Whether the client prefers a short answer (RFC 7240). */
export function prefersMinimal({ headers }: Request): boolean {
  const preferences = headers.get('prefer')?.toLowerCase().split(',') ?? [];
  return preferences.some((each) => /^\s*return\s*=\s*"?minimal"?\s*(;|$)/.test(each));
}
