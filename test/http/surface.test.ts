// What holds for every endpoint: keys, player ids, paths, methods, bodies, CORS.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { ROUTES } from '../../src/http/serve/routes';
import { isPlayerId } from '../../src/common/ids';
import { metrics } from '../../src/common/metrics';
import { grantOf } from '../../src/http/wire/access';
import { serve } from '../../src/http/serve/serve';
import type { LobbyView } from '../../src/lobby/view';
import { inWorker } from '../../src/objects/placement/at';
import type { Env } from '../../src/objects/placement/env';
import {
  ask,
  askUnder,
  CLIENT,
  createLobby,
  fetchRaw,
  freshConfig,
  mine,
  requestOf,
  SERVER,
  type Asked,
  type Problem,
} from './support';

afterEach(() => {
  vi.restoreAllMocks();
});

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The path of a route with something in every place of it. */
const path = (route: string): string =>
  route.replace(':config', 'any').replace(':playerId', 'p').replace(/:\w+/, 'x');

describe('every route with a key', () => {
  const keyed = ROUTES.filter(({ caller }) => caller !== 'open');

  // shows: S131
  it.each(keyed)('$method $path wants a key', async ({ method, path: route }) => {
    for (const key of [null, '', 'nobody', 'x'.repeat(5_000)]) {
      const { status, body } = await ask(`${method} /v3${path(route)}`, { key, player: 'p' });
      expect([status, body.code, body.status]).toEqual([401, 'UNAUTHORIZED', 401]);
      expect([body.error, typeof body.detail]).toEqual(['Unauthorized', 'string']);
    }
  });

  // shows: S198, D21
  it.each(keyed.filter(({ caller }) => caller === 'server'))(
    '$method $path wants the server key',
    async ({ method, path: route }) => {
      const { status, body } = await ask(`${method} /v3${path(route)}`, { key: CLIENT });
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    },
  );

  // shows: S132, D4a
  it.each(keyed.filter(({ caller }) => caller === 'player'))(
    '$method $path wants a player id',
    async ({ method, path: route }) => {
      for (const player of ['', 'x'.repeat(129)]) {
        const { status, body } = await ask(`${method} /v3${path(route)}`, { player });
        expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(body.detail).toMatch(/^x-player-id: /);
        expect(body).toMatchObject({ issues: [{ path: 'x-player-id' }] });
      }
    },
  );

  // shows: D1c
  it.each(keyed.filter(({ path: route }) => route.includes(':config')))(
    '$method $path wants a config name',
    async ({ method, path: route }) => {
      for (const config of ['a%2Fb', '%E0%A4%A', 'x'.repeat(65)]) {
        const line = `${method} /v3${path(route).replace('/any', `/${config}`)}`;
        const { status, body } = await ask(line, { key: SERVER, player: 'p' });
        expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
      }
    },
  );
});

