// Verifies a seat ticket of Muster, offline: node seat-ticket.mjs muster.json TICKET

import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Whether players may watch a match in which they have no place. */
const TAKES_SPECTATORS = false;

function check(holds, otherwise) {
  if (!holds) {
    throw new Error(otherwise);
  }
}

/** The seat a ticket is for; throws where it is none of this server's. `now` in seconds. */
export function seatOf(ticket, { instance_id, seat_keys }, now = Date.now() / 1000) {
  const [head, body, signature] = ticket.split('.');
  const read = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { kid, typ, alg } = read(head);
  const jwk = seat_keys.keys.find((key) => key.kid === kid);
  check(jwk && typ === 'muster-seat+jwt' && alg === 'EdDSA', 'no seat ticket of this project');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`);
  check(verify(null, signed, key, Buffer.from(signature, 'base64url')), 'not signed by Muster');
  const seat = read(body);
  check(seat.aud === instance_id, 'for another server');
  check(seat.exp > now, 'expired');
  const hasPlace = seat.match === null || seat.team !== null;
  check(hasPlace || TAKES_SPECTATORS, 'no place in the match');
  return seat;
}

const [, program, path, ticket] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  try {
    const { sub, team, role } = seatOf(ticket, JSON.parse(readFileSync(path, 'utf8')));
    console.log(`${sub} team ${team} role ${role}`);
  } catch (error) {
    console.log(`refused: ${error.message}`);
    process.exitCode = 1;
  }
}
