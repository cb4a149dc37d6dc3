// Serves a request: finds the route, makes its checks (checks.ts), calls the handler, and turns a thrown error
// into an answer that reveals nothing about it.

import { IttyRouter } from 'itty-router/IttyRouter';
import { refusal, type Refusal, type Reply } from '../lobby/refusals';
import { disk } from '../objects/kit/disk';
import { lag } from '../objects/kit/lag';
import { boxOf, type Place } from '../objects/placement/at';
import type { Env } from '../objects/placement/env';
import type { Facts } from '../common/log';
import { isShared } from '../common/quotas';
import { must, ok } from '../common/result';
import { retrying } from './ask';
import type { Call, PlayerCall } from './call';
import { checked } from './checks';
import { isTooLarge, TOO_LARGE } from './body';
import { originAllowed, preflight, withCors } from './cors';
import { isDoorShut } from './admission/door';
import { refusedUnder } from './admission/ladder';
import { inTurn } from './admission/turns';
import { toldOfDisk } from './told-of-disk';
import { FOREIGN, hostAllowed, isForeign } from './origin';
import { decodeParams, isPlainPath } from './paths';
import { failure, problem } from './problem';
import type { Handler, Route } from './route';
import { DASHBOARD, HEALTH, METRICS, OLDER, ROUTES, WELL_KNOWN } from './routes';
import { answeredAs, isUpgrade, sameRequest } from './requests';
import { metrics } from '../common/metrics';
import { DOC, OWN_PAGES, PAGES } from './site';

/** Checks the call and handles it. An error that it throws becomes an answer. */
async function handled(route: Route, call: Call): Promise<Response> {
  let known: Partial<PlayerCall> = {};
  try {
    const isOpen = route.caller === 'open';
    const whole = (isOpen ? call : await checked(route, call)) as Parameters<Handler>[0];
    known = whole;
    const run = async (): Promise<Response> => {
      if (route.method !== 'GET') {
        await call.together();
      }
      return route.handle(whole);
    };
    return isOpen || call.env.BOX === undefined || !isShared(call.env)
      ? await run()
      : await inTurn(whole.project, call.later, run);
  } catch (error) {
    return failure(error, call.request, aboutCall(known));
  }
}

