// The agent's HTTP API, which the service calls with a bearer secret. Bodies are JSON.
//   POST   /servers       LaunchSpec -> 201 started, 200 was started before; 400 `refused`
//                         (`about: "order"` if it is no fault of the build),
//                         410 `stopped` (this id has ended), 503 `no_capacity`
//   GET    /servers       -> 200 all servers that it remembers
//   GET    /servers/{id}  -> 200, 404 `unknown`
//   DELETE /servers/{id}  -> 200 if it is gone or never existed; 202 while it is ending
//   GET    /servers/{id}/logs?limit=200  -> 200 the last lines of output, 404 `unknown`
//   POST   /check         `{build}` -> 200 `{problem}`: why the build could not be launched, or null
//   GET    /health        -> 200, without the secret

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';

import type { Servers } from './servers.ts';
import { logError } from './log.ts';
import type { AgentSettings } from './settings.ts';
import { checkBuild } from './command.ts';
import type { Containers } from './containers.ts';
import { BadOrder, BadSpec, NotYet, isInstanceId, parseBuild, parseSpec } from './spec.ts';

const DEFAULT_LINES = 200;
const MAX_LINES = 1_000;
/** How long a check waits for an image that is being fetched. The service waits for a second more at most. */
const IMAGE_MS = 1_000;
/** The largest match has ten MiB of states, settings and ids. */
const MAX_BODY = 16 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function createAgentHttp(
  servers: Servers,
  settings: AgentSettings,
  containers: Containers,
): HttpServer {
  const isCaller = bearerCheck(settings.secret);
  return createServer((request, response) => {
    answer(request, { servers, isCaller, settings, containers })
      .catch((error: unknown) => failure(error))
      .then((found) => send(response, found))
      .catch((error: unknown) => logError('could not send an answer', error));
  });
}

interface Parts {
  readonly servers: Servers;
  readonly isCaller: (header: string) => boolean;
  readonly settings: AgentSettings;
  readonly containers: Containers;
}

async function answer(request: IncomingMessage, agent: Parts): Promise<Answer> {
  const { servers, isCaller } = agent;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const method = request.method ?? '';
  if (path === '/health' && method === 'GET') {
    return { status: 200, body: servers.health() };
  }
  if (!isCaller(request.headers.authorization ?? '')) {
    return problem(401, 'unauthorized', 'missing or wrong secret');
  }
  if (path === '/servers' && method === 'GET') {
    return { status: 200, body: { servers: servers.list() } };
  }
  if (path === '/servers' && method === 'POST') {
    return launch(servers, await readJson(request));
  }
  if (path === '/check' && method === 'POST') {
    return check(await readJson(request), agent);
  }
  const [, instanceId = '', part = ''] = /^\/servers\/([^/]+)(\/logs)?$/.exec(path) ?? [];
  if (!isInstanceId(instanceId)) {
    return problem(404, 'unknown', 'no such route');
  }
  if (part === '/logs') {
    return logs(servers, instanceId, query);
  }
  return one(servers, method, instanceId);
}

/** Reads or ends one server. */
function one(servers: Servers, method: string, instanceId: string): Answer {
  if (method === 'GET') {
    const server = servers.inspect(instanceId);
    const { drains } = servers.health();
    return server === null
      ? { status: 404, body: { error: 'unknown', detail: 'no such server', drains } }
      : { status: 200, body: server };
  }
  if (method === 'DELETE') {
    // The server is stopped even if the caller is gone.
    void servers.stop(instanceId);
    const server = servers.inspect(instanceId);
    return { status: server === null || server.state === 'stopped' ? 200 : 202, body: server };
  }
  return problem(405, 'method', 'GET or DELETE');
}

async function launch(servers: Servers, body: unknown): Promise<Answer> {
  const answered = await servers.launch(parseSpec(body));
  if (answered.ok) {
    return { status: answered.isNew ? 201 : 200, body: answered.server };
  }
  const status = { no_capacity: 503, refused: 400, stopped: 410 }[answered.error];
  return problem(status, answered.error, answered.detail);
}

/** Checks whether a build could be launched, without launching it. An image that is not here is fetched. */
async function check(body: unknown, { settings, containers }: Parts): Promise<Answer> {
  const sent = typeof body === 'object' && body !== null && 'build' in body ? body.build : null;
  const build = parseBuild(sent);
  const { image } = build.launch;
  const checked =
    image === undefined ? checkBuild(build, settings) : containers.check(build, IMAGE_MS);
  const found = await checked.then(
    (warning) => warning ?? null,
    (error: unknown) => {
      if (error instanceof BadSpec || error instanceof NotYet) {
        return error.message;
      }
      throw error;
    },
  );
  return { status: 200, body: { problem: found } };
}

async function logs(servers: Servers, instanceId: string, query: string): Promise<Answer> {
  const limit = Number(new URLSearchParams(query).get('limit') ?? DEFAULT_LINES);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LINES) {
    return problem(400, 'refused', `limit: a whole number, 1 to ${MAX_LINES}`);
  }
  const lines = await servers.logs(instanceId, limit);
  return lines === null
    ? problem(404, 'unknown', 'no such server')
    : { status: 200, body: { logs: lines } };
}

function problem(status: number, error: string, detail: string): Answer {
  return { status, body: { error, detail } };
}

function failure(error: unknown): Answer {
  if (error instanceof BadOrder) {
    return { status: 400, body: { error: 'refused', about: 'order', detail: error.message } };
  }
  if (error instanceof BadSpec) {
    return problem(400, 'refused', error.message);
  }
  logError('could not answer a request', error);
  return problem(500, 'internal', 'see the log of the agent');
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY) {
      throw new BadOrder('the body is too large');
    }
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new BadOrder('the body is not JSON');
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Compares digests, so that the time reveals neither the length nor the content of the secret. */
function bearerCheck(secret: string): (header: string) => boolean {
  const expected = digest(`Bearer ${secret}`);
  return (header) => timingSafeEqual(digest(header), expected);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
