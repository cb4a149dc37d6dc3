// Game servers (decision 35): those that lobbies and matches launched, and those that a backend starts itself.

import type * as z from 'zod';
import type { InstanceId } from '../../common/ids';
import { refusal, type Reply } from '../../lobby/refusals';
import { blockForPlayers, blockForStrangers } from '../../fleet/block';
import type { ServerRecord, ServerStatus } from '../../fleet/port';
import type { ServersPage } from '../../objects/project/contract';
import type { Restart, ServerOptions } from '../../objects/server/contract';
import { signerOf } from '../../objects/placement/signer';
import { projectDocument } from '../../objects/caches/project';
import { ok } from '../../common/result';
import { bearerOf } from '../access';
import { retrying } from '../ask';
import { readBody } from '../body';
import type { Call, KeyedCall } from '../call';
import { blockWithoutIds, hidesIds } from '../identity/hidden';
import { withSeatKeys } from '../identity/secrets';
import { noteDeed } from './key';
import { answer, json, problem } from '../problem';
import { requestIdOf } from '../requests';
import {
  StatusBody,
  type LogsParams,
  type RestartServerBody,
  type ServersParams,
  type StartServerBody,
  type UpdateServerBody,
} from '../schemas';

const NO_SUCH_SERVER = refusal('SERVER_NOT_FOUND', 'No server has this id');

/** The server's id, or SERVER_NOT_FOUND for an id that Muster did not issue. That creates no object. */
function signedInstanceOf({ env, params }: Call): Reply<InstanceId> {
  const id = params['id'] ?? '';
  return signerOf(env).made('server', id) ? ok(id as InstanceId) : NO_SUCH_SERVER;
}

/** The server's id for a caller with a key. The project's list also has servers whose id was signed with another key. */
async function instanceOf(call: KeyedCall<unknown, unknown>): Promise<Reply<InstanceId>> {
  const signed = signedInstanceOf(call);
  const id = call.params['id'] ?? '';
  const { peers, project } = call;
  return signed.ok || !(await retrying(() => peers.project(project).lists(id)))
    ? signed
    : ok(id as InstanceId);
}

type ListCall = KeyedCall<undefined, z.infer<typeof ServersParams>>;

function listed({ peers, project, query }: ListCall): Promise<ServersPage> {
  const { limit, offset } = query;
  const shown: ServerStatus[] = ['running'];
  if (query.include_launching) {
    shown.push('launching');
  }
  if (query.include_stopped) {
    shown.push('stopped');
  }
  return retrying(() => peers.project(project).servers(limit, offset, shown));
}

export async function list(call: ListCall): Promise<Response> {
  return json(await listed(call));
}

/** The list in the form of the hosted service's older API. */
export async function listOlder(call: ListCall): Promise<Response> {
  const { servers, total } = await listed(call);
  return json({ total_servers: total, servers });
}

/** Starts a server that belongs to no lobby and no match. It lives until it stops or is deleted. */
export async function start(call: KeyedCall<z.infer<typeof StartServerBody>>): Promise<Response> {
  const { peers, project, body } = call;
  const build = body.version_tag;
  const found = await buildAsked(call, build, body.version);
  if (!found.ok) {
    return problem(found.refusal);
  }
  await withSeatKeys(call);
  const instanceId = signerOf(call.env).id('server') as InstanceId;
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
      matchId: body.match_id,
      requestId: requestIdOf(call.request),
      options: optionsOf(body),
    }),
  );
  return reply.ok ? json(reply.value.block) : problem(reply.refusal);
}

/** Refuses BUILD_NOT_FOUND if the build is not ready or has another version than the caller asked for. */
async function buildAsked(
  { peers, project }: KeyedCall<unknown>,
  name: string,
  version: number | null | undefined,
): Promise<Reply<null>> {
  const { builds } = await projectDocument(peers, project, Date.now());
  const build = Object.hasOwn(builds, name) ? builds[name] : undefined;
  if (build?.status !== 'ready') {
    return refusal('BUILD_NOT_FOUND', `There is no ready build named ${name}`);
  }
  const now = build.version;
  return (version ?? now) === now
    ? ok(null)
    : refusal(
        'BUILD_NOT_FOUND',
        `The build ${name} is at version ${now}, and other versions are not kept`,
      );
}

function optionsOf(body: z.infer<typeof RestartServerBody>): ServerOptions {
  const { startup_args: startupArgs, environment_variables: env, port_configs: ports } = body;
  const { auto_restart: autoRestart } = body;
  return {
    ...(startupArgs ? { startupArgs } : {}),
    ...(env ? { env } : {}),
    ...(autoRestart === true || autoRestart === false ? { autoRestart } : {}),
    ...(ports && ports.length > 0 ? { ports } : {}),
  };
}