/** The facts for log lines about this call. Calls of open routes have none. */
function aboutCall({ project, config, player }: Partial<PlayerCall>): Facts {
  const named = [
    ['project', project],
    ['config', config],
    ['playerId', player],
  ] as const;
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

interface Line {
  readonly route: Route;
  readonly path: RegExp;
}

/** Every route with the pattern of its path, in the order in which they are tried. */
const table: Line[] = [];
const byMethod = new Map<string | null, Line[]>([[null, table]]);

/**
 * Adds routes to the table. The router turns their paths into patterns, which find the route and its parameters.
 */
function add(routes: readonly Route[], base: string): void {
  for (const route of routes) {
    const { routes: made } = IttyRouter({ base }).all(route.path);
    const line = { route, path: must(made[0]?.[1], 'the route just added') };
    table.push(line);
    byMethod.set(route.method, [...(byMethod.get(route.method) ?? []), line]);
  }
}

// Both prefixes work (decision 1).
add([...ROUTES, ...DASHBOARD], '(/api)?/v3');
add(OLDER, '(/api)?/v2');
add([HEALTH, DOC], '/api');
add([HEALTH, METRICS, WELL_KNOWN, ...PAGES, ...OWN_PAGES], '');

interface Found {
  readonly route: Route;
  /** The parameters as they are in the path, not decoded yet. */
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a request, or of the request that a preflight announces. Without a method, any method's route. */
function routeOf(request: Request, { pathname }: URL): Found | null {
  const { headers, method: sent } = request;
  const method = sent === 'OPTIONS' ? headers.get('access-control-request-method') : sent;
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const { route, path } of byMethod.get(wanted) ?? []) {
    const match = path.exec(pathname);
    if (match !== null) {
      return { route, params: match.groups ?? {} };
    }
  }
  return null;
}

/** The answer if no route matches: the path is unknown, or only has other methods. */
function unmatched({ pathname }: URL): Response {
  const methods = table.filter(({ path }) => path.test(pathname)).map(({ route }) => route.method);
  if (methods.length === 0) {
    return problem({
      code: 'NOT_FOUND',
      detail: 'There is no such endpoint: paths begin with /v3, and /openapi.json lists them all',
    });
  }
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  return problem({ code: 'METHOD_NOT_ALLOWED', detail: `Allowed here: ${allow}` }, { allow });
}

/** The prefix that the hosted service's SDK hard-codes. */
function isOfSdk({ pathname }: URL): boolean {
  return pathname.startsWith('/api/');
}

async function answered(
  { route, params: raw }: Found,
  request: Request,
  url: URL,
  place: Place,
): Promise<Response> {
  const isSdk = isOfSdk(url);
  const params = decodeParams(raw, isSdk);
  return params.ok
    ? handled(route, { ...place, request, url, isSdk, params: params.value })
    : problem(params.refusal);
}

/** Why the page that sent the request may not use this route. Null: it may, or the sender is no page. */
function originRefused(found: Found | null, request: Request, url: URL, env: Env): Refusal | null {
  const caller = found?.route.caller ?? 'open';
  if (caller === 'server') {
    return isForeign(request, url, env) ? FOREIGN : null;
  }
  const detail = 'Origin: is neither on this machine nor in CORS_ORIGINS';
  return caller === 'open' || originAllowed(request, url, env)
    ? null
    : { code: 'FORBIDDEN', detail };
}

type Finish = (answer: Response) => Response;

/** The function that adds what browsers need to an answer of that route. */
function finishOf(found: Found | null, request: Request, env: Env): Finish {
  return (answer) => withCors(answer, request, env, found?.route.caller === 'server');
}

/** URLs that the platform accepts when it forwards a request. `URL` accepts a little more. */
const PLAIN_HOST = /^https?:\/\/[\w.:[\]-]+(?:[/?#]|$)/;

const TWO_WAYS = 'The path must not have a backslash, an encoded slash or a dot segment';

/** The URL of a request. The platform passes on host names that no URL can have, and HEAD with a body. */
function wellFormed(request: Request): Reply<URL> {
  const { url: text } = request;
  const url = URL.parse(text);
  if (url === null || !PLAIN_HOST.test(text)) {
    return refusal('VALIDATION_ERROR', 'Host: must be a host name');
  }
  if (!isPlainPath(text)) {
    return refusal('VALIDATION_ERROR', TWO_WAYS);
  }
  plainOrigin = `${url.origin}/`;
  if (request.method === 'HEAD' && request.body !== null) {
    return refusal('VALIDATION_ERROR', 'HEAD must not have a body');
  }
  // Nothing reads the body of one of these. workerd closes the connection of one whose end it does not know.
  const isUnread = request.method === 'GET' || request.method === 'DELETE';
  return isUnread && isTooLarge(request) ? TOO_LARGE : ok(url);
}

/** The origin of a well-formed request, with the slash. Nothing after the slash can make a URL malformed. */
let plainOrigin: string | null = null;

function isWellFormed(request: Request): boolean {
  const { method, url } = request;
  return (
    plainOrigin !== null && method !== 'HEAD' && url.startsWith(plainOrigin) && isPlainPath(url)
  );
}

/** Serves one request; never throws. */
export async function serve(request: Request, place: Place): Promise<Response> {
  const begunAt = Date.now();
  metrics.send(place.env.METRICS);
  const asked = { route: 'none' };
  const answer = await served(request, place, asked);
  return answeredAs(request, answer, { ...asked, begunAt });
}

async function served(request: Request, place: Place, told: { route: string }): Promise<Response> {
  const { env } = place;
  const asked = wellFormed(request);
  if (!asked.ok) {
    return problem(asked.refusal);
  }
  const url = asked.value;
  const host = hostAllowed(url, env);
  if (!host.ok) {
    return problem(host.refusal);
  }
  const found = routeOf(request, url);
  told.route = found?.route.path ?? 'none';
  const finish = finishOf(found, request, env);
  const foreign = originRefused(found, request, url, env);
  if (foreign !== null) {
    return finish(problem(foreign));
  }
  if (request.method === 'OPTIONS') {
    return finish(preflight());
  }
  // HEAD must not open a stream: it would replace the player's current one.
  const isHead = request.method === 'HEAD';
  if (found === null || (isHead && found.route.path.endsWith('/events'))) {
    return finish(unmatched(url));
  }
  const { route } = found;
  const load = { behindMs: lag.msAt(Date.now()), disk: disk.level };
  const refused = refusedUnder(load, route, isOfSdk(url), Math.random());
  if (refused !== null) {
    return finish(problem(refused));
  }
  // HEAD is GET without the body.
  const whole = isHead ? sameRequest(new Request(request, { method: 'GET' }), request) : request;
  const answer = await answered(found, whole, url, place);
  return finish(isHead ? new Response(null, answer) : answer);
}

/**
 * Forwards a request to the object that holds all actors of a box, which serves it (record 0016). Never throws. If
 * the object has just ended, a GET is repeated. `isGuarded`: the request came through the guard of WebSockets
 * (record 0026).
 */
export async function serveInBox(
  request: Request,
  env: Env,
  namespace: DurableObjectNamespace,
  isGuarded = false,
): Promise<Response> {
  const begunAt = Date.now();
  const told = await toldOfDisk(request, env, namespace);
  if (told !== null) {
    return told;
  }
  const asked = isWellFormed(request) ? null : wellFormed(request);
  if (asked?.ok === false) {
    return answeredAs(request, problem(asked.refusal), { route: 'none', begunAt });
  }
  // A page whose preflight is refused sees a network error without Retry-After, so preflights are let through.
  const isPreflight = request.method === 'OPTIONS';
  if (isDoorShut() && !isPreflight) {
    const url = new URL(request.url);
    const found = routeOf(request, url);
    const shut = { isDoorShut: true };
    const no = found && refusedUnder(shut, found.route, isOfSdk(url), Math.random());
    if (no !== null) {
      const answer = finishOf(found, request, env)(problem(no));
      return answeredAs(request, answer, { route: found?.route.path ?? 'none', begunAt });
    }
  }
  const ask = (): Promise<Response> => boxOf(namespace).fetch(request);
  try {
    if (env.GUARD !== undefined && !isGuarded && isUpgrade(request)) {
      return await env.GUARD.fetch(request);
    }
    return await (request.method === 'GET' ? retrying(ask) : ask());
  } catch (error) {
    const failed = routeOf(request, new URL(request.url));
    const answer = finishOf(failed, request, env)(failure(error, request));
    return answeredAs(request, answer, { route: failed?.route.path ?? 'none', begunAt });
  }
}
