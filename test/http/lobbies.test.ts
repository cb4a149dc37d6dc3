import { describe, expect, it } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
import type { LobbyView } from '../../src/lobby/view';
import { peersUnderTest } from '../support/peers';
import type { LobbyPage } from '../../packages/js/src/types.ts';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  SERVER,
  saveConfig,
  until,
} from './support';

import { matchmade, playing, queue } from './parties';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('create', () => {
  // shows: S3, S18, S19, S21, S23, S25, S26, S28, S29, S30, S31, S33, S36, S63, S134
  // shows: S155, S157, S236, D2a, D2c, D9a, D11a
  it('answers 201 with the whole lobby and the defaults', async () => {
    const config = freshConfig();
    const { status, body } = await ask<LobbyView>(`POST lobbies/${config}`, {
      player: 'ann',
      body: { name: 'Den', unknown: 1 },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      code: expect.stringMatching(/^[A-Z]{4}-[2-9B-Z]{6}$/),
      name: 'Den',
      config,
      status: 'waiting',
      host: 'ann',
      maxPlayers: 2,
      currentPlayers: 1,
      region: 'us-east',
      isPrivate: false,
      allowLateJoin: true,
      settings: {},
      players: [{ id: 'ann', state: null, isHost: true }],
      server: null,
      matchmaking: null,
      matchId: null,
      customProperties: {},
      revision: 1,
      createdAt: expect.stringMatching(ISO),
      updatedAt: expect.stringMatching(ISO),
    });
  });

  // shows: S26, S28, S154, S155, S236
  it('takes every field of the body', async () => {
    const fields = {
      name: 'Den',
      maxPlayers: 100,
      region: 'eu-west',
      isPrivate: true,
      allowLateJoin: false,
      settings: { map: 'forest', deep: { a: [1, null] } },
    };
    const lobby = await createLobby(freshConfig(), 'ann', { ...fields, state: { skill: 7 } });
    expect(lobby).toMatchObject(fields);
    expect(lobby.players).toEqual([{ id: 'ann', state: { skill: 7 }, isHost: true }]);
  });

  // shows: S37, S62, D9a
  it('uses the invite codes and properties of the config', async () => {
    const config = freshConfig();
    await saveConfig(config, {
      inviteCodeConfig: { type: 'numeric', length: 6, prefix: 'PF-' },
      customProperties: { season: 3 },
    });
    const lobby = await createLobby(config, 'ann');
    expect([lobby.code, lobby.customProperties]).toEqual([
      expect.stringMatching(/^PF-\d{6}$/),
      { season: 3 },
    ]);
  });

  // shows: S26, S152, S153, S236, D5a
  it.each([{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'a', maxPlayers: 101 }])(
    'refuses %j with a 400',
    async (body) => {
      const config = freshConfig();
      const answer = await ask(`POST lobbies/${config}`, { player: 'ann', body });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect((await ask(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
    },
  );

  // shows: S158, S230
  it('is a 409 for who is in another lobby, host or guest', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    for (const player of ['ann', 'bob']) {
      const answer = await ask(`POST lobbies/${config}`, { player, body: { name: 'Two' } });
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        error: 'Already in another lobby',
        code: 'ALREADY_IN_LOBBY',
        status: 409,
      });
    }
    expect((await createLobby(freshConfig(), 'ann')).host).toBe('ann');
  });

  // shows: S159, S160, S161
  it('with forceFresh replaces the lobby the caller hosts, and no other', async () => {
    const config = freshConfig();
    const old = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', old.code);
    const guest = await ask(`POST lobbies/${config}`, {
      player: 'bob',
      body: { name: 'Mine', forceFresh: true },
    });
    expect([guest.status, guest.body.code]).toEqual([409, 'ALREADY_IN_LOBBY']);
    const fresh = await createLobby(config, 'ann', { forceFresh: true });
    expect(fresh.id).not.toBe(old.id);
    expect((await mine(config, 'ann')).id).toBe(fresh.id);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'bob' })).status).toBe(404);
    expect((await createLobby(config, 'eve', { forceFresh: true })).host).toBe('eve');
  });

  it('asked for twenty times at once makes one lobby a player', async () => {
    const config = freshConfig();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask<LobbyView>(`POST lobbies/${config}`, { player: 'ann', body: { name: 'Den' } }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBe(19);
    expect((await mine(config, 'ann')).id).toBe(made[0]?.body.id);
  });
});