async function readBlock(call: KeyedCall): Promise<Reply<ServerRecord>> {
  const id = await instanceOf(call);
  return id.ok ? retrying(() => call.peers.server(id.value).read(call.project)) : id;
}

/** spec: GET /v3/servers/{instance_id}, with either key. */
export async function read(call: KeyedCall): Promise<Response> {
  const block = await readBlock(call);
  if (!block.ok || call.keyKind === 'server') {
    return answer(block);
  }
  const shown = blockForStrangers(blockForPlayers(block.value));
  const document = await projectDocument(call.peers, call.project, Date.now());
  return json(hidesIds(document, call.keyKind) ? blockWithoutIds(shown) : shown);
}

export async function update(call: KeyedCall<z.infer<typeof UpdateServerBody>>): Promise<Response> {
  const { peers, project, body } = call;
  const id = await instanceOf(call);
  return answer(id.ok ? await peers.server(id.value).update(project, body.custom_data) : id);
}

/** Ends the current run and launches the server again, with the same id and new ports. */
export async function restart(
  call: KeyedCall<z.infer<typeof RestartServerBody>>,
): Promise<Response> {
  const { peers, project, body } = call;
  const id = await instanceOf(call);
  if (!id.ok) {
    return problem(id.refusal);
  }
  const build = body.version_tag ?? null;
  if (build !== null || (body.version ?? null) !== null) {
    const before = await retrying(() => peers.server(id.value).read(project));
    const name = build ?? (before.ok ? before.value.version_tag : null);
    const found = name === null ? before : await buildAsked(call, name, body.version);
    if (!found.ok) {
      return problem(found.refusal);
    }
  }
  const told = {
    name: body.name,
    build,
    computeSize: body.compute_size,
    customData: body.custom_data,
    ttlSeconds: body.ttl,
    matchId: body.match_id,
  };
  const given = Object.entries(told).filter(([, value]) => value !== null && value !== undefined);
  const order: Restart['order'] = Object.fromEntries(given);
  const restarted = await peers
    .server(id.value)
    .restart(project, { order, options: optionsOf(body) });
  if (restarted.ok) {
    const detail = `build ${restarted.value.version_tag}`;
    await noteDeed(call, { kind: 'server_restarted', on: id.value, detail });
  }
  return answer(restarted);
}

/** The server's last output, in the form of the hosted API. */
export async function logs(
  call: KeyedCall<undefined, z.infer<typeof LogsParams>>,
): Promise<Response> {
  const { peers, project, query } = call;
  const id = await instanceOf(call);
  const reply = id.ok
    ? await retrying(() => peers.server(id.value).logs(project, query.limit))
    : id;
  if (!reply.ok) {
    return problem(reply.refusal);
  }
  const { lines, runId, fleet, region } = reply.value;
  const from = query.start_time === null ? -Infinity : Date.parse(query.start_time);
  return json({
    logs: lines
      .filter(({ timestamp }) => Date.parse(timestamp) >= from)
      .map((line) => ({ ...line, level: 'info', instance: runId, region })),
    instance_id: call.params['id'],
    machine_id: fleet,
    next_token: null,
  });
}

/** Stops the server and answers its new state. Stopping a stopped server changes nothing. */
export async function stop(call: KeyedCall): Promise<Response> {
  const before = await readBlock(call);
  if (before.ok) {
    const { instance_id: id, status, version_tag: build } = before.value;
    await call.peers.server(id as InstanceId).stop();
    if (status !== 'stopped') {
      await noteDeed(call, { kind: 'server_stopped', on: id, detail: `build ${build}` });
    }
    return answer(await readBlock(call));
  }
  return problem(before.refusal);
}

/** The server, the token and the body of a request that the server itself sends, with its own token, not a key. */
export async function toldByServer<T>(
  call: Call,
  schema: z.ZodType<T>,
): Promise<Reply<{ readonly id: InstanceId; readonly token: string; readonly body: T }>> {
  const token = bearerOf(call.request);
  if (token === null) {
    return refusal('UNAUTHORIZED', 'Authorization: a bearer token is missing');
  }
  const id = signedInstanceOf(call);
  if (!id.ok) {
    return id;
  }
  if (!signerOf(call.env).madeToken(id.value, token)) {
    return refusal('UNAUTHORIZED', 'The token belongs to another instance');
  }
  const body = await readBody(call.request, schema, call.later);
  return body.ok ? ok({ id: id.value, token, body: body.value }) : body;
}

/** A status report of the fleet or the game server. */
export async function report(call: Call): Promise<Response> {
  const told = await toldByServer(call, StatusBody);
  if (!told.ok) {
    return problem(told.refusal);
  }
  const { id, token, body } = told.value;
  return answer(await retrying(() => call.peers.server(id).report(token, body)));
}
