// An operator's endpoints for bans (record 0045).

import type { BanPage } from '../../../client/src/identity-types';
import type { PlayerId } from '../../common/ids';
import { iso } from '../../common/clock';
import { projectDocument, savedConfig } from '../../objects/caches/project';
import { type Ban, banEnds } from '../../objects/project/bans';
import { retrying } from '../ask';
import type { AnyCall, BodyCall, KeyedCall, QueryCall } from '../call';
import { changeBans } from '../identity/bans';
import { playerOfPath } from '../paths';
import { json } from '../problem';
import { granted, refuseWith } from '../refused';
import type { BanBody, BansParams, LiftParams } from '../schemas';
import { operatorOf } from './key';

/** The bans that hold, newest first. Null: of all players. */
export async function bansOf(
  { peers, project }: Pick<KeyedCall, 'peers' | 'project'>,
  playerId: string | null,
): Promise<readonly Ban[]> {
  const { bans } = await retrying(() => peers.project(project).bans());
  return bans
    .filter((ban) => Date.now() < banEnds(ban) && [null, ban.playerId].includes(playerId))
    .toReversed();
}

export async function list(call: QueryCall<typeof BansParams>): Promise<Response> {
  const { limit, offset, playerId } = call.query;
  const holding = await bansOf(call, playerId);
  const bans = holding.slice(offset, offset + limit);
  const total = holding.length;
  return json<BanPage>({ bans, total, limit, offset, has_more: offset + bans.length < total });
}

/** Takes the banned player out of its lobbies. A kick that fails does not fail the ban. */
async function kickOut(call: AnyCall, { playerId, config, by }: Ban): Promise<void> {
  const { peers, project } = call;
  const document = await projectDocument(peers, project, Date.now());
  const player = playerId as PlayerId;
  const names = config === null ? Object.keys(document.configs) : [config];
  await Promise.allSettled(
    names.map(async (name) => {
      const lobby = await retrying(() => peers.seat(project, name, player).where(player));
      if (lobby !== null) {
        const order = { type: 'kick', target: player } as const;
        await peers.lobby(lobby).operate({ project, config: name }, order, by);
      }
    }),
  );
}

/** Bans the player, or replaces the ban of the same config. */
export async function put(call: BodyCall<typeof BanBody>): Promise<Response> {
  const { peers, project, params, body } = call;
  const player = playerOfPath(params);
  const document = await projectDocument(peers, project, Date.now());
  const { config: given = null, until, reason = null } = body;
  if (until !== null && Date.parse(until) <= Date.now()) {
    return refuseWith('VALIDATION_ERROR', 'until: must be in the future');
  }
  const config = given === null ? null : (savedConfig(document, given)?.name ?? given);
  const by = await operatorOf(call);
  const ban = { playerId: player, config, until, reason, createdAt: iso(Date.now()), by };
  granted(await changeBans(call, { act: 'ban', ban }, by));
  await kickOut(call, ban);
  return json(ban);
}

/** Lifts the ban of one config, or all bans of the player. */
export async function remove(call: QueryCall<typeof LiftParams>): Promise<Response> {
  const { params, query } = call;
  const playerId = params['id'] ?? '';
  const lift = { act: 'lift', playerId, config: query.config } as const;
  granted(await changeBans(call, lift, await operatorOf(call)));
  return json({ status: 'unbanned', playerId });
}
