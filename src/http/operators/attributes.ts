// What a backend says of players: one record at a time, or many at once (decision 46). `ETag` is the record's
// revision.

import type { PlayerAttributes } from '../../../client/src/identity-types';
import type { PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import { must } from '../../common/result';
import type { Attributes } from '../../lobby/attributes';
import { seatShare } from '../../objects/peers';
import type { RecordChange } from '../../objects/players/contract';
import { retrying } from '../ask';
import type { AnyCall, BodyCall, KeyedCall } from '../call';
import { playerOfPath } from '../paths';
import { json } from '../problem';
import { granted } from '../refused';
import type { AttributesAtOnceBody, AttributesBody } from '../schemas';
import { ifRevisionOf } from './configs';
import { noteDeed } from './key';

function shown(player: PlayerId, record: Attributes): Response {
  return json<PlayerAttributes>({ player, ...record }, 200, { etag: `"${record.revision}"` });
}

export async function read({ peers, project, params }: KeyedCall): Promise<Response> {
  const player = playerOfPath(params);
  return shown(player, await retrying(() => peers.players(project, player).read(player)));
}

async function change(
  call: AnyCall,
  act: RecordChange['act'],
  attributes: JsonObject,
): Promise<Response> {
  const { peers, project, request } = call;
  const player = playerOfPath(call.params);
  const ifRevision = ifRevisionOf(request);
  const changes = [{ player, act, attributes }];
  const [record] = granted(await peers.players(project, player).change(changes, ifRevision));
  if (act === 'remove') {
    await noteDeed(call, { kind: 'attributes_deleted', on: player });
  }
  return shown(player, must(record, 'the record that was changed'));
}

export function put(call: BodyCall<typeof AttributesBody>): Promise<Response> {
  return change(call, 'put', call.body.attributes);
}

export function patch(call: BodyCall<typeof AttributesBody>): Promise<Response> {
  return change(call, 'patch', call.body.attributes);
}

export function remove(call: KeyedCall): Promise<Response> {
  return change(call, 'remove', {});
}

/**
 * Merges into many records, or replaces them. The records of a share of the players are changed together, and each
 * share by itself: after an error some may have changed, and the same request again changes the others.
 */
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
