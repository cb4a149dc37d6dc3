// The proxy samples of ops/ under real proxies: who gets through, with what, and how events do.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMusterError, MusterPlayer } from '../../packages/js/src/index.ts';
import type { StreamState } from '../../packages/js/src/index.ts';
import { freePort, portPool } from '../../agent/ports.ts';
import { must } from '../../src/common/result.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { declaredEndpoints } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { askRaw } from '../support/raw-http.ts';
import { frame, RawWebSocket } from '../support/raw-websocket.ts';
import { needs, pathOf } from '../support/tools.ts';

const OPS = join(import.meta.dirname, '../../ops');

let service: Service;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-proxy-'));
  const env = { FLEET: 'simulated' };
  service = await startService({ port: 0, dataDir: join(folder, 'data'), devKeys: true, env });
});

afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a test changes in a sample; everything else stays as it is. */
interface Site {
  readonly port: number;
  /** The network of operators. */
  readonly own: string;
}

type Start = (site: Site) => Promise<ChildProcess>;

function changed(
  sample: string,
  changes: readonly (readonly [from: string, to: string])[],
): string {
  let text = sample;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function nginx({ port, own }: Site): Promise<ChildProcess> {
  const sample = await readFile(join(OPS, 'nginx.conf'), 'utf8');
  const site = changed(sample.replaceAll(/^ *ssl_certificate.*$/gm, ''), [
    ['127.0.0.1:8787', `127.0.0.1:${service.port}`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
    ['10.0.0.0/8', own],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const path = join(folder, `nginx-${port}.conf`);
  await writeFile(
    path,
    `daemon off; pid ${folder}/nginx-${port}.pid; error_log ${folder}/nginx.log;
events {}
http { ${temporary.join(' ')}
${site} }
`,
  );
  return spawn(pathOf('nginx'), ['-p', folder, '-e', join(folder, 'nginx.log'), '-c', path]);
}

async function caddy({ port, own }: Site): Promise<ChildProcess> {
  const sample = await readFile(join(OPS, 'Caddyfile'), 'utf8');
  const site = changed(sample, [
    ['127.0.0.1:8787', `127.0.0.1:${service.port}`],
    ['muster.example.com {', `http://127.0.0.1:${port} {\n\tbind 127.0.0.1`],
    ['10.0.0.0/8', own],
  ]);
  const path = join(folder, `Caddyfile-${port}`);
  await writeFile(path, `{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n${site}`);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(pathOf('caddy'), ['run', '--adapter', 'caddyfile', '--config', path], { env });
}

/** Runs the proxy while `use` does. */
async function through(start: Start, own: string, use: (port: number) => Promise<void>) {
  const port = await freePort();
  const proxy = await start({ port, own });
  try {
    await eventually('the proxy answers', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
      return answer?.ok === true;
    });
    await use(port);
  } finally {
    proxy.kill('SIGTERM');
    await (proxy.exitCode === null
      ? new Promise((resolve) => void proxy.once('exit', resolve))
      : null);
  }
}

/** Follows a lobby through the proxy, and has it changed while the stream is open. */
async function follow(url: string, config: string): Promise<void> {
  const place = { key: 'client_dev_key', config, player: 'ann' };
  const player = new MusterPlayer({ ...place, url });
  expect(isMusterError(await player.getMyLobby().catch((error: unknown) => error))).toBe(true);
  await player.createLobby({ name: 'Den' });
  const direct = new MusterPlayer({ ...place, url: service.url });
  const states: StreamState[] = [];
  const abort = new AbortController();
  const told: number[] = [];
  const options = {
    transport: 'stream',
    connectMs: 5_000,
    signal: abort.signal,
    onState: (state: StreamState): void => void states.push(state),
  } as const;
  for await (const event of player.streamEvents(options)) {
    if (event.type === 'connected' || event.type === 'lobby_updated') {
      told.push(Number(event.lobby?.players[0]?.state?.['step'] ?? 0));
      // The next step is taken only when the last one has come through.
      await (told.length < 4 ? direct.updateMyState({ step: told.length }) : direct.leaveLobby());
      if (told.length === 4) {
        abort.abort();
      }
    }
  }
  expect(told).toEqual([0, 1, 2, 3]);
  expect(states).toEqual(['connecting', 'streaming']);
}

/** The same as a WebSocket, whose limits hold behind the proxy. */
async function socket(port: number, config: string): Promise<void> {
  const query = 'api-key=client_dev_key&x-player-id=bob';
  const url = `http://127.0.0.1:${port}/v3/lobbies/${config}/me/events?${query}`;
  const listening = await RawWebSocket.open(url);
  expect(listening.head).toMatch(/^HTTP\/1\.1 101 /);
  await eventually('it is connected', () =>
    listening.got.some(({ payload }) => payload.includes('connected')),
  );
  listening.send(frame('x'.repeat(257)));
  await eventually('it is closed', () => listening.closedWith === 1009 || null);
  listening.socket.destroy();
}

/** A game server of the agent that takes every WebSocket, on one of the numbers that the samples pass on. */
async function gameServer(): Promise<{
  readonly port: number;
  /** Methods of the requests that came, other than WebSockets. */
  readonly heard: readonly string[];
  close(): void;
}> {
  const heard: string[] = [];
  const server = createServer((request, answer) => {
    heard.push(request.method ?? '');
    answer.end();
  }).on('upgrade', (_, connection) => {
    connection.end(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
  });
  const claim = must(await portPool({ first: 20_000, last: 20_999 })(), 'a free port');
  claim.release();
  server.listen(claim.ports[0], '127.0.0.1');
  await once(server, 'listening');
  return { port: claim.ports[0] ?? 0, heard, close: () => void server.close() };
}

/** Game servers are reached by their number, and nothing else is. */
async function games(port: number): Promise<void> {
  const game = await gameServer();
  const asked = async (path: string): Promise<string> => {
    const { head, socket: connection } = await RawWebSocket.open(`http://127.0.0.1:${port}${path}`);
    connection.destroy();
    return head.slice(0, 12);
  };
  expect(await asked(`/g/${game.port}?ticket=x`)).toBe('HTTP/1.1 101');
  for (const path of [`/g/${service.port}`, `/g/${game.port}/v3`, `/g/${game.port}%20`, '/g/22']) {
    expect([path, await asked(path)]).toEqual([path, expect.stringMatching(/ 40[034]$/)]);
  }
  // Also with a letter of the path encoded, which changes nothing for who decodes it.
  const others = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) => [
    `${method} /g/${game.port}`,
    `${method} /%67/${game.port}`,
  ]);
  for (const [line, status] of await statuses(port, [...others, `GET /%67/${game.port}`])) {
    // Muster answers a preflight, and anything else is refused.
    const isRight = line.startsWith('OPTIONS') ? status === 204 || status === 403 : status >= 400;
    expect([line, isRight], String(status)).toEqual([line, true]);
  }
  expect(game.heard).toEqual([]);
  game.close();
}

const keys = () => ({ 'api-key': service.serverKey, 'x-player-id': 'ann' });

/** By method and path; parameters stand for nothing that is there. `byPost`: as whoever has no PATCH, PUT and DELETE. */
async function statuses(
  port: number,
  lines: readonly string[],
  byPost = false,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const line of lines) {
    const [rare = ''] = (byPost && /^(?:PUT|PATCH|DELETE)/.exec(line)) || [];
    const sent = rare === '' ? line : line.replace(rare, 'POST');
    const meant = rare === '' ? {} : { 'X-HTTP-Method-Override': rare };
    const length = /^(POST|PUT|PATCH)/.test(sent) ? { 'Content-Length': '0' } : {};
    const answer = await askRaw(port, sent, { ...keys(), ...meant, ...length });
    found.set(line, Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]));
  }
  return found;
}

