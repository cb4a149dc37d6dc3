// Game servers that speak for themselves, with their own token and no key.

import type { InstanceId } from '../../common/ids';
import { Lru } from '../../common/lru';
import { signerOf } from '../../common/signed';
import { bearerOf } from '../wire/access';
import { granted, refuseWith, retrying } from '../wire/answer';
import type { Call, OwnCall } from '../wire/call';

export function noServer(): never {
  return refuseWith('SERVER_NOT_FOUND', 'No server has this id');
}

/** The server's id, or null for an id that Muster did not issue, so that it creates no object. */
export function signedInstanceOf({ env, params }: Call): InstanceId | null {
  const id = params['id'] ?? '';
  return signerOf(env).made('server', id) ? (id as InstanceId) : null;
}

/** The server and the token of a request that the server itself sends. Calls no object. */
export function ownOf(call: Call): OwnCall['own'] {
  const missing = 'Authorization: a bearer token is missing';
  const token = bearerOf(call.request) ?? refuseWith('UNAUTHORIZED', missing);
  const id = signedInstanceOf(call) ?? noServer();
  if (!signerOf(call.env).madeToken(id, token)) {
    refuseWith('UNAUTHORIZED', 'The token belongs to another instance');
  }
  return { id, token };
}

/** By server. A server never changes its project. */
const projects = new Lru<string>(10_000);

/** The project whose turn the request takes. It asks the server once. */
export async function projectOfOwn({ own, peers }: Pick<OwnCall, 'own' | 'peers'>) {
  const { id, token } = own;
  const known = projects.get(id);
  if (known !== undefined) {
    return known;
  }
  const project = granted(await retrying(() => peers.server(id).projectOf(token)));
  projects.set(id, project);
  return project;
}
