// A backend's endpoints for the identity of its players (record 0022): it mints player tokens, and changes the
// keys that sign tokens and seat tickets. A secret is shown once, in the answer that creates it.

import type * as z from 'zod';
import { jwksOf } from '../../objects/project/identity';
import { iso } from '../../common/clock';
import { projectNamed } from '../access';
import type { Call, KeyedCall } from '../call';
import { minted } from '../identity/minting';
import { changeSecrets, newSeatKey, newTokenSecret, withSeatKeys } from '../identity/secrets';
import { unheldKeys } from '../identity/unheld';
import { signerOf } from '../../objects/placement/signer';
import { playerOfPath } from '../paths';
import { json, problem } from '../problem';
import { operatorOf } from './key';
import type { HookBody, TokenBody, TokenSecretBody } from '../schemas';

/** A token for that player, valid for `ttl` seconds from now. */
export async function mint(call: KeyedCall<z.infer<typeof TokenBody>>): Promise<Response> {
  const player = playerOfPath(call.params);
  return player.ok ? json(await minted(call, player.value, call.body)) : problem(player.refusal);
}

/** Creates a secret, or adds the backend's own. The newest of the earlier secrets stays valid. */
export async function addSecret(
  call: KeyedCall<z.infer<typeof TokenSecretBody>>,
): Promise<Response> {
  const secret = newTokenSecret(call.body.secret ?? undefined);
  const change = { act: 'add token', secret, onlyFirst: false } as const;
  const reply = await changeSecrets(call, change, await operatorOf(call));
  return reply.ok
    ? json({ ...secret, createdAt: iso(secret.createdAt) }, 201)
    : problem(reply.refusal);
}

export async function removeSecret(call: KeyedCall): Promise<Response> {
  const id = call.params['id'] ?? '';
  const reply = await changeSecrets(call, { act: 'remove token', id }, await operatorOf(call));
  return reply.ok ? json({ status: 'secret_deleted', id }) : problem(reply.refusal);
}

/** The backend hears of the matches that form from now on. */
export async function setHooks(call: KeyedCall<z.infer<typeof HookBody>>): Promise<Response> {
  const change = { act: 'set hooks', hook: call.body } as const;
  const reply = await changeSecrets(call, change, await operatorOf(call));
  return reply.ok ? json({ status: 'hooks_set', url: call.body.url }) : problem(reply.refusal);
}

/** What is still owed to the backend is dropped. */
export async function removeHooks(call: KeyedCall): Promise<Response> {
  const reply = await changeSecrets(call, { act: 'remove hooks' }, await operatorOf(call));
  return reply.ok ? json({ status: 'hooks_deleted' }) : problem(reply.refusal);
}

/** The next key signs seat tickets from now on, and one more is published. */
export async function rotateSeatKeys(call: KeyedCall): Promise<Response> {
  await withSeatKeys(call);
  const change = { act: 'rotate seats', key: await newSeatKey() } as const;
  const reply = await changeSecrets(call, change, await operatorOf(call));
  return reply.ok ? json({ keys: jwksOf(reply.value.seats) }, 201) : problem(reply.refusal);
}

const PUBLIC_SECONDS = 60;

/**
 * GET /.well-known/jwks.json: the public keys of a project. The project's name may be left out if there is only
 * one. A project that does not exist has keys too (identity/unheld.ts).
 */
export async function publishedKeys(call: Call): Promise<Response> {
  const { env, peers, url } = call;
  const named = url.searchParams.get('project');
  // No object is made for a project that nobody has a key to.
  const project = await projectNamed(env, named);
  const seats =
    project === null
      ? await unheldKeys(signerOf(env), named ?? '')
      : ((await withSeatKeys({ peers, project })).keys?.seats ?? []);
  if (seats === null) {
    const detail = 'project: must be the name of a project, in the query';
    return problem({ code: 'NOT_FOUND', detail });
  }
  const answer = json({ keys: jwksOf(seats) });
  answer.headers.set('cache-control', `public, max-age=${PUBLIC_SECONDS}`);
  return answer;
}
