// The operators' actions in the dashboard: end a match or a game, take a lobby out of its queue, kick a player.
// The actors decide them as for a host, and tell everybody.

import * as z from 'zod';
import type { InstanceId, PlayerId } from '../../common/ids';
import type { Order } from '../../lobby/decide';
import type { Deed } from '../../objects/project/audit';
import { retrying } from '../ask';
import type { AnyCall, BodyCall, KeyedCall } from '../call';
import { isMatchId, lobbyOfPath } from '../paths';
import { playerId } from '../schemas';
import { forgetBrowsed } from '../players/browse-cache';
import { json } from '../problem';
import { granted, refuseWith } from '../refused';
import { noteDeed, operatorOf } from './key';

export const KickBody = z.object({ playerId });

export const StopBody = z.object({ build: z.string('must be a string') });
/** How many servers one request stops. Each is a call to an object. */
const MOST_STOPPED = 500;

async function ordered(call: AnyCall, order: Order, kind: Deed['kind']): Promise<Response> {
  const { peers, project, config } = call;
  const id = lobbyOfPath(call);
  const by = await operatorOf(call);
  const reply = await peers.lobby(id).operate({ project, config }, order, by);
  forgetBrowsed(project, config);
  const done = granted(reply);
  const on = order.type === 'kick' ? order.target : id;
  await noteDeed(call, { kind, on, detail: config });
  return json(done);
}

/** Refuses INVALID_STATE if the lobby does not search, or if a match was found in the meantime. */
export function leaveQueue(call: KeyedCall): Promise<Response> {
  return ordered(call, { type: 'leave_queue' }, 'left_queue');
}

/** Ends the game that the lobby started or plays in. Refuses INVALID_STATE without one. */
export function endGame(call: KeyedCall): Promise<Response> {
  return ordered(call, { type: 'end_match' }, 'game_ended');
}

/** Refuses PLAYER_NOT_FOUND. Kicking the only player deletes the lobby. */
export function kick(call: BodyCall<typeof KickBody>): Promise<Response> {
  const order = { type: 'kick', target: call.body.playerId as PlayerId } as const;
  return ordered(call, order, 'kicked');
}

/** Ends a match in any phase, for all of its lobbies. Refuses NOT_FOUND once it is over. */
export async function endMatch(call: KeyedCall): Promise<Response> {
  const { peers, project, params } = call;
  const by = await operatorOf(call);
  const id = params['id'] ?? '';
  const ended = isMatchId(id) && (await peers.match(id).endByOperator(project, by));
  if (!ended) {
    return refuseWith('NOT_FOUND', 'There is no such match, or it is over');
  }
  await noteDeed(call, { kind: 'match_ended', on: id });
  return json({ status: 'match_ended', id });
}

/** Stops the servers of a build that live. `left`: how many more there are than one request stops. */
export async function stopServers(call: BodyCall<typeof StopBody>): Promise<Response> {
  const { peers, project, body } = call;
  const { servers, total } = await retrying(() =>
    peers.project(project).servers(MOST_STOPPED, 0, ['launching', 'running'], body),
  );
  await Promise.all(servers.map((each) => peers.server(each.instance_id as InstanceId).stop()));
  const [stopped, left] = [servers.length, total - servers.length];
  await noteDeed(call, {
    kind: 'servers_stopped',
    on: body.build,
    detail: `${stopped} stopped, ${left} left`,
  });
  return json({ stopped, left });
}
