// How a game server reads seat tickets (docs/securing.md). They say who a player is and which seat the player has.
// The keys in `muster.json` are enough to verify them.

import { createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';

export interface Seat {
  readonly player: string;
  /** Null after a direct start, which has no teams. */
  readonly match: string | null;
  /** Null after a direct start, and for players without a place in the match. */
  readonly team: number | null;
  readonly role: string | null;
  /** Whether the player joined the lobby during the game. */
  readonly late: boolean;
}

interface Told {
  readonly instance_id?: unknown;
  readonly seat_keys?: { readonly keys?: readonly (JsonWebKey & { readonly kid?: string })[] };
}

interface Claims {
  readonly sub: string;
  readonly aud: string;
  readonly exp: number;
  readonly match: string | null;
  readonly team: number | null;
  readonly role: string | null;
  readonly late: boolean;
}

const TYPE = 'muster-seat+jwt';
const MAX_LENGTH = 2_048;

function read<T>(part: string): T {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as T;
}

/** The seat of a ticket. Null if it is no valid ticket for this server. `now` in epoch ms. */
export function seatOf(ticket: unknown, told: Told, now: number): Seat | null {
  if (typeof ticket !== 'string' || ticket.length > MAX_LENGTH) {
    return null;
  }
  try {
    const [head = '', body = '', signature = ''] = ticket.split('.');
    const { kid, typ, alg } = read<{ kid?: string; typ?: string; alg?: string }>(head);
    const jwk = told.seat_keys?.keys?.find((key) => key.kid === kid);
    if (jwk === undefined || typ !== TYPE || alg !== 'EdDSA') {
      return null;
    }
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const isOurs = verify(
      null,
      Buffer.from(`${head}.${body}`),
      key,
      Buffer.from(signature, 'base64url'),
    );
    const { sub, aud, exp, match, team, role, late } = read<Claims>(body);
    const isGood = isOurs && aud === told.instance_id && exp * 1000 > now;
    return isGood ? { player: sub, match, team, role, late } : null;
  } catch {
    return null;
  }
}

/** Whether the player has a place in the match. False: the player may only watch. */
export function hasPlace({ match, team }: Seat): boolean {
  return match === null || team !== null;
}
