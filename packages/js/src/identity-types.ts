// What a backend says of its players: tokens, keys and attributes.

import type { JsonObject } from './types.ts';

/** What the backend says of a player. */
export interface PlayerAttributes {
  readonly player: string;
  readonly attributes: JsonObject;
  /** Rises with every change. */
  readonly revision: number;
}

export interface Ban {
  readonly playerId: string;
  /** Null: in all configs. */
  readonly config: string | null;
  /** ISO 8601. Null: it ends when you lift it. */
  readonly until: string | null;
  /** What the player is told. */
  readonly reason: string | null;
  readonly createdAt: string;
  /** `operator:` and the name or fingerprint of the key. */
  readonly by: string;
}

/** Without a config: in all of them. */
export type BanInput = Partial<Pick<Ban, 'config' | 'until' | 'reason'>>;

export interface BanPage {
  readonly bans: readonly Ban[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

export interface BansQuery {
  readonly playerId?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface PlayerToken {
  readonly token: string;
  readonly player: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A player who has logged in with a platform, as `provider:id`. The token is valid for an hour. */
export interface LoggedIn extends PlayerToken {
  /** Of Discord, for `commands.authenticate`. */
  readonly accessToken?: string;
}

/** Only this answer shows the secret. */
export interface TokenSecret {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string;
}

/** A key of the project, without the key itself. */
export interface KeyListed {
  /** It grants nothing. Histories name a key without a name by it. */
  readonly id: string;
  /** `viewer`: it reads what the server key reads, except secrets, and changes nothing. */
  readonly kind: 'client' | 'server' | 'viewer';
  readonly name: string | null;
  /** Null: it is in `API_KEYS`, and cannot be revoked here. */
  readonly createdAt: string | null;
  /** This request was sent with it. */
  readonly isYours: boolean;
}

export interface KeyPage {
  readonly keys: readonly KeyListed[];
}

/** Only this answer shows the key. */
export interface ViewerKey {
  readonly id: string;
  readonly kind: 'viewer';
  readonly name: string;
  readonly createdAt: string;
  readonly key: string;
}

/** Which player may take which seat of a game server: what a seat ticket says. */
export interface Seat {
  readonly player: string;
  /** Null after a direct start, which has no teams; of a spectator then the id of the server. */
  readonly match: string | null;
  readonly lobby: string;
  /** Index in the teams of the match. Null after a direct start, and for players without a place in the match. */
  readonly team: number | null;
  readonly team_name: string | null;
  readonly role: string | null;
  /** The player joined the lobby during the game. */
  readonly late: boolean;
  /** It is no seat: the holder watches the lobby. `team` is null. */
  readonly spectator?: true;
}

/** A public key as a JSON Web Key. */
export interface SeatJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** A JWK set: the current key, the next one, and older ones whose tickets are still valid. */
export interface SeatKeys {
  readonly keys: readonly SeatJwk[];
}
