import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

/** Every route under `/me`, with a body it would take. */
const MINE = [
  ['GET', '', undefined],
  ['PATCH', '', { state: {} }],
  ['DELETE', '', undefined],
  ['PATCH', '/settings', {}],
  ['DELETE', '/players/bob', undefined],
  ['POST', '/start', undefined],
  ['POST', '/end-match', undefined],
  ['POST', '/matchmaking', { mode: 'duel' }],
  ['DELETE', '/matchmaking', undefined],
  ['POST', '/confirm-match', undefined],
  ['DELETE', '/confirm-match', undefined],
  ['POST', '/heartbeat', undefined],
  ['POST', '/signals', { to: 'all', data: 1 }],
  ['GET', '/ice', undefined],
] as const;

describe('GET /me?orNull=true', () => {
  it('is null for a player in no lobby, and else the lobby', async () => {
    const config = freshConfig();
    const path = `GET lobbies/${config}/me?orNull=true`;
    const none = await ask<LobbyView | null>(path, { player: 'ann' });
    expect([none.status, none.body]).toEqual([200, null]);
    const lobby = await createLobby(config, 'ann');
    expect((await ask<LobbyView>(path, { player: 'ann' })).body).toMatchObject({ id: lobby.id });
    for (const [query, status] of [
      ['orNull=false', 404],
      ['orNull=maybe', 400],
    ] as const) {
      const answer = await ask(`GET lobbies/${config}/me?${query}`, { player: 'nobody' });
      expect(answer.status).toBe(status);
    }
    expect((await ask(path, {})).status).toBe(400);
  });
});

describe('a player in no lobby', () => {
  // shows: S137, S228, S235
  it.each(MINE)('%s /me%s is a 404', async (method, path, body) => {
    const answer = await ask(`${method} lobbies/${freshConfig()}/me${path}`, {
      player: 'nobody',
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: 'Lobby not found',
      detail: expect.any(String),
      status: 404,
      code: 'LOBBY_NOT_FOUND',
      requestId: answer.headers.get('x-request-id'),
    });
  });
});

describe('host only', () => {
  // shows: S140, S141, S142, S143, S144, S145, S181, S184, S227
  it.each([
    ['PATCH', '/settings', { name: 'x' }],
    ['DELETE', '/players/ann', undefined],
    ['POST', '/start', undefined],
    ['POST', '/end-match', undefined],
    ['POST', '/matchmaking', { mode: 'duel' }],
    ['DELETE', '/matchmaking', undefined],
  ] as const)('%s /me%s is a 403 for a guest', async (method, path, body) => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const before = await mine(config, 'ann');
    const answer = await ask(`${method} lobbies/${config}/me${path}`, {
      player: 'bob',
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, answer.body.error, answer.body.code]).toEqual([
      403,
      'Not host',
      'NOT_HOST',
    ]);
    expect(await mine(config, 'ann')).toEqual(before);
  });
});

describe('GET and PATCH /me', () => {
  // shows: S39, S41, S42, S137, S138, D13a
  it('read the lobby and merge state', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann', { state: { a: 1, b: 2 } });
    expect(await mine(config, 'ann')).toEqual(lobby);
    const patch = async (state: object): Promise<LobbyView> =>
      (await ask<LobbyView>(`PATCH lobbies/${config}/me`, { player: 'ann', body: { state } })).body;
    const merged = await patch({ b: null, c: { deep: null } });
    expect(merged.players[0]?.state).toEqual({ a: 1, c: { deep: null } });
    expect(merged.revision).toBe(lobby.revision + 1);
    expect(Date.parse(merged.updatedAt)).toBeGreaterThan(Date.parse(lobby.updatedAt));
  });

  it('refuse a state that is none, or too much in the end', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann', { state: { a: 'x'.repeat(10_000) } });
    for (const body of [{}, { state: 1 }, { state: { b: 'x'.repeat(10_000) } }]) {
      const answer = await ask(`PATCH lobbies/${config}/me`, { player: 'ann', body });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(Object.keys((await mine(config, 'ann')).players[0]?.state ?? {})).toEqual(['a']);
  });
});

