// Statements of the specification about lobbies and who is in them that no other test shows:
// one test, one statement or a few of one kind (the tags name rows of docs/internals/conformance.md).

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import type { LobbyPage } from '../../packages/js/src/types.ts';
import {
  ask,
  CLIENT,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  until,
  type Answered,
} from './support';

function start(config: string, player: string): Promise<Answered<LobbyView>> {
  return ask<LobbyView>(`POST lobbies/${config}/me/start`, { player });
}

function settings(config: string, body: object, player = 'ann'): Promise<Answered<LobbyView>> {
  return ask<LobbyView>(`PATCH lobbies/${config}/me/settings`, { player, body });
}

async function browse(config: string, query = ''): Promise<LobbyPage> {
  return (await ask<LobbyPage>(`GET lobbies/${config}${query}`)).body;
}

describe('a player', () => {
  // shows: S11
  it('has a lobby of its own in each config, and /me finds the one of the path', async () => {
    const [one, two] = [freshConfig(), freshConfig()];
    const first = await createLobby(one, 'ann');
    const second = await createLobby(two, 'ann');
    expect([(await mine(one, 'ann')).id, (await mine(two, 'ann')).id]).toEqual([
      first.id,
      second.id,
    ]);
  });

  // shows: S200
  it('is whoever the header says: nobody is asked for a proof', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    const answer = await ask<LobbyView>(`GET lobbies/${config}/me`, {
      player: 'ann',
      headers: { authorization: 'Bearer of-somebody-else' },
    });
    expect([answer.status, answer.body.id]).toEqual([200, lobby.id]);
  });

  // shows: S197, D2a
  it('may do all that a game client does with the client key', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const steps = [
      ['GET', '', 'bob', {}],
      ['PATCH', '', 'bob', { body: { state: { a: 1 } } }],
      ['POST', '/heartbeat', 'bob', {}],
      ['PATCH', '/settings', 'ann', { body: { name: 'Lair' } }],
      ['DELETE', '/players/bob', 'ann', {}],
      ['POST', '/start', 'ann', {}],
      ['POST', '/end-match', 'ann', {}],
      ['POST', '/matchmaking', 'ann', { body: { mode: 'duel' } }],
      ['DELETE', '/matchmaking', 'ann', {}],
      ['DELETE', '', 'ann', {}],
    ] as const;
    for (const [method, path, player, asked] of steps) {
      const line = `${method} lobbies/${config}/me${path}`;
      const { status } = await ask(line, { player, key: CLIENT, ...asked });
      expect([line, status]).toEqual([line, 200]);
    }
  });

  // shows: S25, S40
  it('who is the host is one of the players, alone, through joins and departures', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    const hosts = ({ players }: LobbyView): readonly string[] =>
      players.filter(({ isHost }) => isHost).map(({ id }) => id);
    for (const player of ['bob', 'cat', 'dan']) {
      expect(hosts(await joinLobby(config, player, code))).toEqual(['ann']);
    }
    for (const [leaver, host] of [
      ['cat', 'ann'],
      ['ann', 'bob'],
      ['bob', 'dan'],
    ] as const) {
      const left = await ask<LobbyView>(`DELETE lobbies/${config}/me`, { player: leaver });
      expect([hosts(left.body), left.body.host]).toEqual([[host], host]);
    }
  });
});

describe('invite codes', () => {
  // shows: S66, S67, S68, S238, D11c
  it.each([
    [{ type: 'numeric', length: 8 }, /^[0-9]{8}$/],
    [{ type: 'alphabetic', length: 12 }, /^[A-Z]{12}$/],
    [{ type: 'alphanumeric', length: 16 }, /^[0-9A-Z]{16}$/],
    [{ type: 'alphabetic', length: 5, prefix: 'vip_' }, /^vip_[A-Z]{5}$/],
    [{ type: 'numeric', length: 1, prefix: 'Room#' }, /^Room#[0-9]$/],
  ])('of %j are of that form, and join', async (inviteCodeConfig, form) => {
    const config = freshConfig();
    await saveConfig(config, { inviteCodeConfig });
    const { code, id } = await createLobby(config, 'ann');
    expect(code).toMatch(form);
    expect((await joinLobby(config, 'bob', code.toLowerCase())).id).toBe(id);
    expect((await joinLobby(config, 'cat', ` ${code} `)).id).toBe(id);
  });

  // shows: D11d, D11e
  it('of a full space are a clear 503, and free again once a lobby is deleted', async () => {
    const config = freshConfig();
    await saveConfig(config, { inviteCodeConfig: { type: 'numeric', length: 1 } });
    const codes = new Set<string>();
    for (let index = 0; index < 10; index += 1) {
      codes.add((await createLobby(config, `p${index}`)).code);
    }
    expect(codes.size).toBe(10);
    const full = await ask(`POST lobbies/${config}`, { player: 'ann', body: { name: 'Den' } });
    expect([full.status, full.body.code]).toEqual([503, 'CODES_EXHAUSTED']);
    const second = await ask(`POST lobbies/${config}`, { player: 'p0', body: { name: 'Two' } });
    expect([second.status, second.body.code]).toEqual([409, 'ALREADY_IN_LOBBY']);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
    const { code } = await mine(config, 'p3');
    await ask(`DELETE lobbies/${config}/me`, { player: 'p3' });
    const again = await until(
      () => ask<LobbyView>(`POST lobbies/${config}`, { player: 'ann', body: { name: 'Den' } }),
      ({ status }) => status === 201,
    );
    expect(again.body.code).toBe(code);
  });

  // shows: S159
  it('of a full space have room for forceFresh: the lobby it replaces gives its code up', async () => {
    const config = freshConfig();
    await saveConfig(config, { inviteCodeConfig: { type: 'numeric', length: 1 } });
    for (let index = 0; index < 10; index += 1) {
      await createLobby(config, `p${index}`);
    }
    const { code } = await mine(config, 'p3');
    expect((await createLobby(config, 'p3', { forceFresh: true })).code).toBe(code);
  });

  // shows: S22
  it('are there for private lobbies too, and stay through a game', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { isPrivate: true });
    expect(code).toMatch(/^[A-Z]{4}-[2-9B-Z]{6}$/);
    await start(config, 'ann');
    const ended = await ask<LobbyView>(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect(ended.body.code).toBe(code);
  });
});

