// Serves a request: finds the route, makes its checks (checks.ts), calls the handler, and answers thrown errors.

import { IttyRouter } from 'itty-router/IttyRouter';
import { disk, type DiskReading } from '../../objects/kit/disk';
import { lag } from '../../objects/kit/lag';
import { boxOf, type Place } from '../../objects/placement/at';
import type { Env } from '../../objects/placement/env';
import type { Facts } from '../../common/log';
import { Lru } from '../../common/lru';
import { must } from '../../common/result';
import type { Box } from '../../objects/placement/box/box';
import { isSecret } from '../wire/access';
import { open, type Call, type Route } from '../wire/call';
import { checked, checkedUnder, type Checked } from '../gate/checks';
import { checkLength } from '../wire/body';
import { Moved } from '../isolate/where';
import { isDoorShut, noteClock } from '../gate/door';
import { refusedUnder } from '../gate/ladder';
import { inTurn, isShared } from '../gate/turns';
import { projectOfOwn } from '../identity/servers';
import { checkForeign, checkHost, originAllowed, preflight, withCors } from '../wire/origin';
import { decodeParams, isPlainPath } from '../wire/paths';
import { failure, problem } from '../wire/problem';
import { refuseWith, retrying, throwAny } from '../wire/answer';
import { byInstance, retrySeconds, toldByStarter } from './instance';
import { DASHBOARD, HEALTH, OLDER, ROUTES, WELL_KNOWN } from './routes';
import { METRICS } from '../operators/metrics';
import { JOIN } from '../pages/join-page';
import { answeredAs, asMeant, isUpgrade, sameRequest } from '../wire/requests';
import { metrics } from '../../common/metrics';
import { DOC, OWN_PAGES, PAGES } from '../pages/site';

/** A call under `/me` goes where the player's lobby is. */
async function carriedOut(route: Route, call: Checked): Promise<Response> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (!(error instanceof Moved)) {
      throw error;
    }
    return carriedOut(route, await checkedUnder(route, call, error.config));
  }
}

/** Checks the call and handles it. An error that it throws becomes an answer. */
async function handled(route: Route, call: Call): Promise<Response> {
  let known: Partial<Checked> = {};
  try {
    const whole = await checked(route, call);
    known = whole;
    const run = async (): Promise<Response> => {
      if (route.method !== 'GET') {
        await call.together();
      }
      return carriedOut(route, whole);
    };
    if (!isShared(call.env)) {
      return await run();
    }
    const { own, project = own && (await projectOfOwn({ ...whole, own })) } = whole;
    return await (project === undefined ? run() : inTurn(project, call.later, run));
  } catch (error) {
    // The facts for the log's line. Calls of open routes have none.
    const { project, config, player } = known;
    const facts = Object.entries({ project, config, playerId: player }).filter(([, fact]) => fact);
    return failure(error, call.request, Object.fromEntries(facts) as Facts);
  }
}

/**
 * Routes with the patterns of their paths, which the router makes. The router does not find routes itself: it runs the
 * handler of the first match, but here the checks, HEAD, preflights, limits and the 405 need the route before that.
 */
function linesOf(routes: readonly Route[], base: string) {
  return routes.map((route) => {
    const { routes: made } = IttyRouter({ base }).all(route.path);
    return { route, path: must(made[0]?.[1], 'the route just added') };
  });
}

/** Every route, in the order in which they are tried. Both prefixes work (decision 1). */
const table = [
  ...linesOf([...ROUTES, ...DASHBOARD], '(/api)?/v3'),
  ...linesOf(OLDER, '(/api)?/v2'),
  ...linesOf([HEALTH, DOC], '/api'),
  ...linesOf([HEALTH, METRICS, WELL_KNOWN, JOIN, ...PAGES, ...OWN_PAGES], ''),
];
const byMethod: ReadonlyMap<string, typeof table> = Map.groupBy(table, ({ route }) => route.method);

