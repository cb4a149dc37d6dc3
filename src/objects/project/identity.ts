// Who the players of a project are, as far as the project says (record 0022): its settings, and the
// keys by which tokens and seat tickets are signed. The secrets lie in a row of their own, apart from
// the document that operators read. Pure: keys are made outside and come in as arguments.

import type { SeatJwk } from '../../fleet/port';
import type { Reply } from '../../lobby/refusals';
import { assertNever } from '../../result';

export interface PlayerSettings {
  /** `trust`: a player is whoever `x-player-id` names. `token`: whom a signed token names. */
  readonly playerAuth: 'trust' | 'token';
  /** Whether client keys see the ids of players in lobbies that they only look at. */
  readonly publicPlayerIds: boolean;
  readonly playerTokens: TokenRules;
}

/** What every player token must say; null: nothing in particular. */
export interface TokenRules {
  readonly issuer: string | null;
  readonly audience: string | null;
  /** Where the public keys of an identity provider are. */
  readonly jwksUrl: string | null;
}

export const DEFAULT_PLAYERS: PlayerSettings = {
  playerAuth: 'trust',
  publicPlayerIds: true,
  playerTokens: { issuer: null, audience: null, jwksUrl: null },
};

/** A secret that player tokens may be signed with (HS256). */
export interface TokenSecret {
  readonly id: string;
  readonly secret: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** A key pair for seat tickets (Ed25519), its halves as in a JWK. */
export interface SeatKey extends PublicSeatKey {
  readonly d: string;
}

export interface PublicSeatKey {
  readonly kid: string;
  readonly x: string;
  readonly createdAt: number;
  /** Signs no more since then; its tickets are good until they expire. */
  readonly retiredAt: number | null;
}

/** Never shown to anybody, logged, or part of the document. */
export interface ProjectSecrets {
  /** +1 on every change of them. */
  readonly revision: number;
  /** Newest first: the first one signs, all are accepted. */
  readonly tokens: readonly TokenSecret[];
  /** In the order in which they sign: of those not retired the first one does, the next is known ahead. */
  readonly seats: readonly SeatKey[];
}

/** What of them everybody of the project may know. */
export interface ProjectKeys {
  readonly revision: number;
  readonly tokens: readonly Omit<TokenSecret, 'secret'>[];
  readonly seats: readonly PublicSeatKey[];
}

export const NO_SECRETS: ProjectSecrets = { revision: 0, tokens: [], seats: [] };

/** Valid at once, so that a backend may change to a new one while tokens of the old one are about. */
export const MAX_TOKEN_SECRETS = 2;
/** A seat ticket is good for this long. */
export const SEAT_TICKET_MS = 15 * 60_000;
/** Isolates sign with a key for some seconds after it was retired, and clocks differ. */
const RETIRING_MS = 2 * 60_000;

export function publicKeys({ revision, tokens, seats }: ProjectSecrets): ProjectKeys {
  return {
    revision,
    tokens: tokens.map(({ id, createdAt }) => ({ id, createdAt })),
    seats: seats.map(({ kid, x, createdAt, retiredAt }) => ({ kid, x, createdAt, retiredAt })),
  };
}

/** The key that signs now; null before there are any. */
export function signingKey<K extends PublicSeatKey>(seats: readonly K[]): K | null {
  return seats.find(({ retiredAt }) => retiredAt === null) ?? null;
}

/** As JSON Web Keys: the one that signs first, then the next, then those that sign no more. */
export function jwksOf(seats: readonly PublicSeatKey[]): readonly SeatJwk[] {
  const retired = seats.filter(({ retiredAt }) => retiredAt !== null);
  const others = seats.filter(({ retiredAt }) => retiredAt === null);
  return [...others, ...retired].map(({ kid, x }) => {
    return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
  });
}

/** A change of the secrets. One that is told twice is made once. */
export type SecretsChange =
  /** `onlyFirst`: unless there is one. Of those before it the newest stays valid. */
  | { readonly act: 'add token'; readonly secret: TokenSecret; readonly onlyFirst: boolean }
  | { readonly act: 'remove token'; readonly id: string }
  /** Unless there are some. */
  | { readonly act: 'first seats'; readonly keys: readonly SeatKey[] }
  /** The next key signs from now on, and this one after it. */
  | { readonly act: 'rotate seats'; readonly key: SeatKey };

/** What the document says of all this. */
export interface Identity {
  /** Absent: the defaults. */
  readonly players?: PlayerSettings;
  /** Absent: there are none yet. They do not count in the document's revision, but have their own. */
  readonly keys?: ProjectKeys;
}

export interface IdentityRpc {
  /** For the Worker alone, which checks and signs with them. */
  secrets(): Promise<ProjectSecrets>;
  /** Answers the keys as they are then. NOT_FOUND for a secret to remove that is not there. */
  changeSecrets(change: SecretsChange): Promise<Reply<ProjectKeys>>;
}

/** The secrets after that; the same ones where it changes nothing. */
export function changed(
  before: ProjectSecrets,
  change: SecretsChange,
  now: number,
): ProjectSecrets {
  const revision = before.revision + 1;
  switch (change.act) {
    case 'add token': {
      const { tokens } = before;
      const { secret, onlyFirst } = change;
      const isThere = tokens.some(({ id }) => onlyFirst || id === secret.id);
      const next = [secret, ...tokens].slice(0, MAX_TOKEN_SECRETS);
      return isThere ? before : { ...before, revision, tokens: next };
    }
    case 'remove token': {
      const tokens = before.tokens.filter(({ id }) => id !== change.id);
      return tokens.length === before.tokens.length ? before : { ...before, revision, tokens };
    }
    case 'first seats':
      return before.seats.length > 0 ? before : { ...before, revision, seats: change.keys };
    case 'rotate seats': {
      const { key } = change;
      const isThere = before.seats.some(({ kid }) => kid === key.kid);
      return isThere ? before : { ...before, revision, seats: rotated(before.seats, key, now) };
    }
    default:
      return assertNever(change);
  }
}

/** The one that signs now retires; those whose tickets are all over are gone. */
function rotated(seats: readonly SeatKey[], key: SeatKey, now: number): readonly SeatKey[] {
  const signing = signingKey(seats);
  return [...seats, key]
    .map((each) => (each.kid === signing?.kid ? { ...each, retiredAt: now } : each))
    .filter(
      ({ retiredAt }) => retiredAt === null || now < retiredAt + SEAT_TICKET_MS + RETIRING_MS,
    );
}