describe('join', () => {
  // shows: S32, S39, S64, S136, S162, S163, D12a
  it('takes a code without case, its alias, or an id, for private lobbies too', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann', { isPrivate: true });
    const ways = [
      { code: lobby.code },
      { code: lobby.code.toLowerCase(), state: { skill: 1 } },
      { inviteCode: lobby.code },
    ];
    for (const [index, body] of ways.entries()) {
      const { status, body: joined } = await ask<LobbyView>(`POST lobbies/${config}/join`, {
        player: `guest-${index}`,
        body,
      });
      expect([status, joined.id, joined.currentPlayers]).toEqual([200, lobby.id, index + 2]);
    }
    expect((await mine(config, 'ann')).players).toEqual([
      { id: 'ann', state: null, isHost: true },
      { id: 'guest-0', state: null, isHost: false },
      { id: 'guest-1', state: { skill: 1 }, isHost: false },
      { id: 'guest-2', state: null, isHost: false },
    ]);
    const other = await createLobby(freshConfig(), 'ann');
    const byId = await ask<LobbyView>(`POST lobbies/${other.config}/join`, {
      player: 'bob',
      body: { lobbyId: other.id.toUpperCase() },
    });
    expect([byId.status, byId.body.id]).toEqual([200, other.id]);
  });

  // shows: S168
  it('again changes nothing', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { maxPlayers: 2 });
    const first = await joinLobby(config, 'bob', code);
    expect(await joinLobby(config, 'bob', code)).toEqual(first);
  });

  // shows: D12a
  it('by both or neither is a 400', async () => {
    const config = freshConfig();
    const { code, id } = await createLobby(config, 'ann');
    for (const body of [{}, { code, lobbyId: id }, { code, inviteCode: 'OTHER-1' }]) {
      const answer = await ask(`POST lobbies/${config}/join`, { player: 'bob', body });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  // shows: S164
  it('of no such lobby is a 404', async () => {
    const config = freshConfig();
    const elsewhere = await createLobby(freshConfig(), 'ann');
    for (const body of [
      { code: 'NONE-0' },
      { code: elsewhere.code === 'NONE-0' ? 'NONE-1' : elsewhere.code },
      { lobbyId: crypto.randomUUID() },
      { lobbyId: 'no-uuid' },
      { lobbyId: elsewhere.id },
    ]) {
      const answer = await ask(`POST lobbies/${config}/join`, { player: 'bob', body });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ error: 'Lobby not found', code: 'LOBBY_NOT_FOUND' });
    }
  });

  // shows: S165, S224
  it('of a full lobby is a 400', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { maxPlayers: 1 });
    const answer = await ask(`POST lobbies/${config}/join`, { player: 'bob', body: { code } });
    expect([answer.status, answer.body.error, answer.body.code]).toEqual([
      400,
      'Lobby is full',
      'LOBBY_FULL',
    ]);
  });

  // shows: S167, D12c
  it('of another lobby is a 409, before anything is said of that lobby', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { maxPlayers: 1 });
    await createLobby(config, 'bob');
    const answer = await ask(`POST lobbies/${config}/join`, { player: 'bob', body: { code } });
    expect([answer.status, answer.body.code]).toEqual([409, 'ALREADY_IN_LOBBY']);
  });

  // shows: S30, S166, S225
  it('of a game without late join is a 400', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { allowLateJoin: false });
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const answer = await ask(`POST lobbies/${config}/join`, { player: 'bob', body: { code } });
    expect([answer.status, answer.body.error, answer.body.code]).toEqual([
      400,
      'Lobby is not accepting players',
      'LOBBY_NOT_ACCEPTING',
    ]);
  });

  // shows: D3e
  it('is a 429 after too many wrong codes, also with a right one', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    const guess = (): Promise<{ status: number }> =>
      ask(`POST lobbies/${config}/join`, { player: 'eve', body: { code: 'WRONG-0' } });
    let tries = 0;
    while ((await guess()).status === 404 && tries < 100) {
      tries += 1;
    }
    expect(tries).toBe(20);
    const answer = await ask(`POST lobbies/${config}/join`, { player: 'eve', body: { code } });
    expect([answer.status, answer.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await joinLobby(config, 'bob', code)).currentPlayers).toBe(2);
  });

  // shows: S27
  it('of a hundred at once never overfills', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'host', { maxPlayers: 10 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        ask(`POST lobbies/${config}/join`, { player: `p${index}`, body: { code } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(9);
    expect(answers.filter(({ body }) => body.code === 'LOBBY_FULL').length).toBe(31);
    expect((await mine(config, 'host')).currentPlayers).toBe(10);
  });
});

