// A project's settings for the identity of its players (record 0022), and the keys that sign player tokens and
// seat tickets. The secrets have a row of their own, apart from the document that operators read. Pure: new keys
// are arguments.

import type { PlayerSettings } from '../../../client/src/admin-types';
import type { Hook } from '../../fleet/hook';
import type { SeatJwk } from '../../fleet/port';
import type { JsonObject } from '../../common/json';
import type { Named } from '../../common/named';
import { assertNever } from '../../common/result';

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

/** A key pair for seat tickets (Ed25519), with `d` and `x` as in a JWK. */
export interface SeatKey extends PublicSeatKey {
  readonly d: string;
}

export interface PublicSeatKey {
  readonly kid: string;
  readonly x: string;
  readonly createdAt: number;
  /** The key stopped signing at this time. Its tickets stay valid until they expire. */
  readonly retiredAt: number | null;
}

/** Where the project's backend hears of matches. */
export interface SavedHook extends Hook {
  /** Epoch ms. */
  readonly savedAt: number;
}

/** These are never shown or logged, and are no part of the document. */
export interface ProjectSecrets {
  /** Rises by 1 with every change of the secrets. */
  readonly revision: number;
  /** Newest first. The first one signs, and all are accepted. */
  readonly tokens: readonly TokenSecret[];
  /** In the order in which they sign. The first one that is not retired signs. The next is published ahead. */
  readonly seats: readonly SeatKey[];
  /** How Muster asks each provider about a player, as the backend set it, epoch ms. Absent: players log in nowhere. */
  readonly logins?: Named<{ readonly settings: JsonObject; readonly savedAt: number }>;
  /** Absent: nobody is told. */
  readonly hooks?: SavedHook;
}

/** The part of the secrets that is public within the project. */
export interface ProjectKeys {
  readonly revision: number;
  readonly tokens: readonly Omit<TokenSecret, 'secret'>[];
  readonly seats: readonly PublicSeatKey[];
  /** The providers with which players can log in, and when each was set. Absent: none. */
  readonly logins?: readonly { readonly provider: string; readonly savedAt: number }[];
  readonly hooks?: Omit<SavedHook, 'secret'>;
}

export const NO_SECRETS: ProjectSecrets = { revision: 0, tokens: [], seats: [] };

/** Secrets that are valid at a time. A backend can switch to a new one while tokens of the old one are in use. */
export const MAX_TOKEN_SECRETS = 2;
/** How long a seat ticket is valid. */
export const SEAT_TICKET_MS = 15 * 60_000;
/** Isolates still sign with a retired key for some seconds, and clocks differ. */
const RETIRING_MS = 2 * 60_000;

export function publicKeys(secrets: ProjectSecrets): ProjectKeys {
  const { revision, tokens, seats, hooks } = secrets;
  const providers = Object.entries(secrets.logins ?? {});
  return {
    revision,
    ...(providers.length === 0
      ? {}
      : { logins: providers.map(([provider, { savedAt }]) => ({ provider, savedAt })) }),
    ...(hooks === undefined ? {} : { hooks: { url: hooks.url, savedAt: hooks.savedAt } }),
    tokens: tokens.map(({ id, createdAt }) => ({ id, createdAt })),
    seats: seats.map(({ kid, x, createdAt, retiredAt }) => ({ kid, x, createdAt, retiredAt })),
  };
}

/** The key that signs now. Null before there are any. */
export function signingKey<K extends PublicSeatKey>(seats: readonly K[]): K | null {
  return seats.find(({ retiredAt }) => retiredAt === null) ?? null;
}

/** The JSON Web Keys: first the key that signs now, then the next one, then retired keys. */
export function jwksOf(seats: readonly PublicSeatKey[]): readonly SeatJwk[] {
  const retired = seats.filter(({ retiredAt }) => retiredAt !== null);
  const others = seats.filter(({ retiredAt }) => retiredAt === null);
  return [...others, ...retired].map(({ kid, x }) => {
    return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
  });
}

/** A change of the secrets. Repeating it has no further effect. */
export type SecretsChange =
  /** `onlyFirst`: adds nothing if there is a secret. The newest of the earlier secrets stays valid. */
  | { readonly act: 'add token'; readonly secret: TokenSecret; readonly onlyFirst: boolean }
  | { readonly act: 'remove token'; readonly id: string }
  /** Changes nothing if there are seat keys. */
  | { readonly act: 'first seats'; readonly keys: readonly SeatKey[] }
  /** The next key signs from now on. `key` becomes the one after it. */
  | { readonly act: 'rotate seats'; readonly key: SeatKey }
  | { readonly act: 'set login'; readonly provider: string; readonly settings: JsonObject }
  | { readonly act: 'remove login'; readonly provider: string }
  | { readonly act: 'set hooks'; readonly hook: Hook }
  | { readonly act: 'remove hooks' };

/** The secrets after the change. The same object if nothing changes. */
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
    case 'set login': {
      const login = { settings: change.settings, savedAt: now };
      return { ...before, revision, logins: { ...before.logins, [change.provider]: login } };
    }
    case 'remove login': {
      const { [change.provider]: removed, ...logins } = before.logins ?? {};
      return removed === undefined ? before : { ...before, revision, logins };
    }
    case 'set hooks':
      return { ...before, revision, hooks: { ...change.hook, savedAt: now } };
    case 'remove hooks': {
      const { hooks, ...others } = before;
      return hooks === undefined ? before : { ...others, revision };
    }
    default:
      return assertNever(change);
  }
}

/** Retires the key that signs now, and drops keys whose tickets have all expired. */
function rotated(seats: readonly SeatKey[], key: SeatKey, now: number): readonly SeatKey[] {
  const signing = signingKey(seats);
  return [...seats, key]
    .map((each) => (each.kid === signing?.kid ? { ...each, retiredAt: now } : each))
    .filter(({ retiredAt: at }) => at === null || now < at + SEAT_TICKET_MS + RETIRING_MS);
}
