// Bans (record 0045): a banned player begins nothing, can still leave, and is told why and until when.

import { afterEach, expect, it } from 'vitest';
import { listen } from './stream';
import {
  ask,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
} from './support';

const MODES = { matchmaking: { modes: { duel: { timeout: 600 } } } };
const server = { key: SERVER };

interface Banned {
  readonly playerId: string;
  readonly config: string | null;
  readonly until: string | null;
  readonly reason: string | null;
}

function ban(player: string, body: object = {}) {
  return ask<Banned>(`PUT bans/${player}`, { ...server, body });
}

function lift(player: string, query = '') {
  return ask(`DELETE bans/${player}${query}`, server);
}

async function listed(query = ''): Promise<readonly Banned[]> {
  const { body } = await ask<{ readonly bans: readonly Banned[] }>(`GET bans${query}`, server);
  return body.bans;
}

afterEach(async () => {
  for (const { playerId } of await listed()) {
    await lift(playerId);
  }
});

async function saved(): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, MODES);
  return config;
}

const create = (config: string, player: string) =>
  ask(`POST lobbies/${config}`, { player, body: { name: 'Den' } });

it.each(['steam/76', 'steam\\76', 'a/../b', '/', '\\', '...', '../me', '%2f', '+ ?#'])(
  'reaches the player %j like any: banned, read, kicked, said of, and let off',
  async (id) => {
    const config = await saved();
    const { code } = await createLobby(config, 'host');
    await joinLobby(config, id, code);
    const path = encodeURIComponent(id);
    expect((await ask(`GET players/${path}`, server)).status).toBe(200);
    const put = { ...server, body: { attributes: { vip: true } } };
    expect((await ask(`PUT players/${path}/attributes`, put)).status).toBe(200);
    expect((await ask(`DELETE players/${path}/attributes`, server)).status).toBe(200);
    const kicked = await ask(`DELETE lobbies/${config}/me/players/${path}`, { player: 'host' });
    expect(kicked.status).toBe(200);
    expect((await ban(path)).status).toBe(200);
    expect((await listed()).map(({ playerId }) => playerId)).toContain(id);
    expect((await create(config, id)).body.code).toBe('BANNED');
    expect((await lift(path)).status).toBe(200);
    expect((await create(config, id)).status).toBe(201);
  },
);

it('keeps a player from creating, joining, starting, searching and streaming, with the reason and the end', async () => {
  const config = await saved();
  const { code } = await createLobby(config, 'ann');
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const answered = await ban('mal', { until, reason: 'Aimbot' });
  expect([answered.status, answered.body]).toMatchObject([
    200,
    { playerId: 'mal', config: null, until, reason: 'Aimbot' },
  ]);
  const refused = [
    await create(config, 'mal'),
    await ask(`POST lobbies/${config}/join`, { player: 'mal', body: { code } }),
    await ask(`POST lobbies/${config}/me/start`, { player: 'mal' }),
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'mal', body: { mode: 'duel' } }),
  ];
  for (const { status, body } of refused) {
    expect([status, body]).toMatchObject([403, { code: 'BANNED', detail: 'Aimbot', until }]);
  }
  const stream = await fetchRaw(`GET lobbies/${config}/me/events`, { player: 'mal' });
  expect(stream.status).toBe(403);
  await stream.body?.cancel();
  expect((await lift('mal')).status).toBe(200);
  expect((await create(config, 'mal')).status).toBe(201);
  expect((await lift('mal')).body.code).toBe('NOT_FOUND');
});

it('takes the player out of the lobby, and lets a player who is still in one leave it', async () => {
  const config = await saved();
  const { code } = await createLobby(config, 'ann');
  await joinLobby(config, 'mal', code);
  const stream = await listen(config, 'ann');
  await ban('mal');
  expect((await mine(config, 'ann')).players.map(({ id }) => id)).toEqual(['ann']);
  const kicked = await stream.next('lobby_updated', ({ currentPlayers }) => currentPlayers === 1);
  expect(kicked.players).toHaveLength(1);
  await stream.leave();
  // Not saved, so a ban from the project does not look for the player there.
  const unsaved = freshConfig();
  await lift('mal');
  await createLobby(unsaved, 'mal');
  await ban('mal');
  expect((await ask(`GET lobbies/${unsaved}/me`, { player: 'mal' })).status).toBe(200);
  expect((await ask(`DELETE lobbies/${unsaved}/me`, { player: 'mal' })).status).toBe(200);
});

it('holds in one config, and in the whole project beside it', async () => {
  const config = await saved();
  const other = await saved();
  await createLobby(config, 'mal');
  await createLobby(other, 'mal');
  await ban('mal', { config });
  expect((await ask(`GET lobbies/${config}/me`, { player: 'mal' })).status).toBe(404);
  expect((await mine(other, 'mal')).currentPlayers).toBe(1);
  expect((await create(config, 'mal')).body).toMatchObject({ code: 'BANNED', until: null });
  await ban('mal', { reason: 'Everywhere' });
  expect((await create(other, 'mal')).body).toMatchObject({ detail: 'Everywhere' });
  expect(await listed('?playerId=mal')).toHaveLength(2);
  expect(await listed('?playerId=nobody')).toEqual([]);
  await lift('mal', `?config=${config}`);
  expect((await listed()).map((each) => each.config)).toEqual([null]);
});

it('takes no time that has passed, needs the server key, and holds in no playground', async () => {
  const config = await saved();
  await ban('mal');
  const play = { ...server, player: 'mal', body: { name: 'Den' } };
  expect((await ask(`POST lobbies/${config}~playground`, play)).status).toBe(201);
  expect((await create(config, 'mal')).status).toBe(403);
  for (const body of [{ until: '2026-01-01T00:00:00Z' }, { until: 'soon' }, { reason: '' }]) {
    expect((await ban('mal', body)).status).toBe(400);
  }
  expect((await ask('PUT bans/mal', { body: {} })).status).toBe(403);
});
