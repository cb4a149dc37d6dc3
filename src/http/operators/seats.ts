// What a seat ticket says (record 0022), for game servers that cannot verify Ed25519: only of tickets for themselves.

import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import type { Seat } from '../../../packages/js/src/identity-types';
import type * as z from 'zod';
import type { LobbyId, MatchId, PlayerId } from '../../common/ids';
import { closed, text } from '../../common/shape';
import { jwksOf } from '../../objects/contracts/secrets';
import type { Call, OwnCall } from '../wire/call';
import { SEAT_TYPE } from '../identity/player';
import { documentOf, granted, json, refuseWith, retrying } from '../wire/answer';

/** A ticket is far shorter, whatever its player and team are called. */
const MAX_TICKET_LENGTH = 4_096;

export const SeatBody = closed({ ticket: text(MAX_TICKET_LENGTH) });

/** POST /servers/{id}/seats. A player without a place in the match has no `team`: the game decides who may watch. */
export async function seat(call: OwnCall<z.infer<typeof SeatBody>>): Promise<Response> {
  const { peers, body } = call;
  const { id, token } = call.own;
  const project = granted(await retrying(() => peers.server(id).projectOf(token)));
  const { keys } = await documentOf({ peers, project });
  try {
    const known = createLocalJWKSet({ keys: [...jwksOf(keys?.seats ?? [])] });
    const { payload } = await jwtVerify(body.ticket, known, {
      algorithms: ['EdDSA'],
      typ: SEAT_TYPE,
      issuer: 'muster',
      audience: id,
      currentDate: new Date(Date.now()),
      requiredClaims: ['sub', 'exp'],
    });
    const { sub: player, match, lobby, team, team_name, role, late, spectator } = payload;
    const seated = { player, match, lobby, team, team_name, role, late };
    const place = (spectator ? { ...seated, spectator } : seated) as Seat;
    return (await isStill(call, place))
      ? json(place)
      : refuseWith('FORBIDDEN', 'ticket: its player no longer has this place');
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      return refuseWith('FORBIDDEN', `ticket: ${whyNot(error)}`);
    }
    throw error;
  }
}

/** Who has left, or was put out, keeps a ticket that has not expired. The lobby and the match know better. */
async function isStill({ peers }: Call, place: Seat): Promise<boolean> {
  const { player, match, lobby, team, spectator } = place;
  const id = player as PlayerId;
  const [now, holds] = await Promise.all([
    retrying(() => peers.lobby(lobby as LobbyId).seat(id)),
    team === null || match === null || retrying(() => peers.match(match as MatchId).holds(id)),
  ]);
  const isSame = now !== null && (now.spectator === true) === (spectator === true);
  return isSame && holds && (team === null || now.team === team);
}

function whyNot(error: Error): string {
  if (error instanceof errors.JWTExpired) {
    return 'it has expired';
  }
  return error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud'
    ? 'it is for another server'
    : 'it is no seat ticket of this project';
}
