// From a request to its answer: finds the route, makes the checks it names in one fixed order,
// calls the handler, and turns whatever is thrown into an answer that says nothing of it.
// Order: key (401), its kind (403), player id (400) or token (401), limits (429), path (400), body and query (400, 413).

import { IttyRouter } from 'itty-router/IttyRouter';
import { overloaded, refusal, type Reply } from '../lobby/refusals';
import { isPlayground, ruledBy } from '../lobby/playground';
import { lag } from '../objects/kit/lag';
import { boxOf, type Place } from '../objects/placement/at';
import type { Env } from '../objects/placement/env';
import { projectDocument, savedConfig } from '../objects/kit/project-cache';
import type { Facts } from '../log';
import { isShared } from '../quotas';
import { must, ok, refuse } from '../result';
import { bearerOf, type Grant, grantOf } from './access';
import { retrying } from './ask';
import { readBody, readObject, readQuery } from './body';
import type { Call, PlayerCall } from './call';
import { preflight, withCors, withOperatorCors } from './cors';
import { playerOf, type Caller } from './identity/player';
import { addressOf } from './limits/address';
import { admit, holdBack, type Asking } from './limits/admission';
import { inTurn } from './limits/turns';
import { atDoor, isShut, overload, turnOf } from './overload';
import { hostAllowed, isForeign } from './origin';
import { decodeParams, nameOf } from './paths';
import { failure, problem } from './problem';
import type { Handler, Route } from './route';
import { DASHBOARD, HEALTH, METRICS, ROUTES, WELL_KNOWN } from './routes';
import { answeredAs, sameRequest } from './requests';
import { metrics } from '../metrics';
import { SITE } from './site';

/** A credential from its header; on the event stream alone also from the query (decision 7). */
function credential(
  route: Route,
  call: Call,
  name: 'api-key' | 'x-player-id' | 'x-player-token',
): string | null {
  return (
    call.request.headers.get(name) ?? (route.isStream ? call.url.searchParams.get(name) : null)
  );
}

/**
 * The name the path's config has; the path may give its id instead. Where phantom players play
 * there is no such config to a client key (decision record 0021).
 */
async function configOfPath(call: Call, { project, kind }: Grant): Promise<Reply<string>> {
  const given = call.params['config'];
  if (given === undefined) {
    return ok('');
  }
  const plays = kind === 'server' && isPlayground(given);
  const name = nameOf('config', plays ? ruledBy(given) : given);
  if (!name.ok) {
    return name;
  }
  const document = await projectDocument(call.peers, project, Date.now());
  return ok(savedConfig(document, given)?.name ?? given);
}

/** Whom a player's route is asked by; of other routes nobody. */
async function playerOfCall(
  route: Route,
  call: Call,
  project: string,
): Promise<Reply<Caller | { readonly player: null }>> {
  if (route.caller !== 'player') {
    return ok({ player: null });
  }
  const token =
    call.request.headers.get('x-player-token') ??
    bearerOf(call.request) ??
    credential(route, call, 'x-player-token');
  const claimed = { id: credential(route, call, 'x-player-id'), token };
  return playerOf({ peers: call.peers, project }, claimed, Date.now());
}

async function handle(route: Route, call: Call): Promise<Response> {
  const whole = route.caller === 'open' ? ok(call) : await checked(route, call);
  if (!whole.ok) {
    return problem(whole.refusal);
  }
  const keyed = whole.value as Parameters<Handler>[0];
  const run = async (): Promise<Response> => {
    try {
      return await route.handle(keyed);
    } catch (error) {
      return failure(error, call.request, aboutCall(keyed));
    }
  };
  if (route.caller === 'open' || call.env.BOX === undefined || !isShared(call.env)) {
    return run();
  }
  const turn = await inTurn(keyed.project, run);
  return 'value' in turn ? turn.value : problem(turn.refused);
}

/** What a line of the log about this call names; of an open route nothing is known. */
function aboutCall({ project, config, player }: Partial<PlayerCall>): Facts {
  const named = [
    ['project', project],
    ['config', config],
    ['playerId', player],
  ] as const;
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

async function checked(route: Route, call: Call): Promise<Reply<Call>> {
  const { caller, schemas } = route;
  const key = credential(route, call, 'api-key');
  const address = addressOf(call.request, call.env);
  const grant = await grantOf(call.env, key);
  if (!grant.ok) {
    return (await slowedDown(route, call, { address })) ?? grant;
  }
  const { project, kind } = grant.value;
  if (caller === 'server' && kind !== 'server') {
    return refusal('FORBIDDEN', 'This needs the server key');
  }
  // A backend speaks for many players.
  const known = { address: kind === 'server' ? null : address, key, project };
  const slow = await slowedDown(route, call, known);
  if (slow !== null) {
    return slow;
  }
  // Only now, since to verify a token is work.
  const player = await playerOfCall(route, call, project);
  if (!player.ok) {
    return player;
  }
  const { player: id } = player.value;
  const named = id === null ? null : `${project}\n${call.params['config']}\n${id}`;
  const slowed = await slowedDown(route, call, { player: named });
  if (slowed !== null) {
    return slowed;
  }
  const asking = { ...known, player: named };
  const config = await configOfPath(call, grant.value);
  if (!config.ok) {
    return config;
  }
  const query = schemas.query === undefined ? ok(undefined) : readQuery(call.url, schemas.query);
  if (!query.ok) {
    return query;
  }
  const body = await bodyOf(route, call.request);
  if (!body.ok) {
    return body;
  }
  const keyed = {
    project,
    asking,
    keyKind: kind,
    config: config.value,
    body: body.value,
    query: query.value,
  };
  return ok({ ...call, ...keyed, ...player.value });
}

/** RATE_LIMITED, or null. */
async function slowedDown(route: Route, call: Call, asking: Asking): Promise<Reply<never> | null> {
  const no = await admit(route, asking, call.env, Date.now());
  if (no !== null && call.env.BOX !== undefined) {
    await holdBack();
  }
  return no === null ? null : refuse(no);
}

/** A POST that takes nothing may still bring an object, and what is none is refused (decision 2). */
async function bodyOf({ method, schemas }: Route, request: Request): Promise<Reply<unknown>> {
  if (schemas.body !== undefined) {
    return readBody(request, schemas.body);
  }
  const sent = method === 'POST' ? await readObject(request) : ok({});
  return sent.ok ? ok(undefined) : sent;
}

/** Every route with the pattern of its path, in the order they are tried. */
const table: { readonly route: Route; readonly path: RegExp }[] = [];

/** The router makes patterns of paths; one look at the table then finds route and parameters. */
function add(routes: readonly Route[], base: string): void {
  for (const route of routes) {
    const { routes: made } = IttyRouter({ base }).all(route.path);
    table.push({ route, path: must(made[0]?.[1], 'the route just added') });
  }
}

// Either prefix (decision 1).
add([...ROUTES, ...DASHBOARD], '(/api)?/v3');
add([HEALTH, METRICS, WELL_KNOWN, ...SITE], '');

interface Found {
  readonly route: Route;
  /** As they stand in the path, not decoded yet. */
  readonly params: Readonly<Record<string, string>>;
}

/** The route a request asks for, and a preflight before it; any method's when none is named. */
function routeOf(request: Request, { pathname }: URL): Found | null {
  const preflighted = request.headers.get('access-control-request-method');
  const method = request.method === 'OPTIONS' ? preflighted : request.method;
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const { route, path } of table) {
    const match = wanted === null || route.method === wanted ? path.exec(pathname) : null;
    if (match !== null) {
      return { route, params: match.groups ?? {} };
    }
  }
  return null;
}

