// A tenant names the URL at which Muster reads the keys of an identity provider. On a box that leads to nothing
// within the machine, and the answers do not tell what listens there.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { API_KEYS } from './tenant.ts';
import { annAt } from './provider.ts';

const RULES = { issuer: 'https://id.test', audience: 'game' };

let dataDir: string;
let service: Service | null = null;
let token: string;
/** Connections that the service made. */
let connections = 0;
const servers: Server[] = [];
const ports = { provider: 0, silent: 0, closed: 0 };

async function listening(server: Server): Promise<number> {
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const ann = await annAt(RULES);
  const { key } = ann;
  token = ann.token;
  ports.provider = await listening(
    createHttpServer((_, response) => response.end(JSON.stringify({ keys: [key] }))),
  );
  // It accepts, and never answers.
  ports.silent = await listening(createServer(() => undefined));
  const closed = createServer();
  ports.closed = await listening(closed);
  closed.close();
  dataDir = await mkdtemp(join(tmpdir(), 'muster-providers-'));
});

afterEach(async () => {
  await service?.stop();
  service = null;
});

afterAll(async () => {
  servers.forEach((server) => server.close());
  await rm(dataDir, { recursive: true, force: true });
});

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly ms: number;
}

/** What a player is answered whose provider is said to be there. */
async function asked(running: Service, jwksUrl: string): Promise<Answered> {
  const operator = new Player(running.url, 'operator', 'the server key');
  await operator.ok('POST', '/projects/settings', {
    playerAuth: 'token',
    playerTokens: { ...RULES, jwksUrl },
  });
  const begun = performance.now();
  const ann = new Player(running.url, 'ann', 'the client key', token);
  const { status, body } = await ann.call('GET', '/lobbies/arena/me');
  return { status, body, ms: performance.now() - begun };
}

const urls = (): readonly string[] => [
  `http://127.0.0.1:${ports.provider}/jwks`,
  `http://localhost:${ports.provider}/jwks`,
  `http://127.0.0.1:${ports.silent}/jwks`,
  `http://127.0.0.1:${ports.closed}/jwks`,
  `https://localhost:${ports.silent}/jwks`,
];

it('is read from nothing on the machine, and open ports are not told from closed ones', async () => {
  service = await startService({ port: 0, dataDir, env: { API_KEYS, FLEET: 'simulated' } });
  connections = 0;
  const answers: Answered[] = [];
  for (const url of urls()) {
    answers.push(await asked(service, url));
  }
  expect(connections).toBe(0);
  expect(answers.map(({ status }) => status)).toEqual(urls().map(() => 503));
  const bodies = answers.map(({ body }) => JSON.stringify({ ...Object(body), requestId: null }));
  expect(new Set(bodies).size).toBe(1);
  // None waits for a limit of time, as one who is connected and hears nothing would.
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(4_000);
});

it('is read there where whoever runs the service says so', async () => {
  const env = { API_KEYS, FLEET: 'simulated', PRIVATE_PROVIDERS: '1' };
  service = await startService({ port: 0, dataDir, env });
  const [url = ''] = urls();
  // The token is good: the player is in no lobby.
  expect((await asked(service, url)).status).toBe(404);
});