interface FoundRoute {
  readonly route: Route;
  /** The parameters as they are in the path, not decoded yet. */
  readonly params: Readonly<Record<string, string>>;
  /** Undefined: nobody has asked yet. */
  decoded?: Call['params'];
}

/** Most requests of a game have one of a few URLs, and a box looks at each twice. So an isolate keeps those and their routes. */
const KEPT = 500;
/** Longer ones are not kept, or callers could fill the memory. */
const MOST_LENGTH = 512;
const urls = new Lru<URL>(KEPT);
const routes = new Lru<FoundRoute>(KEPT);

/** The route of a request, or of the request that a preflight announces. Without a method, any method's route. */
function routeOf(request: Request, { pathname }: URL): FoundRoute | null {
  const { headers, method: sent } = request;
  const method = sent === 'OPTIONS' ? headers.get('access-control-request-method') : sent;
  const wanted = method === 'HEAD' ? 'GET' : method;
  const place = `${wanted} ${pathname}`;
  const known = routes.get(place);
  if (known !== undefined) {
    return known;
  }
  const lines = wanted === null ? table : (byMethod.get(wanted) ?? []);
  for (const { route, path } of lines) {
    const match = path.exec(pathname);
    if (match !== null) {
      const found = { route, params: match.groups ?? {} };
      if (place.length <= MOST_LENGTH) {
        routes.set(place, found);
      }
      return found;
    }
  }
  return null;
}

/** The answer if no route matches: the path is unknown, or only has other methods. */
function unmatched({ pathname }: URL): Response {
  const methods = table.filter(({ path }) => path.test(pathname)).map(({ route }) => route.method);
  if (methods.length === 0) {
    const where = 'paths begin with /v3, and /openapi.json lists them all';
    return problem({ code: 'NOT_FOUND', detail: `There is no such endpoint: ${where}` });
  }
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  return problem({ code: 'METHOD_NOT_ALLOWED', detail: `Allowed here: ${allow}` }, { allow });
}

/** The prefix that the hosted service's SDK hard-codes. */
function isOfSdk({ pathname }: URL): boolean {
  return pathname.startsWith('/api/');
}

/** Refuses FORBIDDEN for a page that may not use this route. */
function checkOrigin(found: FoundRoute | null, request: Request, url: URL, env: Env): void {
  const caller = found?.route.caller ?? 'open';
  if (caller === 'server' || caller === 'game') {
    checkForeign(request, url, env);
  } else if (caller !== 'open' && caller !== 'gameServer' && !originAllowed(request, url, env)) {
    refuseWith('FORBIDDEN', 'Origin: is neither on this machine nor in CORS_ORIGINS');
  }
}

/** Stands in the place of a route for a request that none matches. */
const NOWHERE = open('GET /', ({ url }) => Promise.resolve(unmatched(url)));

type Finish = (answer: Response) => Response;

/** The function that adds what browsers need to an answer of that route. */
function finishOf(found: FoundRoute | null, request: Request, env: Env): Finish {
  return (answer) => withCors(answer, request, env, found?.route.caller === 'server');
}

