// Stand-ins for Gameye and Edgegap that answer as their published documents say (record 0071). Bodies that have another
// form than these documents name are refused, as theirs would be. Nobody has compared them with the real services.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as z from 'zod';

export const CLOUD_TOKEN = 'token-of-the-cloud';

interface CloudReply {
  readonly status: number;
  /** Absent: none. A string is sent as it is. */
  readonly body?: unknown;
}

interface Call {
  readonly line: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

interface Failing {
  readonly method: string;
  readonly reply: CloudReply;
  /** Whether the call is carried out all the same. */
  readonly started: boolean;
}

export interface StandIn {
  readonly url: string;
  /** `METHOD path` of every call, oldest first. */
  readonly calls: string[];
  /** Answers the next call of that method so instead. */
  failNext(failing: Failing): void;
  /** Runs before the next call of that method is answered. */
  before(method: string, run: () => void): void;
  close(): Promise<void>;
}

async function standIn(
  authorization: string,
  unauthorized: CloudReply,
  answer: (call: Call) => CloudReply,
): Promise<StandIn> {
  const calls: string[] = [];
  const failing: Failing[] = [];
  const befores: { method: string; run: () => void }[] = [];

  function taken<T extends { readonly method: string }>(list: T[], method: string): T | undefined {
    const at = list.findIndex((each) => each.method === method);
    return at < 0 ? undefined : list.splice(at, 1)[0];
  }

  async function reply(request: IncomingMessage): Promise<CloudReply> {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://cloud');
    const method = request.method ?? '';
    const line = `${method} ${pathname}`;
    calls.push(line);
    taken(befores, method)?.run();
    if (request.headers.authorization !== authorization) {
      return unauthorized;
    }
    const call = { line, query, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    const failure = taken(failing, method);
    if (failure === undefined) {
      return answer(call);
    }
    if (failure.started) {
      answer(call);
    }
    return failure.reply;
  }

  const server = createServer((request, response) => {
    void reply(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    failNext: (one) => failing.push(one),
    before: (method, run) => befores.push({ method, run }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** `SessionRun` of Gameye's OpenAPI. */
const SessionRun = z.strictObject({
  id: z.string().min(1),
  location: z.string().min(1),
  image: z.string().min(1),
  env: z.record(z.string(), z.string().min(1)).optional(),
  args: z.array(z.string().min(1)).optional(),
  restart: z.boolean().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  version: z.string().optional(),
  ttl: z
    .string()
    .regex(/^(\d+h)?(\d+m)?$/)
    .optional(),
});

interface GameyeSession {
  readonly asked: z.infer<typeof SessionRun>;
  readonly hostPort: number;
  status: string;
}

export interface FakeGameye extends StandIn {
  readonly sessions: Map<string, GameyeSession>;
}

/** Has the image `arena` in `frankfurt`, which listens on 7777/udp and 7778/tcp. */
export async function startFakeGameye({ room = 100 } = {}): Promise<FakeGameye> {
  const sessions = new Map<string, GameyeSession>();

  function no(status: number, message: string, line: string): CloudReply {
    const about = { details: message, path: line, identifier: 'x', timestamp: '2026-01-01' };
    return { status, body: { statusCode: status, code: `E${status}`, message, ...about } };
  }

  function run({ line, body }: Call): CloudReply {
    const asked = SessionRun.safeParse(body);
    if (!asked.success) {
      return no(422, 'Bad request.', line);
    }
    const { id, location, image } = asked.data;
    if (location !== 'frankfurt' || image !== 'arena') {
      return no(404, 'The region or application does not exist.', line);
    }
    if (sessions.has(id)) {
      return no(409, 'Cannot start a session with the provided id.', line);
    }
    const live = [...sessions.values()].filter(({ status }) => status === 'running');
    if (live.length >= room) {
      return no(420, 'This session can currently not be started in the provided region.', line);
    }
    const hostPort = 49_000 + 2 * sessions.size;
    sessions.set(id, { asked: asked.data, hostPort, status: 'running' });
    const ports = [
      { type: 'udp', container: 7777, host: hostPort },
      { type: 'tcp', container: 7778, host: hostPort + 1 },
    ];
    return { status: 201, body: { id, host: '203.0.113.42', ports } };
  }

  function answer(call: Call): CloudReply {
    const { line } = call;
    const [, method = '', id = ''] = /^(GET|DELETE) \/session\/(.+)$/.exec(line) ?? [];
    const session = sessions.get(decodeURIComponent(id));
    if (line === 'POST /session') {
      return run(call);
    }
    if (method === '' || session === undefined) {
      return no(404, 'The specified session does not exist.', line);
    }
    if (method === 'DELETE') {
      const isOver = session.status === 'exited';
      session.status = 'exited';
      return isOver ? no(409, 'This session has already been terminated.', line) : { status: 204 };
    }
    const { hostPort, status, asked } = session;
    const body = {
      id: asked.id,
      image: asked.image,
      tag: asked.version ?? 'latest',
      location: asked.location,
      host: '203.0.113.42',
      created: 1_648_472_895_000,
      port: { '7777/udp': hostPort, '7778/tcp': hostPort + 1 },
      status,
      labels: {},
      players: { joined: [], joinedCount: 0 },
    };
    return { status: 200, body };
  }

  const unauthorized = no(401, 'You are not authorized to run a session.', '');
  const common = await standIn(`Bearer ${CLOUD_TOKEN}`, unauthorized, answer);
  return { ...common, sessions };
}

/** `DeploymentCreate` of Edgegap's OpenAPI, v2. */
const DeploymentCreate = z.strictObject({
  application: z.string(),
  version: z.string(),
  users: z
    .array(
      z.strictObject({
        user_type: z.literal('geo_coordinates'),
        user_data: z.strictObject({ latitude: z.number(), longitude: z.number() }),
      }),
    )
    .min(1),
  environment_variables: z
    .array(z.strictObject({ key: z.string(), value: z.string(), is_hidden: z.boolean() }))
    .optional(),
  tags: z.array(z.string()).optional(),
});

/** The one filter that we send, of those in its guide. */
const Query = z.strictObject({
  filters: z.tuple([
    z.strictObject({
      field: z.literal('tags'),
      operator: z.literal('in'),
      value: z.array(z.string()),
    }),
  ]),
  order_by: z.tuple([
    z.strictObject({ field: z.literal('created_at'), order: z.enum(['asc', 'desc']) }),
  ]),
});

interface EdgegapDeployment {
  readonly id: string;
  readonly asked: z.infer<typeof DeploymentCreate>;
  /** `Status.` and this. */
  status: string;
  detail?: string;
}

export interface FakeEdgegap extends StandIn {
  /** Those that have ended are not listed. */
  readonly deployments: EdgegapDeployment[];
  /** What a new deployment begins with. */
  begin: 'SEEKING' | 'READY';
}

/** Has the application `arena` with a version `1.4.0`. */
export async function startFakeEdgegap({ room = 100 } = {}): Promise<FakeEdgegap> {
  const deployments: EdgegapDeployment[] = [];
  const settings = { begin: 'SEEKING' as FakeEdgegap['begin'] };
  const ends = new Set(['TERMINATED', 'ERROR']);

  function deploy({ body }: Call): CloudReply {
    const asked = DeploymentCreate.safeParse(body);
    if (!asked.success) {
      return { status: 400, body: { message: 'Invalid body', details: {} } };
    }
    if (asked.data.application !== 'arena' || asked.data.version !== '1.4.0') {
      return { status: 400, body: { message: 'No such application or version' } };
    }
    const id = `d${deployments.length.toString().padStart(11, '0')}`;
    const isFull = deployments.filter(({ status }) => !ends.has(status)).length >= room;
    const status = isFull ? 'ERROR' : settings.begin;
    deployments.push({ id, asked: asked.data, status });
    return isFull
      ? { status: 422, body: { request_id: id, message: "Couldn't allocate a server" } }
      : { status: 202, body: { request_id: id } };
  }

  function shown({ id, asked, status, detail }: EdgegapDeployment) {
    const isReady = status === 'READY';
    const external = 30_000 + Number(id.slice(1));
    const ports = {
      game: {
        name: 'game',
        link: `${id}.pr.edgegap.net:${external}`,
        internal: 7777,
        external,
        protocol: 'UDP',
        tls_upgrade: false,
      },
      web: {
        name: 'web',
        link: `https://${id}.pr.edgegap.net:${external + 1}`,
        internal: 7778,
        external: external + 1,
        protocol: 'WS',
        tls_upgrade: true,
      },
    };
    return {
      request_id: id,
      fqdn: `${id}.pr.edgegap.net`,
      public_ip: isReady ? '192.0.2.48' : '',
      app_name: asked.application,
      app_version: asked.version,
      current_status: `Status.${status}`,
      running: isReady,
      start_time: '2026-04-22 12:00:46.444265',
      elapsed_time: 0,
      max_duration: 1440,
      error: status === 'ERROR',
      ...(detail === undefined ? {} : { error_detail: detail }),
      ...(isReady ? { ports } : {}),
      tags: asked.tags,
    };
  }

  function listed({ query }: Call): CloudReply {
    const read = Query.safeParse(JSON.parse(query.get('query') ?? 'null'));
    if (!read.success) {
      return { status: 400, body: { message: 'Invalid query' } };
    }
    const [{ value }] = read.data.filters;
    const data = deployments
      .filter(({ status }) => status !== 'TERMINATED')
      .filter(({ asked }) => asked.tags?.some((tag) => value.includes(tag)) === true)
      .slice(0, Number(query.get('limit')))
      .map((each) => {
        const { request_id, fqdn, public_ip, start_time, tags, running } = shown(each);
        return { request_id, fqdn, public_ip, start_time, tags, ready: running };
      });
    return { status: 200, body: { data, total_count: data.length, pagination: {} } };
  }

  function answer(call: Call): CloudReply {
    const { line } = call;
    if (line === 'POST /v2/deployments') {
      return deploy(call);
    }
    if (line === 'GET /v1/deployments') {
      return listed(call);
    }
    const [, verb = '', id = ''] = /^(GET \/v1\/status|DELETE \/v1\/stop)\/(.+)$/.exec(line) ?? [];
    const found = deployments.find((each) => each.id === id);
    if (found === undefined) {
      return { status: 404, body: { message: 'There is no such deployment' } };
    }
    if (verb.startsWith('GET')) {
      return { status: 200, body: shown(found) };
    }
    if (found.status === 'TERMINATED') {
      return { status: 410, body: { message: 'Instance already terminated' } };
    }
    found.status = 'TERMINATED';
    return { status: 202, body: { message: `${id} - Delete request will be processed soon` } };
  }

  const unauthorized = { status: 401, body: { message: 'Missing token' } };
  const common = await standIn(`token ${CLOUD_TOKEN}`, unauthorized, answer);
  return Object.assign(settings, common, { deployments });
}
