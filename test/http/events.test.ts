import { abortAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../src/objects/placement/env';
import { listen, Stream } from './stream';
import {
  ask,
  CLIENT,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
} from './support';

describe('the stream of a member', () => {
  // shows: S20, S149, S201, S202, S205, D24a
  it('opens with the whole lobby, and says so in its headers', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann', { name: 'Caf\u00e9 \u{1f600}' });
    const stream = await listen(config, 'ann');
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(await stream.next('connected')).toEqual(lobby);
    expect(stream.raw).toMatch(/^event: connected\nid: 1\ndata: \{[\x20-\x7e]+\}\n\n$/);
    expect(stream.raw).toContain('Caf\\u00e9 \\ud83d\\ude00');
    await stream.leave();
  });

  // shows: S12, D9b
  it('tells every change once, each as the full lobby', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    await joinLobby(config, 'bob', lobby.code);
    await ask(`PATCH lobbies/${config}/me`, { player: 'bob', body: { state: { ready: true } } });
    await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name: 'Lair' } });
    await ask(`DELETE lobbies/${config}/me/players/bob`, { player: 'ann' });
    const revisions: number[] = [];
    const joined = await stream.next('lobby_updated');
    const patched = await stream.next('lobby_updated');
    const named = await stream.next('lobby_updated');
    const kicked = await stream.next('lobby_updated');
    revisions.push(...[joined, patched, named, kicked].map(({ revision }) => revision));
    expect(revisions).toEqual([2, 3, 4, 5]);
    expect(joined.currentPlayers).toBe(2);
    expect(patched.players[1]?.state).toEqual({ ready: true });
    expect([named.name, kicked.currentPlayers]).toEqual(['Lair', 1]);
    expect(kicked).toEqual(await mine(config, 'ann'));
    await stream.leave();
  });

  // shows: D23c
  it('goes on after lobby_deleted, into the next lobby', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    await ask(`DELETE lobbies/${config}/${lobby.id}`, { key: SERVER });
    expect(await stream.next('lobby_deleted')).toEqual({ id: lobby.id });
    const next = await createLobby(config, 'ann');
    expect((await stream.next('connected')).id).toBe(next.id);
    expect(stream.raw).not.toContain('bye');
    await stream.leave();
  });

  // shows: D23d
  it('goes on for a kicked player, who first sees the lobby without itself', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const stream = await listen(config, 'bob');
    await stream.next('connected');
    await ask(`DELETE lobbies/${config}/me/players/bob`, { player: 'ann' });
    const last = await stream.next('lobby_updated');
    expect(last).toMatchObject({ currentPlayers: 1, players: [{ id: 'ann' }] });
    const next = await createLobby(config, 'bob');
    expect((await stream.next('connected')).id).toBe(next.id);
    expect(stream.raw.match(/^event: /gm)?.length).toBe(3);
    await stream.leave();
  });

  // shows: S12, D23e
  it('is replaced by a second one of the same player', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const first = await listen(config, 'ann');
    await first.next('connected');
    const second = await listen(config, 'ann');
    await second.next('connected');
    expect(await first.ended()).toEqual([{ event: 'replaced', id: null, data: null }]);
    // An EventSource sees events only. Earlier versions of our clients look for the comment.
    expect(first.raw).toMatch(/\n\nevent: replaced\ndata: null\n\n: replaced\n\n$/);
    await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name: 'Lair' } });
    expect((await second.next('lobby_updated')).name).toBe('Lair');
    await second.leave();
  });

  // shows: D24c
  it('replays what was missed since Last-Event-ID, and connects in any case', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    for (const name of ['Two', 'Three']) {
      await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name } });
    }
    const stream = await listen(config, 'ann', { headers: { 'last-event-id': '2' } });
    expect((await stream.next('lobby_updated')).name).toBe('Three');
    expect((await stream.next('connected')).revision).toBe(3);
    await stream.leave();
  });

  it('shows a match being found, confirmed and played', async () => {
    const config = freshConfig();
    await saveConfig(config, {
      matchmaking: { modes: { duel: { matchConfirmation: { enabled: true } } } },
    });
    await createLobby(config, 'ann');
    await createLobby(config, 'bob');
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    for (const player of ['ann', 'bob']) {
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    await stream.next('lobby_updated', ({ status }) => status === 'in_queue');
    const found = await stream.next('lobby_updated', ({ status }) => status === 'match_found');
    expect(found.matchmaking?.confirmation?.confirmed).toBe(false);
    for (const player of ['ann', 'bob']) {
      await ask(`POST lobbies/${config}/me/confirm-match`, { player });
    }
    await stream.next(
      'lobby_updated',
      ({ matchmaking }) => matchmaking?.confirmation?.confirmed === true,
    );
    const game = await stream.next('lobby_updated', ({ status }) => status === 'in_game');
    expect(game.server?.status).toBe('launching');
    await stream.next('lobby_updated', ({ server }) => server?.status === 'running');
    await stream.leave();
  });

  // shows: S47, S207, D26a
  it('sends queue statistics at once on queueing, and once', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    await createLobby(config, 'ann');
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    const stats: unknown = await stream.next('queue_stats');
    expect(stats).toEqual({
      playersSearching: 1,
      lobbiesInQueue: 1,
      avgWaitSeconds: expect.any(Number),
    });
    await ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'ann' });
    const rest = await stream.upTo('matchmaking_timeout');
    expect(rest.map(({ event }) => event)).toEqual(['matchmaking_timeout']);
    await stream.leave();
  });
});

