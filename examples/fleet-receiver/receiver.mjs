// An example of what an operator puts behind an `http` fleet: it checks the signature of each call
// and runs one process a server. A real one keeps `servers` where a restart does not lose it.
//   FLEET_SECRET   shared with the service          GAME_COMMAND   JSON list: program and arguments
//   PORT           where it listens (8799)          CAPACITY       servers at once (10)
//   GAME_HOST      address told to players          FIRST_PORT     of so many in a row (30000)

import { spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { FLEET_SECRET = '', GAME_COMMAND = '[]', GAME_HOST = '127.0.0.1' } = process.env;
const { PORT = '8799', CAPACITY = '10', FIRST_PORT = '30000' } = process.env;
const [program, ...args] = JSON.parse(GAME_COMMAND);
if (FLEET_SECRET.length < 32 || program === undefined) {
  throw new Error('set FLEET_SECRET, to 32 characters or more, and GAME_COMMAND');
}
const WINDOW_SECONDS = 300;
const MAX_BODY = 16 * 1024 * 1024; // the largest match brings 10 MiB
const MAX_UNVERIFIED = 4 * MAX_BODY; // of all bodies at once: anybody can begin to send one
let unverified = 0;
const LIMITS = { requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
const nonces = new Map(); // nonce -> second it may be forgotten
const servers = new Map(); // instance id -> {state, isEnding, ports, slot, child, spec}

/** Signed by who knows the secret, for this very call, a moment ago, and for the first time. */
function isGenuine(request, body) {
  const header = (name) => String(request.headers[`muster-${name}`] ?? '');
  const now = Math.floor(Date.now() / 1000);
  const [timestamp, nonce] = [header('timestamp'), header('nonce')];
  const text = [timestamp, nonce, request.method, request.url, body].join('\n');
  const expected = Buffer.from(
    `v1=${createHmac('sha256', FLEET_SECRET).update(text).digest('hex')}`,
  );
  const given = Buffer.from(header('signature'));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return false;
  }
  nonces.forEach((until, each) => until < now && nonces.delete(each));
  if (!(Math.abs(now - Number(timestamp)) <= WINDOW_SECONDS) || nonces.has(nonce)) {
    return false;
  }
  nonces.set(nonce, now + 2 * WINDOW_SECONDS);
  return true;
}

/** The same id again is answered by what the first call started: never a second process. */
function launch(spec) {
  const known = servers.get(spec.instanceId);
  if (known !== undefined) {
    // One that was told to end is as good as gone, though its process may take a moment.
    return known.state === 'stopped' || known.isEnding
      ? [410, { error: 'stopped', detail: 'this instance has ended' }]
      : [200, view(known)];
  }
  const live = [...servers.values()].filter(({ state }) => state !== 'stopped');
  const slot = Array.from({ length: Number(CAPACITY) }, (_, index) => index).find(
    (index) => !live.some((server) => server.slot === index),
  );
  if (slot === undefined) {
    return [503, { error: 'no_capacity', detail: `all ${CAPACITY} servers are in use` }];
  }
  const port = Number(FIRST_PORT) + slot;
  const environment = {
    PATH: process.env.PATH,
    MUSTER_PORT: String(port),
    MUSTER_INSTANCE_ID: spec.instanceId,
    MUSTER_CUSTOM_DATA: JSON.stringify(spec.customData),
  };
  const child = spawn(program, args, { env: environment, stdio: 'ignore' });
  const numbers = { external_port: port, internal_port: port };
  const ports = [
    { name: 'game_udp', host: GAME_HOST, ...numbers, protocol: 'udp', tls_enabled: false },
  ];
  const server = { state: 'launching', ports, slot, child, spec };
  servers.set(spec.instanceId, server);
  child.once('spawn', () => tell(server, 'running')); // a real one waits for its port to open
  child.once('error', () => tell(server, 'stopped'));
  child.once('exit', (code) => tell(server, 'stopped', code));
  return [201, view(server)];
}

const view = ({ state, ports }) => ({ state, ports });

/** Reports until it is taken, or a newer report is due; the service hears the same thing twice gladly. */
async function tell(server, state, exitCode = null) {
  server.state = state;
  const { reportUrl, token } = server.spec;
  const body = JSON.stringify({ status: state, network_ports: server.ports, exit_code: exitCode });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  while (server.state === state) {
    const told = await fetch(reportUrl, { method: 'POST', headers, body }).catch(() => null);
    if (told?.status === 404 && state !== 'stopped') {
      server.child.kill(); // nobody owns it any more
    }
    if (told?.ok === true || told?.status === 404) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function answer(request, body) {
  if (!isGenuine(request, body)) {
    return [401, { error: 'unauthorized', detail: 'the signature, time or nonce is wrong' }];
  }
  if (request.method === 'POST' && request.url === '/servers') {
    return launch(JSON.parse(body));
  }
  const id = decodeURIComponent(request.url.replace('/servers/', ''));
  const server = servers.get(id);
  if (request.method === 'DELETE') {
    // Remembered even if it never came: a launch that was delayed must not start it afterwards.
    server?.child?.kill();
    const known = Object.assign(server ?? { state: 'stopped', ports: [] }, { isEnding: true });
    servers.set(id, known);
    return [known.state === 'stopped' ? 200 : 202, {}];
  }
  return server === undefined ? [404, { error: 'unknown' }] : [200, view(server)];
}

/** Null where it is too long. Throws where the caller breaks off. */
async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      unverified += chunk.length;
      if (size > MAX_BODY || unverified > MAX_UNVERIFIED) {
        return null;
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  } finally {
    unverified -= size;
  }
}

async function answerTo(request) {
  const body = await bodyOf(request);
  return body === null
    ? [503, { error: 'too_much', detail: 'bodies take too much' }]
    : answer(request, body);
}

const receiver = createServer(LIMITS, async (request, response) => {
  const [status, body] = await answerTo(request).catch(() => [400, { error: 'unreadable' }]);
  const headers = {
    'content-type': 'application/json',
    ...(request.complete ? {} : { connection: 'close' }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
});
receiver.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`receiver: listens on http://127.0.0.1:${receiver.address().port}`);
});
process.on('SIGTERM', () => {
  servers.forEach(({ child }) => child?.kill());
  process.exit(0);
});