describe('browse', () => {
  const browse = async (config: string, query = ''): Promise<LobbyPage> =>
    (await ask<LobbyPage>(`GET lobbies/${config}${query}`)).body;

  // shows: S135, S173, S199, D20a
  it('shows public lobbies, newest first, without a player id', async () => {
    const config = freshConfig();
    expect(await browse(config)).toEqual({
      lobbies: [],
      total: 0,
      limit: 50,
      offset: 0,
      hasMore: false,
    });
    const one = await createLobby(config, 'ann');
    const two = await createLobby(config, 'bob', { region: 'eu-west' });
    await createLobby(config, 'eve', { isPrivate: true });
    const page = await until(
      () => browse(config),
      ({ total }) => total === 2,
    );
    expect(page.lobbies).toEqual([two, one]);
  });

  // shows: S169, S172
  it('pages and filters', async () => {
    const config = freshConfig();
    for (const [index, region] of ['eu-west', 'us-east', 'eu-west'].entries()) {
      await createLobby(config, `p${index}`, { region });
    }
    await until(
      () => browse(config),
      ({ total }) => total === 3,
    );
    const hosts = ({ lobbies }: LobbyPage): readonly string[] => lobbies.map(({ host }) => host);
    const first = await browse(config, '?limit=2');
    expect([hosts(first), first.total, first.hasMore]).toEqual([['p2', 'p1'], 3, true]);
    const last = await browse(config, '?limit=2&offset=2');
    expect([hosts(last), last.offset, last.hasMore]).toEqual([['p0'], 2, false]);
    expect(hosts(await browse(config, '?region=eu-west&status=waiting'))).toEqual(['p2', 'p0']);
    expect(hosts(await browse(config, '?status=in_game'))).toEqual([]);
  });

  it('shows its own isolate a new lobby in spite of the second of age', async () => {
    const config = freshConfig();
    expect((await browse(config)).total).toBe(0);
    await createLobby(config, 'ann');
    const directory = peersUnderTest().directory('dev', config);
    await until(
      () => directory.browse({ region: null, status: null, limit: 50, offset: 0 }),
      ({ total }) => total === 1,
    );
    expect((await browse(config)).total).toBe(1);
  });

  it('says nothing of a private lobby in the match of a public one', async () => {
    const config = await matchmade({ duel: {} });
    await createLobby(config, 'ann', { state: { rank: 'gold' } });
    const state = { secret: 'of bob' };
    const own = { isPrivate: true, name: 'Den of bob', settings: { map: 'cellar of bob' }, state };
    await createLobby(config, 'bob', own);
    await queue(config, 'ann');
    await queue(config, 'bob');
    const { server } = await playing(config, 'ann');
    const shown = await until(
      () => browse(config),
      ({ lobbies }) => lobbies[0]?.server?.status === 'running',
    );
    expect(shown.lobbies.map(({ host, players }) => [host, players])).toEqual([
      ['ann', [{ id: 'ann', state: { rank: 'gold' }, isHost: true }]],
    ]);
    expect(JSON.stringify(shown)).not.toContain('bob');
    const line = `GET servers/${server?.instance_id}`;
    const read = await ask<ServerBlock>(line);
    expect(read.body).toMatchObject({ status: 'running', custom_data: {} });
    expect(JSON.stringify(read.body)).not.toContain('bob');
    // Players of the match and the server key see who plays.
    const told = { all_players: expect.arrayContaining(['ann', 'bob']) };
    expect(server?.custom_data).toMatchObject(told);
    expect((await ask<ServerBlock>(line, { key: SERVER })).body.custom_data).toMatchObject(told);
  });

  it('follows changes and deletions', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name: 'Lair' } });
    await until(
      () => browse(config),
      ({ lobbies }) => lobbies[0]?.name === 'Lair',
    );
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    await until(
      () => browse(config),
      ({ total }) => total === 0,
    );
  });

  // shows: S171, S237, D20c
  it.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'status=completed'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await ask(`GET lobbies/any?${query}`);
      expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('with the server key', () => {
  // shows: D21
  it('reads any lobby', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann', { isPrivate: true });
    const read = await ask<LobbyView>(`GET lobbies/${config}/${lobby.id}`, { key: SERVER });
    expect([read.status, read.body]).toEqual([200, lobby]);
  });

  // shows: S127, S150, S194
  it('deletes any lobby, and its players are free', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', lobby.code);
    const { status, body } = await ask<object>(`DELETE lobbies/${config}/${lobby.id}`, {
      key: SERVER,
    });
    expect([status, body]).toEqual([200, { status: 'lobby_deleted', id: lobby.id }]);
    for (const player of ['ann', 'bob']) {
      const gone = await ask(`GET lobbies/${config}/me`, { player });
      expect([gone.status, gone.body.code]).toEqual([404, 'LOBBY_NOT_FOUND']);
      expect((await createLobby(config, player)).host).toBe(player);
    }
    const joined = await ask(`POST lobbies/${config}/join`, {
      player: 'eve',
      body: { code: lobby.code },
    });
    expect(joined.status).toBe(404);
  });

  // shows: S195, S235
  it.each(['GET', 'DELETE'])('%s of no such lobby is a 404', async (method) => {
    const lobby = await createLobby(freshConfig(), 'ann');
    for (const id of [crypto.randomUUID(), 'no-uuid', lobby.id]) {
      const { status, body } = await ask(`${method} lobbies/${freshConfig()}/${id}`, {
        key: SERVER,
      });
      expect([status, body.code, body.error]).toEqual([404, 'LOBBY_NOT_FOUND', 'Lobby not found']);
    }
  });
});
