// Identifies the player of a request (spec: Authentication 1; record 0022). By default `x-player-id` names the
// player. In a project with `playerAuth: "token"` it is the subject of a signed token, from `x-player-token`, else
// the bearer, else on the event stream the query. A valid token is not verified again until it expires, unless the
// project's document, keys or secrets change.

import { sha256Hex } from '../../common/signed';
import type { JsonObject } from '../../common/json';
import { Lru } from '../../common/lru';
import { DEFAULT_PLAYERS } from '../../objects/project/identity';
import type { ProjectDocument } from '../../objects/project/contract';
import { MAX_PLAYER_TOKEN_LENGTH } from '../../common/limits';
import { playerIdOf } from '../access';
import { granted, refuseWith } from '../refused';
import { FRESH_MS, keysAt, type Asks } from './jwks';
import { verified, type Verified } from './player-tokens';
import { secretsOf, type Asker } from './secrets';

/** The player id and the token of a request. */
export interface Claimed {
  readonly id: string | null;
  readonly token: string | null;
}

export interface Caller {
  readonly player: Verified['player'];
  /** When the token expires, epoch ms. Null: there is no token, so it never ends. */
  readonly playerUntil: number | null;
  /** What its token says of the player (decision 46). */
  readonly claim?: JsonObject;
}

interface Known extends Verified {
  /** When the token must be verified again, epoch ms. */
  readonly recheckAt: number;
}

const known = new Lru<Known>(20_000);

/** Throws Refused: VALIDATION_ERROR, or the problem of the token. `document` is the project's. */
export async function playerOf(
  asker: Asker & Asks,
  document: ProjectDocument,
  claimed: Claimed,
  now: number,
): Promise<Caller> {
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
export function hidesIds(
  { players = DEFAULT_PLAYERS }: ProjectDocument,
  keyKind: 'client' | 'server',
): boolean {
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
  const text = `${asker.project}\n${revision}\n${keys?.revision ?? 0}\n${token}`;
  const digest = sha256Hex(text);
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
