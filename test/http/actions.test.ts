// What the dashboard does for an operator, and how it finds what it is asked for.

import type { Hit } from '../../packages/js/src/dashboard-types';
import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import {
  ask,
  askUnder,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

const MODES = {
  matchmaking: {
    modes: {
      duel: { timeout: 600 },
      asked: { timeout: 600, matchConfirmation: { enabled: true, timeoutSeconds: 60 } },
    },
  },
};

function act<T = { code: string }>(path: string, body?: object) {
  return ask<T>(`POST admin/${path}`, body === undefined ? { key: SERVER } : { key: SERVER, body });
}

async function enter(config: string, player: string, mode: string): Promise<void> {
  const asked = { player, body: { mode } };
  expect((await ask(`POST lobbies/${config}/me/matchmaking`, asked)).status).toBe(200);
}

/** Two lobbies in one match of that mode, once both show that status. */
async function matched(mode: string, status: string): Promise<[string, LobbyView, LobbyView]> {
  const config = freshConfig();
  await saveConfig(config, MODES);
  for (const player of ['ann', 'bob']) {
    await createLobby(config, player);
    await enter(config, player, mode);
  }
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map((player) =>
      until(
        () => mine(config, player),
        (lobby) => lobby.status === status,
      ),
    ),
  );
  if (ann === undefined || bob === undefined) {
    throw new Error('two lobbies are needed');
  }
  return [config, ann, bob];
}

