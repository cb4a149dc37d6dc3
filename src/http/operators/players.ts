// What operators read and say of players: all that is kept of one, attributes (decision 46) and bans (record 0045).

import * as z from 'zod';
import type { BanPage, PlayerAttributes } from '../../../packages/js/src/identity-types';
import type { PlayerSeen } from '../../../packages/js/src/journal-types';
import { iso } from '../../common/clock';
import type { MatchId, PlayerId } from '../../common/ids';
import { must } from '../../common/result';
import type { Attributes } from '../../lobby/attributes';
import { savedConfig } from '../../objects/caches/project';
import { seatShare } from '../../objects/contracts/peers';
import type { RecordChange } from '../../objects/contracts/players';
import { type Ban, banEnds } from '../../objects/contracts/bans';
import type { AnyCall, BodyCall, KeyedCall, QueryCall } from '../wire/call';
import { changeBans } from '../identity/bans';
import { playerOfPath } from '../wire/paths';
import { documentOf, granted, json, refuseWith, retrying } from '../wire/answer';
import { noteDeed, operatorOf } from '../identity/audit';
import { ifRevisionOf } from './configs';
import { EVERY_MATCH, formed, MOST_QUEUES, summary } from './journal';
import { configNames } from '../isolate/seen-configs';
import { MAX_ATTRIBUTES_AT_ONCE } from '../../common/limits';
import { anyText, freeAttributes, configName, anyPlayer, pageParams } from '../wire/fields';
import { closed, flag, listOf, text } from '../../common/shape';
import { closedSchema } from '../../lobby/config';

export const AttributesBody = closed({ attributes: freeAttributes });

/** `replace`: the records are replaced. Else the attributes are merged into them. */
export const AttributesAtOnceBody = closed({
  players: listOf(closed({ id: anyPlayer, attributes: freeAttributes }), MAX_ATTRIBUTES_AT_ONCE),
  replace: flag().default(false),
});

export const BansParams = z.object({ playerId: anyText, ...pageParams });
export const LiftParams = z.object({ config: anyText });

/** Without a config: in all of them. */
export const BanBody = z.object({
  config: configName.nullish(),
  until: closedSchema.shape.until,
  reason: text(200).nullish(),
});

const MOST_MATCHES = 20;

/** All that is kept of a player, also for one who asks. Places and matches are from each config's seats and queues. */
export async function read(call: KeyedCall): Promise<Response> {
  const { peers, project, params } = call;
  const id = playerOfPath(params);
  const names = configNames(project, await documentOf(call));
  const wanted = { ...EVERY_MATCH, player: id, limit: MOST_MATCHES };
  const [places, found, { attributes }, bans] = await Promise.all([
    Promise.all(names.slice(0, MOST_QUEUES).map((config) => placeIn(call, config, id))),
    formed(call, wanted),
    retrying(() => peers.players(project, id).read(id)),
    bansOf(call, id),
  ]);
  const last = found.matches.slice(0, MOST_MATCHES);
  return json<PlayerSeen>({
    id,
    places: places.filter((place) => place !== null),
    matches: await Promise.all(last.map((each) => summary(call, each, id))),
    attributes,
    bans,
  });
}

async function placeIn({ peers, project }: KeyedCall, config: string, id: PlayerId) {
  const lobbyId = await retrying(() => peers.seat(project, config, id).where(id));
  if (lobbyId === null) {
    return null;
  }
  const found = await retrying(() => peers.lobby(lobbyId).adminMember({ project, config }, id));
  if (found === null) {
    return null;
  }
  const { lobbyStatus, streaming, as } = found;
  return { config, lobbyId, lobbyStatus, streaming, ...(as && { as }) };
}

/** `ETag` is the record's revision. */
function shown(player: PlayerId, record: Attributes): Response {
  return json<PlayerAttributes>({ player, ...record }, 200, { etag: `"${record.revision}"` });
}

export async function readAttributes({ peers, project, params }: KeyedCall): Promise<Response> {
  const player = playerOfPath(params);
  return shown(player, await retrying(() => peers.players(project, player).read(player)));
}

function changing(act: RecordChange['act']) {
  return async (call: KeyedCall<z.infer<typeof AttributesBody> | undefined>): Promise<Response> => {
    const { peers, project, params, request, body } = call;
    const player = playerOfPath(params);
    const changes = [{ player, act, attributes: body?.attributes ?? {} }];
    const changed = peers.players(project, player).change(changes, ifRevisionOf(request));
    const [record] = granted(await changed);
    if (act === 'remove') {
      await noteDeed(call, { kind: 'attributes_deleted', on: player });
    }
    return shown(player, must(record, 'the record that was changed'));
  };
}

