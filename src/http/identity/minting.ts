// Mints player tokens with a secret of the project (record 0022).

import { SignJWT } from 'jose';
import type { PlayerToken } from '../../../client/src/identity-types';
import { iso } from '../../common/clock';
import type { PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import { must } from '../../common/result';
import { projectDocument } from '../../objects/caches/project';
import { DEFAULT_PLAYERS } from '../../objects/project/identity';
import { changeSecrets, newTokenSecret, secretsOf, type Asker } from './secrets';

export interface Claims {
  /** Seconds from now until the token expires. */
  readonly ttl: number;
  /** decision 46. */
  readonly attributes?: JsonObject | undefined;
}

/** A token for that player. Makes the project's first secret if it has none. */
export async function minted(asker: Asker, player: PlayerId, claims: Claims): Promise<PlayerToken> {
  let document = await projectDocument(asker.peers, asker.project, Date.now());
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
  const made = new SignJWT(attributes === undefined ? {} : { attributes })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: id })
    .setSubject(player)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt);
  if (issuer !== null) {
    made.setIssuer(issuer);
  }
  if (audience !== null) {
    made.setAudience(audience);
  }
  const token = await made.sign(new TextEncoder().encode(secret));
  return { token, player, expiresAt: iso(expiresAt * 1000) };
}
