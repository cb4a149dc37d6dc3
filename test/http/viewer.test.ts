// A viewer key (record 0058) against every line of the route table, so that a new one cannot be forgotten.

import { beforeAll, expect, it } from 'vitest';
import { DASHBOARD, OLDER, ROUTES } from '../../src/http/serve/routes';
import type { KeyListed, ViewerKey } from '../../packages/js/src/identity-types';
import { met } from './met';
import { Stream } from './stream';
import { ask, askUnder, CLIENT, fetchRaw, SERVER } from './support';

const SECRET = 'a secret that nobody but the server key reads';
const HOOK = { url: 'https://api.example.com/muster', secret: `${SECRET} of hooks` };

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

let key = '';
let id = '';
/** What stands in paths, by the name of the parameter and what the path begins with. */
let there: Readonly<Record<string, string>> = {};

async function make(name: string): Promise<ViewerKey> {
  const { status, body } = await ask<ViewerKey>('POST projects/keys', {
    key: SERVER,
    body: { name },
  });
  expect(status).toBe(201);
  return body;
}

beforeAll(async () => {
  ({ key, id } = await make('anna'));
  await ask('PUT projects/hooks', { key: SERVER, body: HOOK });
  await ask('POST projects/token-secrets', {
    key: SERVER,
    body: { secret: `${SECRET} of tokens` },
  });
  const login = { publisherKey: `${SECRET} of steam`, appId: 480 };
  await ask('PUT projects/logins/steam', { key: SERVER, body: login });
  const rating = { field: 'mmr', system: 'openskill' };
  const matchmaking = { modes: { duel: { rating } } };
  await ask('PUT lobby-configs/seen', { key: SERVER, body: { matchmaking } });
  await ask('PUT builds/seen', {
    key: SERVER,
    body: { launch: { env: { TOKEN: SECRET }, files: { 'a.cfg': SECRET } } },
  });
  const { matchId, serverId } = await met('met');
  const { body: lobby } = await ask<{ readonly id: string }>('POST lobbies/seen', {
    player: 'ann',
  });
  there = { lobbies: lobby.id, matches: matchId, servers: serverId };
});

/** What queries must have. */
const QUERIES: Readonly<Record<string, string>> = {
  '/ratings': '?config=seen&mode=duel',
  '/ratings/export': '?config=seen&mode=duel',
  '/admin/events': '?view=project',
  '/admin/searches': '?player=ann',
  '/admin/searches/end': '?config=seen&mode=duel&ticket=none&until=2030-01-01T00:00:00Z',
  '/admin/journal': '?config=seen&mode=duel',
};

function pathOf(version: string, path: string): string {
  const [, first = ''] = path.split('/');
  const filled = path
    .replace(':config', 'seen')
    .replace(':playerId', 'bob')
    .replace(':id', there[first] ?? 'ann')
    .replace(':name', 'seen')
    .replace(':provider', 'steam')
    .replace(':revision', '1');
  return `/${version}${filled}${QUERIES[path] ?? ''}`;
}

const lines = [
  ...[...ROUTES, ...DASHBOARD].map((route) => ['v3', route] as const),
  ...OLDER.map((route) => ['v2', route] as const),
].filter(([, { caller }]) => caller !== 'open' && caller !== 'gameServer');
const isSeen = ({ method, caller }: (typeof ROUTES)[number]): boolean =>
  method === 'GET' && caller !== 'player';

const READS = lines.filter(([, route]) => isSeen(route));
const OTHERS = lines.filter(([, route]) => !isSeen(route));

it('reads each endpoint that the server key reads, and no secret', async () => {
  expect(READS.length).toBeGreaterThan(25);
  for (const [version, { path, line }] of READS) {
    const asked = `GET ${pathOf(version, path)}`;
    const response = await fetchRaw(asked, { key });
    const theirs = await fetchRaw(asked, { key: SERVER });
    expect([line, response.status]).toEqual([line, theirs.status]);
    expect([line, response.status]).not.toEqual([line, 403]);
    if (path.endsWith('/events')) {
      const stream = new Stream(response);
      expect(JSON.stringify(await stream.next('snapshot'))).not.toContain(SECRET);
      await stream.leave();
      await theirs.body?.cancel();
      continue;
    }
    const text = await response.text();
    expect([line, text.includes(SECRET)]).toEqual([line, false]);
    await theirs.text();
  }
});

it('may do nothing else, whatever it sends', async () => {
  expect(OTHERS.length).toBeGreaterThan(50);
  const before = await ask<object>('GET audit', { key: SERVER });
  for (const [version, { method, path, line }] of OTHERS) {
    const asked = `${method} ${pathOf(version, path)}`;
    const { status, body } = await ask(asked, { key, player: 'ann' });
    expect([line, status, body.code]).toEqual([line, 403, 'FORBIDDEN']);
    expect(body.detail).toContain('viewer key, which only reads');
  }
  expect((await ask<object>('GET audit', { key: SERVER })).body).toEqual(before.body);
});

