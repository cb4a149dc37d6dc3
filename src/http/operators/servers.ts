// Game servers (decision 35): those that lobbies and matches launched, and those that a backend starts itself.

import * as z from 'zod';
import type { ServerLogs, ServerPage } from '../../../packages/js/src/admin-types';
import type { InstanceId } from '../../common/ids';
import { blockForPlayers, blockForStrangers, blockWithoutIds } from '../../fleet/block';
import type { ServerRecord } from '../../fleet/port';
import type { ServerOptions } from '../../objects/contracts/server';
import { own, present } from '../../common/named';
import { sinceAt, sinceOrNull } from '../../common/times';
import { signerOf } from '../../common/signed';
import { polling } from '../gate/rates';
import type { AnyCall, BodyCall, Call, KeyedCall, OwnCall, QueryCall } from '../wire/call';
import { hidesIds } from '../identity/player';
import { noServer, signedInstanceOf } from '../identity/servers';
import { withSeatKeys } from '../identity/secrets';
import { noteDeed } from '../identity/audit';
import { documentOf, granted, json, refuseWith, Refused, retrying } from '../wire/answer';
import { requestIdOf } from '../wire/requests';
import { DEFAULT_REGION } from '../../common/limits';
import {
  MAX_DETAIL,
  MAX_OUTPUT_BYTES,
  MAX_SIGNAL,
  lastBytes,
  uncoloured,
} from '../../fleet/output';
import {
  MAX_TOKEN_NAME_LENGTH,
  lobbyName,
  queryNumber,
  freeSettings,
  writtenFlag,
  pageParams,
} from '../wire/fields';
import { environment, portList } from '../../fleet/build';
import { flag, listOf, object, oneOf, region, text, wholeNumber } from '../../common/shape';

/** How long a game server's request is held at most, until there is news for it. */
export const MAX_WAIT_SECONDS = 25;
const SERVER_TTL_SECONDS = { min: 60, max: 86_400 };

const program = {
  /** The expected version of the build. Muster only keeps the current version of each build. */
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER).nullish(),
  startup_args: z.string('must be a string').max(4096).nullish(),
  environment_variables: environment.nullish(),
  port_configs: portList.nullish(),
};

/** decision 35. Empty text counts as absent, because some clients send every field they know. */
export const StartServerBody = z.object({
  name: lobbyName.default('server'),
  region: region().default(DEFAULT_REGION),
  compute_size: text(MAX_TOKEN_NAME_LENGTH).default('small'),
  version_tag: text(MAX_TOKEN_NAME_LENGTH).default('default'),
  custom_data: freeSettings.default({}),
  ttl: wholeNumber(SERVER_TTL_SECONDS.min, SERVER_TTL_SECONDS.max).nullable().default(null),
  match_id: text(MAX_TOKEN_NAME_LENGTH).nullable().default(null),
  ...program,
  auto_restart: flag().default(false),
});

/** The changes that a restart makes. Everything else stays. */
export const RestartServerBody = z.object({
  name: lobbyName.nullish(),
  compute_size: text(MAX_TOKEN_NAME_LENGTH).nullish(),
  version_tag: text(MAX_TOKEN_NAME_LENGTH).nullish(),
  custom_data: freeSettings.nullish(),
  ttl: wholeNumber(SERVER_TTL_SECONDS.min, SERVER_TTL_SECONDS.max).nullish(),
  match_id: text(MAX_TOKEN_NAME_LENGTH).nullish(),
  ...program,
  auto_restart: flag().nullish(),
});

export const UpdateServerBody = z.object({ custom_data: freeSettings });

const portNumber = wholeNumber(1, 65_535);
const port = object({
  name: text(MAX_TOKEN_NAME_LENGTH),
  host: text(255),
  external_port: portNumber,
  internal_port: portNumber,
  protocol: oneOf(['udp', 'tcp']),
  tls_enabled: flag().default(false),
});

const lastOutput = z
  .string('must be a string')
  .transform((value) => lastBytes(uncoloured(value), MAX_OUTPUT_BYTES));

/** The report of a fleet or game server about its instance (decision 35). */
export const StatusBody = z.object({
  status: oneOf(['launching', 'running', 'stopped']),
  network_ports: listOf(port, 10).optional(),
  exit_code: z.int('must be a whole number').nullish(),
  signal: z.string('must be a string').max(MAX_SIGNAL).nullish(),
  detail: z.string('must be a string').max(MAX_DETAIL).nullish(),
  output: lastOutput.nullish(),
  asked: flag().optional(),
});

/** How long a warm server waits for its match (record 0073). */
export const StatusParams = z.object({ wait: queryNumber(0, MAX_WAIT_SECONDS, 0) });

/** The last lines. `start_time`: only lines that were printed since. */
export const LogsParams = z.object({
  start_time: sinceOrNull(),
  limit: queryNumber(1, 1_000, 200),
  raw: writtenFlag.describe('With the colours and other codes for terminals that it printed.'),
});

/** Running servers, and others if the query asks for them. */
export const ServersParams = z.object({
  include_launching: writtenFlag,
  include_stopped: writtenFlag,
  ...pageParams,
});

