// Signals by the front door: who hears them, on both kinds of stream, what is refused, and what they leave behind.

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { actorAt } from '../support/actors';
import { eventually } from '../support/eventually';
import { matchmade, playing, queue } from './parties';
import { listen, type Stream } from './stream';
import { ask, askUnder, createLobby, fetchRaw, freshConfig, joinLobby, mine } from './support';

interface Signalled {
  readonly players: number;
  readonly streaming: number;
}

function send(config: string, player: string, body: object) {
  return ask<Signalled & { readonly code: string; readonly detail: string }>(
    `POST lobbies/${config}/me/signals`,
    { player, body },
  );
}

/** Ann's lobby with Bob, and Bob's stream. */
async function den(): Promise<{ config: string; lobby: LobbyView; stream: Stream }> {
  const config = freshConfig();
  const { code } = await createLobby(config, 'ann');
  const lobby = await joinLobby(config, 'bob', code);
  const stream = await listen(config, 'bob');
  await stream.next('connected');
  return { config, lobby, stream };
}

/** A game of these players, each in a lobby. */
async function matched(...players: readonly string[]): Promise<string> {
  const config = await matchmade({ duel: { teams: players.length, playersPerTeam: 1 } });
  for (const player of players) {
    await createLobby(config, player);
    await queue(config, player);
  }
  for (const player of players) {
    await playing(config, player);
  }
  return config;
}

describe('a signal', () => {
  it('comes to a player of the lobby as an event, and only to that one', async () => {
    const { config, lobby, stream } = await den();
    await joinLobby(config, 'cat', lobby.code);
    await stream.next('lobby_updated');
    const cats = await listen(config, 'cat');
    await cats.next('connected');
    const data = { sdp: 'v=0', é: ['\u2028', 1, null] };
    const { status, body } = await send(config, 'ann', { to: 'bob', data });
    expect([status, body]).toEqual([200, { players: 1, streaming: 1 }]);
    expect(await stream.next('signal')).toEqual({ from: 'ann', data });
    expect((await send(config, 'ann', { to: 'all', data: 'hello' })).body).toEqual({
      players: 2,
      streaming: 2,
    });
    expect(await cats.upTo('signal')).toMatchObject([{ data: { from: 'ann', data: 'hello' } }]);
    expect(await stream.next('signal')).toMatchObject({ data: 'hello' });
    await stream.leave();
    await cats.leave();
  });

  it('comes to the other lobbies of a match, on a WebSocket too', async () => {
    const config = await matched('ann', 'bob');
    const upgrade = { player: 'bob', headers: { upgrade: 'websocket' } };
    const response = await fetchRaw(`GET lobbies/${config}/me/events`, upgrade);
    const told: { readonly event: string }[] = [];
    const socket = response.webSocket as WebSocket;
    socket.addEventListener('message', ({ data }) => void told.push(JSON.parse(String(data))));
    socket.accept();
    await eventually('connected', () => told.find(({ event }) => event === 'connected'));
    expect((await send(config, 'ann', { to: 'bob', data: 7 })).body).toEqual({
      players: 1,
      streaming: 1,
    });
    const heard = await eventually('a signal', () => told.find(({ event }) => event === 'signal'));
    expect(heard).toEqual({ event: 'signal', id: null, data: { from: 'ann', data: 7 } });
    socket.close();
  });

  it('is not kept: who had no stream is told that some may be lost', async () => {
    const { config, stream } = await den();
    await stream.leave();
    await eventually('no stream', async () => {
      const { body } = await send(config, 'ann', { to: 'bob', data: 1 });
      return body.streaming === 0 ? body : undefined;
    });
    const again = await listen(config, 'bob');
    const [first, second] = await again.upTo('signals_lost');
    expect([first?.event, second]).toEqual([
      'connected',
      { event: 'signals_lost', id: null, data: null },
    ]);
    await again.leave();
  });

  it('saves nothing, and sets no alarm', async () => {
    const config = await matched('ann', 'bob');
    const { id, matchId } = await mine(config, 'ann');
    const actors = [actorAt('lobby', id), actorAt('match', matchId ?? '')];
    const saved = () =>
      Promise.all(actors.flatMap((actor) => [actor.stored(), actor.alarmAt() as Promise<unknown>]));
    const before = await saved();
    expect((await send(config, 'ann', { to: 'all', data: { x: 1 } })).status).toBe(200);
    expect(await saved()).toEqual(before);
  });
});