/** No line of the table took the request: its path is unknown, or known by other methods. */
function unmatched({ pathname }: URL): Response {
  const methods = table.filter(({ path }) => path.test(pathname)).map(({ route }) => route.method);
  if (methods.length === 0) {
    return problem({ code: 'NOT_FOUND', detail: 'There is no such endpoint' });
  }
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  return problem({ code: 'METHOD_NOT_ALLOWED', detail: `Allowed here: ${allow}` }, { allow });
}

async function answered(
  { route, params: raw }: Found,
  request: Request,
  url: URL,
  place: Place,
): Promise<Response> {
  try {
    const isSdk = url.pathname.startsWith('/api/');
    const params = decodeParams(raw, isSdk);
    return params.ok
      ? await handle(route, { ...place, request, url, isSdk, params: params.value })
      : problem(params.refusal);
  } catch (error) {
    return failure(error, request);
  }
}

const FOREIGN = {
  code: 'FORBIDDEN',
  detail: 'Origin: pages from other origins cannot use the server key',
} as const;

function corsOf(found: Found | null): typeof withCors {
  return found?.route.caller === 'server' ? withOperatorCors : withCors;
}

/** What the platform takes as well, when it hands a request on: `URL` bears a little more. */
const PLAIN_HOST = /^https?:\/\/[\w.:[\]-]+(?:[/?#]|$)/;

/** The URL of a request. The platform lets names come that no URL can have, and HEAD with a body. */
function wellFormed(request: Request): Reply<URL> {
  const url = URL.parse(request.url);
  if (url === null || !PLAIN_HOST.test(request.url)) {
    return refusal('VALIDATION_ERROR', 'Host: must be a host name');
  }
  return request.method === 'HEAD' && request.body !== null
    ? refusal('VALIDATION_ERROR', 'HEAD must not have a body')
    : ok(url);
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
  const cors = corsOf(found);
  if (found?.route.caller === 'server' && isForeign(request, url, env)) {
    return cors(problem(FOREIGN), request, env);
  }
  if (request.method === 'OPTIONS') {
    return cors(preflight(), request, env);
  }
  // Of a stream HEAD would open one, and take the place of the one there is.
  const isHead = request.method === 'HEAD';
  if (found === null || (isHead && found.route.path.endsWith('/events'))) {
    return cors(unmatched(url), request, env);
  }
  const { route } = found;
  const chance = Math.random();
  const refused =
    overload(route, lag.msAt(Date.now()), chance) ??
    (env.BOX === undefined ? null : await atDoor(route, place, chance));
  if (refused !== null) {
    return cors(problem(refused), request, env);
  }
  // HEAD is GET without its body, where that ends.
  const whole = isHead ? sameRequest(new Request(request, { method: 'GET' }), request) : request;
  const answer = await answered(found, whole, url, place);
  return cors(isHead ? new Response(null, answer) : answer, request, env);
}

/**
 * Hands a request to the object that holds all actors of a box, which serves it (record 0016); never
 * throws. An object that has just ended is asked again where that repeats nothing.
 */
export async function serveInBox(
  request: Request,
  env: Env,
  namespace: DurableObjectNamespace,
): Promise<Response> {
  const asked = wellFormed(request);
  if (!asked.ok) {
    return problem(asked.refusal);
  }
  const found = isShut() ? routeOf(request, asked.value) : null;
  if (found !== null && turnOf(found.route) === 'first') {
    const no = corsOf(found)(problem(overloaded(Math.random())), request, env);
    return answeredAs(request, no, { route: found.route.path, begunAt: Date.now() });
  }
  const ask = (): Promise<Response> => boxOf(namespace).fetch(request);
  try {
    return await (request.method === 'GET' ? retrying(ask) : ask());
  } catch (error) {
    const cors = corsOf(routeOf(request, asked.value));
    return cors(failure(error, request), request, env);
  }
}