export const putAttributes = changing('put');
export const patchAttributes = changing('patch');
export const removeAttributes = changing('remove');

/** Each share of the players is changed by itself: after an error the same request again changes those that are left. */
export async function changeMany(call: BodyCall<typeof AttributesAtOnceBody>): Promise<Response> {
  const { peers, project, body } = call;
  const act = body.replace ? 'put' : 'patch';
  const changes = body.players.map(({ id, attributes }): RecordChange => {
    return { player: id as PlayerId, act, attributes };
  });
  const shares = Map.groupBy(changes, ({ player }) => seatShare(player));
  const replies = await Promise.all(
    Array.from(shares.values(), async (share) => {
      const { player: first } = must(share[0], 'a change of this share');
      const changed = () => peers.players(project, first).change(share, null);
      return { share, reply: await retrying(changed) };
    }),
  );
  const revisions = replies.flatMap(({ share, reply }) => {
    const records = granted(reply);
    return share.map(({ player }, at) => [player, records[at]?.revision ?? 0] as const);
  });
  const players = Array.from(new Map(revisions), ([player, revision]) => ({ player, revision }));
  return json({ players });
}

/** The bans that hold, newest first. Null: of all players. */
export async function bansOf(call: AnyCall, playerId: string | null): Promise<readonly Ban[]> {
  const { bans } = await retrying(() => call.peers.project(call.project).bans());
  const its = bans.filter((each) => [null, each.playerId].includes(playerId));
  return its.filter((each) => Date.now() < banEnds(each)).toReversed();
}

export async function listBans(call: QueryCall<typeof BansParams>): Promise<Response> {
  const { limit, offset, playerId } = call.query;
  const holding = await bansOf(call, playerId);
  const bans = holding.slice(offset, offset + limit);
  const [total, has_more] = [holding.length, offset + bans.length < holding.length];
  return json<BanPage>({ bans, total, limit, offset, has_more });
}

/** Bans the player, or replaces the ban of the same config. */
export async function ban(call: BodyCall<typeof BanBody>): Promise<Response> {
  const { peers, project, params, body } = call;
  const player = playerOfPath(params);
  const document = await documentOf(call);
  const { config: nameOrId = null, until, reason = null } = body;
  if (until !== null && Date.parse(until) <= Date.now()) {
    return refuseWith('VALIDATION_ERROR', 'until: must be in the future');
  }
  const config = nameOrId === null ? null : (savedConfig(document, nameOrId)?.name ?? nameOrId);
  const by = await operatorOf(call);
  const made = { playerId: player, config, until, reason, createdAt: iso(Date.now()), by };
  granted(await changeBans(call, { act: 'ban', ban: made }, by));
  const left = await matchesLeftBy(call, config, player).catch(() => []);
  // Takes the player out of its lobbies and matches. A kick that fails does not fail the ban.
  await Promise.allSettled([
    ...left.map((id) => peers.match(id).steer(project, { kick: player }, 'key')),
    ...(config === null ? Object.keys(document.configs) : [config]).map(async (name) => {
      const lobby = await retrying(() => peers.seat(project, name, player).where(player, true));
      if (lobby !== null) {
        const order = { type: 'kick', target: player } as const;
        await peers.lobby(lobby).operate({ project, config: name }, order, by);
      }
    }),
  ]);
  return json(made);
}

/** The running matches in which the player had a place, and has it no more or is away: there may be a vote or a place left. */
async function matchesLeftBy(
  call: AnyCall,
  config: string | null,
  player: PlayerId,
): Promise<readonly MatchId[]> {
  const { peers, project } = call;
  const { matches } = await formed(call, { ...EVERY_MATCH, config, player, limit: MOST_MATCHES });
  const left = matches.map(async ({ matchId }) => {
    const match = peers.match(matchId);
    const record = await match.record(project);
    const isLeft = record?.outcome === 'running' && !(await match.holds(player));
    return isLeft ? [matchId] : [];
  });
  return (await Promise.all(left)).flat();
}

/** Lifts the ban of one config, or all bans of the player. */
export async function unban(call: QueryCall<typeof LiftParams>): Promise<Response> {
  const { params, query } = call;
  const playerId = params['id'] ?? '';
  const lift = { act: 'lift', playerId, config: query.config } as const;
  granted(await changeBans(call, lift, await operatorOf(call)));
  return json({ status: 'unbanned', playerId });
}