describe('an operator', () => {
  it('takes a lobby out of its queue', async () => {
    const config = freshConfig();
    await saveConfig(config, MODES);
    const { id } = await createLobby(config, 'ann');
    const path = `lobbies/${config}/${id}/leave-queue`;
    expect((await act(path)).body.code).toBe('INVALID_STATE');
    await enter(config, 'ann', 'duel');
    const answer = await act<{ lobby: LobbyView }>(path);
    expect(answer.body.lobby.status).toBe('waiting');
    expect((await mine(config, 'ann')).status).toBe('waiting');
  });

  it('puts any player out, the host as well', async () => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const path = `lobbies/${config}/${id}/kick`;
    expect((await act(path, { playerId: 'eve' })).body.code).toBe('PLAYER_NOT_FOUND');
    expect((await act(path, {})).body.code).toBe('VALIDATION_ERROR');
    const answer = await act<{ lobby: LobbyView }>(path, { playerId: 'ann' });
    expect(answer.body.lobby.host).toBe('bob');
    expect((await ask(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
    // Free to go elsewhere at once.
    await createLobby(config, 'ann');
  });

  it('ends a running match for all of it, or one that is being asked', async () => {
    for (const [mode, status] of [
      ['duel', 'in_game'],
      ['asked', 'match_found'],
    ] as const) {
      const [config, ann, bob] = await matched(mode, status);
      expect(ann.matchId).toBe(bob.matchId);
      expect((await act(`matches/${ann.matchId}/end`)).status).toBe(200);
      for (const player of ['ann', 'bob']) {
        await until(
          () => mine(config, player),
          (lobby) => lobby.status === 'waiting',
        );
      }
      expect((await act(`matches/${ann.matchId}/end`)).body.code).toBe('NOT_FOUND');
    }
  });

  it('ends a game that a lobby started by itself, and deletes a lobby', async () => {
    const config = freshConfig();
    const { id } = await createLobby(config, 'ann');
    expect((await ask(`POST lobbies/${config}/me/start`, { player: 'ann' })).status).toBe(200);
    const ended = await act<{ lobby: LobbyView }>(`lobbies/${config}/${id}/end-game`);
    expect(ended.body.lobby.status).toBe('waiting');
    expect((await act(`lobbies/${config}/${id}/delete`)).status).toBe(200);
    expect((await ask(`GET lobbies/${config}/me`, { player: 'ann' })).status).toBe(404);
  });

  it('is one of that project, with the server key', async () => {
    const [config, ann] = await matched('duel', 'in_game');
    const digest = new Uint8Array(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode('other_key')),
    ).toHex();
    const API_KEYS = JSON.stringify([{ project: 'other', kind: 'server', sha256: digest }]);
    const lines = [
      `POST admin/matches/${ann.matchId}/end`,
      `POST admin/lobbies/${config}/${ann.id}/end-game`,
      `POST admin/lobbies/${config}/${ann.id}/delete`,
    ];
    for (const line of lines) {
      expect((await ask(line)).status).toBe(403);
      expect((await askUnder({ API_KEYS }, line, { key: 'other_key' })).status).toBe(404);
    }
    expect((await mine(config, 'ann')).status).toBe('in_game');
  });
});

describe('searching', () => {
  const away = (id: string): Hit => ({ kind: 'player', id, config: null, lobbyId: null });

  const find = async (q: string, more = ''): Promise<readonly Hit[]> => {
    const line = `GET admin/search?q=${encodeURIComponent(q)}${more}`;
    return (await ask<{ hits: readonly Hit[] }>(line, { key: SERVER })).body.hits;
  };

  it('finds a lobby by its id and its code, whatever the case, and a player in it', async () => {
    const config = freshConfig();
    await saveConfig(config, MODES);
    const player = `seeker of ${config}`;
    const { id, code } = await createLobby(config, player, { isPrivate: true });
    const lobby = { kind: 'lobby', config, id, name: 'Den' };
    expect(await find(id.toUpperCase())).toEqual([lobby]);
    expect(await find(` ${code.toLowerCase()} `)).toContainEqual(lobby);
    expect(await find(player)).toEqual([{ kind: 'player', config, id: player, lobbyId: id }]);
    await ask(`DELETE lobbies/${config}/me`, { player });
    expect([await find(id), await find(player)]).toEqual([[], []]);
  });

  it('finds a player who is in no lobby, but has attributes or was in a match', async () => {
    const id = `Rated ${crypto.randomUUID()}`;
    expect(await find(id)).toEqual([]);
    const asked = { key: SERVER, body: { attributes: { mmr: 1 } } };
    const line = `PUT players/${encodeURIComponent(id)}/attributes`;
    expect((await ask(line, asked)).status).toBe(200);
    expect(await find(id)).toEqual([away(id)]);
    const config = freshConfig();
    await saveConfig(config, MODES);
    const players = ['one', 'two'].map((each) => `${each} of ${config}`);
    for (const player of players) {
      await createLobby(config, player);
      await enter(config, player, 'duel');
    }
    for (const player of players) {
      await until(
        () => mine(config, player),
        ({ status }) => status === 'in_game',
      );
      await ask(`DELETE lobbies/${config}/me`, { player });
    }
    for (const player of players) {
      await until(
        () => find(player),
        (hits) => JSON.stringify(hits) === JSON.stringify([away(player)]),
      );
    }
  });

  it('finds banned players by a part of the id, ten at most and the very one first', async () => {
    const part = `cheat ${crypto.randomUUID()}`;
    const ids = Array.from({ length: 11 }, (_, n) => `x${part}-${n}`);
    for (const id of [part, ...ids]) {
      const done = await ask(`PUT bans/${encodeURIComponent(id)}`, { key: SERVER, body: {} });
      expect(done.status).toBe(200);
    }
    const found = await find(part.toUpperCase());
    expect(found).toHaveLength(10);
    expect(await find(`${part}-1`)).toEqual([away(`x${part}-10`), away(`x${part}-1`)]);
    expect((await find(part))[0]).toEqual(away(part));
    for (const id of [part, ...ids]) {
      await ask(`DELETE bans/${encodeURIComponent(id)}`, { key: SERVER });
    }
    expect(await find(part)).toEqual([]);
  });

  it('finds players of public lobbies by a part of the id, and suggests ten, those that begin so first', async () => {
    const config = freshConfig();
    await saveConfig(config, MODES);
    const part = `Seeker ${config}`;
    const ids = Array.from({ length: 11 }, (_, n) => `x${part}-${n}`);
    const [oldest = '', ...others] = ids;
    const { id: lobbyId } = await createLobby(config, oldest);
    await createLobby(config, `secret ${part}`, { isPrivate: true });
    const older = { kind: 'player', config, id: oldest, lobbyId };
    expect(await find(part.slice(2).toUpperCase())).toEqual([older]);
    const first = { ...older, id: part, lobbyId: (await createLobby(config, part)).id };
    await Promise.all(others.map((id) => createLobby(config, id)));
    // The very id is that player, and who types it may mean another one.
    expect(await find(part)).toEqual([first]);
    const suggested = await find(part, '&like=true');
    expect(suggested).toHaveLength(10);
    expect(suggested.slice(0, 2)).toEqual([first, older]);
    expect((await ask('GET admin/search?q=ann&like=yes', { key: SERVER })).status).toBe(400);
  });

  it('finds a server, and knows a match by its form', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const started = await ask<LobbyView>(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const server = started.body.server?.instance_id ?? '';
    expect(await find(server)).toEqual([{ kind: 'server', id: server, name: 'Den' }]);
    const match = crypto.randomUUID();
    expect(await find(match)).toEqual([{ kind: 'match', id: match }]);
    expect(await find('')).toEqual([]);
  });

  it('finds what has an id that begins with eight characters', async () => {
    const config = freshConfig();
    await saveConfig(config, MODES);
    const { id } = await createLobby(config, `seeker of ${config}`, { isPrivate: true });
    const lobby = { kind: 'lobby', config, id, name: 'Den' };
    expect(await find(id.slice(0, 8))).toEqual([lobby]);
    const started = await ask<{ instance_id: string; name: string }>('POST servers/start', {
      key: SERVER,
    });
    const { instance_id: server, name } = started.body;
    const hit = { kind: 'server', id: server, name };
    await until(
      () => find(server.slice(0, 8)),
      (hits) => hits.length > 0,
    );
    expect(await find(server.slice(0, 8).toUpperCase())).toEqual([hit]);
    expect(await find('00000000')).toEqual([]);
  });

  it('is for the server key', async () => {
    expect((await ask('GET admin/search?q=ann')).status).toBe(403);
  });
});
