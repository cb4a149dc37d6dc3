// The agent's HTTP face, which the service calls: bearer secret, JSON in and out.
//   POST   /servers       LaunchSpec -> 201 started, 200 was started before; 400 `refused`,
//                         410 `stopped` (this id has ended), 503 `no_capacity`
//   GET    /servers       -> 200 all it remembers
//   GET    /servers/{id}  -> 200, 404 `unknown`
//   DELETE /servers/{id}  -> 200 when it is gone, also when it never was; 202 while it is ending
//   GET    /health        -> 200, without the secret

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';

import type { Servers } from './servers.ts';
import type { AgentSettings } from './settings.ts';
import { BadSpec, isInstanceId, parseSpec } from './spec.ts';

const MAX_BODY = 4 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function createAgentHttp(servers: Servers, settings: AgentSettings): HttpServer {
  const isCaller = bearerCheck(settings.secret);
  return createServer((request, response) => {
    answer(request, { servers, isCaller, settings })
      .catch((error: unknown) => failure(error))
      .then((found) => send(response, found))
      .catch((error: unknown) => console.error('agent: answer not sent', error));
  });
}

async function answer(
  request: IncomingMessage,
  agent: { servers: Servers; isCaller: (header: string) => boolean; settings: AgentSettings },
): Promise<Answer> {
  const { servers, isCaller, settings } = agent;
  const path = (request.url ?? '').split('?')[0] ?? '';
  const method = request.method ?? '';
  if (path === '/health' && method === 'GET') {
    const alive = servers.list().filter(({ state }) => state !== 'stopped').length;
    return { status: 200, body: { status: 'ok', servers: alive, capacity: settings.maxServers } };
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
  const [, instanceId = ''] = /^\/servers\/([^/]+)$/.exec(path) ?? [];
  if (!isInstanceId(instanceId)) {
    return problem(404, 'unknown', 'no such route');
  }
  if (method === 'GET') {
    const server = servers.inspect(instanceId);
    return server === null
      ? problem(404, 'unknown', 'no such server')
      : { status: 200, body: server };
  }
  if (method === 'DELETE') {
    // The order is kept even if the caller is gone: either the server ends, or the agent does.
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

function problem(status: number, error: string, detail: string): Answer {
  return { status, body: { error, detail } };
}

function failure(error: unknown): Answer {
  if (error instanceof BadSpec) {
    return problem(400, 'refused', error.message);
  }
  console.error('agent:', error);
  return problem(500, 'internal', 'see the log of the agent');
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY) {
      throw new BadSpec('the body is too large');
    }
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new BadSpec('the body is no JSON');
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Compares digests, so that neither length nor content of the secret shows in the time taken. */
function bearerCheck(secret: string): (header: string) => boolean {
  const expected = digest(`Bearer ${secret}`);
  return (header) => timingSafeEqual(digest(header), expected);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
