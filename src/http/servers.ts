// Game servers as such (decision 35): what lobbies and matches launch is read here too, and a
// backend may run servers of its own.

import type * as z from 'zod';
import type { InstanceId } from '../ids';
import { refusal, type Reply } from '../lobby/refusals';
import type { ServerBlock } from '../fleet/port';
import { projectDocument } from '../objects/project-cache';
import { ok } from '../result';
import { bearerOf } from './access';
import { retrying } from './ask';
import { readBody } from './body';
import type { Call, KeyedCall } from './call';
import { answer, json, problem } from './problem';
import {
  StatusBody,
  type PageParams,
  type StartServerBody,
  type UpdateServerBody,
} from './schemas';

/** SERVER_NOT_FOUND for what can be nobody's id. */
function instanceOf(call: Call): Reply<InstanceId> {
  const text = call.params['id'] ?? '';
  return /^[A-Za-z0-9_-]{1,64}$/.test(text)
    ? ok(text as InstanceId)
    : refusal('SERVER_NOT_FOUND', 'There is no server of that id');
}

export async function list(
  call: KeyedCall<undefined, z.infer<typeof PageParams>>,
): Promise<Response> {
  const { peers, project, query } = call;
  return json(await retrying(() => peers.project(project).servers(query.limit, query.offset)));
}

/** A server that belongs to no lobby and no match; it lives until it stops or is deleted. */
export async function start(call: KeyedCall<z.infer<typeof StartServerBody>>): Promise<Response> {
  const { peers, project, body } = call;
  const { builds } = await projectDocument(peers, project, Date.now());
  const build = body.version_tag;
  if (!Object.hasOwn(builds, build) || builds[build]?.status !== 'ready') {
    return problem({ code: 'BUILD_NOT_FOUND', detail: `There is no ready build named ${build}` });
  }
  const instanceId = crypto.randomUUID() as InstanceId;
  const reply = await retrying(() =>
    peers.server(instanceId, body.region).launch({
      instanceId,
      project,
      owner: { kind: 'project' },
      name: body.name,
      region: body.region,
      build,
      computeSize: body.compute_size,
      customData: body.custom_data,
      ttlSeconds: body.ttl,
      matchId: null,
    }),
  );
  return reply.ok ? json(reply.value.block) : problem(reply.refusal);
}

async function readBlock(call: KeyedCall): Promise<Reply<ServerBlock>> {
  const id = instanceOf(call);
  return id.ok ? retrying(() => call.peers.server(id.value).read(call.project)) : id;
}

/** spec: GET /v3/servers/{instance_id}; with either key. */
export async function read(call: KeyedCall): Promise<Response> {
  return answer(await readBlock(call));
}

export async function update(call: KeyedCall<z.infer<typeof UpdateServerBody>>): Promise<Response> {
  const { peers, project, body } = call;
  const id = instanceOf(call);
  return answer(id.ok ? await peers.server(id.value).update(project, body.custom_data) : id);
}

/** Stops the server, and answers for it as it then is. A stopped one stays stopped. */
export async function stop(call: KeyedCall): Promise<Response> {
  const before = await readBlock(call);
  if (before.ok) {
    await call.peers.server(before.value.instance_id as InstanceId).stop();
    return answer(await readBlock(call));
  }
  return problem(before.refusal);
}

/** What the fleet or the game server says, with the instance's own token instead of a key. */
export async function report(call: Call): Promise<Response> {
  const token = bearerOf(call.request);
  if (token === null) {
    return problem({ code: 'UNAUTHORIZED', detail: 'Authorization: a bearer token is missing' });
  }
  const id = instanceOf(call);
  if (!id.ok) {
    return problem(id.refusal);
  }
  const body = await readBody(call.request, StatusBody);
  if (!body.ok) {
    return problem(body.refusal);
  }
  return answer(await retrying(() => call.peers.server(id.value).report(token, body.value)));
}
