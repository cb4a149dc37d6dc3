// Whether a player token is good: a JWT, signed with a secret of the project (HS256) or by a key of
// its identity provider (EdDSA, ES256, RS256). Which of the two a token may be signed with follows
// from its algorithm, so that no public key ever counts as a secret; where the key is found, never.
// Nothing in a token but `kid` chooses among the keys the project has.

import { decodeProtectedHeader, errors, jwtVerify, type CryptoKey } from 'jose';
import { CLOCK_SKEW_MS, MAX_PLAYER_TOKEN_LENGTH } from '../../limits';
import { refusal, type Reply } from '../../lobby/refusals';
import type { TokenRules, TokenSecret } from '../../objects/project/identity';
import { ok } from '../../result';
import type { PlayerId } from '../../ids';
import { isPlayerId } from '../access';
import { ASYMMETRIC, NoKeys, type ProviderKey } from './jwks';

/** Of seat tickets: no such token is one of a player, whoever publishes its key. */
export const SEAT_TYPE = 'muster-seat+jwt';

export interface Verified {
  readonly player: PlayerId;
  /** Epoch ms: from then on it is refused, clocks that are apart included. */
  readonly until: number;
}

export interface Keyring {
  readonly rules: TokenRules;
  readonly secrets: readonly TokenSecret[];
  /** Those of the identity provider; throws NoKeys. */
  readonly provider: (kid: string | null) => Promise<readonly ProviderKey[]>;
}

/** Of a token that as good as never expires. */
const LAST_MS = 8.64e15;

const INVALID = refusal('PLAYER_TOKEN_INVALID', 'The player token does not belong to this project');

interface Header {
  readonly alg: string;
  readonly kid: string | null;
}

/** Null for what is no signed token, or not one of a player. */
function headerOf(token: string): Header | null {
  if (token.length > MAX_PLAYER_TOKEN_LENGTH) {
    return null;
  }
  try {
    const { alg, kid, typ } = decodeProtectedHeader(token);
    const isSeat = typeof typ === 'string' && typ.toLowerCase().endsWith(SEAT_TYPE);
    return typeof alg !== 'string' || isSeat
      ? null
      : { alg, kid: typeof kid === 'string' ? kid : null };
  } catch {
    return null;
  }
}

/** Keys that may have signed it, and no key of another kind. */
async function candidates(
  { alg, kid }: Header,
  { rules, secrets, provider }: Keyring,
): Promise<readonly (CryptoKey | Uint8Array)[]> {
  if (alg === 'HS256') {
    const named = secrets.filter(({ id }) => id === kid);
    const encoder = new TextEncoder();
    return (named.length > 0 ? named : secrets).map(({ secret }) => encoder.encode(secret));
  }
  const isAsymmetric = alg === 'Ed25519' || ASYMMETRIC.some((each) => each === alg);
  if (rules.jwksUrl === null || !isAsymmetric) {
    return [];
  }
  const listed = await provider(kid);
  return listed
    .filter((key) => key.alg === (alg === 'Ed25519' ? 'EdDSA' : alg))
    .filter((key) => kid === null || key.kid === null || key.kid === kid)
    .map(({ key }) => key);
}

/**
 * Whose token it is. PLAYER_TOKEN_EXPIRED, PLAYER_TOKEN_INVALID, or UNAVAILABLE while the keys of the
 * identity provider cannot be had. Says nothing of why a token is none of ours.
 */
export async function verified(
  token: string,
  keyring: Keyring,
  now: number,
): Promise<Reply<Verified>> {
  const header = headerOf(token);
  if (header === null) {
    return INVALID;
  }
  let keys: readonly (CryptoKey | Uint8Array)[];
  try {
    keys = await candidates(header, keyring);
  } catch (error) {
    if (error instanceof NoKeys) {
      return refusal('UNAVAILABLE', 'The keys of the identity provider cannot be read');
    }
    throw error;
  }
  const { issuer, audience } = keyring.rules;
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [header.alg],
        clockTolerance: CLOCK_SKEW_MS / 1000,
        currentDate: new Date(now),
        requiredClaims: ['sub', 'exp'],
        ...(issuer === null ? {} : { issuer }),
        ...(audience === null ? {} : { audience }),
      });
      const { sub, exp = 0 } = payload;
      return typeof sub === 'string' && isPlayerId(sub)
        ? ok({ player: sub as PlayerId, until: Math.min(exp * 1000 + CLOCK_SKEW_MS, LAST_MS) })
        : refusal('PLAYER_TOKEN_INVALID', 'The subject of the token is not a valid player id');
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        return refusal('PLAYER_TOKEN_EXPIRED', 'The player token has expired');
      }
      if (error instanceof errors.JWTClaimValidationFailed) {
        return refusal('PLAYER_TOKEN_INVALID', `The token's ${error.claim} is wrong`);
      }
      if (!(error instanceof errors.JOSEError)) {
        // Of a key that is no key: unlike bugs of ours, nothing of the request's making is logged.
        return INVALID;
      }
    }
  }
  return INVALID;
}
