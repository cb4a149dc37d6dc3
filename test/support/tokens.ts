// Player tokens as backends and attackers make them.

import { SignJWT, type CryptoKey, type JWTPayload } from 'jose';

export interface Made {
  readonly sub?: string;
  /** Seconds from now until it expires; null: it does not say. */
  readonly expiresIn?: number | null;
  readonly claims?: JWTPayload;
  readonly header?: Record<string, unknown>;
  readonly alg?: string;
}

/** Signed with a text as a secret, or with a key. */
export function tokenOf(key: string | CryptoKey, made: Made = {}): Promise<string> {
  const { sub = 'ann', expiresIn = 600, claims = {}, header = {}, alg = 'HS256' } = made;
  const jwt = new SignJWT(claims).setProtectedHeader({ alg, ...header }).setSubject(sub);
  if (expiresIn !== null) {
    jwt.setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn);
  }
  return jwt.sign(typeof key === 'string' ? new TextEncoder().encode(key) : key);
}

function part(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** A token that no library makes: any header, any claims, any signature. */
export function forged(header: unknown, claims: unknown, signature = ''): string {
  return `${part(header)}.${part(claims)}.${signature}`;
}
