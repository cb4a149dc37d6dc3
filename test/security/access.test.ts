// Who may do what: every endpoint, with every kind of key, origin, player and player token, in a project
// that trusts ids and in one that wants tokens (record 0022). What is expected follows from the tables
// of docs/endpoints.md, which say who may call. All that must be refused comes first, and must leave everything as it was.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { declaredEndpoints, type Endpoint } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { tokenOf } from '../support/tokens.ts';

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
const AUTHS = ['trust', 'token'] as const;
/**
 * `own`: of the player that the header names, of the host where it names none. `another's`: of the
 * stranger. `foreign`: as `own`, signed for another project.
 */
const TOKENS = ['none', 'own', "another's", 'foreign', 'expired'] as const;
const SECRETS = { here: 'h'.repeat(40), elsewhere: 'e'.repeat(40) };
/** In all that belongs to the project. */
const CANARY = 'canary-7341';
const AT_ONCE = 16;

interface Case {
  readonly line: Endpoint;
  readonly key: keyof typeof KEYS;
  readonly origin: (typeof ORIGINS)[number];
  readonly player: (typeof PLAYERS)[number];
  readonly auth: (typeof AUTHS)[number];
  readonly token: (typeof TOKENS)[number];
}

interface Answered {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
}

/** The tables of docs/endpoints.md, and what only the dashboard asks (docs/internals/design.md), which is the server key's. */
function declared(): readonly Endpoint[] {
  const views = [
    'GET events?view=overview',
    'POST check-config',
    'POST check-build',
    'POST preview',
    'GET trends',
    'GET journal?config=met&mode=duel',
    'GET searches?player=left',
    'POST matches/:id/end',
    'POST lobbies/:config/:id/leave-queue',
    'POST lobbies/:config/:id/kick',
    'POST lobbies/:config/:id/delete',
  ].map((each) => {
    const [method = '', name = ''] = each.split(' ');
    return { method, path: `/v3/admin/${name}`, caller: 'server' };
  });
  return [...declaredEndpoints(), ...views];
}

/** The token that is good where the key belongs. */
function goodToken({ key }: Case): Case['token'] {
  return key.endsWith('another project') ? 'foreign' : 'own';
}

/** Whom the request comes from, as far as the project believes it. */
function believed(one: Case): Case['player'] {
  if (one.auth === 'trust' || one.player !== 'absent') {
    return one.player;
  }
  return one.token === goodToken(one) ? 'host' : 'stranger';
}

/** Why the token, or its absence, makes the caller no player; null: it makes it one. */
function expectedOfToken(one: Case): string | null {
  const { auth, token, key, player } = one;
  if (auth === 'trust' || token === goodToken(one)) {
    return null;
  }
  if (token === 'none') {
    return 'PLAYER_TOKEN_MISSING';
  }
  if (token === 'foreign' || key.endsWith('another project')) {
    return 'PLAYER_TOKEN_INVALID';
  }
  if (token === 'expired') {
    return 'PLAYER_TOKEN_EXPIRED';
  }
  return player === 'absent' || player === 'stranger' ? null : 'PLAYER_TOKEN_INVALID';
}

/** Foreign pages have no part in it: the route or the key is the server key's. */
function isOfServerKey({ line: { caller }, key }: Case): boolean {
  return caller === 'server' || (key.startsWith('server') && caller !== 'its token');
}

/** The code of the refusal; null: the caller is let in. */
function expected(one: Case): string | null {
  const { line, key, origin } = one;
  const player = believed(one);
  const { method, path, caller } = line;
  if (caller === 'open') {
    return null;
  }
  if (origin === 'foreign' && isOfServerKey(one)) {
    return 'FORBIDDEN';
  }
  if (caller === 'its token' || key === 'none' || key === 'wrong') {
    return 'UNAUTHORIZED';
  }
  if (caller === 'server' && key.startsWith('client')) {
    return 'FORBIDDEN';
  }
  const isPlayers = caller.startsWith('player');
  const ofToken = isPlayers ? expectedOfToken(one) : null;
  if (ofToken !== null) {
    return ofToken;
  }
  if (isPlayers && player === 'absent') {
    return 'VALIDATION_ERROR';
  }
  const isElsewhere = key.endsWith('another project');
  // `/v3/me` itself answers everybody, with the lobbies that they are in.
  if (/\/:config\/me(\/|$)/.test(path) && !path.endsWith('/events')) {
    const isIn = !isElsewhere && player !== 'stranger';
    return !isIn
      ? missingForStranger(path, isElsewhere)
      : caller.includes('host') && player !== 'host'
        ? 'NOT_HOST'
        : null;
  }
  return isElsewhere ? missingElsewhere(method, path) : null;
}

