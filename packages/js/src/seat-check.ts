// What a player's program needs of seat tickets: those of others, verified by the keys that the service publishes.

import type { Seat } from './identity-types.ts';

/** A public key for seat tickets. */
export interface SeatKey {
  readonly kid: string;
  readonly x: string;
}

/** The claims of a ticket. */
interface Claims extends Omit<Seat, 'player'> {
  readonly project: string;
  readonly sub: string;
  /** The instance of the game. */
  readonly aud: string;
  readonly exp: number;
}

const TYPE = 'muster-seat+jwt';
const MAX_LENGTH = 4_096;

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

function part<T>(base64url: string): T {
  return JSON.parse(new TextDecoder().decode(bytesOf(base64url))) as T;
}

/** Reads a ticket without verifying it: for one's own, which came from the service. Throws if it is no ticket. */
export function claimsOf(ticket: string): Claims {
  return part<Claims>(ticket.split('.')[1] ?? '');
}

/**
 * The seat of another player's ticket. Null unless it is that player's, and valid for the same game as one's own. `keysOf` reads
 * the keys of the project.
 */
export async function seatIn(
  ticket: unknown,
  { player, own }: { readonly player: string; readonly own: string },
  keysOf: (project: string) => Promise<readonly SeatKey[]>,
): Promise<Seat | null> {
  if (typeof ticket !== 'string' || ticket.length > MAX_LENGTH) {
    return null;
  }
  try {
    const [head = '', body = '', signature = ''] = ticket.split('.');
    const { kid, typ, alg } = part<{ kid?: string; typ?: string; alg?: string }>(head);
    const { project, aud: game } = claimsOf(own);
    const jwk = (await keysOf(project)).find((each) => each.kid === kid);
    if (jwk === undefined || typ !== TYPE || alg !== 'EdDSA') {
      return null;
    }
    const key = await crypto.subtle.importKey('raw', bytesOf(jwk.x), 'Ed25519', false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${body}`);
    const isOurs = await crypto.subtle.verify('Ed25519', key, bytesOf(signature), signed);
    const { sub, aud, exp, match, lobby, team, team_name, role, late } = part<Claims>(body);
    const isHere = aud === game && sub === player && exp * 1000 > Date.now();
    return isOurs && isHere ? { player, match, lobby, team, team_name, role, late } : null;
  } catch {
    return null;
  }
}
