// Lobbies are found by their settings, and a quick join comes into one of them or creates one.

import { describe, expect, it } from 'vitest';
import type { LobbyPage } from '../../packages/js/src/types';
import type { LobbyView } from '../../src/lobby/view';
import {
  ask,
  askUnder,
  createLobby,
  freshConfig,
  saveConfig,
  until,
  type Problem,
} from './support';

const browse = async (config: string, query: string): Promise<LobbyPage> =>
  (await ask<LobbyPage>(`GET lobbies/${config}${query}`)).body;

async function findable(): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { browseBy: ['map', 'level'] });
  return config;
}

let refusing: string | null = null;

/** One in which nobody creates anything: a project has at most twenty. */
async function empty(): Promise<string> {
  refusing ??= await findable();
  return refusing;
}

const hosts = ({ lobbies }: LobbyPage): readonly string[] => lobbies.map(({ host }) => host);

describe('a search', () => {
  it('finds lobbies by their settings, and pages by cursor', async () => {
    const config = await findable();
    for (const [level, player] of ['p0', 'p1', 'p2', 'p3'].entries()) {
      await createLobby(config, player, { settings: { map: level === 3 ? 'ice' : 'dust', level } });
    }
    const first = await browse(config, '?settings.map=dust&limit=2');
    expect([hosts(first), first.total, first.hasMore]).toEqual([['p2', 'p1'], 3, true]);
    const last = await browse(config, `?settings.map=dust&limit=2&cursor=${first.cursor}`);
    expect([hosts(last), last.hasMore, 'cursor' in last]).toEqual([['p0'], false, false]);
    expect(hosts(await browse(config, '?settings.level=1..&sort=players'))).toEqual([
      'p1',
      'p2',
      'p3',
    ]);
    expect(hosts(await browse(config, '?settings.level=0&places=4'))).toEqual([]);
    expect('cursor' in (await browse(config, '?limit=2'))).toBe(false);
    expect('cursor' in (await browse(config, '?limit=2&sort=players'))).toBe(false);
    expect((await browse(config, '?limit=2&sort=newest')).cursor).toBeDefined();
  });

  it.each([
    ['?settings.mode=x', 'settings.mode: is not in browseBy of this config'],
    ['?settings.level=3..1', 'settings.level: must be a value, or a range of numbers'],
    ['?cursor=nonsense', 'cursor: must be the cursor of an earlier answer'],
    ['?cursor=1.a&sort=players', 'cursor: must be the cursor of an earlier answer, and sort'],
    ['?places=101', 'places: must be 0 to 100'],
    ['?sort=oldest', 'sort: must be one of newest, players'],
  ])('refuses %s', async (query, detail) => {
    const config = await empty();
    const { status, body } = await ask(`GET lobbies/${config}${query}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.detail).toContain(detail);
  });

  it('is by at most eight keys', async () => {
    const config = freshConfig();
    for (const browseBy of [
      Array.from({ length: 9 }, (_, at) => `k${at}`),
      [''],
      ['k'.repeat(65)],
    ]) {
      await expect(saveConfig(config, { browseBy })).rejects.toThrow('answered 400');
    }
  });
});

describe('a quick join', () => {
  const create = { name: 'Den', maxPlayers: 4 };
  const quick = (config: string, player: string, body: object = {}) =>
    ask<Omit<LobbyView, 'status'> & Problem>(`POST lobbies/${config}/quick-join`, {
      player,
      body: { where: { map: 'dust' }, create, ...body },
    });

  it('brings players who come at once together, in as few lobbies as hold them', async () => {
    const config = await findable();
    const players = Array.from({ length: 10 }, (_, at) => `p${at}`);
    const answers = await Promise.all(players.map((player) => quick(config, player)));
    expect(answers.map(({ status }) => status)).toEqual(players.map(() => 200));
    const ids = new Set(answers.map(({ body }) => body.id));
    expect(ids.size).toBe(3);
    const page = await until(
      () => browse(config, '?sort=players'),
      ({ lobbies }) => lobbies.reduce((sum, each) => sum + each.currentPlayers, 0) === 10,
    );
    expect(page.lobbies.map(({ currentPlayers }) => currentPlayers)).toEqual([2, 4, 4]);
    expect(new Set(page.lobbies.flatMap((each) => each.players.map(({ id }) => id))).size).toBe(10);
  });

  it('comes into a lobby that is there, but into no private one and none that does not fit', async () => {
    const config = await findable();
    await createLobby(config, 'eve', { settings: { map: 'dust' }, isPrivate: true });
    await createLobby(config, 'bob', { settings: { map: 'ice' } });
    await createLobby(config, 'max', { settings: { map: 'dust' }, maxPlayers: 1 });
    const open = await createLobby(config, 'ann', { settings: { map: 'dust' }, maxPlayers: 2 });
    const joined = await quick(config, 'p1', { state: { skin: 'red' } });
    expect([joined.body.id, joined.body.players[1]?.state]).toEqual([open.id, { skin: 'red' }]);
    expect((await quick(config, 'p2', { state: { skin: 'blue' } })).body).toMatchObject({
      host: 'p2',
      players: [{ state: { skin: 'blue' } }],
    });
  });

  it.each(['joins', 'creates'])('counts among the %s of its player', async (kind) => {
    const config = await findable();
    const limits = { LIMITS: JSON.stringify({ [kind]: { player: '1/6000s' } }) };
    const asked = { player: `max-${kind}`, body: { create } };
    const statuses: number[] = [];
    for (let times = 0; times < 2; times += 1) {
      statuses.push((await askUnder(limits, `POST lobbies/${config}/quick-join`, asked)).status);
    }
    expect(statuses).toEqual([200, 429]);
  });

  it('refuses who is in a lobby', async () => {
    const config = await findable();
    await createLobby(config, 'ann');
    expect((await quick(config, 'ann')).body.code).toBe('ALREADY_IN_LOBBY');
  });

  it.each([
    [{ where: { mode: 'x' } }, 'where.mode: is not in browseBy of this config'],
    [{ where: { level: '3..1' } }, 'where.level: must be a value, or a range'],
    [{ where: { map: ['dust'] } }, 'where.map: must be a string, a number, or true or false'],
    [
      { create: { ...create, settings: { map: 'ice' } } },
      'create: must be a lobby that this quick join would find',
    ],
    [{ where: { level: '1..3' } }, 'create: must be a lobby that this quick join would find'],
    [{ places: 5 }, 'create: must be a lobby that this quick join would find'],
    [{ create: { ...create, isPrivate: true } }, 'create.isPrivate: must be false'],
    [{ create: { ...create, forceFresh: true } }, 'create.forceFresh: must be false'],
    [{ create: {} }, 'create.name'],
  ])('refuses %j and creates nothing', async (body, detail) => {
    const config = await empty();
    const { status, body: told } = await quick(config, 'ann', body);
    expect([status, told.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(told.detail).toContain(detail);
    expect((await browse(config, '')).total).toBe(0);
  });
});

describe('a lobby of a key', () => {
  const byKey = (config: string, player: string, more: object = {}) =>
    ask<Omit<LobbyView, 'status'> & Problem>(`POST lobbies/${config}`, {
      player,
      body: { key: 'channel-42', name: 'Den', maxPlayers: 60, ...more },
    });

  it('is made by one of fifty who ask at once, and all are in it', async () => {
    const config = freshConfig();
    const players = Array.from({ length: 50 }, (_, at) => `p${at}`);
    const answers = await Promise.all(
      players.map((player) => byKey(config, player, { isPrivate: true, state: { player } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { body } = await byKey(config, 'p7');
    const there = body.players.map(({ id, state }) => [id, state]);
    expect(new Map(there as [string, object][])).toEqual(
      new Map(players.map((player) => [player, { player }])),
    );
  });

  it('is a new one once the first is over, and another in another config', async () => {
    const [config, elsewhere] = [freshConfig(), freshConfig()];
    const first = await byKey(config, 'ann');
    const other = await byKey(elsewhere, 'ann');
    expect([first.status, other.status]).toEqual([201, 201]);
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    const second = await byKey(config, 'bob');
    expect([second.status, second.body.host]).toEqual([201, 'bob']);
    expect(new Set([first, other, second].map(({ body }) => body.id)).size).toBe(3);
    expect((await byKey(config, 'cat')).body.id).toBe(second.body.id);
  });

  it('refuses as a join and a create do, and changes nothing', async () => {
    const config = freshConfig();
    await byKey(config, 'ann', { maxPlayers: 1 });
    expect((await byKey(config, 'bob')).body.code).toBe('LOBBY_FULL');
    await createLobby(config, 'cat');
    expect((await byKey(config, 'cat')).body.code).toBe('ALREADY_IN_LOBBY');
    expect((await byKey(config, 'cat', { key: 'other' })).body.code).toBe('ALREADY_IN_LOBBY');
    expect((await byKey(config, 'dan', { key: 'other' })).status).toBe(201);
    const wrong = await Promise.all([
      byKey(config, 'eve', { key: '' }),
      byKey(config, 'eve', { key: 'k'.repeat(65) }),
      byKey(config, 'eve', { key: 42 }),
      byKey(config, 'eve', { forceFresh: true }),
    ]);
    expect(wrong.map(({ status, body }) => [status, body.detail.split(': ')[0]])).toEqual(
      wrong.map(() => [400, 'key']),
    );
  });
});