function linesOf(isServer: boolean): readonly string[] {
  return declaredEndpoints()
    .filter(({ caller, isForGames }) => (caller === 'server' && !isForGames) === isServer)
    .filter(({ path }) => !path.endsWith('/events'))
    .map(({ method, path }) => [method, path.replaceAll(/:\w+/g, 'some')] as const)
    .flatMap(([method, path]) =>
      path.startsWith('/v3/')
        ? [`${method} ${path}`, `${method} /api${path}`]
        : [`${method} ${path}`],
    );
}

const OPERATORS = [
  ...linesOf(true),
  'GET /dashboard',
  'GET /dashboard/',
  'GET /dashboard/app.js',
  'GET /examples/browser-lobby/',
  'GET /v3/admin/search?q=x',
  'GET /v3/admin/events?view=overview',
  'GET /metrics?x=/health',
];

/** Ways around: each would read the builds, or the metrics, of who read it in another way. */
const AROUND = [
  String.raw`GET /v3\builds`,
  String.raw`GET /v3/lobbies\..\builds`,
  String.raw`GET /health\..\v3/builds`,
  'GET /v3/lobbies/x/../../builds',
  'GET /v3/lobbies/../builds',
  'GET /health/../metrics',
  'GET /health/%2e%2e/metrics',
  'GET /v3/lobbies/%2e%2e/builds',
  'GET /v3/lobbies/..%2fbuilds',
  'GET /v3/lobbies/..%2f..%2fmetrics',
  'GET /v3/./builds',
  'GET //v3/builds',
  'GET /v3//builds',
  'GET /v3/builds/',
  'GET /v3/builds?/health',
  'GET /v3/%62uilds',
  'GET /v3%2fbuilds',
  'GET /V3/builds',
  'GET http://127.0.0.1/v3/builds',
  'GET http://127.0.0.1/health/../metrics',
];

describe.runIf(needs('nginx') && needs('caddy'))('the proxy samples', () => {
  it.each([
    ['nginx', nginx],
    ['Caddy', caddy],
  ])('%s lets players and game servers in, and nobody else from outside', async (name, start) => {
    await through(start, '10.0.0.0/8', async (port) => {
      const direct = await statuses(service.port, linesOf(false));
      for (const byPost of [false, true]) {
        for (const [line, status] of await statuses(port, OPERATORS, byPost)) {
          expect([line, status]).toEqual([line, 403]);
        }
        const seen = await statuses(port, linesOf(false), byPost);
        expect([...seen]).toEqual([...direct]);
      }
      for (const line of AROUND) {
        const answer = await askRaw(port, line, keys());
        expect([line, answer]).toEqual([line, expect.stringMatching(/^HTTP\/1\.1 (400|403|404) /)]);
      }
      const pages = ['GET /', 'GET /docs', 'GET /openapi.json', 'HEAD /health', 'OPTIONS /health'];
      for (const [line, status] of await statuses(port, pages)) {
        expect([line, status]).toEqual([line, line.startsWith('OPTIONS') ? 204 : 200]);
      }
      const config = `through-${name}`;
      await follow(`http://127.0.0.1:${port}`, config);
      await socket(port, config);
      await games(port);
    });
  });

  it.each([
    ['nginx', nginx],
    ['Caddy', caddy],
  ])('%s lets everybody in from the network of operators', async (_, start) => {
    await through(start, '127.0.0.0/8', async (port) => {
      const lines = ['GET /v3/builds', 'GET /metrics', 'GET /dashboard/', 'GET /health'];
      expect([...(await statuses(port, lines)).values()]).toEqual([200, 200, 200, 200]);
      await games(port);
    });
  });
});