/** URLs that the platform accepts when it forwards a request. `URL` accepts a little more. */
const PLAIN_HOST = /^https?:\/\/[\w.:[\]-]+(?:[/?#]|$)/;

function parsed(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !PLAIN_HOST.test(text)) {
    return refuseWith('VALIDATION_ERROR', 'Host: must be a host name');
  }
  return isPlainPath(text)
    ? url
    : refuseWith(
        'VALIDATION_ERROR',
        'The path must not have a backslash, an encoded slash or a dot segment',
      );
}

/** The URL of a request. The platform also passes on host names that no URL can have, and HEAD with a body. */
function wellFormed(request: Request): URL {
  const { url: text } = request;
  const url = text.length <= MOST_LENGTH ? urls.getOr(text, () => parsed(text)) : parsed(text);
  if (request.method === 'HEAD' && request.body !== null) {
    return refuseWith('VALIDATION_ERROR', 'HEAD must not have a body');
  }
  // Nothing reads the body of one of these. workerd closes the connection of one whose end it does not know.
  if (request.method === 'GET' || request.method === 'DELETE') {
    checkLength(request);
  }
  return url;
}

/** Serves one request; never throws. */
export async function serve(sent: Request, place: Place): Promise<Response> {
  const request = asMeant(sent);
  metrics.send(place.env.METRICS);
  const asked = { route: 'none', begunAt: Date.now() };
  return answeredAs(request, await served(request, place, asked), asked);
}

async function served(request: Request, place: Place, asked: { route: string }): Promise<Response> {
  const { env } = place;
  let finish: Finish = (answer) => answer;
  try {
    const url = wellFormed(request);
    checkHost(url, env);
    const found = routeOf(request, url);
    asked.route = found?.route.path ?? 'none';
    finish = finishOf(found, request, env);
    checkOrigin(found, request, url, env);
    if (request.method === 'OPTIONS') {
      return finish(preflight());
    }
    // HEAD must not open a stream: it would replace the player's current one.
    const isHead = request.method === 'HEAD';
    const isNowhere = found === null || (isHead && found.route.path.endsWith('/events'));
    const whither: FoundRoute = isNowhere ? { route: NOWHERE, params: {} } : found;
    const { route } = whither;
    const isSdk = isOfSdk(url);
    const load = { behindMs: lag.msAt(Date.now()), disk: disk.level };
    throwAny(refusedUnder(load, route, isSdk, Math.random()));
    // HEAD is GET without the body.
    const whole = isHead ? sameRequest(new Request(request, { method: 'GET' }), request) : request;
    whither.decoded ??= decodeParams(whither.params, isSdk);
    const call = { ...place, request: whole, url, isSdk, params: whither.decoded };
    const answer = await handled(route, call);
    return finish(isHead ? new Response(null, answer) : answer);
  } catch (error) {
    return finish(failure(error, request));
  }
}

/**
 * Forwards a request to the object that holds all actors of a box (record 0016). Never throws. If the object has just
 * ended, a GET is repeated. `isGuarded`: the request came through the guard of WebSockets (record 0026).
 */
export async function serveInBox(
  sent: Request,
  env: Env,
  namespace: DurableObjectNamespace,
  isGuarded = false,
): Promise<Response> {
  const begunAt = Date.now();
  const request = asMeant(sent);
  noteClock(begunAt);
  let url: URL | null = null;
  try {
    const key = request.headers.get('x-starter-key');
    if (key !== null && (await isSecret(env.STARTER_KEY ?? '', key))) {
      if (new URL(request.url).pathname !== '/') {
        return await toldByStarter(request, env, namespace);
      }
      // A report of the program that started the box (scripts/disk.ts). The object may be unable to do anything now.
      disk.tell(await request.json<DiskReading>());
      await (boxOf(namespace) as unknown as Pick<Box, 'lookedAtDisk'>).lookedAtDisk();
      return new Response(null, { status: 204 });
    }
    url = wellFormed(request);
    // A page whose preflight is refused sees a network error without Retry-After, so preflights are let through.
    const found = isDoorShut() && request.method !== 'OPTIONS' ? routeOf(request, url) : null;
    if (found !== null) {
      throwAny(refusedUnder({ isDoorShut: true }, found.route, isOfSdk(url), Math.random()));
    }
    if (env.GUARD !== undefined && !isGuarded && isUpgrade(request)) {
      return await env.GUARD.fetch(request);
    }
    if (env.INSTANCE !== undefined) {
      return await byInstance(request, url, env.INSTANCE, namespace);
    }
    const ask = (): Promise<Response> => boxOf(namespace).fetch(request);
    return await (request.method === 'GET' ? retrying(ask) : ask());
  } catch (error) {
    const found = url === null ? null : routeOf(request, url);
    const answer = failure(error, request, {}, retrySeconds(env));
    const whole = url === null ? answer : finishOf(found, request, env)(answer);
    return answeredAs(request, whole, { route: found?.route.path ?? 'none', begunAt });
  }
}