it('sees the names of environment variables and files, and the server key their values', async () => {
  const env = { launch: { env: { TOKEN: 'hidden' }, files: { 'a.cfg': 'hidden' } } };
  const builds = await ask<{ readonly builds: readonly object[] }>('GET builds?name=seen', { key });
  expect(builds.body.builds).toMatchObject([env]);
  expect((await ask<object>('GET builds/seen', { key })).body).toMatchObject(env);
  const past = await ask<object>('GET builds/seen/history', { key });
  expect(past.body).toMatchObject({ items: [{ build: env }] });
  const whole = await ask<object>('GET builds/seen', { key: SERVER });
  expect(whole.body).toMatchObject({
    launch: { env: { TOKEN: SECRET }, files: { 'a.cfg': SECRET } },
  });
});

it('reads the metrics of its project, and a client key does not', async () => {
  const headers = (of: string) => ({ key: null, headers: { authorization: `Bearer ${of}` } });
  const read = await fetchRaw('GET /metrics', headers(key));
  expect(read.status).toBe(200);
  await read.text();
  expect((await ask('GET /metrics', headers(CLIENT))).status).toBe(403);
});

it('is refused to pages of other origins, like the server key', async () => {
  const API_KEYS = JSON.stringify([
    { project: 'other', kind: 'viewer', sha256: await sha256('looks') },
    { project: 'other', kind: 'client', sha256: await sha256('plays') },
  ]);
  const headers = { origin: 'https://evil.test' };
  const asked = (of: string) => askUnder({ API_KEYS }, 'GET regions', { key: of, headers });
  expect(await asked('looks')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(await asked('plays')).toMatchObject({ status: 200 });
});

it('is listed by its name beside the keys of the deployment, and never shown again', async () => {
  const listed = await ask<{ readonly keys: readonly KeyListed[] }>('GET projects/keys', { key });
  expect(listed.body.keys).toMatchObject([
    { kind: 'client', name: null, createdAt: null, isYours: false },
    { kind: 'server', name: null, createdAt: null, isYours: false },
    { kind: 'viewer', name: 'anna', id, isYours: true },
  ]);
  expect(JSON.stringify(listed.body)).not.toContain(key.slice(-32));
  const { body } = await ask<object>('GET audit?kind=secrets_changed', { key: SERVER });
  expect(JSON.stringify(body)).toContain('add viewer anna');
  expect(JSON.stringify(body)).not.toContain(key.slice(-32));
});

it('ends when it is revoked, and so does what it has open', async () => {
  const bob = await make('bob');
  const asked = { key: bob.key };
  const stream = new Stream(await fetchRaw('GET admin/events?view=project', asked));
  await stream.next('snapshot');
  expect((await ask(`DELETE projects/keys/${bob.id}`, { key: SERVER })).status).toBe(200);
  expect(await ask('GET builds', asked)).toMatchObject({
    status: 401,
    body: { code: 'UNAUTHORIZED' },
  });
  expect((await ask(`DELETE projects/keys/${bob.id}`, { key: SERVER })).status).toBe(404);
  // The next beat comes within ten seconds.
  await stream.ended();
  expect((await ask('GET builds', { key })).status).toBe(200);
}, 20_000);

it('is of its project alone, and a name beside it opens no other', async () => {
  const API_KEYS = JSON.stringify([
    { project: 'dev', kind: 'server', sha256: await sha256('mine') },
    { project: 'other', kind: 'server', sha256: await sha256('theirs') },
    { project: 'other', kind: 'viewer', sha256: await sha256('looks'), name: 'eve' },
  ]);
  expect(await askUnder({ API_KEYS }, 'GET builds', { key })).toMatchObject({ status: 200 });
  for (const wrong of [
    key.replace('_dev_', '_other_'),
    key.replace('_dev_', '_none_'),
    `${key}x`,
  ]) {
    expect(await askUnder({ API_KEYS }, 'GET builds', { key: wrong })).toMatchObject({
      status: 401,
    });
  }
  // One in API_KEYS is the same.
  expect(await askUnder({ API_KEYS }, 'GET builds', { key: 'looks' })).toMatchObject({
    status: 200,
  });
  const started = await askUnder({ API_KEYS }, 'POST servers/start', { key: 'looks' });
  expect(started).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  const listed = await askUnder<object>({ API_KEYS }, 'GET projects/keys', { key: 'looks' });
  expect(listed.body).toMatchObject({ keys: [{ kind: 'server' }, { name: 'eve', isYours: true }] });
});

it('needs a name, and there are at most fifty', async () => {
  for (const body of [{}, { name: '' }, { name: 'a b' }, { name: 'a', kind: 'server' }]) {
    const { status, body: told } = await ask('POST projects/keys', { key: SERVER, body });
    expect([status, told.code]).toEqual([400, 'VALIDATION_ERROR']);
  }
  for (let made = 1; made < 50; made += 1) {
    await make(`one-${made}`);
  }
  const { status, body } = await ask('POST projects/keys', { key: SERVER, body: { name: 'more' } });
  expect([status, body.detail]).toEqual([400, 'A project has at most 50 viewer keys']);
});
