// The checks of a route, in a fixed order: key (401), its kind (403), player id (400) or token (401), limits
// (429), path (400), body and query (400, 413). A request that passes becomes a complete call. New work on a box
// waits at the door after the checks of its key and limits (503).

import type { Asking } from '../common/quotas';
import { isPlayground, ruledBy } from '../lobby/playground';
import { refusal, type Reply } from '../lobby/refusals';
import type { ProjectDocument } from '../objects/project/contract';
import { closedNow, projectDocument, savedConfig } from '../objects/caches/project';
import { ok, refuse } from '../common/result';
import { bearerOf, type Grant, grantOf, headerText } from './access';
import { readBody, readLines, readObject, readQuery } from './body';
import type { Call } from './call';
import { bannedFrom } from './identity/bans';
import { playerOf, type Caller } from './identity/player';
import { atDoor } from './admission/door';
import { admit, holdBack } from './admission/rates';
import { addressOf } from './limits/address';
import { nameOf } from './paths';
import { FOREIGN, isForeign } from './origin';
import type { Route } from './route';

/** A credential from its header. Only on the event stream it may also be in the query (decision 7). */
function credential(
  route: Route,
  call: Call,
  name: 'api-key' | 'x-player-id' | 'x-player-token',
): string | null {
  return (
    headerText(call.request.headers.get(name)) ??
    (route.isStream ? call.url.searchParams.get(name) : null)
  );
}

/** What nobody can do while the config or project is closed (decision 51). */
const CLOSABLE: ReadonlySet<string> = new Set([
  'POST /lobbies/:config',
  'POST /lobbies/:config/me/start',
  'POST /lobbies/:config/me/matchmaking',
]);

/** What a banned player cannot do. Everything else goes on, so that the player can leave. */
const BANNABLE: ReadonlySet<string> = new Set([
  'POST /lobbies/:config',
  'POST /lobbies/:config/join',
  'POST /lobbies/:config/me/start',
  'POST /lobbies/:config/me/matchmaking',
  'GET /lobbies/:config/me/events',
]);

function closedTo(route: Route, document: ProjectDocument, config: string): Reply<never> | null {
  const now = Date.now();
  const closed = CLOSABLE.has(route.line) ? closedNow(document, config, now) : null;
  if (closed === null) {
    return null;
  }
  const { message: detail, until } = closed;
  const wait = until === null ? {} : { retryAfter: (Date.parse(until) - now) / 1000 };
  return refuse({ code: 'CLOSED', detail, ...wait });
}

/**
 * The name of the config in the path, which may also give the config's id. A playground exists only for the server
 * key (decision record 0021).
 */
async function configOfPath(
  route: Route,
  call: Call,
  { project, kind }: Grant,
  seen: ProjectDocument | null,
): Promise<Reply<string>> {
  const given = call.params['config'];
  if (given === undefined) {
    return ok('');
  }
  const plays = kind === 'server' && isPlayground(given);
  const name = nameOf('config', plays ? ruledBy(given) : given);
  if (!name.ok) {
    return name;
  }
  const document = seen ?? (await projectDocument(call.peers, project, Date.now()));
  const config = savedConfig(document, given)?.name ?? given;
  return closedTo(route, document, config) ?? ok(config);
}

/**
 * The player of a player's route, who is not banned from it. `document` is the project's. Null on other routes, which
 * have no player.
 */
async function playerOfCall(
  route: Route,
  call: Call,
  project: string,
  document: ProjectDocument | null,
): Promise<Reply<Caller | { readonly player: null }>> {
  if (document === null) {
    return ok({ player: null });
  }
  const claimed = {
    id: credential(route, call, 'x-player-id'),
    get token() {
      return (
        call.request.headers.get('x-player-token') ??
        bearerOf(call.request) ??
        credential(route, call, 'x-player-token')
      );
    },
  };
  const asker = { ...call, project };
  const found = await playerOf(asker, document, claimed, Date.now());
  if (!found.ok || !BANNABLE.has(route.line)) {
    return found;
  }
  const who = { player: found.value.player, config: call.params['config'] ?? '' };
  return (await bannedFrom(asker, document, who, Date.now())) ?? found;
}

