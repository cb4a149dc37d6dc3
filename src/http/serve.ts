// From a request to its answer: finds the route, makes the checks it names in one fixed order,
// calls the handler, and turns whatever is thrown into an answer that says nothing of it.
// Order: key (401), its kind (403), player id (400), path (400), body and query (400, 413).

import type { IRequest } from 'itty-router';
import { IttyRouter } from 'itty-router/IttyRouter';
import type { PlayerId } from '../ids';
import { refusal, type Reply } from '../lobby/refusals';
import { peersOf } from '../objects/at';
import type { Env } from '../objects/env';
import { projectDocument, savedConfig } from '../objects/project-cache';
import { ok } from '../result';
import { grantOf, playerIdOf } from './access';
import { readBody, readObject, readQuery } from './body';
import type { Call } from './call';
import { preflight, withCors } from './cors';
import { decodeParams, nameOf } from './paths';
import { failure, problem } from './problem';
import type { Handler, Route } from './route';
import { DASHBOARD, HEALTH, ROUTES } from './routes';
import { SITE } from './site';

type Args = [env: Env, context: ExecutionContext];

/** A credential from its header; on the event stream alone also from the query (decision 7). */
function credential(route: Route, call: Call, name: 'api-key' | 'x-player-id'): string | null {
  return (
    call.request.headers.get(name) ?? (route.isStream ? call.url.searchParams.get(name) : null)
  );
}

/** The name the path's config has; the path may give its id instead. */
async function configOfPath(call: Call, project: string): Promise<Reply<string>> {
  const given = call.params['config'];
  if (given === undefined) {
    return ok('');
  }
  const name = nameOf('config', given);
  if (!name.ok) {
    return name;
  }
  const document = await projectDocument(call.peers, project, Date.now());
  return ok(savedConfig(document, name.value)?.name ?? name.value);
}

async function handle(route: Route, call: Call): Promise<Response> {
  const whole = route.caller === 'open' ? ok(call) : await checked(route, call);
  return whole.ok ? route.handle(whole.value as Parameters<Handler>[0]) : problem(whole.refusal);
}

async function checked(route: Route, call: Call): Promise<Reply<Call>> {
  const { caller, schemas } = route;
  const grant = await grantOf(call.env, credential(route, call, 'api-key'));
  if (!grant.ok) {
    return grant;
  }
  const { project, kind } = grant.value;
  if (caller === 'server' && kind !== 'server') {
    return refusal('FORBIDDEN', 'This needs the server key');
  }
  const player: Reply<PlayerId | null> =
    caller === 'player' ? playerIdOf(credential(route, call, 'x-player-id')) : ok(null);
  if (!player.ok) {
    return player;
  }
  const config = await configOfPath(call, project);
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
  const keyed = { project, config: config.value, body: body.value, query: query.value };
  return ok({ ...call, ...keyed, player: player.value });
}

/** A POST that takes nothing may still bring an object, and what is none is refused (decision 2). */
async function bodyOf({ method, schemas }: Route, request: Request): Promise<Reply<unknown>> {
  if (schemas.body !== undefined) {
    return readBody(request, schemas.body);
  }
  const sent = method === 'POST' ? await readObject(request) : ok({});
  return sent.ok ? ok(undefined) : sent;
}

const router = IttyRouter<IRequest, Args>();
// Either prefix (decision 1).
const versioned = IttyRouter<IRequest, Args>({ base: '(/api)?/v3', routes: router.routes });

function add(to: typeof router, route: Route): void {
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  to[method](route.path, async (request, env, context) => {
    const params = decodeParams(request.params);
    if (!params.ok) {
      return problem(params.refusal);
    }
    return handle(route, {
      request,
      url: new URL(request.url),
      env,
      peers: peersOf(env),
      params: params.value,
      background: (work) => context.waitUntil(work),
    });
  });
}

for (const route of [...ROUTES, ...DASHBOARD]) {
  add(versioned, route);
}
for (const route of [HEALTH, ...SITE]) {
  add(router, route);
}

/** No line of the table took the request: its path is unknown, or known by other methods. */
function unmatched(request: Request): Response {
  const { pathname } = new URL(request.url);
  const methods = router.routes.filter(([, path]) => path.test(pathname)).map(([method]) => method);
  if (methods.length === 0) {
    return problem({ code: 'NOT_FOUND', detail: 'There is no such endpoint' });
  }
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  return problem({ code: 'METHOD_NOT_ALLOWED', detail: `Allowed here: ${allow}` }, { allow });
}

async function answered(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return preflight();
  }
  try {
    const response: Response | undefined = await router.fetch(request, env, context);
    return response ?? unmatched(request);
  } catch (error) {
    return failure(error, request);
  }
}

/** Serves one request; never throws. HEAD is GET without its body, where that ends. */
export async function serve(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  if (request.method === 'HEAD' && !new URL(request.url).pathname.endsWith('/events')) {
    const response = await answered(new Request(request, { method: 'GET' }), env, context);
    return withCors(new Response(null, response), request, env);
  }
  return withCors(await answered(request, env, context), request, env);
}
