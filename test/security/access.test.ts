// Who may do what: every endpoint, with every kind of key, origin and player. What is expected follows
// from the README's table of endpoints, which says who may call; nothing of the code is asked. All that
// must be refused comes first, and must leave everything as it was.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECT } from '../../scripts/bundle.ts';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';

const KEYS = {
  none: null,
  wrong: 'not a key',
  client: 'the client key',
  server: 'the server key',
  'client of another project': 'a client key from elsewhere',
  'server of another project': 'a server key from elsewhere',
} as const;
const ORIGINS = ['none', 'foreign', 'own'] as const;
const PLAYERS = ['host', 'member', 'stranger', 'absent'] as const;
/** In all that belongs to the project. */
const CANARY = 'canary-7341';
const AT_ONCE = 16;

interface Line {
  readonly method: string;
  readonly path: string;
  readonly caller: string;
}

interface Case {
  readonly line: Line;
  readonly key: keyof typeof KEYS;
  readonly origin: (typeof ORIGINS)[number];
  readonly player: (typeof PLAYERS)[number];
}

interface Answered {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
}

/** The README's table, and what only the dashboard asks (docs/internals/design.md), which is the server key's. */
function declared(): readonly Line[] {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  const rows = readme.matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)` \| ([^|]+) \|/gm);
  const lines = [...rows].map(([, method = '', path = '', caller = '']) => ({
    method,
    path: path === '/health' || path === '/metrics' ? path : `/v3${path}`,
    caller,
  }));
  const views = [
    'GET events?view=overview',
    'POST check-config',
    'POST preview',
    'GET trends',
    'GET journal?config=met&mode=duel',
    'POST matches/:id/end',
    'POST lobbies/:config/:id/leave-queue',
    'POST lobbies/:config/:id/kick',
    'POST lobbies/:config/:id/delete',
  ].map((each) => {
    const [method = '', name = ''] = each.split(' ');
    return { method, path: `/v3/admin/${name}`, caller: 'server' };
  });
  return [...lines, ...views];
}

/** The code of the refusal; null: the caller is let in. */
function expected({ line, key, origin, player }: Case): string | null {
  const { method, path, caller } = line;
  if (caller === 'open') {
    return null;
  }
  if (caller === 'server' && origin === 'foreign') {
    return 'FORBIDDEN';
  }
  if (caller === 'its token' || key === 'none' || key === 'wrong') {
    return 'UNAUTHORIZED';
  }
  if (caller === 'server' && key.startsWith('client')) {
    return 'FORBIDDEN';
  }
  const isPlayers = caller.startsWith('player');
  if (isPlayers && player === 'absent') {
    return 'VALIDATION_ERROR';
  }
  const isElsewhere = key.endsWith('another project');
  if (path.includes('/me') && !path.endsWith('/events')) {
    const isIn = !isElsewhere && player !== 'stranger';
    return !isIn
      ? 'LOBBY_NOT_FOUND'
      : caller.includes('host') && player !== 'host'
        ? 'NOT_HOST'
        : null;
  }
  return isElsewhere ? missingElsewhere(method, path) : null;
}

/** What belongs to a project is not there for another one. */
function missingElsewhere(method: string, path: string): string | null {
  if (path.endsWith('/join') || path.includes('/:config/:id')) {
    return 'LOBBY_NOT_FOUND';
  }
  if (path.startsWith('/v3/servers/:id')) {
    return 'SERVER_NOT_FOUND';
  }
  if (path.includes('/matches/:id')) {
    return 'NOT_FOUND';
  }
  if (path.includes('/admin/journal')) {
    return 'MODE_NOT_FOUND';
  }
  if (path.includes('/:name/history')) {
    return 'CONFIG_NOT_FOUND';
  }
  // Saving makes one of its own.
  const isNamed = path.endsWith('/:name') && method !== 'PUT';
  return !isNamed ? null : path.includes('builds') ? 'BUILD_NOT_FOUND' : 'CONFIG_NOT_FOUND';
}

const BODIES: Readonly<Record<string, object>> = {
  'POST /v3/lobbies/:config': { name: 'Den' },
  'PATCH /v3/lobbies/:config/me': { state: { isReady: true } },
  'PATCH /v3/lobbies/:config/me/settings': { name: 'Hut' },
  'POST /v3/lobbies/:config/me/matchmaking': { mode: 'duel' },
  'POST /v3/servers/start': { name: 'mine' },
  'POST /v3/servers/:id/update': { custom_data: { changed: true } },
  'POST /v3/servers/:id/status': { status: 'running' },
  'POST /v3/projects/settings': { lobby_configs: [{ name: 'changed' }] },
  'PUT /v3/lobby-configs/:name': { timeout: 999 },
  'PUT /v3/builds/:name': { launch: { command: '/bin/changed' } },
  'POST /v3/admin/check-config': { name: 'den', config: {} },
  'POST /v3/admin/preview': {},
  'POST /v3/admin/lobbies/:config/:id/kick': { playerId: 'member' },
};

let dataDir: string;
let service: Service;
let operator: Player;
let serverId: string;
let matchId: string;
let revision: string;
const agent = new Agent({ keepAlive: true, maxSockets: 2 * AT_ONCE });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-access-'));
  const keys = Object.entries(KEYS).flatMap(([name, key]) => {
    const [kind = ''] = name.split(' ');
    const sha256 = createHash('sha256')
      .update(key ?? '')
      .digest('hex');
    const project = name.endsWith('another project') ? 'elsewhere' : 'here';
    return kind === 'client' || kind === 'server' ? [{ project, kind, sha256 }] : [];
  });
  const env = { API_KEYS: JSON.stringify(keys), FLEET: 'simulated' };
  service = await startService({ port: 0, dataDir, env });
  operator = new Player(service.url, 'operator', KEYS.server);
  const modes = { duel: { rules: [] } };
  await operator.ok('PUT', '/lobby-configs/den', {
    matchmaking: { modes },
    customProperties: { CANARY },
  });
  await operator.ok('PUT', '/builds/den', { launch: { command: `/bin/${CANARY}` } });
  const custom_data = { CANARY };
  const started = { name: CANARY, custom_data };
  serverId = (await operator.ok<{ instance_id: string }>('POST', '/servers/start', started))
    .instance_id;
  await operator.ok('PUT', '/lobby-configs/met', { matchmaking: { modes } });
  matchId = await meet();
  const path = '/lobby-configs/den/history';
  const { items } = await operator.ok<{ items: { revision: number }[] }>('GET', path);
  revision = String(items[0]?.revision);
});

afterAll(async () => {
  agent.destroy();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Two players come into a match; answers its id. */
async function meet(): Promise<string> {
  const [left, right] = ['left', 'right'].map((name) => new Player(service.url, name, KEYS.client));
  for (const player of [left, right]) {
    await player?.ok('POST', '/lobbies/met', { name: CANARY });
    await player?.ok('POST', '/lobbies/met/me/matchmaking', { mode: 'duel' });
  }
  return eventually('they met', async () => {
    const { matchId: id } =
      (await left?.ok<{ matchId: string | null }>('GET', '/lobbies/met/me')) ?? {};
    return id ?? false;
  });
}

/** A lobby of a host and a member; answers its id. */
async function gather(config: string): Promise<string> {
  const [host, member] = ['host', 'member'].map(
    (name) => new Player(service.url, name, KEYS.client),
  );
  const body = { name: CANARY, settings: { CANARY }, state: { CANARY }, maxPlayers: 4 };
  const lobby = await host?.ok('POST', `/lobbies/${config}`, body);
  await member?.ok('POST', `/lobbies/${config}/join`, { lobbyId: lobby?.id });
  return lobby?.id ?? '';
}

interface Target {
  readonly config: string;
  readonly lobbyId: string;
}

function ask({ line, key, origin, player }: Case, { config, lobbyId }: Target): Promise<Answered> {
  const { method } = line;
  const isLobby = line.path.includes('/lobbies/');
  const path = line.path
    .replace(':config', config)
    .replace(':playerId', 'member')
    .replace(':id', isLobby ? lobbyId : line.path.includes('/matches/') ? matchId : serverId)
    .replace(':revision', revision)
    .replace(':name', 'den');
  const body = line.path.endsWith('/join') ? { lobbyId } : BODIES[`${method} ${line.path}`];
  const given = KEYS[key];
  const headers = {
    ...(given === null ? {} : { 'api-key': given }),
    ...(origin === 'none' ? {} : { origin: origin === 'own' ? service.url : 'https://evil.test' }),
    ...(player === 'absent' ? {} : { 'x-player-id': player }),
  };
  return new Promise((resolve, reject) => {
    const { port } = service;
    const asked = request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      if (response.headers['content-type'] === 'text/event-stream') {
        response.destroy();
        resolve({ status, code: null, text });
        return;
      }
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const refused = status >= 400 ? (JSON.parse(text) as { readonly code: string }) : null;
        resolve({ status, code: refused?.code ?? null, text });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function each<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = list.values();
  const worker = async (): Promise<void> => {
    for (const one of left) {
      await work(one);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function nameOf({ line, key, origin, player }: Case): string {
  return `${line.method} ${line.path}, key ${key}, origin ${origin}, player ${player}`;
}

/** All that a refused request might have changed. */
async function everything(lobbyId: string): Promise<string> {
  const paths = [
    `/lobbies/den/${lobbyId}`,
    '/lobbies/den',
    '/servers',
    '/projects/settings',
    '/builds',
  ];
  const answers = await Promise.all(paths.map((path) => operator.ok<unknown>('GET', path)));
  return JSON.stringify(answers);
}

/** Access that is refused where it was to be granted, or a thing that should be there and is not. */
function isRefused({ line, key }: Case, { status, code }: Answered): boolean {
  const access = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_HOST', 'LOBBY_NOT_FOUND'];
  const isRead = line.method === 'GET' && !key.endsWith('another project');
  const isThere = status === 200 || code === 'LOGS_NOT_AVAILABLE';
  return (code !== null && access.includes(code)) || status >= 500 || (isRead && !isThere);
}

it('every endpoint lets in whom the README says, and nobody else', async () => {
  const cases = declared().flatMap((line) =>
    (Object.keys(KEYS) as (keyof typeof KEYS)[]).flatMap((key) =>
      ORIGINS.flatMap((origin) => PLAYERS.map((player): Case => ({ line, key, origin, player }))),
    ),
  );
  const begun = performance.now();
  const wrong: string[] = [];
  const refused = cases.filter((one) => expected(one) !== null);
  const admitted = cases.filter((one) => expected(one) === null);

  const shared = { config: 'den', lobbyId: await gather('den') };
  await eventually('the list and the server are there', async () => {
    const list = await operator.ok<{ readonly lobbies: readonly Lobby[] }>('GET', '/lobbies/den');
    const servers = await operator.ok<{ readonly total: number }>('GET', '/servers');
    return list.lobbies[0]?.players.length === 2 && servers.total === 2;
  });
  const before = await everything(shared.lobbyId);
  await each(refused, async (one) => {
    const { status, code, text } = await ask(one, shared);
    if (code !== expected(one) || text.includes(CANARY)) {
      wrong.push(`${nameOf(one)}: ${status} ${code}, not ${expected(one)}`);
    }
  });
  expect(await everything(shared.lobbyId)).toBe(before);

  // What takes something away comes last: what it takes was there for all others.
  const takes = (one: Case): boolean => one.line.method === 'DELETE';
  let made = 0;
  for (const some of [admitted.filter((one) => !takes(one)), admitted.filter(takes)]) {
    await each(some, async (one) => {
      made += 1;
      const config = `den-${made}`;
      const isOfLobby = /\/(me|join|:id)/.test(one.line.path) && one.line.path.includes(':config');
      const lobbyId = isOfLobby ? await gather(config) : shared.lobbyId;
      const answer = await ask(one, { config, lobbyId });
      const leaks = one.key.endsWith('another project') && answer.text.includes(CANARY);
      if (isRefused(one, answer) || leaks) {
        wrong.push(`${nameOf(one)}: ${answer.status} ${answer.code}, not let in`);
      }
    });
  }
  console.log(
    `${cases.length} combinations of ${declared().length} endpoints, ${Object.keys(KEYS).length} keys, ` +
      `${ORIGINS.length} origins and ${PLAYERS.length} players: ${refused.length} to be refused, ` +
      `${admitted.length} to be let in, ${wrong.length} wrong (${Math.round(performance.now() - begun)} ms)`,
  );
  expect(wrong).toEqual([]);
  expect(refused.length).toBeGreaterThan(1_500);
});