describe('keys', () => {
  // shows: D8a
  it('come from a list of digests, each with its project and kind', async () => {
    const API_KEYS = JSON.stringify([
      { project: 'one', kind: 'client', sha256: await sha256('key one') },
      { project: 'two', kind: 'server', sha256: (await sha256('key two')).toUpperCase() },
    ]);
    expect(await grantOf({ API_KEYS }, 'key one')).toEqual({
      ok: true,
      value: { project: 'one', kind: 'client' },
    });
    expect(await grantOf({ API_KEYS }, 'key two')).toMatchObject({ value: { kind: 'server' } });
    expect(await grantOf({ API_KEYS }, 'key three')).toMatchObject({ ok: false });
  });

  // shows: D8d
  it('of development count only where no others are set', async () => {
    const API_KEYS = JSON.stringify([{ project: 'p', kind: 'client', sha256: await sha256('k') }]);
    const here = { DEV_KEY_SHA256: await sha256('made at the start'), LISTENS_ON: '127.0.0.1' };
    const both = [CLIENT, 'made at the start'];
    for (const settings of [
      { LISTENS_ON: '127.0.0.1' },
      { ...here, DEV_KEY_SHA256: 'true' },
      { ...here, API_KEYS },
    ]) {
      const grants = await Promise.all(both.map((key) => grantOf(settings, key)));
      expect(grants).toMatchObject([{ ok: false }, { ok: false }]);
    }
    expect(await Promise.all(both.map((key) => grantOf(here, key)))).toEqual([
      { ok: true, value: { project: 'dev', kind: 'client' } },
      { ok: true, value: { project: 'dev', kind: 'server' } },
    ]);
    expect(await grantOf(here, 'server_dev_key')).toMatchObject({ ok: false });
  });

  // shows: D8d
  it.each([undefined, '', '0.0.0.0', '::', '192.168.1.7', 'muster.test', '127.0.0.1.muster.test'])(
    'of development count for nothing where the service listens on %s',
    async (address) => {
      const listens = address === undefined ? {} : { LISTENS_ON: address };
      const settings = { DEV_KEY_SHA256: await sha256(SERVER), ...listens };
      expect(await grantOf(settings, CLIENT)).toMatchObject({ ok: false });
      expect(await grantOf(settings, SERVER)).toMatchObject({ ok: false });
    },
  );

  // shows: S195, D8b
  it('show no other project anything', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    const API_KEYS = JSON.stringify([
      { project: 'other', kind: 'server', sha256: await sha256('other key') },
    ]);
    const other = (line: string, asked = {}): Promise<{ status: number; body: Problem }> =>
      askUnder({ API_KEYS }, line, { key: 'other key', player: 'bob', ...asked });
    expect((await other(`GET lobbies/${config}/${lobby.id}`)).status).toBe(404);
    expect((await other(`DELETE lobbies/${config}/${lobby.id}`)).status).toBe(404);
    expect((await other(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
    expect((await other(`GET lobbies/${config}`)).body).toMatchObject({ total: 0 });
    for (const body of [{ lobbyId: lobby.id }, { code: lobby.code }]) {
      expect((await other(`POST lobbies/${config}/join`, { body })).status).toBe(404);
    }
    expect((await mine(config, 'ann')).currentPlayers).toBe(1);
  });

  it('that are malformed fail loudly, without a word of them', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { status, body } = await askUnder({ API_KEYS: '[{"project":1}]' }, 'GET builds');
    expect(log).toHaveBeenCalledOnce();
    expect([status, body.code]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(body)).not.toContain('project');
  });
});

describe('player ids', () => {
  // shows: S38, S199, D4b
  it.each([
    'a',
    'x'.repeat(128),
    'steam:7656 / "Bob" <b@c>',
    '\u00e9t\u00e9',
    '\u73a9'.repeat(128),
  ])('may be %j', async (player) => {
    expect(isPlayerId(player)).toBe(true);
    const config = freshConfig();
    const lobby = await createLobby(config, player);
    expect([lobby.host, (await mine(config, player)).id]).toEqual([player, lobby.id]);
  });

  // shows: D4b
  it.each(['', '.', '..', 'a\u0007', 'a\u2028b', '\u200b', '\ud800', '\u73a9'.repeat(129)])(
    'may not be %j',
    (player) => {
      expect(isPlayerId(player)).toBe(false);
    },
  );
});

describe('paths and methods', () => {
  // shows: S1, S248, D1a
  it('are served under both prefixes', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    for (const prefix of ['/v3', '/api/v3']) {
      const { status, body } = await ask<LobbyView>(`GET ${prefix}/lobbies/${config}/me`, {
        player: 'ann',
      });
      expect([status, body.id]).toEqual([200, lobby.id]);
    }
    expect((await ask(`GET /v2/lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
  });

  // shows: S23, S53, D1b
  it('decode the name of the config, and take its id as well', async () => {
    const name = `${freshConfig()} a.b`;
    const { body } = await ask<{ id: string }>(`PUT lobby-configs/${encodeURIComponent(name)}`, {
      key: SERVER,
      body: { customProperties: { tier: 1 } },
    });
    const lobby = await createLobby(encodeURIComponent(name), 'ann');
    expect([lobby.config, lobby.customProperties]).toEqual([name, { tier: 1 }]);
    expect((await mine(body.id, 'ann')).id).toBe(lobby.id);
  });

  // shows: D3d
  it.each(['GET /nothing', 'GET /v3', 'POST /v3/nothing', 'GET /v3/lobbies', 'GET /health/x'])(
    '%s is unknown',
    async (line) => {
      const { status, body, headers } = await ask(line);
      expect(status).toBe(404);
      expect(body).toEqual({
        error: 'Not found',
        detail: 'There is no such endpoint: paths begin with /v3, and /openapi.json lists them all',
        status: 404,
        code: 'NOT_FOUND',
        requestId: headers.get('x-request-id'),
      });
    },
  );

  // shows: D3d
  it.each([
    ['PUT lobbies/a', 'POST, GET, OPTIONS'],
    ['PUT lobbies/a/me/matchmaking', 'POST, DELETE, OPTIONS'],
    ['POST lobbies/a/me/events', 'GET, OPTIONS'],
    ['HEAD lobbies/a/me/events', 'GET, OPTIONS'],
    ['HEAD lobbies/a/me/events/', 'GET, OPTIONS'],
    ['HEAD admin/events?view=overview', 'GET, OPTIONS'],
    ['DELETE /health', 'GET, OPTIONS'],
    ['GET lobby-configs/a/b', null],
  ])('%s allows %s', async (line, allow) => {
    const response = await fetchRaw(line, { player: 'p' });
    expect([response.status, response.headers.get('allow')]).toEqual([
      allow === null ? 404 : 405,
      allow,
    ]);
  });

  it('answer HEAD as GET, without a body', async () => {
    const response = await fetchRaw(`HEAD lobbies/${freshConfig()}`);
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  // shows: D6b
  it('need no key for health', async () => {
    const { status, body } = await ask<object>('GET /health', { key: null });
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('tell of storage when health is asked deep, which costs a write each five seconds at most', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    let probes = 0;
    let isFull = false;
    const probe = async (): Promise<void> => {
      probes += 1;
      if (isFull) {
        throw new Error('database or disk is full: SQLITE_FULL');
      }
    };
    const settings = { PROJECTS: { getByName: () => ({ probe }) } } as unknown as Partial<Env>;
    const deep = async (): Promise<unknown> => {
      const { status, body } = await askUnder<object>(settings, 'GET /health?deep', { key: null });
      return [status, body, probes];
    };
    const well = { status: 'ok', storage: 'ok' };
    expect(await deep()).toEqual([200, well, 1]);
    isFull = true;
    expect(await deep()).toEqual([200, well, 1]);
    now.mockReturnValue(Date.now() + 5_001);
    expect(await deep()).toMatchObject([503, { code: 'UNAVAILABLE' }, 2]);
    expect(await deep()).toMatchObject([503, { code: 'UNAVAILABLE' }, 2]);
    isFull = false;
    now.mockReturnValue(Date.now() + 5_001);
    expect(await deep()).toEqual([200, well, 3]);
    const { status, body } = await ask<object>('GET /health', { key: null });
    expect([status, body]).toEqual([200, { status: 'ok' }]);
    now.mockRestore();
    vi.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 120_000);
    expect((await ask<object>('GET /health?deep', { key: null })).body).toEqual(well);
    vi.restoreAllMocks();
  });
});

describe('a caller that can only send GET and POST', () => {
  const meaning = (method: string, asked: Asked = {}): Asked => ({
    ...asked,
    headers: { ...asked.headers, 'x-http-method-override': method },
  });
  const rare = ROUTES.filter(({ method }) => method !== 'GET' && method !== 'POST');

  it.each(rare)('means $line by a POST with the name of the method', async (route) => {
    const to = path(route.path);
    const said = await askUnder({}, `${route.method} ${to.slice(1)}`, { key: null });
    const meant = await askUnder({}, `POST ${to.slice(1)}`, meaning(route.method, { key: null }));
    expect(said.status).toBe(401);
    expect([meant.status, meant.body.code]).toEqual([said.status, said.body.code]);
  });

  it('changes, saves and deletes, and is counted under the method that it means', async () => {
    const config = freshConfig();
    const patched = `method="PATCH",route="/lobbies/:config/me",status="200"`;
    const count = (): number =>
      Number(metrics.text().split(`${patched}} `)[1]?.split('\n')[0] ?? 0);
    const before = count();
    const saved = await askUnder({}, `POST lobby-configs/${config}`, {
      ...meaning('PUT', { key: SERVER, body: { timeout: 60 } }),
    });
    await createLobby(config, 'ann');
    const me = `POST lobbies/${config}/me`;
    const body = { state: { ready: true } };
    const changed = await askUnder<LobbyView>({}, me, meaning('patch', { player: 'ann', body }));
    const left = await askUnder<object>({}, me, meaning('DELETE', { player: 'ann' }));
    expect([saved.status, changed.status]).toEqual([200, 200]);
    expect(changed.body.players[0]?.state).toEqual(body.state);
    expect(left.body).toEqual({ status: 'lobby_deleted' });
    expect(count()).toBe(before + 1);
  });

  it('is not taken for anything else', async () => {
    const get = await askUnder({}, 'GET lobbies/any/me', meaning('DELETE', { player: 'ann' }));
    expect(get.body.code).toBe('LOBBY_NOT_FOUND');
    for (const method of ['GET', 'OPTIONS', 'CONNECT', '']) {
      const { status } = await askUnder({}, 'POST lobbies/any/me', meaning(method));
      expect([method, status]).toEqual([method, 405]);
    }
  });
});

describe('CORS', () => {
  const API_KEYS = '[]';

  // shows: D6a
  it('lets any origin ask, also for what is refused', async () => {
    const headers = { origin: 'https://game.test', 'access-control-request-method': 'PATCH' };
    const options = 'OPTIONS lobbies/a/me';
    const asked = await askUnder({ API_KEYS }, options, { key: null, headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/api-key, x-player-id/);
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-http-method-override');
    const refused = await askUnder({ API_KEYS }, 'GET lobbies/a/me', { key: null, headers });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      '*',
    ]);
  });

  // shows: D8d
  it.each([
    [{ origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }, 200],
    [{ origin: 'http://127.0.0.1:8000', 'sec-fetch-site': 'same-site' }, 200],
    [{ origin: 'http://[::1]:8000' }, 200],
    [{ origin: 'http://muster.test', 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: 'https://listed.test' }, 200],
    [{}, 200],
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: 'https://127.0.0.1.evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
  ])(
    'of the development key is for pages of this machine, and those listed: %j, %i',
    async (headers: Readonly<Record<string, string>>, expected) => {
      const listed = headers['origin'] === 'https://listed.test';
      const settings = listed ? { CORS_ORIGINS: 'https://listed.test' } : {};
      const asked = await askUnder(settings, 'GET lobbies/any', { headers });
      const allowed = asked.headers.get('access-control-allow-origin');
      const readable = expected === 200 ? (headers['origin'] ?? null) : null;
      expect([asked.status, allowed]).toEqual([expected, readable]);
      const preflight = { ...headers, 'access-control-request-method': 'POST' };
      const before = await askUnder(settings, 'OPTIONS lobbies/any', {
        key: null,
        headers: preflight,
      });
      expect(before.status).toBe(expected === 200 ? 204 : 403);
    },
  );

  // shows: D6a
  it('can be narrowed', async () => {
    const settings = { CORS_ORIGINS: 'https://game.test' };
    const origin = async (value: string): Promise<string | null> => {
      const answer = await askUnder(settings, 'GET /health', { headers: { origin: value } });
      return answer.headers.get('access-control-allow-origin');
    };
    expect(await origin('https://game.test')).toBe('https://game.test');
    expect(await origin('https://other.test')).toBeNull();
  });
});

describe('bodies', () => {
  // shows: D2b, D15c
  it('of a POST may be missing, empty or {}, with and without a content type', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    for (const asked of [{}, { body: '' }, { body: '{}' }, { body: {} }]) {
      const answer = await ask<object>(`POST lobbies/${config}/me/heartbeat`, {
        player: 'ann',
        ...asked,
      });
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    }
  });

  // shows: D2e, D5c, D5f
  it('beyond the limit are a 413, and change nothing', async () => {
    const config = freshConfig();
    const body = `{"name":"${'x'.repeat(70_000)}"}`;
    const { status, body: refused } = await ask(`POST lobbies/${config}`, { player: 'ann', body });
    expect([status, refused.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
  });

  it.each(['start', 'end-match', 'confirm-match', 'heartbeat'])(
    'of %s, which takes none, are read all the same',
    async (act) => {
      const config = freshConfig();
      const { revision } = await createLobby(config, 'ann');
      for (const [body, code] of [
        ['{', 'VALIDATION_ERROR'],
        ['[]', 'VALIDATION_ERROR'],
        [`{"x":"${'x'.repeat(70_000)}"}`, 'PAYLOAD_TOO_LARGE'],
      ] as const) {
        const answer = await ask(`POST lobbies/${config}/me/${act}`, { player: 'ann', body });
        expect(answer.body.code).toBe(code);
      }
      expect((await mine(config, 'ann')).revision).toBe(revision);
    },
  );

  // shows: S2, D2d
  it.each(['{', '[]', '"x"', 'null'])('that are %s are a 400', async (body) => {
    const { status, body: refused } = await ask(`POST lobbies/any`, { player: 'ann', body });
    expect([status, refused.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a failure', () => {
  // shows: D3g
  it('inside an object shows nothing of itself', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = {
      getByName: () => {
        throw new Error('the inner message');
      },
    };
    const settings = {
      DEV_KEY_SHA256: await sha256(SERVER),
      LISTENS_ON: '127.0.0.1',
      ALLOWED_HOSTS: 'muster.test',
      PROJECTS: broken,
      SEATS: broken,
    } as unknown as Env;
    const context = { waitUntil: () => {} } as unknown as ExecutionContext;
    const request = requestOf('GET lobbies/broken/me', { player: 'ann' });
    const response = await serve(request, inWorker(settings, context));
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([500, { code: 'INTERNAL' }]);
    expect(text).not.toMatch(/inner|404|not found/i);
    expect(String(log.mock.calls[0]?.[0])).toContain('the inner message');
  });
});
