// Spectators through the front door: who watches is told apart, hears the game, and has a ticket that is no seat.

import { describe, expect, it } from 'vitest';
import type { Seat } from '../../packages/js/src/identity-types.ts';
import type { Whereabouts } from '../../packages/js/src/types.ts';
import type { LobbyView } from '../../src/lobby/view';
import {
  ask,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
  type Answered,
} from './support';
import { met } from './met';
import { Stream } from './stream';

function watch(config: string, player: string, code: string): Promise<Answered<LobbyView>> {
  return ask<LobbyView>(`POST lobbies/${config}/join`, {
    player,
    body: { code, as: 'spectator' },
  });
}

async function watchable(max = 2): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { spectators: { max } });
  return config;
}

describe('whoever joins as a spectator', () => {
  it('watches a lobby that is full, and is counted where lobbies are listed', async () => {
    const config = await watchable();
    const { code, id } = await createLobby(config, 'ann');
    await joinLobby(config, 'ben', code);
    const { status, body } = await watch(config, 'wes', code);
    expect([status, body.as, body.currentPlayers, body.currentSpectators]).toEqual([
      200,
      'spectator',
      2,
      1,
    ]);
    expect((await mine(config, 'ann')).spectators).toEqual([{ id: 'wes' }]);
    await watch(config, 'wim', code);
    expect((await watch(config, 'wyn', code)).body).toMatchObject({ code: 'LOBBY_FULL' });
    // A list may be half a second old.
    const listed = async (): Promise<LobbyView | undefined> => {
      const { body: page } = await ask<{ lobbies: LobbyView[] }>(`GET lobbies/${config}`);
      return page.lobbies.find((each) => each.id === id);
    };
    const row = await until(listed, (each) => each?.currentSpectators === 2);
    expect([row?.currentPlayers, row?.spectators]).toEqual([2, undefined]);
    const whole = await ask<LobbyView>(`GET lobbies/${config}/${id}`, { key: SERVER });
    expect(whole.body.spectators).toHaveLength(2);
    const { body: places } = await ask<Whereabouts>('GET me', { player: 'wes' });
    expect(places.lobbies.find((each) => each.config === config)).toMatchObject({
      id,
      as: 'spectator',
    });
    const { body: seen } = await ask<{ places: object[] }>('GET players/wes', { key: SERVER });
    expect(seen.places).toContainEqual(expect.objectContaining({ config, as: 'spectator' }));
    const elsewhere = await ask(`POST lobbies/${config}`, { player: 'wes', body: { name: 'own' } });
    expect(elsewhere.body.code).toBe('ALREADY_IN_LOBBY');
  });

  it('may only leave; the host puts spectators out', async () => {
    const config = await watchable();
    const { code } = await createLobby(config, 'ann');
    await watch(config, 'wes', code);
    const wes = { player: 'wes' };
    const codes = await Promise.all([
      ask(`PATCH lobbies/${config}/me`, { ...wes, body: { state: { a: 1 } } }),
      ask(`POST lobbies/${config}/me/confirm-match`, wes),
      ask(`POST lobbies/${config}/me/signals`, { ...wes, body: { to: 'all', data: 1 } }),
      ask(`POST lobbies/${config}/me/start`, wes),
      ask(`POST lobbies/${config}/me/heartbeat`, wes),
    ]);
    expect(codes.map(({ status, body }) => body.code ?? status)).toEqual([
      'INVALID_ACTION',
      'INVALID_ACTION',
      'INVALID_ACTION',
      'NOT_HOST',
      200,
    ]);
    const kick = await ask<LobbyView>(`DELETE lobbies/${config}/me/players/wes`, { player: 'ann' });
    expect([kick.status, kick.body.currentSpectators]).toEqual([200, undefined]);
    expect((await ask(`GET lobbies/${config}/me`, wes)).status).toBe(404);
    await watch(config, 'wim', code);
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect((await ask(`GET lobbies/${config}/me`, { player: 'wim' })).status).toBe(404);
  });

  it('needs a config that has places for spectators, and a known word', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    expect((await watch(config, 'wes', code)).body).toMatchObject({ code: 'LOBBY_NOT_ACCEPTING' });
    const body = { code, as: 'judge' };
    const odd = await ask(`POST lobbies/${config}/join`, { player: 'wes', body });
    expect(odd.body).toMatchObject({ code: 'VALIDATION_ERROR' });
    const bad = await ask(`PUT lobby-configs/${config}`, {
      key: SERVER,
      body: { spectators: { max: 0 } },
    });
    expect(bad.body).toMatchObject({ detail: expect.stringContaining('spectators.max') });
  });

  it('changes sides in a waiting lobby, and the stream goes on as the other', async () => {
    const config = await watchable();
    const { code } = await createLobby(config, 'ann');
    await watch(config, 'wes', code);
    const path = `GET lobbies/${config}/me/events?changes=1`;
    const stream = new Stream(await fetchRaw(path, { player: 'wes' }));
    expect((await stream.next('connected')).as).toBe('spectator');
    expect((await joinLobby(config, 'wes', code)).currentPlayers).toBe(2);
    const playing = await stream.next('connected');
    expect([playing.as, playing.players.length, playing.spectators]).toEqual([
      undefined,
      2,
      undefined,
    ]);
    expect((await watch(config, 'wes', code)).body).toMatchObject({ currentPlayers: 1 });
    expect((await stream.next('connected')).as).toBe('spectator');
    // A client would take it for being kicked.
    expect(stream.raw).not.toMatch(/event: lobby_(?:updated|changed)/);
    await stream.leave();
  });

  it.each([0, 60])(
    'is told that it is out, by a last state that is new and without `as` (delaySeconds: %d)',
    async (delaySeconds) => {
      const config = freshConfig();
      await saveConfig(config, { spectators: { max: 2, delaySeconds } });
      const { code } = await createLobby(config, 'ann');
      await watch(config, 'wes', code);
      const path = `GET lobbies/${config}/me/events?changes=1`;
      const stream = new Stream(await fetchRaw(path, { player: 'wes' }));
      const shown = await stream.next('connected');
      await ask(`DELETE lobbies/${config}/me/players/wes`, { player: 'ann' });
      const last = await stream.next('lobby_updated');
      expect([shown.as, last.as]).toEqual(['spectator', undefined]);
      expect(last.revision).toBeGreaterThan(shown.revision);
      await stream.leave();
    },
  );

  it('comes during a game, and has a ticket that is no seat', async () => {
    const config = freshConfig();
    const { serverId, headers } = await met(config);
    await saveConfig(config, {
      spectators: {},
      matchmaking: { modes: { duel: {} } },
    });
    const { code } = await mine(config, 'ann');
    const { body } = await watch(config, 'wes', code);
    expect(body).toMatchObject({ as: 'spectator', status: 'in_game', currentPlayers: 1 });
    expect(body.server?.custom_data).toEqual({});
    const check = (ticket: string | undefined) =>
      ask<Seat>(`POST servers/${serverId}/seats`, { key: null, headers, body: { ticket } });
    const seat = await check(body.server?.ticket);
    expect(seat.body).toMatchObject({ player: 'wes', team: null, spectator: true });
    expect(seat.body.match).not.toBeNull();
    const player = await check((await mine(config, 'ann')).server?.ticket);
    expect([player.body.team, player.body.spectator]).toEqual([0, undefined]);
    await ask(`DELETE lobbies/${config}/me`, { player: 'wes' });
    expect((await check(body.server?.ticket)).status).toBe(403);
  });
});
