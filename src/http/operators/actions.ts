// What the dashboard does for an operator: ends a match, takes a lobby out of its queue, puts a
// player out. The actors decide it as they do for a host, and tell everybody.

import * as z from 'zod';
import type { MatchId, PlayerId } from '../../ids';
import type { Order } from '../../lobby/operate';
import { isPlayerId } from '../access';
import type { KeyedCall } from '../call';
import { isUuid, lobbyIdOf } from '../paths';
import { forgetBrowsed } from '../players/browse-cache';
import { answer, json, problem } from '../problem';
import { operatorOf } from './key';

export const KickBody = z.object({
  playerId: z.string('must be a string').refine(isPlayerId, 'must be the id of a player'),
});

async function ordered(call: KeyedCall<unknown>, order: Order): Promise<Response> {
  const { peers, project, config, env, params } = call;
  const id = lobbyIdOf(env, params['id'] ?? '');
  if (!id.ok) {
    return problem(id.refusal);
  }
  const by = await operatorOf(call);
  const reply = await peers.lobby(id.value).operate({ project, config }, order, by);
  forgetBrowsed(project, config);
  return answer(reply);
}

/** INVALID_STATE when it does not search, or a match was found for it meanwhile. */
export function leaveQueue(call: KeyedCall): Promise<Response> {
  return ordered(call, { type: 'leave_queue' });
}

/** Of the game that a lobby started by itself, or plays in. INVALID_STATE without one. */
export function endGame(call: KeyedCall): Promise<Response> {
  return ordered(call, { type: 'end_match' });
}

/** PLAYER_NOT_FOUND; who is alone in a lobby takes it along. */
export function kick(call: KeyedCall<z.infer<typeof KickBody>>): Promise<Response> {
  return ordered(call, { type: 'kick', target: call.body.playerId as PlayerId });
}

/** For all lobbies in it, whatever it has come to. NOT_FOUND once it is over. */
export async function endMatch(call: KeyedCall): Promise<Response> {
  const { peers, project, params } = call;
  const by = await operatorOf(call);
  const id = params['id'] ?? '';
  const ended = isUuid(id) && (await peers.match(id as MatchId).endByOperator(project, by));
  return ended
    ? json({ status: 'match_ended', id })
    : problem({ code: 'NOT_FOUND', detail: 'There is no such match, or it is over' });
}
