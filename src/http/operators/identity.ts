// A backend's calls for the identity of players (record 0022): it mints tokens, and changes keys. A secret is shown once.

import type { SeatKeys, TokenSecret } from '../../../packages/js/src/identity-types';
import * as z from 'zod';
import { hexToBytes } from '@noble/hashes/utils.js';
import { Lru } from '../../common/lru';
import { must } from '../../common/result';
import { uuidHead, type Signer, signerOf } from '../../common/signed';
import { jwksOf, type PublicSeatKey } from '../../objects/contracts/secrets';
import { iso } from '../../common/clock';
import { projectNamed } from '../wire/access';
import type { BodyCall, Call, KeyedCall } from '../wire/call';
import {
  minted,
  newSeatKey,
  newTokenSecret,
  ordered,
  withSeatKeys,
  TOKEN_TTL_SECONDS,
} from '../identity/secrets';
import { playerOfPath } from '../wire/paths';
import { json, refuseWith } from '../wire/answer';
import { freeAttributes } from '../wire/fields';
import { closed, oneOf, wholeNumber } from '../../common/shape';
import { outsideUrl } from '../identity/jwks';

/** `ttl`: seconds for which the token is valid. `attributes`: a claim of the token (decision 46). */
export const TokenBody = closed({
  attributes: freeAttributes.optional(),
  ttl: wholeNumber(TOKEN_TTL_SECONDS.min, TOKEN_TTL_SECONDS.max).default(TOKEN_TTL_SECONDS.usual),
});

/** A shorter secret could be guessed from any token that it signed. */
const SECRET_LENGTH = { min: 32, max: 512 };
const sharedSecret = z
  .string('must be a string')
  .min(SECRET_LENGTH.min, `must be at least ${SECRET_LENGTH.min} characters long`)
  .max(SECRET_LENGTH.max, `must be at most ${SECRET_LENGTH.max} characters long`);

/** The backend's own secret. Absent: a secret is made. */
export const TokenSecretBody = closed({ secret: sharedSecret.nullish() });

/** Where the backend hears of matches, and what signs what it hears. */
export const HookBody = closed({
  url: outsideUrl,
  secret: z.exactOptional(sharedSecret),
  format: z.exactOptional(oneOf(['discord', 'slack'])),
}).refine(({ secret, format }) => (secret ?? format) !== undefined, {
  path: ['secret'],
  error: 'is missing: it signs what a backend hears',
});

/** A token for that player, valid for `ttl` seconds from now. */
export async function mint(call: BodyCall<typeof TokenBody>): Promise<Response> {
  return json(await minted(call, playerOfPath(call.params), call.body));
}

/** Creates a secret, or adds the backend's own. The newest of the earlier secrets stays valid. */
export async function addSecret(call: BodyCall<typeof TokenSecretBody>): Promise<Response> {
  const secret = newTokenSecret(call.body.secret ?? undefined);
  await ordered(call, { act: 'add token', secret, onlyFirst: false });
  return json<TokenSecret>({ ...secret, createdAt: iso(secret.createdAt) }, 201);
}

export async function removeSecret(call: KeyedCall): Promise<Response> {
  const id = call.params['id'] ?? '';
  await ordered(call, { act: 'remove token', id });
  return json({ status: 'secret_deleted', id });
}

/** The backend hears of the matches that form from now on, or a chat that somebody waits. */
export async function setHooks(call: BodyCall<typeof HookBody>): Promise<Response> {
  await ordered(call, { act: 'set hooks', hook: call.body });
  return json({ status: 'hooks_set', url: call.body.url });
}

/** What is still owed to the backend is dropped. */
export async function removeHooks(call: KeyedCall): Promise<Response> {
  await ordered(call, { act: 'remove hooks' });
  return json({ status: 'hooks_deleted' });
}

/** The next key signs seat tickets from now on, and one more is published. */
export async function rotateSeatKeys(call: KeyedCall): Promise<Response> {
  await withSeatKeys(call);
  const { seats } = await ordered(call, { act: 'rotate seats', key: await newSeatKey() });
  return json<SeatKeys>({ keys: jwksOf(seats) }, 201);
}

/** The prefix of a 32-byte Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8 = '302e020100300506032b657004220420';

const unheld = new Lru<readonly PublicSeatKey[]>(1_000);

/** Public keys of no project. They sign nothing and stay the same, so the answer does not reveal which projects exist. */
async function unheldKeys(signer: Signer, project: string): Promise<readonly PublicSeatKey[]> {
  const made = () => Promise.all([0, 1].map((at) => key(signer, `${project} ${at}`)));
  const keys = unheld.get(project) ?? (await made());
  unheld.set(project, keys);
  return keys;
}

async function key(signer: Signer, purpose: string): Promise<PublicSeatKey> {
  const pkcs8 = hexToBytes(PKCS8 + signer.seed(`key ${purpose}`));
  const kind = { name: 'Ed25519' };
  const imported = await crypto.subtle.importKey('pkcs8', pkcs8, kind, true, ['sign']);
  const { x } = (await crypto.subtle.exportKey('jwk', imported)) as JsonWebKey;
  const kid = signer.seed(`kid ${purpose}`);
  return {
    // A UUID of the form that `crypto.randomUUID` makes.
    kid: `${uuidHead(kid, 4)}-${kid.slice(19, 31)}`,
    x: must(x, 'the public half of a key'),
    createdAt: 0,
    retiredAt: null,
  };
}

/** GET /.well-known/jwks.json. Without a name: the only project. A project that does not exist has keys too. */
export async function publishedKeys(call: Call): Promise<Response> {
  const { env, peers, url } = call;
  const named = url.searchParams.get('project');
  // No object is made for a project that nobody has a key to.
  const project = await projectNamed(env, named);
  if (project === null && !/^[A-Za-z0-9_-]{1,64}$/.test(named ?? '')) {
    return refuseWith('NOT_FOUND', 'project: must be the name of a project, in the query');
  }
  const seats =
    project === null
      ? await unheldKeys(signerOf(env), named ?? '')
      : ((await withSeatKeys({ peers, project })).keys?.seats ?? []);
  const answer = json<SeatKeys>({ keys: jwksOf(seats) });
  answer.headers.set('cache-control', 'public, max-age=60');
  return answer;
}
