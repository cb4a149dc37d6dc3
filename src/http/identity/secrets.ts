// The isolate's cache of projects' secrets. Makes secrets, mints player tokens with them (record 0022), and knows the viewer keys,
// which read what a server key reads, except secrets, and change nothing (record 0058). They name their project.

import { base64url, SignJWT } from 'jose';
import type { PlayerToken } from '../../../packages/js/src/identity-types';
import { iso } from '../../common/clock';
import type { PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import { present } from '../../common/named';
import type { AnyCall } from '../wire/call';
import { ByRevision } from '../../common/fresh';
import { operatorOf } from './audit';
import { documentOf, granted, retrying } from '../wire/answer';
import { rememberPart } from '../../objects/caches/project';
import {
  DEFAULT_PLAYERS,
  type ProjectKeys,
  type ProjectSecrets,
  type SeatKey,
  type SecretsChange,
  type TokenSecret,
} from '../../objects/contracts/secrets';
import type { ProjectDocument } from '../../objects/contracts/project';
import type { By } from '../../common/happening';
import { must, ok } from '../../common/result';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { Reply } from '../../lobby/refusals';
import type { Place } from '../../objects/placement/at';
import { digestOf, type Grant, grantOf, projectsOf } from '../wire/access';

/** How long a player's token may be valid, in seconds. */
export const TOKEN_TTL_SECONDS = { min: 60, max: 86_400, usual: 3_600 };

export type Asker = Pick<AnyCall, 'peers' | 'project'>;

const known = new ByRevision<ProjectSecrets>();

/** The secrets, at least as new as the document's revision of them. */
export function secretsOf({ peers, project }: Asker, { keys }: Pick<ProjectDocument, 'keys'>) {
  const read = () => retrying(() => peers.project(project).secrets());
  return known.get(project, keys?.revision ?? 0, read);
}

/** Changes the secrets. This isolate sees the change at once. `by`: the operator who asked for it. */
async function changeSecrets({ peers, project }: Asker, change: SecretsChange, by?: By) {
  const reply = await retrying(() => peers.project(project).changeSecrets(change, by));
  if (reply.ok) {
    await rememberPart(peers, project, { keys: reply.value });
  }
  return reply;
}

/** Changes the secrets as the operator has asked, and returns the new keys. Throws Refused. */
export async function ordered(call: AnyCall, change: SecretsChange): Promise<ProjectKeys> {
  return granted(await changeSecrets(call, change, await operatorOf(call)));
}

/** A new token secret: the given one of a backend, or 256 random bits. */
export function newTokenSecret(secret?: string): TokenSecret {
  return {
    id: crypto.randomUUID(),
    secret: secret ?? base64url.encode(crypto.getRandomValues(new Uint8Array(32))),
    createdAt: Date.now(),
  };
}

export async function newSeatKey(): Promise<SeatKey> {
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
  const { privateKey } = pair as CryptoKeyPair;
  const { x, d } = (await crypto.subtle.exportKey('jwk', privateKey)) as JsonWebKey;
  return {
    kid: crypto.randomUUID(),
    x: must(x, 'the public half of a key'),
    d: must(d, 'the private half of a key'),
    createdAt: Date.now(),
    retiredAt: null,
  };
}

/** The document with keys for seat tickets. If there are none, makes the one that signs and the next one. */
export async function withSeatKeys(asker: Asker): Promise<ProjectDocument> {
  const document = await documentOf(asker);
  if ((document.keys?.seats.length ?? 0) > 0) {
    return document;
  }
  const keys = await Promise.all([newSeatKey(), newSeatKey()]);
  const reply = await changeSecrets(asker, { act: 'first seats', keys });
  return reply.ok ? { ...document, keys: reply.value } : document;
}

/** Makes the project's first secret if it has none. `ttl`: seconds until the token expires. `attributes`: decision 46. */
export async function minted(
  asker: Asker,
  player: PlayerId,
  claims: { readonly ttl: number; readonly attributes?: JsonObject | undefined },
): Promise<PlayerToken> {
  let document = await documentOf(asker);
  if ((document.keys?.tokens.length ?? 0) === 0) {
    const change = { act: 'add token', secret: newTokenSecret(), onlyFirst: true } as const;
    const made = await changeSecrets(asker, change);
    document = made.ok ? { ...document, keys: made.value } : document;
  }
  const { tokens } = await secretsOf(asker, document);
  const { id, secret } = must(tokens[0], 'the secret just made');
  const { issuer, audience } = (document.players ?? DEFAULT_PLAYERS).playerTokens;
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + claims.ttl;
  const { attributes } = claims;
  const token = await new SignJWT(present({ attributes, iss: issuer, aud: audience }))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: id })
    .setSubject(player)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(secret));
  return { token, player, expiresAt: iso(expiresAt * 1000) };
}

const VIEWER_KEY = /^viewer_([A-Za-z0-9_-]{1,64})_[A-Za-z0-9_-]{32}$/;

export function newViewerKey(project: string): string {
  return `viewer_${project}_${base64url.encode(crypto.getRandomValues(new Uint8Array(24)))}`;
}

/** The grant of a key of API_KEYS, or of one that the project has made. Refuses UNAUTHORIZED. */
export async function grantIn(
  { env, peers }: Pick<Place, 'env' | 'peers'>,
  key: string | null,
): Promise<Reply<Grant>> {
  const [, project = ''] = VIEWER_KEY.exec(key ?? '') ?? [];
  const deployed = await grantOf(env, key);
  if (deployed.ok || key === null || !(await projectsOf(env)).includes(project)) {
    return deployed;
  }
  const asker = { peers, project };
  const { viewers = [] } = await secretsOf(asker, await documentOf(asker));
  const digest = await digestOf(key);
  const same = viewers.filter(({ sha256 }) =>
    crypto.subtle.timingSafeEqual(hexToBytes(sha256), digest),
  );
  return same.length === 0 ? deployed : ok({ project, kind: 'viewer' });
}