describe('a signal is refused', () => {
  const MISSING = 'data: is missing: it must be JSON, and not null';
  const LARGE = 'data: must be at most 4096 bytes of JSON';
  it.each([
    ['nothing', {}, `to: is missing: it must be a string; ${MISSING}`],
    ['no data', { to: 'bob' }, MISSING],
    ['null', { to: 'bob', data: null }, MISSING],
    ['a list of players', { to: ['bob'], data: 1 }, 'to: must be a string'],
    ['no id of a player', { to: '..', data: 1 }, 'to: must be a player id'],
    ['a byte too many', { to: 'bob', data: 'x'.repeat(4_095) }, LARGE],
    ['too many bytes in few characters', { to: 'bob', data: 'é'.repeat(2_048) }, LARGE],
  ])('with %s', async (_, body, detail) => {
    const { config, stream } = await den();
    const { status, body: problem } = await send(config, 'ann', body);
    expect([status, problem.code, problem.detail]).toEqual([400, 'VALIDATION_ERROR', detail]);
    const most = { to: 'bob', data: 'x'.repeat(4_094) };
    expect((await send(config, 'ann', most)).status).toBe(200);
    expect(await stream.next('signal')).toMatchObject({ data: most.data });
    await stream.leave();
  });

  it('to whoever is not there, to oneself, and of who is in no lobby', async () => {
    const { config, stream } = await den();
    await createLobby(config, 'eve');
    for (const to of ['eve', 'nobody', 'ann']) {
      const { status, body } = await send(config, 'ann', { to, data: 1 });
      expect([to, status, body.code]).toEqual([to, 404, 'PLAYER_NOT_FOUND']);
    }
    const stranger = await send(config, 'zed', { to: 'bob', data: 1 });
    expect([stranger.status, stranger.body.code]).toEqual([404, 'LOBBY_NOT_FOUND']);
    expect((await send(config, 'eve', { to: 'all', data: 1 })).body).toMatchObject({ players: 0 });
    await stream.leave();
  });

  it('beyond twenty of a player in ten seconds', async () => {
    const { config, stream } = await den();
    const slow = { LIMITS: '{"signals":{"player":"20/6000s"}}' };
    const line = `POST lobbies/${config}/me/signals`;
    const asked = { player: 'ann', body: { to: 'bob', data: 1 } };
    const all: number[] = [];
    for (let count = 0; count < 25; count += 1) {
      all.push((await askUnder(slow, line, asked)).status);
    }
    expect(all.filter((status) => status === 200)).toHaveLength(20);
    expect(all.slice(20)).toEqual([429, 429, 429, 429, 429]);
    await stream.leave();
  });

  it('of a player in a match, once each has cost a request for each lobby that was asked', async () => {
    const config = await matched('ann', 'bob', 'cat');
    const slow = { LIMITS: '{"requests":{"player":"20/6000s"},"signals":{"player":null}}' };
    const line = `POST lobbies/${config}/me/signals`;
    const asked = { player: 'ann', body: { to: 'nobody', data: 1 } };
    const all: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      all.push((await askUnder(slow, line, asked)).status);
    }
    expect(all.filter((status) => status === 404).length).toBeLessThanOrEqual(10);
    expect(all.at(-1)).toBe(429);
  });
});

it('reaches a player who is called all, and only that one, where it names a player', async () => {
  const config = freshConfig();
  const { code } = await createLobby(config, 'ann', { maxPlayers: 3 });
  await joinLobby(config, 'all', code);
  await joinLobby(config, 'bob', code);
  const one = { to: { player: 'all' }, data: 1 };
  expect((await send(config, 'ann', one)).body).toEqual({ players: 1, streaming: 0 });
  expect((await send(config, 'ann', { to: 'all', data: 1 })).body.players).toBe(2);
  expect((await send(config, 'ann', { to: { player: 'bob' }, data: 1 })).body.players).toBe(1);
  expect((await send(config, 'ann', { to: { player: 'eve' }, data: 1 })).status).toBe(404);
  expect((await send(config, 'ann', { to: { id: 'bob' }, data: 1 })).status).toBe(400);
});
