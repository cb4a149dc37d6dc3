// Fields of a config whose working no other test here shows: `enabled`, and that a change counts
// for lobbies that were there before. (timeout, heartbeats: conformance-time. Codes:
// conformance-lobbies. serverSettings: conformance-games. Modes: conformance-match, -matching.)

import { describe, expect, it } from 'vitest';
import type { LobbyConfig } from '../../src/lobby/config';
import type { LobbyView } from '../../src/lobby/view';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  type Answered,
  type Problem,
} from './support';

describe('enabled: false', () => {
  const body = {
    customProperties: { season: 1 },
    inviteCodeConfig: { type: 'numeric', length: 6, prefix: 'X-' },
    hostLeaveBehavior: 'delete',
    matchmaking: { modes: { duel: {} } },
  };

  // shows: S54, D22
  it('reads as no config: defaults everywhere, and no matchmaking', async () => {
    const config = freshConfig();
    await saveConfig(config, { ...body, enabled: false });
    const lobby = await createLobby(config, 'ann');
    expect([lobby.customProperties, lobby.maxPlayers]).toEqual([{}, 4]);
    expect(lobby.code).toMatch(/^[A-Z]{4}-[2-9B-Z]{6}$/);
    const line = `POST lobbies/${config}/me/matchmaking`;
    const queued = await ask(line, { player: 'ann', body: { mode: 'duel' } });
    expect([queued.status, queued.body.code]).toEqual([400, 'NO_MATCHMAKING_MODES']);
    await joinLobby(config, 'bob', lobby.code);
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect((await mine(config, 'bob')).host).toBe('bob');
  });

  it('starts no game, and lets what runs go on', async () => {
    const config = freshConfig();
    await saveConfig(config, body);
    await createLobby(config, 'ann');
    await saveConfig(config, { ...body, enabled: false });
    const start = `POST lobbies/${config}/me/start`;
    const closed = await ask(start, { player: 'ann' });
    expect([closed.status, closed.body.code]).toEqual([503, 'CLOSED']);
    expect((await mine(config, 'ann')).status).toBe('waiting');
    await saveConfig(config, body);
    expect((await ask(start, { player: 'ann' })).status).toBe(200);
    await saveConfig(config, { ...body, enabled: false });
    expect((await mine(config, 'ann')).status).toBe('in_game');
  });

  it('is shown as saved to the operator, and undone by enabling it', async () => {
    const config = freshConfig();
    await saveConfig(config, { ...body, enabled: false });
    const saved = await ask<LobbyConfig>(`GET lobby-configs/${config}`, { key: SERVER });
    expect(saved.body).toMatchObject({ enabled: false, customProperties: { season: 1 } });
    await saveConfig(config, body);
    const lobby = await createLobby(config, 'ann');
    expect([lobby.customProperties, lobby.code]).toEqual([
      { season: 1 },
      expect.stringMatching(/^X-\d{6}$/),
    ]);
    const line = `POST lobbies/${config}/me/matchmaking`;
    const queued = await ask<LobbyView>(line, { player: 'ann', body: { mode: 'duel' } });
    expect(queued.body.status).toBe('in_queue');
  });
});

describe('a change of the config', () => {
  it.each([
    ['promote', 'delete', 404],
    ['delete', 'promote', 200],
  ])('of hostLeaveBehavior from %s to %s counts for a lobby that was there', async (...row) => {
    const [before, after, status] = row;
    const config = freshConfig();
    await saveConfig(config, { hostLeaveBehavior: before });
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    await saveConfig(config, { hostLeaveBehavior: after });
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect((await ask(`GET lobbies/${config}/me`, { player: 'bob' })).status).toBe(status);
  });

  it('of its modes counts for a lobby that was there, and of maxPartySize for who queues', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const queue = (): Promise<Answered<Problem>> =>
      ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duo' } });
    expect((await queue()).body.code).toBe('NO_MATCHMAKING_MODES');
    await saveConfig(config, {
      matchmaking: { modes: { duo: { playersPerTeam: 2, maxPartySize: 1 } } },
    });
    expect((await queue()).body.code).toBe('PARTY_SIZE_EXCEEDED');
    const excludedFromQueue = ['spectator'];
    const duo = { playersPerTeam: 2, maxPartySize: 1, excludedFromQueue };
    await saveConfig(config, { matchmaking: { modes: { duo } } });
    expect((await queue()).body.code).toBe('PARTY_SIZE_EXCEEDED');
    const state = { role: 'spectator' };
    await ask(`PATCH lobbies/${config}/me`, { player: 'bob', body: { state } });
    expect((await queue()).status).toBe(200);
  });

  it('of its serverSettings counts for the next start', async () => {
    const config = freshConfig();
    await saveConfig(config, { serverSettings: { serverSize: 'small' } });
    await createLobby(config, 'ann');
    await saveConfig(config, { serverSettings: { serverSize: 'huge' } });
    const { body } = await ask<LobbyView>(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect(body.server?.compute_size).toBe('huge');
  });
});

type Places = Pick<LobbyView, 'maxPlayers'> & Problem;

describe('maxPlayers', () => {
  const create = (config: string, maxPlayers?: number): Promise<Answered<Places>> =>
    ask(`POST lobbies/${config}`, { player: 'ann', body: { name: 'Den', maxPlayers } });
  const change = (config: string, maxPlayers: number): Promise<Answered<Places>> =>
    ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { maxPlayers } });

  it('is the places of a lobby that asks for none, and the most that one may ask for', async () => {
    const config = freshConfig();
    await saveConfig(config, { maxPlayers: 3 });
    const more = await create(config, 4);
    expect([more.status, more.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(more.body.detail).toBe('maxPlayers: must be at most 3 in this config');
    const made = await create(config);
    expect([made.status, made.body.maxPlayers]).toEqual([201, 3]);
    expect((await change(config, 2)).body.maxPlayers).toBe(2);
    expect((await change(config, 4)).status).toBe(400);
    expect((await change(config, 3)).body.maxPlayers).toBe(3);
  });

  it('changes no lobby that is there, and says nothing where it is not saved', async () => {
    const config = freshConfig();
    expect((await create(config, 8)).body.maxPlayers).toBe(8);
    await saveConfig(config, { maxPlayers: 5 });
    expect((await mine(config, 'ann')).maxPlayers).toBe(8);
    const renamed = await ask<LobbyView>(`PATCH lobbies/${config}/me/settings`, {
      player: 'ann',
      body: { name: 'Lair' },
    });
    expect([renamed.status, renamed.body.maxPlayers]).toEqual([200, 8]);
    await saveConfig(config, { maxPlayers: 5, enabled: false });
    expect((await change(config, 9)).body.maxPlayers).toBe(9);
    await saveConfig(config, {});
    const { body } = await ask<object>(`GET lobby-configs/${config}`, { key: SERVER });
    expect(body).not.toHaveProperty('maxPlayers');
  });
});