/** The server's id for a caller with a key. The project's list also has servers whose id was signed with another key. */
export async function instanceOf(call: Call & { readonly project: string }): Promise<InstanceId> {
  const { peers, project, params } = call;
  const id = params['id'] ?? '';
  const isListed = () => retrying(() => peers.project(project).lists(id));
  return signedInstanceOf(call) ?? ((await isListed()) ? (id as InstanceId) : noServer());
}

type ListCall = QueryCall<typeof ServersParams>;

function listed({ peers, project, query }: ListCall): Promise<ServerPage> {
  const { limit, offset, include_launching: launching, include_stopped: stopped } = query;
  const wanted = { running: true, launching, stopped };
  const shown = (['running', 'launching', 'stopped'] as const).filter((each) => wanted[each]);
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
export async function start(call: BodyCall<typeof StartServerBody>): Promise<Response> {
  const { peers, project, body } = call;
  const build = body.version_tag;
  await checkBuild(call, build, body.version);
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
  if (!reply.ok && reply.refusal.code === 'LAUNCH_FAILED') {
    throw new Refused({ ...reply.refusal, instanceId });
  }
  return json(granted(reply).block);
}

/** Refuses BUILD_NOT_FOUND if the build is not ready or has another version than the caller asked for. */
async function checkBuild(call: AnyCall, name: string, version?: number | null): Promise<void> {
  const build = own((await documentOf(call)).builds, name);
  if (build?.status !== 'ready') {
    return refuseWith('BUILD_NOT_FOUND', `There is no ready build named ${name}`);
  }
  const now = build.version;
  if ((version ?? now) !== now) {
    const detail = `The build ${name} is at version ${now}, and other versions are not kept`;
    refuseWith('BUILD_NOT_FOUND', detail);
  }
}

function optionsOf(body: z.infer<typeof RestartServerBody>): ServerOptions {
  const { startup_args, environment_variables: env, port_configs: ports } = body;
  return present({
    startupArgs: startup_args || null,
    env,
    autoRestart: body.auto_restart,
    ports: ports?.length ? ports : null,
  });
}

async function readBlock(call: AnyCall): Promise<ServerRecord> {
  const id = await instanceOf(call);
  return granted(await retrying(() => call.peers.server(id).read(call.project)));
}

/** spec: GET /v3/servers/{instance_id}, with either key. */
export async function read(call: KeyedCall): Promise<Response> {
  const block = await readBlock(call);
  if (call.keyKind !== 'client') {
    return json(block);
  }
  const shown = blockForStrangers(blockForPlayers(block));
  // The custom data names the match's players.
  return json(hidesIds(await documentOf(call), call.keyKind) ? blockWithoutIds(shown) : shown);
}

export async function update(call: BodyCall<typeof UpdateServerBody>): Promise<Response> {
  const { peers, project, body } = call;
  const id = await instanceOf(call);
  return json(granted(await peers.server(id).update(project, body.custom_data)));
}

/** Ends the current run and launches the server again, with the same id and new ports. */
export async function restart(call: BodyCall<typeof RestartServerBody>): Promise<Response> {
  const { peers, project, body } = call;
  const id = await instanceOf(call);
  const build = body.version_tag ?? null;
  if (build !== null || (body.version ?? null) !== null) {
    const name = build ?? (await readBlock(call)).version_tag;
    if (name !== null) {
      await checkBuild(call, name, body.version);
    }
  }
  const order = present({
    name: body.name,
    build,
    computeSize: body.compute_size,
    customData: body.custom_data,
    ttlSeconds: body.ttl,
    matchId: body.match_id,
  });
  const change = { order, options: optionsOf(body) };
  const restarted = granted(await peers.server(id).restart(project, change));
  const detail = `build ${restarted.version_tag}`;
  await noteDeed(call, { kind: 'server_restarted', on: id, detail });
  return json(restarted);
}

/** The server's last output, in the form of the hosted API. */
export async function logs(call: QueryCall<typeof LogsParams>): Promise<Response> {
  const { peers, project, query } = call;
  const id = await instanceOf(call);
  const logged = () => peers.server(id).logs(project, query.limit);
  const said = granted(await retrying(logged));
  const shown = query.raw ? (line: string) => line : uncoloured;
  const from = query.start_time === null ? -Infinity : sinceAt(query.start_time, Date.now());
  return json<ServerLogs>({
    logs: said.lines
      .filter(({ timestamp }) => Date.parse(timestamp) >= from)
      .map((line) => ({
        ...line,
        message: shown(line.message),
        level: 'info',
        instance: said.runId,
        region: said.region,
      })),
    instance_id: id,
    machine_id: said.fleet,
    next_token: null,
  });
}

/** Stops the server and answers its new state. Stopping a stopped server changes nothing. */
export async function stop(call: KeyedCall): Promise<Response> {
  const before = await readBlock(call);
  const { instance_id: id, status, version_tag: build } = before;
  await call.peers.server(id as InstanceId).stop();
  if (status !== 'stopped') {
    await noteDeed(call, { kind: 'server_stopped', on: id, detail: `build ${build}` });
  }
  return json(await readBlock(call));
}

export async function report(
  call: OwnCall<z.infer<typeof StatusBody>, z.infer<typeof StatusParams>>,
): Promise<Response> {
  const { peers, body, query } = call;
  const { id, token } = call.own;
  const ask = (waitMs: number) => retrying(() => peers.server(id).report(token, body, waitMs));
  return json(granted(await polling(call, query.wait, ask)));
}