describe('the stream of a player', () => {
  // shows: D23a
  it('opens before there is a lobby, and is bound by creating one', async () => {
    const config = freshConfig();
    const stream = await listen(config, 'ann');
    expect(await stream.next('connected')).toBeNull();
    const lobby = await createLobby(config, 'ann');
    expect((await stream.next('connected')).id).toBe(lobby.id);
    await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name: 'Lair' } });
    expect((await stream.next('lobby_updated')).name).toBe('Lair');
    await stream.leave();
  });

  // shows: D23b
  it('survives leaving, and follows into the next lobby', async () => {
    const config = freshConfig();
    const one = await createLobby(config, 'ann');
    const two = await createLobby(config, 'eve');
    await joinLobby(config, 'bob', one.code);
    const stream = await listen(config, 'bob');
    expect((await stream.next('connected')).id).toBe(one.id);
    for (let turn = 0; turn < 3; turn += 1) {
      const next = turn % 2 === 0 ? two : one;
      await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
      await joinLobby(config, 'bob', next.code);
      expect((await stream.next('connected')).id).toBe(next.id);
    }
    expect(stream.raw.match(/event: connected/g)?.length).toBe(4);
    expect(stream.raw).not.toContain('data: null');
    await stream.leave();
  });

  it('outlives a restart of the objects that feed it', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    let stream = await listen(config, 'ann');
    await stream.next('connected');
    await abortAllDurableObjects();
    if ((env as unknown as Env).BOX !== undefined) {
      // The object that speaks also serves the request: the stream breaks off, and is opened anew.
      await expect(stream.next('connected')).rejects.toThrow();
      stream = await listen(config, 'ann');
    }
    expect((await stream.next('connected')).host).toBe('ann');
    await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name: 'Lair' } });
    expect((await stream.next('lobby_updated')).name).toBe('Lair');
    await stream.leave();
  });

  it('is nobody else\u2019s', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const stream = await listen(config, 'bob');
    expect(await stream.next('connected')).toBeNull();
    await stream.leave();
  });
});

describe('credentials of the stream', () => {
  // shows: D7a
  it('may come in the query, on this route alone', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    const query = `?api-key=${CLIENT}&x-player-id=ann`;
    const path = `GET lobbies/${config}/me/events${query}`;
    const stream = new Stream(await fetchRaw(path, { key: null }));
    expect((await stream.next('connected')).id).toBe(lobby.id);
    await stream.leave();
    expect((await ask(`GET lobbies/${config}/me${query}`, { key: null })).status).toBe(401);
    expect((await ask(`GET lobbies/${config}/me${query}`)).status).toBe(400);
  });

  // shows: S201
  it('are refused before a stream opens', async () => {
    for (const [asked, status, code] of [
      [{ key: null, player: 'ann' }, 401, 'UNAUTHORIZED'],
      [{}, 400, 'VALIDATION_ERROR'],
    ] as const) {
      const answer = await ask(`GET lobbies/any/me/events`, asked);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
  });
});
