// Public keys for projects that do not exist. A request for the keys of a made-up name gets keys that sign
// nothing, the same ones each time, so that the answer does not reveal which projects exist.

import { hexToBytes } from '@noble/hashes/utils.js';
import { Lru } from '../../common/lru';
import { must } from '../../common/result';
import type { PublicSeatKey } from '../../objects/project/identity';
import { uuidHead, type Signer } from '../../common/signed';

/** The prefix of a 32-byte Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8 = '302e020100300506032b657004220420';
const PROJECT = /^[A-Za-z0-9_-]{1,64}$/;

const known = new Lru<readonly PublicSeatKey[]>(1_000);

/** The keys for that name. Null if it cannot be the name of a project. */
export async function unheldKeys(
  signer: Signer,
  project: string,
): Promise<readonly PublicSeatKey[] | null> {
  if (!PROJECT.test(project)) {
    return null;
  }
  const keys =
    known.get(project) ?? (await Promise.all([0, 1].map((at) => key(signer, `${project} ${at}`))));
  known.set(project, keys);
  return keys;
}

async function key(signer: Signer, purpose: string): Promise<PublicSeatKey> {
  const pkcs8 = hexToBytes(PKCS8 + signer.seed(`key ${purpose}`));
  const imported = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, true, [
    'sign',
  ]);
  const { x } = (await crypto.subtle.exportKey('jwk', imported)) as JsonWebKey;
  return {
    kid: uuid(signer.seed(`kid ${purpose}`)),
    x: must(x, 'the public half of a key'),
    createdAt: 0,
    retiredAt: null,
  };
}

/** A UUID of the form that `crypto.randomUUID` makes. */
function uuid(hex: string): string {
  return `${uuidHead(hex, 4)}-${hex.slice(19, 31)}`;
}
