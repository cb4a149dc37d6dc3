// Statements of the specification about settings, direct games and what ends them that no other
// test shows (the tags name rows of docs/internals/conformance.md).

import { describe, expect, it } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
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
  type Answered,
} from './support';

function start(config: string, player: string): Promise<Answered<LobbyView>> {
  return ask<LobbyView>(`POST lobbies/${config}/me/start`, { player });
}

function settings(config: string, body: object, player = 'ann'): Promise<Answered<LobbyView>> {
  return ask<LobbyView>(`PATCH lobbies/${config}/me/settings`, { player, body });
}

async function server(id: string): Promise<ServerBlock> {
  return (await ask<ServerBlock>(`GET servers/${id}`)).body;
}

async function stopped(id: string): Promise<void> {
  await until(
    () => server(id),
    ({ status }) => status === 'stopped',
  );
}

describe('settings', () => {
  // shows: D14c
  it('may change in every status that a lobby is at rest in, by the host', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    await createLobby(config, 'ann');
    expect((await settings(config, { name: 'one' })).body.name).toBe('one');
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    const queued = await settings(config, { name: 'two', region: 'eu-west' });
    expect(queued.body).toMatchObject({ name: 'two', region: 'eu-west', status: 'in_queue' });
    await ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'ann' });
    await start(config, 'ann');
    const playing = await settings(config, { name: 'three' });
    expect(playing.body).toMatchObject({ name: 'three', status: 'in_game' });
  });

  // shows: S26, D5b, D5f
  it('beyond their bounds are a 400, alone or merged, and change nothing', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann', { settings: { a: 'x'.repeat(10_000) } });
    const before = await mine(config, 'ann');
    for (const body of [
      { settings: { b: 'x'.repeat(10_000) } },
      { settings: { b: 'x'.repeat(17_000) } },
      { name: 'x'.repeat(101) },
      { maxPlayers: 101 },
      { maxPlayers: 2.5 },
    ]) {
      const refused = await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body });
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(await mine(config, 'ann')).toEqual(before);
  });
});

describe('a direct start', () => {
  // shows: S31, S50, S56, S57, D36a
  it('launches the size and build of the config, with the settings and in the region', async () => {
    const config = freshConfig();
    const build = freshConfig();
    await ask(`PUT builds/${build}`, { key: SERVER, body: { label: '2.1' } });
    const serverSettings = { serverSize: 'large', gameBuild: build };
    await saveConfig(config, { serverSettings });
    await createLobby(config, 'ann', { region: 'eu-west', settings: { map: 'dunes' } });
    const { body } = await start(config, 'ann');
    expect(body.server).toMatchObject({
      compute_size: 'large',
      version_tag: build,
      version: 1,
      region: 'eu-west',
      custom_data: { map: 'dunes' },
      match_id: null,
    });
    expect([body.matchId, body.matchmaking]).toEqual([null, null]);
  });

  // shows: S48, S49, S51
  it('shows the server as GET /servers does, first launching without ports, then running', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const { body } = await start(config, 'ann');
    expect(body.server).toMatchObject({ status: 'launching', network_ports: [] });
    const running = await until(
      () => mine(config, 'ann'),
      ({ server: block }) => block?.status === 'running',
    );
    expect(running.server?.network_ports).toHaveLength(1);
    // The player's own ticket is for the player alone.
    const { ticket, ...shown } = running.server ?? {};
    expect(ticket).toBeTypeOf('string');
    expect(await server(body.server?.instance_id ?? '')).toEqual(shown);
  });

  // shows: S122, S183
  it('ended stops the server and keeps players, code and settings', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { settings: { map: 'dunes' } });
    await joinLobby(config, 'bob', code);
    const { body } = await start(config, 'ann');
    const ended = await ask<LobbyView>(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect(ended.body).toMatchObject({
      status: 'waiting',
      code,
      settings: { map: 'dunes' },
      currentPlayers: 2,
      server: null,
    });
    await stopped(body.server?.instance_id ?? '');
  });

  // shows: D19a
  it('is a 409 Invalid state while queued', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    const refused = await start(config, 'ann');
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'INVALID_STATE' }]);
  });
});

describe('the server of a lobby that goes', () => {
  async function playing(config: string, guest: string | null): Promise<string> {
    const { code } = await createLobby(config, 'ann');
    if (guest !== null) {
      await joinLobby(config, guest, code);
    }
    return (await start(config, 'ann')).body.server?.instance_id ?? '';
  }

  it('is stopped when the last player leaves', async () => {
    const config = freshConfig();
    const id = await playing(config, null);
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    await stopped(id);
  });

  // shows: S126
  it('is stopped when the host leaves and the config says delete', async () => {
    const config = freshConfig();
    await saveConfig(config, { hostLeaveBehavior: 'delete' });
    const id = await playing(config, 'bob');
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect((await ask(`GET lobbies/${config}/me`, { player: 'bob' })).status).toBe(404);
    await stopped(id);
  });

  // shows: S159
  it('is stopped when forceFresh replaces the lobby', async () => {
    const config = freshConfig();
    const id = await playing(config, null);
    await createLobby(config, 'ann', { forceFresh: true });
    await stopped(id);
  });

  it('is stopped by an admin delete', async () => {
    const config = freshConfig();
    const id = await playing(config, 'bob');
    const lobby = await mine(config, 'ann');
    await ask(`DELETE lobbies/${config}/${lobby.id}`, { key: SERVER });
    await stopped(id);
  });
});

describe('an admin delete', () => {
  // shows: S127, S194
  it('of a queued lobby cancels its matchmaking: nobody is matched with it', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const queue = (player: string): Promise<Answered<LobbyView>> =>
      ask<LobbyView>(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    const gone = await createLobby(config, 'ann');
    await queue('ann');
    const deleted = await ask<object>(`DELETE lobbies/${config}/${gone.id}`, { key: SERVER });
    expect(deleted.body).toEqual({ status: 'lobby_deleted', id: gone.id });
    await createLobby(config, 'bob');
    await queue('bob');
    const bob = await until(
      () => mine(config, 'bob'),
      ({ matchmaking }) => matchmaking?.queueStats?.lobbiesInQueue === 1,
    );
    expect([bob.status, bob.matchId]).toEqual(['in_queue', null]);
  });

  // shows: S150, S194, S199
  it('needs no player id and heeds none', async () => {
    const config = freshConfig();
    const one = await createLobby(config, 'ann');
    const two = await createLobby(config, 'bob');
    for (const [lobby, asked] of [
      [one, { key: SERVER }],
      [two, { key: SERVER, player: 'stranger' }],
    ] as const) {
      expect((await ask(`DELETE lobbies/${config}/${lobby.id}`, asked)).status).toBe(200);
    }
  });
});