/** A match outlives the lobbies that played it. */
function missingForStranger(path: string, isElsewhere: boolean): string {
  // The config to go to is looked for first, and is not there either.
  if (isElsewhere && path.endsWith('/move')) {
    return 'CONFIG_NOT_FOUND';
  }
  return path.includes('/me/matches/:id') ? 'NOT_FOUND' : 'LOBBY_NOT_FOUND';
}

/** What belongs to a project is not there for another one. */
function missingElsewhere(method: string, path: string): string | null {
  if (path.endsWith('/:id/move')) {
    return 'CONFIG_NOT_FOUND';
  }
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
    return path.includes('builds') ? 'BUILD_NOT_FOUND' : 'CONFIG_NOT_FOUND';
  }
  // Saving makes one of its own.
  const isNamed = path.endsWith('/:name') && method !== 'PUT';
  return !isNamed ? null : path.includes('builds') ? 'BUILD_NOT_FOUND' : 'CONFIG_NOT_FOUND';
}

/** A rated mode. */
const RANKED = { config: 'ranked', mode: 'duel' };

const BODIES: Readonly<Record<string, object>> = {
  'POST /v3/lobbies/:config': { name: 'Den' },
  'PATCH /v3/lobbies/:config/me': { state: { isReady: true } },
  'PATCH /v3/lobbies/:config/me/settings': { name: 'Hut' },
  'POST /v3/lobbies/:config/me/matchmaking': { mode: 'duel' },
  'POST /v3/lobbies/:config/me/move': { config: 'ranked' },
  'POST /v3/lobbies/:config/:id/move': { config: 'ranked' },
  'POST /v3/lobbies/:config/me/host': { term: 1, unreachable: true },
  'POST /v3/lobbies/:config/me/matches/:id/links': { to: 'bob', isRelayed: false, ms: 9 },
  'POST /v3/lobbies/:config/me/signals': { to: 'all', data: 1 },
  'POST /v3/servers/start': { name: 'mine' },
  'POST /v3/servers/:id/update': { custom_data: { changed: true } },
  'POST /v3/servers/:id/status': { status: 'running' },
  'POST /v3/projects/settings': { lobby_configs: [{ name: 'changed' }] },
  'POST /v3/servers/:id/result': {
    teams: [
      { team: 0, score: 1 },
      { team: 1, score: 0 },
    ],
  },
  'POST /v3/lobbies/:config/me/matches/:id/result': {
    teams: [
      { team: 0, score: 1 },
      { team: 1, score: 0 },
    ],
  },
  'POST /v3/matches/:id/result': {
    teams: [
      { team: 0, score: 1 },
      { team: 1, score: 0 },
    ],
  },
  'PUT /v3/players/:id/attributes': { attributes: { changed: true } },
  'PATCH /v3/players/:id/attributes': { attributes: { changed: true } },
  'POST /v3/players/attributes': { players: [{ id: 'host', attributes: { changed: true } }] },
  'PUT /v3/bans/:id': { reason: 'changed' },
  'POST /v3/ratings/import': { player: 'host', mu: 30, sigma: 2, games: 1 },
  'POST /v3/ratings/seasons': { ...RANKED, season: 1, factor: 0.5 },
  'POST /v3/projects/token-secrets': { secret: SECRETS.here },
  'PUT /v3/projects/hooks': { url: 'https://hooks.invalid/changed', secret: SECRETS.here },
  'POST /v3/projects/keys': { name: 'changed' },
  'PUT /v3/projects/logins/:provider': {},
  'POST /v3/login/:provider': { token: 'a'.repeat(40) },
  'PUT /v3/lobby-configs/:name': { timeout: 999 },
  'PUT /v3/builds/:name': { launch: { command: '/bin/changed' } },
  'POST /v3/admin/check-config': { name: 'den', config: {} },
  'POST /v3/admin/check-build': { name: 'den', build: {} },
  'POST /v3/admin/preview': {},
  'POST /v3/admin/lobbies/:config/:id/kick': { playerId: 'member' },
};