/** The sender of a request, as limits count it. The address is only determined if a limit needs it. */
class Sender implements Asking {
  readonly key: string | null;
  readonly project: string;
  player: string | null = null;
  readonly #find: () => string | null;
  #address: string | null | undefined;

  constructor(key: string | null, project: string, find: () => string | null) {
    this.key = key;
    this.project = project;
    this.#find = find;
  }

  get address(): string | null {
    this.#address = this.#address === undefined ? this.#find() : this.#address;
    return this.#address;
  }
}

/** The complete call for its route, or why it is refused. */
export async function checked(route: Route, call: Call): Promise<Reply<Call>> {
  const { caller, schemas } = route;
  const { env, request } = call;
  const key = credential(route, call, 'api-key');
  const grant = await grantOf(env, key);
  if (!grant.ok) {
    return (await slowedDown(route, call, { address: addressOf(request, env) })) ?? grant;
  }
  const { project, kind } = grant.value;
  if (kind === 'server' && isForeign(request, call.url, env)) {
    return FOREIGN;
  }
  if (caller === 'server' && kind !== 'server') {
    return refusal('FORBIDDEN', `This is a client key, and ${route.line} needs the server key`);
  }
  // A backend sends requests for many players, so its address does not count.
  const find = (): string | null => (kind === 'server' ? null : addressOf(request, env));
  const asking = new Sender(key, project, find);
  const slow = await slowedDown(route, call, asking);
  if (slow !== null) {
    return slow;
  }
  const crowded = await atDoor(route, call, Math.random());
  if (crowded !== null) {
    return refuse(crowded);
  }
  const isPlayer = caller === 'player';
  const document = isPlayer ? await projectDocument(call.peers, project, Date.now()) : null;
  // Verifying a token is work, so the limits above come first.
  const identify = (seen: ProjectDocument | null) => playerOfCall(route, call, project, seen);
  const player = await identify(document);
  if (!player.ok) {
    return player;
  }
  const { player: id } = player.value;
  asking.player = id === null ? null : `${project}\n${call.params['config']}\n${id}`;
  const slowed = await slowedDown(route, call, { player: asking.player });
  if (slowed !== null) {
    return slowed;
  }
  const config = await configOfPath(route, call, grant.value, document);
  if (!config.ok) {
    return config;
  }
  const query = schemas.query === undefined ? ok(undefined) : readQuery(call.url, schemas.query);
  if (!query.ok) {
    return query;
  }
  const body = await bodyOf(route, call);
  if (!body.ok) {
    return body;
  }
  const keyed = {
    project,
    asking,
    keyKind: kind,
    identify,
    config: config.value,
    body: body.value,
    query: query.value,
  };
  return ok({ ...call, ...keyed, ...player.value });
}

/** RATE_LIMITED if the sender exceeds a limit, or null. */
async function slowedDown(route: Route, call: Call, asking: Asking): Promise<Reply<never> | null> {
  const no = await admit(route, asking, call.env, Date.now());
  if (no !== null && call.env.BOX !== undefined) {
    await holdBack();
  }
  return no === null ? null : refuse(no);
}

/** Reads the body. A POST without a schema may still have an object as its body, and nothing else (decision 2). */
async function bodyOf({ method, schemas }: Route, call: Call): Promise<Reply<unknown>> {
  const { request, later } = call;
  if (schemas.body !== undefined) {
    const read = schemas.isLines === true ? readLines : readBody;
    return read(request, schemas.body, later);
  }
  const sent = method === 'POST' ? await readObject(request, later) : ok({});
  return sent.ok ? ok(undefined) : sent;
}
