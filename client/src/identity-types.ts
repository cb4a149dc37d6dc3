// What a backend says of its players: tokens, keys and attributes.

import type { JsonObject } from './types.ts';

/** What the backend says of a player. */
export interface PlayerAttributes {
  readonly player: string;
  readonly attributes: JsonObject;
  /** Rises with every change. */
  readonly revision: number;
}

export interface PlayerToken {
  readonly token: string;
  readonly player: string;
  readonly expiresAt: string;
}

/** Only this answer shows the secret. */
export interface TokenSecret {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string;
}

/** A JWK set. */
export interface SeatKeys {
  readonly keys: readonly {
    readonly kty: 'OKP';
    readonly crv: 'Ed25519';
    readonly x: string;
    readonly kid: string;
    readonly alg: 'EdDSA';
    readonly use: 'sig';
  }[];
}