type Auth = (typeof AUTHS)[number];

let dataDir: string;
let service: Service;
interface Prepared {
  readonly operator: Player;
  readonly serverId: string;
  readonly matchId: string;
  readonly revision: string;
  readonly buildRevision: string;
}

const projects = new Map<Auth, Prepared>();
const tokens = new Map<string, string>();
const agent = new Agent({ keepAlive: true, maxSockets: 2 * AT_ONCE });

/** Each project has keys of its own. */
function keyIn(auth: Auth, key: keyof typeof KEYS): string | null {
  const text = KEYS[key];
  return text === null || key === 'wrong' ? text : `${text} (${auth})`;
}

function preparedIn(auth: Auth): Prepared {
  return projects.get(auth) as Prepared;
}

function tokenFor({ player, token }: Pick<Case, 'player' | 'token'>): string | null {
  return tokens.get(`${token} ${player}`) ?? null;
}

async function makeTokens(): Promise<void> {
  for (const player of [...PLAYERS, 'left', 'right']) {
    const own = player === 'absent' ? 'host' : player;
    const made = {
      own: tokenOf(SECRETS.here, { sub: own }),
      "another's": tokenOf(SECRETS.here, { sub: 'stranger' }),
      foreign: tokenOf(SECRETS.elsewhere, { sub: own }),
      expired: tokenOf(SECRETS.here, { sub: own, expiresIn: -90 }),
    };
    for (const [token, made_] of Object.entries(made)) {
      tokens.set(`${token} ${player}`, await made_);
    }
  }
}

async function prepare(auth: Auth): Promise<void> {
  const operator = new Player(service.url, 'operator', keyIn(auth, 'server') ?? '');
  const elsewhere = keyIn(auth, 'server of another project') ?? '';
  const other = new Player(service.url, 'operator', elsewhere);
  for (const [who, secret] of [
    [operator, SECRETS.here],
    [other, SECRETS.elsewhere],
  ] as const) {
    await who.ok('POST', '/projects/token-secrets', { secret });
    await who.ok('PUT', '/projects/logins/anonymous', {});
    await who.ok('POST', '/projects/settings', { playerAuth: auth });
  }
  const modes = { duel: { rules: [] } };
  await operator.ok('PUT', '/lobby-configs/den', {
    matchmaking: { modes },
    customProperties: { CANARY },
  });
  await operator.ok('PUT', '/builds/den', { launch: { command: `/bin/${CANARY}` } });
  const started = { name: CANARY, custom_data: { CANARY } };
  const server = await operator.ok<{ instance_id: string }>('POST', '/servers/start', started);
  const rating = { field: 'mmr', system: 'openskill' };
  await operator.ok('PUT', '/lobby-configs/ranked', {
    matchmaking: { modes: { duel: { rating } } },
  });
  await operator.ok('PUT', '/lobby-configs/met', { matchmaking: { modes } });
  const matchId = await meet(auth);
  await operator.ok('PUT', '/projects/hooks', {
    url: 'https://hooks.invalid/',
    secret: `${CANARY} that nobody ever reads back`,
  });
  const newest = async (path: string): Promise<string> => {
    const { items } = await operator.ok<{ items: { revision: number }[] }>('GET', path);
    return String(items[0]?.revision);
  };
  const revision = await newest('/lobby-configs/den/history');
  const buildRevision = await newest('/builds/den/history');
  const known = { operator, serverId: server.instance_id, matchId };
  projects.set(auth, { ...known, revision, buildRevision });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-access-'));
  const keys = AUTHS.flatMap((auth) =>
    (Object.keys(KEYS) as (keyof typeof KEYS)[]).flatMap((name) => {
      const [kind = ''] = name.split(' ');
      const sha256 = createHash('sha256')
        .update(keyIn(auth, name) ?? '')
        .digest('hex');
      const project = `${name.endsWith('another project') ? 'elsewhere' : 'here'}-${auth}`;
      return kind === 'client' || kind === 'server' ? [{ project, kind, sha256 }] : [];
    }),
  );
  const env = { API_KEYS: JSON.stringify(keys), FLEET: 'simulated', LIMITS: 'off' };
  service = await startService({ port: 0, dataDir, env });
  await makeTokens();
  for (const auth of AUTHS) {
    await prepare(auth);
  }
});