describe('joining', () => {
  // shows: D12c
  it('is refused for the status before it is for the room', async () => {
    const config = freshConfig();
    const { id } = await createLobby(config, 'ann', { maxPlayers: 1, allowLateJoin: false });
    await start(config, 'ann');
    const refused = await ask(`POST lobbies/${config}/join`, {
      player: 'bob',
      body: { lobbyId: id },
    });
    expect(refused.body.code).toBe('LOBBY_NOT_ACCEPTING');
  });

  // shows: S168, D12c
  it('a full lobby again, as its member, gives it back unchanged, in a game as well', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { maxPlayers: 2, allowLateJoin: false });
    await joinLobby(config, 'bob', code);
    await start(config, 'ann');
    const before = await until(
      () => mine(config, 'bob'),
      ({ server: block }) => block?.status === 'running',
    );
    expect(await joinLobby(config, 'bob', code)).toEqual(before);
  });

  // shows: S162
  it('brings a state along, which is the newcomer\u2019s own', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { state: { skill: 1 } });
    const { body } = await ask<LobbyView>(`POST lobbies/${config}/join`, {
      player: 'bob',
      body: { code, state: { skill: 2, gone: null } },
    });
    expect(body.players.map(({ state }) => state)).toEqual([{ skill: 1 }, { skill: 2 }]);
  });
});

describe('browsing', () => {
  // shows: S171, S172, S237, D20a
  it('shows 50 unless asked for up to 100, and counts all that fit', async () => {
    const config = freshConfig();
    await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        createLobby(config, `p${index}`, { isPrivate: index % 10 === 0 }),
      ),
    );
    const page = await until(
      () => browse(config),
      ({ total }) => total === 108,
      15_000,
    );
    expect([page.lobbies.length, page.limit, page.offset, page.hasMore]).toEqual([50, 50, 0, true]);
    const whole = await browse(config, '?limit=100');
    expect([whole.lobbies.length, whole.hasMore]).toEqual([100, true]);
    const rest = await browse(config, '?limit=100&offset=100');
    expect([rest.lobbies.length, rest.total, rest.hasMore]).toEqual([8, 108, false]);
    const all = [...whole.lobbies, ...rest.lobbies];
    expect(new Set(all.map(({ id }) => id)).size).toBe(108);
    expect(all.some(({ isPrivate }) => isPrivate)).toBe(false);
    const created = all.map(({ createdAt }) => createdAt);
    expect(created).toEqual(created.toSorted().toReversed());
    expect((await browse(config, '?offset=500')).lobbies).toEqual([]);
  });

  // shows: S29, S173
  it('hides a lobby that turns private, and shows it again', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    await until(
      () => browse(config),
      ({ total }) => total === 1,
    );
    await settings(config, { isPrivate: true });
    await until(
      () => browse(config),
      ({ total, lobbies }) => total === 0 && lobbies.length === 0,
    );
    await settings(config, { isPrivate: false });
    const page = await until(
      () => browse(config),
      ({ total }) => total === 1,
    );
    expect(page.lobbies[0]).toEqual(await mine(config, 'ann'));
  });

  // shows: S170
  it('filters by each status as lobbies change', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    for (const player of ['ann', 'bob', 'cat']) {
      await createLobby(config, player);
    }
    await start(config, 'bob');
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'cat', body: { mode: 'duel' } });
    for (const [status, host] of [
      ['waiting', 'ann'],
      ['in_game', 'bob'],
      ['in_queue', 'cat'],
    ] as const) {
      const page = await until(
        () => browse(config, `?status=${status}`),
        ({ total }) => total === 1,
      );
      expect(page.lobbies[0]).toMatchObject({ host, status });
    }
  });
});

describe('errors', () => {
  // shows: D3h
  it('on GET /me say 404 or not found only where there is no lobby', async () => {
    const config = freshConfig();
    const line = `GET lobbies/${config}/me`;
    const answers = [
      await ask(line, { player: 'ann', key: null }),
      await ask(line, { player: 'ann', key: 'unknown-404' }),
      await ask(line),
      await ask(line, { player: 'x'.repeat(129) }),
      await ask(`GET lobbies/${encodeURIComponent('404/not found')}/me`, { player: 'ann' }),
    ];
    for (const { status, body } of answers) {
      expect(status).not.toBe(404);
      expect(JSON.stringify(body)).not.toMatch(/404|not found/i);
    }
    const none = await ask(line, { player: 'ann' });
    expect([none.status, none.body.error]).toEqual([404, 'Lobby not found']);
  });

  // shows: S2, S103, D3a
  it('are JSON with error, detail, status and code, and are not to be stored', async () => {
    const config = freshConfig();
    for (const line of [
      `GET lobbies/${config}/me`,
      `POST lobbies/${config}`,
      `GET lobbies/${config}?limit=0`,
      'GET nowhere',
      `PUT lobbies/${config}`,
    ]) {
      const { status, headers, body } = await ask(line, { player: 'ann' });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toMatchObject({
        error: expect.any(String),
        detail: expect.any(String),
        status,
        code: expect.stringMatching(/^[A-Z_]+$/),
      });
    }
  });
});
