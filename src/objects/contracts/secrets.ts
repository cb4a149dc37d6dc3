// A project's settings for the identity of its players (record 0022), and the secrets that its object keeps: what
// they hold, and how they are read and changed.

import type { PlayerSettings } from '../../../packages/js/src/admin-types';
import type { JsonObject } from '../../common/json';
import type { Named } from '../../common/named';
import type { Hook } from '../../fleet/hook';
import type { SeatJwk } from '../../fleet/port';

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

/** A key that reads. Only its digest is kept. */
interface ViewerKey {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Where the project's backend hears of matches, or a chat that somebody waits. */
interface SavedHook extends Hook {
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
  /** Absent: there are none. They are no part of the document. */
  readonly viewers?: readonly ViewerKey[];
}

/** The part of the secrets that is public within the project. */
export interface ProjectKeys {
  readonly revision: number;
  readonly tokens: readonly Omit<TokenSecret, 'secret'>[];
  readonly seats: readonly PublicSeatKey[];
  /** The providers with which players can log in, and when each was set. Absent: none. */
  readonly logins?: readonly { readonly provider: string; readonly savedAt: number }[];
  /** Of a chat only the origin of its URL. */
  readonly hooks?: Omit<SavedHook, 'secret'>;
}

/** How long a seat ticket is valid. */
export const SEAT_TICKET_MS = 15 * 60_000;
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
  | { readonly act: 'remove hooks' }
  | { readonly act: 'add viewer'; readonly viewer: ViewerKey }
  | { readonly act: 'remove viewer'; readonly id: string };