afterAll(async () => {
  agent.destroy();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function playerIn(auth: Auth, player: string): Player {
  const token = auth === 'token' ? (tokens.get(`own ${player}`) ?? null) : null;
  return new Player(service.url, player, keyIn(auth, 'client') ?? '', token);
}

/** Two players come into a match; answers its id. */
async function meet(auth: Auth): Promise<string> {
  const [left, right] = ['left', 'right'].map((player) => playerIn(auth, player));
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
async function gather(auth: Auth, config: string): Promise<string> {
  const [host, member] = ['host', 'member'].map((player) => playerIn(auth, player));
  const body = { name: CANARY, settings: { CANARY }, state: { CANARY }, maxPlayers: 4 };
  const lobby = await host?.ok('POST', `/lobbies/${config}`, body);
  await member?.ok('POST', `/lobbies/${config}/join`, { lobbyId: lobby?.id });
  return lobby?.id ?? '';
}

interface Target {
  readonly config: string;
  readonly lobbyId: string;
}

/** A service that is behind has done nothing, and is asked again. */
async function ask(one: Case, target: Target): Promise<Answered> {
  for (;;) {
    const answered = await askOnce(one, target);
    if (answered.code !== 'OVERLOADED') {
      return answered;
    }
    await new Promise((resume) => setTimeout(resume, 1_000));
  }
}

function askOnce(one: Case, { config, lobbyId }: Target): Promise<Answered> {
  const { line, key, origin, player, auth } = one;
  const { method } = line;
  const isLobby = line.path.includes('/lobbies/');
  const path = line.path
    .replace(':config', config)
    .replace(':playerId', 'member')
    .replace(':id', isLobby ? lobbyId : idOf(one))
    .replace(
      ':revision',
      preparedIn(auth)[line.path.includes('builds') ? 'buildRevision' : 'revision'],
    )
    .replace(':name', 'den')
    .replace(':provider', 'anonymous')
    .replace(
      /(ratings|ratings\/export|ratings\/import)$/,
      `$1?${new URLSearchParams(RANKED).toString()}`,
    )
    .replace('jwks.json', `jwks.json?project=here-${auth}`);
  const body = line.path.endsWith('/join') ? { lobbyId } : BODIES[`${method} ${line.path}`];
  const given = keyIn(auth, key);
  const token = tokenFor(one);
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
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

function idOf({ line, auth }: Case): string {
  const { serverId, matchId } = preparedIn(auth);
  if (line.path.includes('/matches/')) {
    return matchId;
  }
  // Nobody plays as this one, so that its bans stop nobody.
  const player = line.path.startsWith('/v3/bans') ? 'outcast' : 'host';
  return line.path.startsWith('/v3/servers') ? serverId : player;
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

function nameOf({ line, key, origin, player, auth, token }: Case): string {
  const who = `key ${key}, origin ${origin}, player ${player}, token ${token}`;
  return `${line.method} ${line.path} where ids are ${auth}, ${who}`;
}

/** All that a refused request might have changed. */
async function everything(auth: Auth, lobbyId: string): Promise<string> {
  const paths = [
    `/lobbies/den/${lobbyId}`,
    '/lobbies/den',
    '/servers',
    '/projects/settings',
    '/builds',
    '/players/host/attributes',
    '/bans',
    `/ratings?${new URLSearchParams(RANKED).toString()}`,
    '/audit',
  ];
  const answers = await Promise.all(
    paths.map((path) => preparedIn(auth).operator.ok<unknown>('GET', path)),
  );
  return JSON.stringify(answers);
}

/** Access that is refused where it was to be granted, or a thing that should be there and is not. */
function isRefused({ line, key }: Case, { status, code }: Answered): boolean {
  const access = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_HOST', 'LOBBY_NOT_FOUND'];
  const isRead = line.method === 'GET' && !key.endsWith('another project');
  // The server of these cases prints nothing and runs no match, and no mode of theirs has a matcher outside.
  const isWithout =
    (line.path.endsWith('/roster') && code === 'INVALID_STATE') ||
    (line.path.endsWith('/tickets') && code === 'MODE_NOT_FOUND');
  const isThere = status === 200 || code === 'LOGS_NOT_AVAILABLE' || isWithout;
  return (code !== null && access.includes(code)) || status >= 500 || (isRead && !isThere);
}

function casesOf(auth: Auth): readonly Case[] {
  return declared().flatMap((line) =>
    (Object.keys(KEYS) as (keyof typeof KEYS)[]).flatMap((key) =>
      TOKENS.flatMap((token) =>
        // What an origin may follows from nothing that a token says.
        ORIGINS.filter((origin) => token === 'none' || origin === 'none').flatMap((origin) =>
          PLAYERS.map((player): Case => ({ line, key, origin, player, auth, token })),
        ),
      ),
    ),
  );
}

// shows: S198
it.each(AUTHS)(
  'every endpoint lets in whom docs/endpoints.md says, where ids are %s',
  async (auth) => {
    const cases = casesOf(auth);
    const begun = performance.now();
    const wrong: string[] = [];
    const refused = cases.filter((one) => expected(one) !== null);
    const admitted = cases.filter((one) => expected(one) === null);

    const shared = { config: 'den', lobbyId: await gather(auth, 'den') };
    await eventually('the list and the server are there', async () => {
      const operator = preparedIn(auth).operator;
      const list = await operator.ok<{ readonly lobbies: readonly Lobby[] }>('GET', '/lobbies/den');
      const servers = await operator.ok<{ readonly total: number }>('GET', '/servers');
      return list.lobbies[0]?.players.length === 2 && servers.total === 2;
    });
    const before = await everything(auth, shared.lobbyId);
    await each(refused, async (one) => {
      const { status, code, text } = await ask(one, shared);
      if (code !== expected(one) || text.includes(CANARY)) {
        wrong.push(`${nameOf(one)}: ${status} ${code}, not ${expected(one)}`);
      }
    });
    expect(await everything(auth, shared.lobbyId)).toBe(before);

    // What takes something away comes last: what it takes was there for all others.
    const takes = (one: Case): boolean => one.line.method === 'DELETE';
    let made = 0;
    for (const some of [admitted.filter((one) => !takes(one)), admitted.filter(takes)]) {
      await each(some, async (one) => {
        made += 1;
        const config = `den-${made}`;
        const isOfLobby =
          /\/(me|join|:id)/.test(one.line.path) && one.line.path.includes(':config');
        // Whoever only reads may share one.
        const isReading = one.line.method === 'GET';
        const lobbyId = isOfLobby && !isReading ? await gather(auth, config) : shared.lobbyId;
        const answer = await ask(one, isReading ? shared : { config, lobbyId });
        const leaks = one.key.endsWith('another project') && answer.text.includes(CANARY);
        if (isRefused(one, answer) || leaks) {
          wrong.push(`${nameOf(one)}: ${answer.status} ${answer.code}, not let in`);
        }
      });
    }
    console.log(
      `ids are ${auth}: ${cases.length} combinations of ${declared().length} endpoints, ` +
        `${Object.keys(KEYS).length} keys, ${ORIGINS.length} origins, ${PLAYERS.length} players and ` +
        `${TOKENS.length} tokens: ${refused.length} to be refused, ${admitted.length} to be let in, ` +
        `${wrong.length} wrong (${Math.round(performance.now() - begun)} ms)`,
    );
    expect(wrong).toEqual([]);
    expect(refused.length).toBeGreaterThan(4_000);
  },
  900_000,
);
