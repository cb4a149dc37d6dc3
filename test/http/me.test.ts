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
] as const;

describe('a player in no lobby', () => {
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
    });
  });
});

describe('host only', () => {
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
  it('answers the lobby while others remain, and promotes the next host', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const left = await ask<LobbyView>(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect([left.status, left.body.host, left.body.currentPlayers]).toEqual([200, 'bob', 1]);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
    expect((await joinLobby(config, 'ann', code)).host).toBe('bob');
  });

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

  it('of self is a 400, of a stranger a 404', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const self = await ask(`DELETE lobbies/${config}/me/players/ann`, { player: 'ann' });
    expect([self.status, self.body.code]).toEqual([400, 'INVALID_ACTION']);
    const stranger = await ask(`DELETE lobbies/${config}/me/players/eve`, { player: 'ann' });
    expect([stranger.status, stranger.body.code]).toEqual([404, 'PLAYER_NOT_FOUND']);
  });
});

describe('start and end-match', () => {
  it('give the lobby a server and take it away again', async () => {
    const config = freshConfig();
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

  it('answer 503 when nothing can be launched, and the lobby waits again', async () => {
    const config = freshConfig();
    await saveConfig(config, { serverSettings: { gameBuild: 'missing' } });
    await createLobby(config, 'ann');
    const failed = await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect([failed.status, failed.body.code]).toEqual([503, 'LAUNCH_FAILED']);
    expect(await mine(config, 'ann')).toMatchObject({ status: 'waiting', server: null });
  });

  it('let players join a game that takes late ones', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect((await joinLobby(config, 'bob', code)).status).toBe('in_game');
  });
});

describe('the server key', () => {
  it('may act for a player as well', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const answer = await ask(`GET lobbies/${config}/me`, { player: 'ann', key: SERVER });
    expect(answer.status).toBe(200);
  });
});