describe('leave', () => {
  // shows: S59, S125, S139, S175, D15a
  it('answers the lobby while others remain, and promotes the next host', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const left = await ask<LobbyView>(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect([left.status, left.body.host, left.body.currentPlayers]).toEqual([200, 'bob', 1]);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
    expect((await joinLobby(config, 'ann', code)).host).toBe('bob');
  });

  // shows: S124, S176
  it('of the last player deletes the lobby', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    const left = await ask<object>(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect([left.status, left.body]).toEqual([200, { status: 'lobby_deleted' }]);
    expect((await ask(`DELETE lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
    const again = await until(
      () => ask(`POST lobbies/${config}/join`, { player: 'bob', body: { code } }),
      ({ status }) => status === 404,
    );
    expect(again.body.code).toBe('LOBBY_NOT_FOUND');
    expect((await createLobby(config, 'ann')).currentPlayers).toBe(1);
  });

  // shows: S59, S175
  it('of the host deletes the lobby where the config says so', async () => {
    const config = freshConfig();
    await saveConfig(config, { hostLeaveBehavior: 'delete' });
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const left = await ask<object>(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect([left.status, left.body]).toEqual([200, { status: 'lobby_deleted' }]);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'bob' })).status).toBe(404);
  });
});

describe('settings', () => {
  // shows: S64, S140, D14a
  it('change what is given, and merge the free-form ones', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann', { settings: { a: 1, b: 2 } });
    const { status, body } = await ask<LobbyView>(`PATCH lobbies/${config}/me/settings`, {
      player: 'ann',
      body: {
        name: 'Lair',
        maxPlayers: 8,
        isPrivate: true,
        region: 'eu-west',
        allowLateJoin: false,
        settings: { a: null, c: 3 },
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Lair',
      maxPlayers: 8,
      isPrivate: true,
      region: 'eu-west',
      allowLateJoin: false,
      settings: { b: 2, c: 3 },
    });
  });

  // shows: D14b
  it('refuse fewer places than players, and change nothing', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    const before = await joinLobby(config, 'bob', code);
    for (const body of [{ maxPlayers: 1, name: 'x' }, { maxPlayers: 0 }, { name: '' }]) {
      const answer = await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(await mine(config, 'ann')).toEqual(before);
  });
});

describe('kick', () => {
  // shows: S141, S178, D15b
  it('removes the target, whose id may need decoding', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'b/o b', code);
    const { status, body } = await ask<LobbyView>(
      `DELETE lobbies/${config}/me/players/${encodeURIComponent('b/o b')}`,
      { player: 'ann' },
    );
    expect([status, body.currentPlayers, body.host]).toEqual([200, 1, 'ann']);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'b/o b' })).status).toBe(404);
    expect((await createLobby(config, 'b/o b')).currentPlayers).toBe(1);
  });

  // shows: S179, S180, S226, S229
  it('of self is a 400, of a stranger a 404', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const self = await ask(`DELETE lobbies/${config}/me/players/ann`, { player: 'ann' });
    expect([self.status, self.body.code]).toEqual([400, 'INVALID_ACTION']);
    const stranger = await ask(`DELETE lobbies/${config}/me/players/eve`, { player: 'ann' });
    expect([stranger.status, stranger.body.code]).toEqual([404, 'PLAYER_NOT_FOUND']);
  });
});

describe.each([
  ['alone', {}],
  ['with a match', { matchOnStart: true }],
])('start and end-match, %s', (_, settings) => {
  // shows: S4, S33, S52, S64, S119, S120, S142, S143, S181, S182, S231, D15b, D19b
  it('give the lobby a server and take it away again', async () => {
    const config = freshConfig();
    await saveConfig(config, { serverSettings: settings });
    const lobby = await createLobby(config, 'ann', { settings: { map: 'forest' } });
    const started = await ask<LobbyView>(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect([started.status, started.body.status]).toEqual([200, 'in_game']);
    expect(started.body.server).toMatchObject({
      instance_id: expect.any(String),
      status: 'launching',
      region: 'us-east',
      custom_data: { map: 'forest' },
    });
    const again = await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect([again.status, again.body.code]).toEqual([409, 'GAME_ALREADY_RUNNING']);
    const running = await until(
      () => mine(config, 'ann'),
      ({ server }) => server?.status === 'running',
    );
    expect(running.server?.network_ports[0]).toEqual({
      name: expect.any(String),
      host: expect.any(String),
      external_port: expect.any(Number),
      internal_port: expect.any(Number),
      protocol: expect.any(String),
      tls_enabled: false,
    });
    const ended = await ask<LobbyView>(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect([ended.status, ended.body.status, ended.body.server]).toEqual([200, 'waiting', null]);
    expect([ended.body.code, ended.body.settings]).toEqual([lobby.code, lobby.settings]);
    const twice = await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect([twice.status, twice.body.code, twice.body.error]).toEqual([
      409,
      'INVALID_STATE',
      'Invalid state',
    ]);
  });

  // shows: S121, D3f, D19c
  it('answer 503 when nothing can be launched, and the lobby waits again', async () => {
    const config = freshConfig();
    await saveConfig(config, { serverSettings: { ...settings, gameBuild: 'missing' } });
    await createLobby(config, 'ann');
    const failed = await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect([failed.status, failed.body.code]).toEqual([503, 'LAUNCH_FAILED']);
    expect(await mine(config, 'ann')).toMatchObject({ status: 'waiting', server: null });
  });

  // shows: S30
  it('let players join a game that takes late ones', async () => {
    const config = freshConfig();
    await saveConfig(config, { serverSettings: settings });
    const { code } = await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect((await joinLobby(config, 'bob', code)).status).toBe('in_game');
  });
});

describe('the server key', () => {
  // shows: S198
  it('may act for a player as well', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const answer = await ask(`GET lobbies/${config}/me`, { player: 'ann', key: SERVER });
    expect(answer.status).toBe(200);
  });
});
