// What a backend says of players: one record at a time, or many at once (decision 46). `ETag` is the record's
// revision. One call answers all that is kept of a player here, and one erases it.

import type * as z from 'zod';
import type { PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import type { Attributes } from '../../lobby/attributes';
import type { Reply } from '../../lobby/refusals';
import { ok } from '../../common/result';
import { seatShare } from '../../objects/peers';
import type { RecordChange } from '../../objects/players/contract';
import { retrying } from '../ask';
import type { KeyedCall } from '../call';
import { playerOfPath } from '../paths';
import { json, problem } from '../problem';
import type { AttributesAtOnceBody, AttributesBody } from '../schemas';
import { ifRevisionOf } from './configs';
import { noteDeed } from './key';

function shown(player: string, reply: Reply<Attributes>): Response {
  return reply.ok
    ? json({ player, ...reply.value }, 200, { etag: `"${reply.value.revision}"` })
    : problem(reply.refusal);
}

export async function read(call: KeyedCall): Promise<Response> {
  const { peers, project } = call;
  const player = playerOfPath(call.params);
  return player.ok
    ? shown(
        player.value,
        ok(await retrying(() => peers.players(project, player.value).read(player.value))),
      )
    : problem(player.refusal);
}

async function change(
  call: KeyedCall<unknown>,
  act: RecordChange['act'],
  attributes: JsonObject,
): Promise<Response> {
  const { peers, project, request } = call;
  const player = playerOfPath(call.params);
  const ifRevision = ifRevisionOf(request);
  if (!player.ok) {
    return problem(player.refusal);
  }
  if (!ifRevision.ok) {
    return problem(ifRevision.refusal);
  }
  const changes = [{ player: player.value, act, attributes }];
  const reply = await peers.players(project, player.value).change(changes, ifRevision.value);
  if (reply.ok && act === 'remove') {
    await noteDeed(call, { kind: 'attributes_deleted', on: player.value });
  }
  return shown(player.value, reply.ok ? ok(reply.value[0] as Attributes) : reply);
}

type BodyCall = KeyedCall<z.infer<typeof AttributesBody>>;

export function put(call: BodyCall): Promise<Response> {
  return change(call, 'put', call.body.attributes);
}

export function patch(call: BodyCall): Promise<Response> {
  return change(call, 'patch', call.body.attributes);
}

export function remove(call: KeyedCall): Promise<Response> {
  return change(call, 'remove', {});
}

/**
 * Merges into many records, or replaces them. The records of a share of the players are changed together, and each
 * share by itself: after an error some may have changed, and the same request again changes the others.
 */
export async function changeMany(
  call: KeyedCall<z.infer<typeof AttributesAtOnceBody>>,
): Promise<Response> {
  const { peers, project, body } = call;
  const act = body.replace ? 'put' : 'patch';
  const shares = Map.groupBy(body.players, ({ id }) => seatShare(id));
  const replies = await Promise.all(
    Array.from(shares.values(), async (share) => {
      const changes = share.map(
        ({ id, attributes }) => ({ player: id as PlayerId, act, attributes }) as const,
      );
      const [first] = changes;
      const reply =
        first === undefined
          ? ok([])
          : await retrying(() => peers.players(project, first.player).change(changes, null));
      return { share, reply };
    }),
  );
  const revisions = new Map<string, number>();
  for (const { share, reply } of replies) {
    if (!reply.ok) {
      return problem(reply.refusal);
    }
    share.forEach(({ id }, at) => revisions.set(id, reply.value[at]?.revision ?? 0));
  }
  return json({ players: Array.from(revisions, ([player, revision]) => ({ player, revision })) });
}
