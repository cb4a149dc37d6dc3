// Identifies the player of a request (spec: Authentication 1; record 0022). By default `x-player-id` names the player. In a
// project with `playerAuth: "token"` it is the subject of a signed token, from `x-player-token`, else the bearer, else on
// the event stream the query. A valid token is verified again once it expires, or the project's document, keys or secrets
// change. Tokens are JWTs, signed with a secret of the project (HS256) or a key of its identity provider (EdDSA, ES256,
// RS256). The algorithm decides between the two, so a public key never counts as a secret. The token never says where the
// key is: its `kid` only chooses among the project's keys.

import { decodeProtectedHeader, errors, jwtVerify, type CryptoKey } from 'jose';
import type { PlayerSettings } from '../../../packages/js/src/admin-types';
import { isPlayerId, type PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import { CLOCK_SKEW_MS, MAX_ATTRIBUTES_BYTES, MAX_PLAYER_TOKEN_LENGTH } from '../../common/limits';
import { Lru } from '../../common/lru';
import { ok } from '../../common/result';
import { freeForm, parseWith } from '../../common/shape';
import { sha256Hex } from '../../common/signed';
import { refusal, type Reply } from '../../lobby/refusals';
import type { ProjectDocument } from '../../objects/contracts/project';
import { DEFAULT_PLAYERS, type TokenSecret } from '../../objects/contracts/secrets';
import { type KeyKind, playerIdOf } from '../wire/access';
import type { PlayerCall } from '../wire/call';
import { granted, refuseWith } from '../wire/answer';
import { ASYMMETRIC, FRESH_MS, keysAt, NoKeys, type Asks, type ProviderKey } from './jwks';
import { secretsOf, type Asker } from './secrets';

/** The type of seat tickets. Such a token is never a player token, whoever publishes its key. */
export const SEAT_TYPE = 'muster-seat+jwt';

interface Verified {
  readonly player: PlayerId;
  /** The token is refused from this time on, epoch ms. It includes the allowance for clock skew. */
  readonly until: number;
  /** The token's `attributes` claim (decision 46). */
  readonly claim?: JsonObject;
}

export interface Keyring {
  readonly rules: Omit<PlayerSettings['playerTokens'], 'issuer'> & {
    readonly issuer: string | string[] | null;
  };
  /** The claim that names the player. Absent: `sub`. */
  readonly subject?: string;
  readonly secrets: readonly TokenSecret[];
  /** The keys of the identity provider. Throws NoKeys. */
  readonly provider: (kid: string | null) => Promise<readonly ProviderKey[]>;
}

/** The latest instant that a date can have, for tokens that practically never expire. */
const LAST_MS = 8.64e15;

const INVALID = refusal('PLAYER_TOKEN_INVALID', 'The player token does not belong to this project');

interface Header {
  readonly alg: string;
  readonly kid: string | null;
}

/** Null unless this is the header of a signed token that may be a player token. */
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

/** The keys that may have signed the token. Keys of another kind are never included. */
async function candidates({ alg, kid }: Header, { rules, secrets, provider }: Keyring) {
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

/** Refuses PLAYER_TOKEN_EXPIRED, PLAYER_TOKEN_INVALID without a reason, and UNAVAILABLE without the provider's keys. */
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
  const { rules, subject = 'sub' } = keyring;
  const { issuer, audience } = rules;
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [header.alg],
        clockTolerance: CLOCK_SKEW_MS / 1000,
        currentDate: new Date(now),
        requiredClaims: [subject, 'exp'],
        ...(issuer === null ? {} : { issuer }),
        ...(audience === null ? {} : { audience }),
      });
      const { [subject]: sub, exp = 0, attributes } = payload;
      if (typeof sub !== 'string' || !isPlayerId(sub)) {
        return refusal('PLAYER_TOKEN_INVALID', 'The subject of the token is not a valid player id');
      }
      const until = Math.min(exp * 1000 + CLOCK_SKEW_MS, LAST_MS);
      const who = { player: sub as PlayerId, until };
      if (attributes === undefined) {
        return ok(who);
      }
      const claim = parseWith(freeForm(MAX_ATTRIBUTES_BYTES), attributes);
      if (claim.ok) {
        return ok({ ...who, claim: claim.value });
      }
      const [issue] = claim.refusal;
      const form = ` must be an object of at most ${MAX_ATTRIBUTES_BYTES} bytes of JSON`;
      const wrong = issue?.path ? `.${issue.path}: ${issue.message}` : form;
      return refusal('PLAYER_TOKEN_INVALID', `The token's attributes${wrong}`);
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        return refusal('PLAYER_TOKEN_EXPIRED', 'The player token has expired');
      }
      if (error instanceof errors.JWTClaimValidationFailed) {
        return refusal('PLAYER_TOKEN_INVALID', `The token's ${error.claim} is wrong`);
      }
      if (!(error instanceof errors.JOSEError)) {
        // An invalid key is the caller's mistake, so it is not logged.
        return INVALID;
      }
    }
  }
  return INVALID;
}

export type KnownPlayer = Pick<PlayerCall, 'player' | 'playerUntil' | 'claim'>;

/** `recheckAt`: when the token must be verified again, epoch ms. */
const known = new Lru<Verified & { readonly recheckAt: number }>(20_000);

/** Throws Refused: VALIDATION_ERROR, or the problem of the token. `document` is the project's. */
export async function playerOf(
  asker: Asker & Asks,
  document: ProjectDocument,
  claimed: { readonly id: string | null; readonly token: string | null },
  now: number,
): Promise<KnownPlayer> {
  if ((document.players ?? DEFAULT_PLAYERS).playerAuth === 'trust') {
    return { player: playerIdOf(claimed.id), playerUntil: null };
  }
  const { id, token } = claimed;
  if (token === null || token === '') {
    return refuseWith('PLAYER_TOKEN_MISSING', 'This project requires a player token');
  }
  const { player, until, claim } = await tokenOf(asker, document, { token, now });
  return id !== null && id !== '' && id !== player
    ? refuseWith('PLAYER_TOKEN_INVALID', 'x-player-id is not the subject of the player token')
    : { player, playerUntil: until, ...(claim === undefined ? {} : { claim }) };
}

/** Whether that caller sees placeholders for ids of players, so that lists still show who hosts and how many play. */
export function hidesIds({ players = DEFAULT_PLAYERS }: ProjectDocument, keyKind: KeyKind) {
  return keyKind === 'client' && !players.publicPlayerIds;
}

async function tokenOf(
  asker: Asker & Asks,
  document: ProjectDocument,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<Verified> {
  if (token.length > MAX_PLAYER_TOKEN_LENGTH) {
    const detail = `The player token has more than ${MAX_PLAYER_TOKEN_LENGTH} characters`;
    return refuseWith('PLAYER_TOKEN_INVALID', detail);
  }
  const { players = DEFAULT_PLAYERS, keys, revision } = document;
  const digest = sha256Hex(`${asker.project}\n${revision}\n${keys?.revision ?? 0}\n${token}`);
  const before = known.get(digest);
  if (before !== undefined && now < before.recheckAt) {
    return before;
  }
  const { tokens: secrets } = await secretsOf(asker, document);
  const rules = players.playerTokens;
  const provider = (kid: string | null) => keysAt(rules.jwksUrl ?? '', kid, now, asker);
  const found = granted(await verified(token, { rules, secrets, provider }, now));
  // A key that the provider revokes must not outlive the cached set of keys.
  const recheckAt = rules.jwksUrl === null ? found.until : Math.min(found.until, now + FRESH_MS);
  known.set(digest, { ...found, recheckAt });
  return found;
}
