// The checks of a route, in the order in which they are made: key (401), limits (429), page (403), kind of the key (403),
// the door of a box for new work (503), player id (400) or token (401), ban (403), the player's limits (429), config (400,
// or 503 while it is closed), query (400), body (400, 413). A request that passes becomes a complete call.

import type { Asking } from '../../common/quotas';
import { isPlayground, ruledBy } from '../../lobby/playground';
import type { ProjectDocument } from '../../objects/contracts/project';
import { closedNow, savedConfig } from '../../objects/caches/project';
import { bearerOf, type Grant, headerText, type KeyKind } from '../wire/access';
import { readBody, readLines, readObject, readQuery } from '../wire/body';
import type { Call, OwnCall, PlayerCall, Route } from '../wire/call';
import { checkBans } from '../identity/bans';
import { playerOf, type KnownPlayer } from '../identity/player';
import { ownOf } from '../identity/servers';
import { addressOf } from './address';
import { atDoor } from './door';
import { countRequest, holdBack } from './rates';
import { checkedName } from '../wire/paths';
import { checkForeign } from '../wire/origin';
import { documentOf, granted, Refused, refuseWith, throwAny } from '../wire/answer';
import { grantIn } from '../identity/secrets';

/** The call under the config to which its player's lobby has moved, with the checks that depend on the config. */
export async function checkedUnder(route: Route, call: Checked, config: string): Promise<Checked> {
  const { project = '', player = '', peers, cameUnder = call.config } = call;
  const document = await documentOf({ peers, project });
  if (route.admission.isBannable) {
    await checkBans({ peers, project }, document, { player, config }, Date.now());
  }
  if (route.admission.isClosable) {
    refuseClosed(document, config);
  }
  return { ...call, config, cameUnder } as Checked;
}

export type Checked = Call & Partial<Pick<OwnCall, 'own'> & Omit<PlayerCall, keyof Call>>;

/** The complete call for its route, which something has counted (decision 73). Throws Refused. */
export async function checked(route: Route, call: Call): Promise<Checked> {
  const { caller, admission, schemas } = route;
  const { env, request } = call;
  if (
    caller !== 'open' &&
    caller !== 'gameServer' &&
    !(caller === 'game' && !request.headers.has('api-key'))
  ) {
    return checkedKey(route, call);
  }
  if (admission.countsItself !== true) {
    await slowDown(route, call, { address: addressOf(request, env) });
  }
  if (caller === 'open') {
    return call;
  }
  const own = ownOf(call);
  const asking = { server: own.id };
  await slowDown(route, call, asking);
  const query = schemas.query && readQuery(call.url, schemas.query);
  return { ...call, own, asking, query, body: await bodyOf(route, call) } as Checked;
}

async function checkedKey(route: Route, call: Call): Promise<Checked> {
  const { caller, schemas } = route;
  const { env, request } = call;
  const key = credential(route, call, 'api-key');
  const grant = await grantIn(call, key);
  if (!grant.ok) {
    await slowDown(route, call, { address: addressOf(request, env) });
  }
  const { project, kind } = granted(grant);
  // A backend sends requests for many players, so its address does not count.
  const sender = { key, project, address: kind === 'client' ? addressOf(request, env) : null };
  await slowDown(route, call, sender);
  if (kind !== 'client') {
    checkForeign(request, call.url, env);
  }
  checkKind(route, kind);
  throwAny(await atDoor(route, call, Math.random()));
  const { peers } = call;
  const document = caller === 'player' ? await documentOf({ peers, project }) : null;
  // Verifying a token is work, so the limits above come first.
  const identify = (seen: ProjectDocument | null) => playerOfCall(route, call, project, seen);
  const known = await identify(document);
  const player = known.player && `${project}\n${call.params['config']}\n${known.player}`;
  await slowDown(route, call, { player });
  const config = await configOfPath(route, call, { project, kind }, document);
  const query = schemas.query && readQuery(call.url, schemas.query);
  const body = await bodyOf(route, call);
  const asking = { ...sender, player };
  const keyed = { project, asking, keyKind: kind, identify, config, body, query };
  return { ...call, ...keyed, ...known } as Checked;
}

type Credential = 'api-key' | 'x-player-id' | 'x-player-token';

/** A credential from its header. Only on the event stream it may also be in the query (decision 7). */
function credential({ isStream }: Route, { request, url }: Call, name: Credential): string | null {
  return headerText(request.headers.get(name)) ?? (isStream ? url.searchParams.get(name) : null);
}

/** Throws Refused, RATE_LIMITED, if the sender exceeds a limit. */
export async function slowDown(route: Route, call: Call, asking: Asking): Promise<void> {
  const now = Date.now();
  const no = await countRequest(route, asking, call.env, now);
  if (no !== null && call.env.BOX !== undefined) {
    await holdBack(asking, now);
  }
  throwAny(no);
}

/** Refuses FORBIDDEN what a key of that kind may not do. */
function checkKind({ caller, method, line }: Route, kind: KeyKind): void {
  if ((caller === 'server' || caller === 'game') && kind === 'client') {
    refuseWith('FORBIDDEN', `This is a client key, and ${line} needs the server key`);
  }
  if (kind === 'viewer' && (method !== 'GET' || caller === 'player')) {
    refuseWith('FORBIDDEN', `This is a viewer key, which only reads, and not as a player: ${line}`);
  }
}

/** The player, who is not banned from the route. `document`: the project's, or null on routes without a player. */
async function playerOfCall(
  route: Route,
  call: Call,
  project: string,
  document: ProjectDocument | null,
): Promise<KnownPlayer | { readonly player: null }> {
  if (document === null) {
    return { player: null };
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
  if (route.admission.isBannable) {
    const who = { player: found.player, config: call.params['config'] ?? '' };
    await checkBans(asker, document, who, Date.now());
  }
  return found;
}

/** The name of the config in the path, which may give its id. A playground exists only for the server key (record 0021). */
async function configOfPath(
  route: Route,
  call: Call,
  { project, kind }: Grant,
  seen: ProjectDocument | null,
): Promise<string> {
  const nameOrId = call.params['config'];
  if (nameOrId === undefined) {
    return '';
  }
  const plays = kind !== 'client' && isPlayground(nameOrId);
  checkedName('config', plays ? ruledBy(nameOrId) : nameOrId);
  const document = seen ?? (await documentOf({ peers: call.peers, project }));
  const config = savedConfig(document, nameOrId)?.name ?? nameOrId;
  if (route.admission.isClosable) {
    refuseClosed(document, config);
  }
  return config;
}

/** Throws Refused, CLOSED, while nothing new begins in the config. */
export function refuseClosed(document: ProjectDocument, config: string): void {
  const now = Date.now();
  const closed = closedNow(document, config, now);
  if (closed !== null) {
    const { message: detail, until } = closed;
    const wait = until === null ? {} : { retryAfter: (Date.parse(until) - now) / 1000 };
    throw new Refused({ code: 'CLOSED', detail, ...wait });
  }
}

/** Reads the body. A POST without a schema may still have an object as its body, and nothing else (decision 2). */
async function bodyOf({ method, schemas }: Route, { request, later }: Call): Promise<unknown> {
  if (schemas.body !== undefined) {
    const read = schemas.isLines === true ? readLines : readBody;
    return read(request, schemas.body, later);
  }
  return method === 'POST' ? void (await readObject(request, later)) : undefined;
}
