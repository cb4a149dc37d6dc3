// A config or project that is closed takes nothing new, and what is under way goes on (decision 51).

import { afterEach, expect, it } from 'vitest';
import type { LobbyConfig } from '../../src/lobby/config';
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

const MODES = { matchmaking: { modes: { duel: { timeout: 600 } } } };
const CLOSED = { message: 'We update the game and are back at ten' };
const server = { key: SERVER };

async function closeProject(closed: object | false): Promise<void> {
  const body = { closed };
  expect((await ask('POST projects/settings', { ...server, body })).status).toBe(200);
}

afterEach(() => closeProject(false));

const create = (config: string, player: string) =>
  ask(`POST lobbies/${config}`, { player, body: { name: 'Den' } });
const search = (config: string, player: string) =>
  ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });

it('refuses creates, starts and searches with the message, and lets go on what is under way', async () => {
  const config = freshConfig();
  await saveConfig(config, MODES);
  const { code } = await createLobby(config, 'ann');
  await createLobby(config, 'bob');
  await createLobby(config, 'cat');
  for (const player of ['ann', 'bob']) {
    await search(config, player);
  }
  await until(
    () => mine(config, 'ann'),
    ({ server: game }) => game?.status === 'running',
  );
  await saveConfig(config, { ...MODES, closed: CLOSED });
  const refused = [
    await create(config, 'dan'),
    await search(config, 'cat'),
    await ask(`POST lobbies/${config}/me/start`, { player: 'cat' }),
  ];
  for (const { status, body } of refused) {
    expect([status, body]).toMatchObject([503, { code: 'CLOSED', detail: CLOSED.message }]);
  }
  expect((await mine(config, 'ann')).status).toBe('in_game');
  await joinLobby(config, 'dan', code);
  await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
  expect((await mine(config, 'ann')).status).toBe('waiting');
  // The playground is open, to try what comes next.
  const played = await ask(`POST lobbies/${config}~playground`, {
    ...server,
    player: 'eve',
    body: { name: 'Den' },
  });
  expect(played.status).toBe(201);
  await saveConfig(config, MODES);
  expect((await search(config, 'cat')).status).toBe(200);
});

it('opens by itself at its time, and says until then when to try again', async () => {
  const config = freshConfig();
  await saveConfig(config, { closed: { ...CLOSED, until: new Date(Date.now() + 60_000) } });
  const { status, headers } = await create(config, 'ann');
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
  await saveConfig(config, { closed: { ...CLOSED, until: '2026-01-01T00:00:00Z' } });
  expect((await create(config, 'ann')).status).toBe(201);
});

it('that is over already is saved, and the answer says so', async () => {
  const over = { ...CLOSED, until: '2026-01-01T00:00:00Z' };
  const warnings = [
    { path: 'closed.until', message: 'is over, so this is open', didYouMean: null },
  ];
  const body = { closed: over, lobby_configs: [{ name: freshConfig(), closed: over }] };
  const saved = await ask<object>('POST projects/settings', { ...server, body });
  const [warned] = warnings;
  const inList = { ...warned, path: 'lobby_configs[0].closed.until' };
  expect([saved.status, saved.body]).toMatchObject([200, { warnings: [warned, inList] }]);
  const line = `PUT lobby-configs/${freshConfig()}`;
  const alone = await ask<object>(line, { ...server, body: { closed: over } });
  expect([alone.status, alone.body]).toMatchObject([200, { warnings }]);
});

it('closes every config of a project, also those that are not saved', async () => {
  const config = freshConfig();
  await closeProject(CLOSED);
  expect((await create(config, 'ann')).body).toMatchObject({ code: 'CLOSED' });
  const settings = await ask<{ closed: object }>('GET projects/settings', server);
  expect(settings.body.closed).toEqual({ ...CLOSED, until: null });
  await closeProject(false);
  expect(await create(config, 'ann')).toMatchObject({ status: 201, body: { name: 'Den' } });
});

it('is no field of a config that is open, and is checked', async () => {
  const config = freshConfig();
  await saveConfig(config, MODES);
  const { body } = await ask<LobbyConfig>(`GET lobby-configs/${config}`, server);
  expect(body).not.toHaveProperty('closed');
  const wrong = { ...MODES, closed: { message: '', until: 'soon' } };
  const refused = await ask(`PUT lobby-configs/${config}`, { ...server, body: wrong });
  expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
});
