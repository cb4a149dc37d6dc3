// A party goes on in another config (record 0109), through the API.

import { describe, expect, it } from 'vitest';
import type { Whereabouts } from '../../packages/js/src/types';
import type { LobbyView } from '../../src/lobby/view';
import { configs, move, party } from './moving';
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
import { listen } from './stream';

describe('POST /me/move', () => {
  it('brings the whole lobby into the other config, and paths of the old one lead there', async () => {
    const [a, b] = await configs();
    const before = await party(a, 'ann', 'ben');
    const { status, body } = await move(a, 'ann', b);
    expect(status).toBe(200);
    const { id, code, config, settings } = body;
    expect({ id, code, config, settings }).toEqual({
      id: before.id,
      code: before.code,
      config: b,
      settings: { map: 'dust' },
    });
    for (const path of [a, b]) {
      const seen = await mine(path, 'ben');
      expect([seen.id, seen.config]).toEqual([id, b]);
    }
    const state = { hat: 'red' };
    await ask(`PATCH lobbies/${a}/me`, { player: 'ben', body: { state } });
    expect((await mine(b, 'ann')).players[1]?.state).toEqual(state);
    const { body: everywhere } = await ask<Whereabouts>('GET me', { player: 'ben' });
    expect(everywhere.lobbies.filter((each) => each.id === id).map((each) => each.config)).toEqual([
      b,
    ]);
    // The old config has neither its code nor its row.
    expect((await ask(`POST lobbies/${a}/join`, { player: 'cat', body: { code } })).status).toBe(
      404,
    );
    const { body: page } = await ask<{ total: number }>(`GET lobbies/${a}`, { player: 'cat' });
    expect(page.total).toBe(0);
    expect((await joinLobby(b, 'cat', code)).id).toBe(id);
    // It searches the modes of the new config, also for who asks under the old one.
    await ask(`DELETE lobbies/${b}/me`, { player: 'cat' });
    await ask(`DELETE lobbies/${a}/me`, { player: 'ben' });
    const searching = { player: 'ann', body: { mode: 'duel' } };
    const { body: queued } = await ask<LobbyView>(`POST lobbies/${a}/me/matchmaking`, searching);
    expect([queued.status, queued.matchmaking?.mode]).toEqual(['in_queue', 'duel']);
  });

  it('again answers the lobby as it is, and back makes it one of the first config', async () => {
    const [a, b] = await configs();
    const { id } = await party(a, 'ann', 'ben');
    const first = await move(a, 'ann', b);
    const again = await move(a, 'ann', b);
    expect([again.status, again.body.revision]).toEqual([200, first.body.revision]);
    const back = await move(b, 'ann', a);
    expect([back.status, back.body.id, back.body.config]).toEqual([200, id, a]);
    expect((await mine(b, 'ben')).config).toBe(a);
    expect((await mine(a, 'ben')).config).toBe(a);
  });

  it('is refused with everybody whom the other config would not have, and then nothing has changed', async () => {
    const [a, b] = await configs({ maxPlayers: 1, trusted: ['mmr'] });
    await party(a, 'ann', 'ben');
    await createLobby(b, 'ben', { maxPlayers: 1 });
    await ask(`PATCH lobbies/${a}/me`, { player: 'ann', body: { state: { mmr: 9000 } } });
    const { status, body } = await move(a, 'ann', b);
    expect([status, body.code]).toEqual([409, 'LOBBY_NOT_MOVED']);
    expect(body.issues).toEqual([
      { path: 'players', message: `2 players are more than the 1 that a lobby may have in ${b}` },
      { path: 'ann', message: `has set mmr, which only the game's backend can set in ${b}` },
    ]);
    await saveConfig(b, {});
    await ask(`PUT bans/ann`, { key: SERVER, body: { config: b } });
    const banned = await move(a, 'ann', b);
    expect(banned.body.issues).toEqual([{ path: 'ann', message: `is banned from ${b}` }]);
    await ask(`DELETE bans/ann`, { key: SERVER });
    const elsewhere = await move(a, 'ann', b);
    expect(elsewhere.body.issues).toEqual([
      { path: 'ben', message: `is in another lobby of ${b}` },
    ]);
    expect((await mine(a, 'ben')).config).toBe(a);
    // Nobody has anything of it: the seat that was claimed for the other player is free.
    expect((await createLobby(b, 'ann')).config).toBe(b);
  });

  it('is refused for a config that is not saved, off or closed, and to anybody but the host of a waiting lobby', async () => {
    const [a, b] = await configs({ enabled: false });
    await party(a, 'ann', 'ben');
    expect((await move(a, 'ann', freshConfig())).body.code).toBe('CONFIG_NOT_FOUND');
    expect((await move(a, 'ann', b)).body.code).toBe('CONFIG_NOT_FOUND');
    await saveConfig(b, { closed: { message: 'Back at nine' } });
    expect((await move(a, 'ann', b)).body.code).toBe('CLOSED');
    await saveConfig(b, {});
    expect((await move(a, 'ben', b)).body.code).toBe('NOT_HOST');
    await ask(`POST lobbies/${a}/me/matchmaking`, { player: 'ann', body: { mode: 'pairs' } });
    expect((await move(a, 'ann', b)).body.code).toBe('INVALID_STATE');
  });

  it('lets who creates another lobby under the old config have that one there', async () => {
    const [a, b] = await configs();
    const { id } = await party(a, 'ann', 'ben');
    await move(a, 'ann', b);
    const other = await createLobby(a, 'ben');
    expect((await mine(a, 'ben')).id).toBe(other.id);
    expect((await mine(b, 'ben')).id).toBe(id);
    // Under the old config it leaves that one alone.
    await ask(`DELETE lobbies/${a}/me`, { player: 'ben' });
    expect((await mine(b, 'ben')).id).toBe(id);
  });

  it('goes along with its key, unless another lobby there has that', async () => {
    const [a, b] = await configs();
    const body = { name: 'den', key: 'den' };
    const { id } = await createLobby(a, 'ann', body);
    await createLobby(b, 'eve', body);
    expect((await move(a, 'ann', b)).body.code).toBe('LOBBY_NOT_MOVED');
    await ask(`DELETE lobbies/${b}/me`, { player: 'eve' });
    await until(
      () => move(a, 'ann', b),
      ({ status }) => status === 200,
    );
    const joined = await ask<LobbyView>(`POST lobbies/${b}`, { player: 'eve', body });
    expect([joined.status, joined.body.id]).toEqual([200, id]);
  });

  it('tells each stream, which goes on', async () => {
    const [a, b] = await configs();
    await party(a, 'ann', 'ben');
    const events = await listen(a, 'ben');
    await events.next('connected');
    await move(a, 'ann', b);
    expect((await events.next('lobby_updated')).config).toBe(b);
    await events.next('connected', ({ config }) => config === b);
    await ask(`PATCH lobbies/${b}/me`, { player: 'ann', body: { state: { hat: 'red' } } });
    await events.next('lobby_updated', ({ players }) => players[0]?.state?.['hat'] === 'red');
    // After it has left, it waits for the player's next lobby under its own path.
    await ask(`DELETE lobbies/${b}/me`, { player: 'ben' });
    const { id } = await createLobby(a, 'ben');
    await events.next('connected', (lobby) => lobby.id === id);
    await events.leave();
  });

  it('is done by the server key, too, and again answers the same', async () => {
    const [a, b] = await configs();
    const { id } = await party(a, 'ann', 'ben');
    const order = (from: string, config: string) =>
      ask<LobbyView & { readonly detail?: string }>(`POST lobbies/${from}/${id}/move`, {
        key: SERVER,
        body: { config },
      });
    const { status, body } = await order(a, b);
    expect([status, body.config]).toEqual([200, b]);
    expect((await mine(a, 'ben')).config).toBe(b);
    const again = await order(a, b);
    expect([again.status, again.body]).toEqual([200, body]);
    const other = freshConfig();
    const wrong = await order(other, a);
    expect([wrong.status, wrong.body.detail]).toEqual([
      404,
      `No lobby of ${other} has this id: it is in ${b}`,
    ]);
  });

  it('shows what the backend says of a player by then, also what it said while nobody was told', async () => {
    const trusting = { trusted: ['mmr'] };
    const [a, b] = await configs({}, trusting);
    const said = (mmr: number) =>
      ask(`PUT players/ann/attributes`, { key: SERVER, body: { attributes: { mmr } } });
    const stateIn = async (config: string) => (await mine(config, 'ann')).players[0]?.state;
    await said(1500);
    await createLobby(a, 'ann');
    expect(await stateIn(a)).toEqual({ mmr: 1500 });
    await move(a, 'ann', b);
    expect(await stateIn(b)).toEqual({});
    // No config that the player is in trusts a key, so nobody hears of it.
    await said(1600);
    await move(b, 'ann', a);
    expect(await stateIn(a)).toEqual({ mmr: 1600 });
    // The same where the config begins to trust only then.
    await move(a, 'ann', b);
    await said(1700);
    await saveConfig(b, { ...trusting, matchmaking: { modes: { duel: {} } } });
    await ask(`POST lobbies/${b}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    expect(await stateIn(b)).toEqual({ mmr: 1700 });
  });

  it('under the old config keeps the rules of the new one', async () => {
    const [a, b] = await configs({ maxPlayers: 3 });
    await party(a, 'ann', 'ben');
    await move(a, 'ann', b);
    const wanted = { player: 'ann', body: { maxPlayers: 4 } };
    expect((await ask(`PATCH lobbies/${a}/me/settings`, wanted)).status).toBe(400);
    await saveConfig(b, { closed: { message: 'Back at nine' } });
    const searching = { player: 'ann', body: { mode: 'duel' } };
    const { status } = await ask(`POST lobbies/${a}/me/matchmaking`, searching);
    expect(status).toBe(503);
  });
});
