// The isolate's cache of projects' secrets, and functions that make secrets.

import { base64url } from 'jose';
import type { AnyCall } from '../call';
import { ByRevision } from '../../common/by-revision';
import { retrying } from '../ask';
import { operatorOf } from '../operators/audit';
import { granted } from '../refused';
import { projectDocument, rememberPart } from '../../objects/caches/project';
import type {
  ProjectKeys,
  ProjectSecrets,
  SeatKey,
  SecretsChange,
  TokenSecret,
} from '../../objects/project/identity';
import type { ProjectDocument } from '../../objects/project/contract';
import type { By } from '../../common/happening';
import type { Reply } from '../../lobby/refusals';
import { must } from '../../common/result';

export type Asker = Pick<AnyCall, 'peers' | 'project'>;

const known = new ByRevision<ProjectSecrets>();

/** The secrets, at least as new as the document's revision of them. */
export function secretsOf(
  { peers, project }: Asker,
  { keys }: Pick<ProjectDocument, 'keys'>,
): Promise<ProjectSecrets> {
  return known.get(project, keys?.revision ?? 0, () =>
    retrying(() => peers.project(project).secrets()),
  );
}

/** Changes the secrets. This isolate sees the change at once. `by`: the operator who asked for it. */
export async function changeSecrets(
  { peers, project }: Asker,
  change: SecretsChange,
  by?: By,
): Promise<Reply<ProjectKeys>> {
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
  const { peers, project } = asker;
  const document = await projectDocument(peers, project, Date.now());
  if ((document.keys?.seats.length ?? 0) > 0) {
    return document;
  }
  const keys = await Promise.all([newSeatKey(), newSeatKey()]);
  const reply = await changeSecrets(asker, { act: 'first seats', keys });
  return reply.ok ? { ...document, keys: reply.value } : document;
}
