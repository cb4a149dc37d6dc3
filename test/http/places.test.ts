// A game steers its places (record 0067): what is open, who is put out, and what it hears of that.

import { describe, expect, it } from 'vitest';
import type { GameRoster } from '../../packages/js/src/journal-types.ts';
import type { Seat } from '../../packages/js/src/identity-types.ts';
import type { LobbyView } from '../../src/lobby/view';
import { actorAt } from '../support/actors';
import { met, type Met } from './met';
import { party, playing, queue } from './parties';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  SERVER,
  until,
  type Answered,
  type Problem,
} from './support';

const DUO = { teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1, timeout: 60, allowBackfill: true };

function says<T = GameRoster>({ serverId, headers }: Met, body: object): Promise<Answered<T>> {
  return ask<T>(`POST servers/${serverId}/places`, { key: null, headers, body });
}

async function roster({ serverId, headers }: Met, query = ''): Promise<GameRoster> {
  const asked = { key: null, headers };
  return (await ask<GameRoster>(`GET servers/${serverId}/roster${query}`, asked)).body;
}

async function search(config: string, player: string): Promise<void> {
  await createLobby(config, player);
  await queue(config, player);
}

async function ticketOf(config: string, player: string): Promise<string | undefined> {
  return (await mine(config, player)).server?.ticket;
}

async function verified({ serverId, headers }: Met, ticket: string | undefined) {
  const line = `POST servers/${serverId}/seats`;
  const { status, body } = await ask<Seat & Problem>(line, {
    key: null,
    headers,
    body: { ticket },
  });
  return status === 200 ? body.team : `${status} ${body.code}`;
}

const shown = ({ players }: GameRoster) =>
  players.map(({ id, team, status }) => `${id} ${team} ${status}`).toSorted();

describe('what a game opens', () => {
  it('is all that is open once it has spoken: one place takes one lobby', async () => {
    const config = freshConfig();
    const game = await met(config, DUO);
    const closed = await says(game, { open: 0 });
    expect([closed.status, closed.body.open, shown(closed.body)]).toEqual([
      200,
      [],
      ['ann 0 here', 'bob 1 here'],
    ]);
    // One after the other: two who wait would soon have a match of their own.
    await search(config, 'cat');
    expect((await mine(config, 'cat')).status).toBe('in_queue');
    const opened = await says(game, { open: 1, team: 1 });
    expect(opened.body.open).toEqual([{ team: 1, places: 1 }]);
    const { matchId } = await playing(config, 'cat');
    expect(matchId).toBe(game.matchId);
    expect(shown(await roster(game))).toEqual(['ann 0 here', 'bob 1 here', 'cat 1 here']);
    await search(config, 'dan');
    expect((await mine(config, 'dan')).status).toBe('in_queue');
    // The same again, by somebody who has not heard of cat, opens nothing.
    const again = await says(game, { open: 1, team: 1, after: opened.body.revision });
    expect(again.body.open).toEqual([]);
    const more = await says(game, { open: 1, after: again.body.revision });
    expect(more.body.open).toEqual([{ team: 0, places: 1 }]);
    expect((await playing(config, 'dan')).matchId).toBe(game.matchId);
  });

  it('is closed when its time is over', async () => {
    const config = freshConfig();
    const game = await met(config, DUO);
    const past = new Date(Date.now() - 1_000).toISOString();
    expect((await says(game, { open: 2, until: past })).body.open).toEqual([]);
    const later = new Date(Date.now() + 400).toISOString();
    expect((await says(game, { open: 2, until: later })).body.open).toHaveLength(2);
    await until(
      () => roster(game),
      ({ open }) => open.length === 0,
    );
  });

  it('is refused in a mode without backfill, and for a team that is not there', async () => {
    const plain = await met(freshConfig());
    const refused = await says<Problem>(plain, { open: 1 });
    expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE']);
    const game = await met(freshConfig(), DUO);
    const before = await roster(game);
    for (const body of [
      { open: 1, team: 2 },
      { open: -1 },
      { team: 1 },
      {},
      { opens: 1 },
      { open: 1, until: 'soon' },
    ]) {
      expect(await says<Problem>(game, body)).toMatchObject({ status: 400 });
    }
    expect(await says<Problem>(game, { open: 1, release: 'eve' })).toMatchObject({ status: 404 });
    expect(await roster(game)).toEqual(before);
  });
});

describe('who is put out', () => {
  it('a seat that is released is free, and its ticket is good for nothing', async () => {
    const config = freshConfig();
    const game = await met(config, DUO);
    const ticket = await ticketOf(config, 'bob');
    expect(await verified(game, ticket)).toBe(1);
    const { body } = await says(game, { release: 'bob' });
    expect(shown(body)).toEqual(['ann 0 here', 'bob 1 left']);
    expect(await verified(game, ticket)).toBe('403 FORBIDDEN');
    const after = body.revision;
    await until(
      async () => verified(game, await ticketOf(config, 'bob')),
      (seat) => seat === null,
    );
    expect((await says(game, { release: 'bob', after })).body.revision).toBe(after);
    await search(config, 'cat');
    await playing(config, 'cat');
    expect(shown(await roster(game, `?after=${after}`))).toEqual(['cat 1 here']);
  });

  it('a player who is kicked is out of the lobby, and comes in no more', async () => {
    const config = freshConfig();
    const game = await met(config, DUO);
    const { code } = await mine(config, 'ann');
    await joinLobby(config, 'eve', code);
    const ticket = await ticketOf(config, 'bob');
    for (const kick of ['bob', 'eve']) {
      expect((await says(game, { kick })).status).toBe(200);
    }
    expect(await verified(game, ticket)).toBe('403 FORBIDDEN');
    const gone = async (player: string) =>
      (await ask(`GET lobbies/${config}/me`, { player })).status;
    await until(
      async () => [await gone('bob'), await gone('eve')],
      (all) => all.join() === '404,404',
    );
    const back = await ask(`POST lobbies/${config}/join`, {
      player: 'eve',
      body: { code },
    });
    expect([back.status, back.body.code]).toEqual([400, 'LOBBY_NOT_ACCEPTING']);
    await search(config, 'bob');
    await search(config, 'cat');
    expect((await playing(config, 'cat')).matchId).toBe(game.matchId);
    expect((await mine(config, 'bob')).status).toBe('in_queue');
    expect(shown(await roster(game))).toContain('bob 1 kicked');
  });

  it('the server key puts a player out of any lobby', async () => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const line = `DELETE lobbies/${config}/${id}/players/`;
    expect((await ask(`${line}bob`, { key: SERVER })).status).toBe(200);
    expect((await mine(config, 'ann')).currentPlayers).toBe(1);
    expect((await ask(`${line}bob`, { key: SERVER })).body.code).toBe('PLAYER_NOT_FOUND');
    expect((await ask(`${line}ann`, { player: 'bob' })).status).toBe(403);
  });

  it('the ticket of a player who has left is no seat', async () => {
    const config = freshConfig();
    const game = await met(config);
    const ticket = await ticketOf(config, 'bob');
    await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
    expect(await verified(game, ticket)).toBe('403 FORBIDDEN');
  });
});

describe('the roster', () => {
  it('comes as soon as it changes, to a server and to a backend, and to nobody else', async () => {
    const config = freshConfig();
    const game = await met(config, DUO);
    const { revision } = await roster(game);
    const waits = roster(game, `?after=${revision}&wait=20`);
    await party(config, 'duel', { cat: { level: 3 } });
    const news = await waits;
    expect(news).toMatchObject({
      match: game.matchId,
      players: [{ id: 'cat', status: 'here', role: null, state: { level: 3 } }],
    });
    const line = `GET servers/${game.serverId}/roster`;
    const byKey = await ask<GameRoster>(line, { key: SERVER });
    expect(byKey.body).toEqual(await roster(game));
    expect((await ask(line)).status).toBe(403);
    expect((await ask(line, { key: null })).status).toBe(401);
    const other = await met(freshConfig());
    expect((await ask(line, { key: null, headers: other.headers })).status).toBe(401);
    expect((await ask(`${line}?wait=26`, { key: SERVER })).status).toBe(400);
  });

  it('tells who leaves and comes back, also where nobody fills places, and ends with the match', async () => {
    const config = freshConfig();
    const game = await met(config, { ...DUO, allowBackfill: false });
    const { code } = await mine(config, 'ann');
    await party(config, 'duel', { cat: {} });
    await roster(game);
    const { matchId } = await mine(config, 'ann');
    expect(matchId).toBe(game.matchId);
    await joinLobby(config, 'eve', code);
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    const is = (status: string) =>
      until(
        () => roster(game),
        ({ players }) => players.some((each) => each.id === 'ann' && each.status === status),
      );
    await is('away');
    const back = await ask<LobbyView>(`POST lobbies/${config}/join`, {
      player: 'ann',
      body: { code },
    });
    expect(await verified(game, back.body.server?.ticket)).toBe(0);
    await is('here');
    const { revision } = await roster(game);
    const waits = ask(`GET servers/${game.serverId}/roster?wait=20&after=${revision}`, {
      key: SERVER,
    });
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'bob' });
    expect(await waits).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
  });
});

describe('reconnectSeconds', () => {
  const KEPT = { ...DUO, playersPerTeam: 2, maxPartySize: 2, reconnectSeconds: 60 };

  it('keeps the place of who drops out, and gives it back', async () => {
    const config = freshConfig();
    const game = await met(config, KEPT);
    const { code } = await party(config, 'duel', { cat: {} });
    await playing(config, 'cat');
    const team = (await roster(game)).players.find(({ id }) => id === 'cat')?.team;
    await joinLobby(config, 'eve', code);
    await ask(`DELETE lobbies/${config}/me`, { player: 'cat' });
    await until(
      () => roster(game),
      (told) => shown(told).includes(`cat ${team} away`),
    );
    await search(config, 'dan');
    await search(config, 'fay');
    expect((await playing(config, 'dan')).matchId).toBe(game.matchId);
    expect((await mine(config, 'fay')).status).toBe('in_queue');
    await ask(`POST lobbies/${config}/join`, { player: 'cat', body: { code } });
    expect(await verified(game, await ticketOf(config, 'cat'))).toBe(team);
    expect(shown(await roster(game))).toContain(`cat ${team} here`);
  });

  it('lets the place go when its time is over', async () => {
    const config = freshConfig();
    const game = await met(config, { ...KEPT, reconnectSeconds: 1 });
    const { code } = await party(config, 'duel', { cat: {} });
    await playing(config, 'cat');
    await joinLobby(config, 'eve', code);
    await ask(`DELETE lobbies/${config}/me`, { player: 'cat' });
    await until(
      () => roster(game),
      ({ players }) => players.some(({ id, status }) => id === 'cat' && status === 'left'),
    );
    await ask(`POST lobbies/${config}/join`, { player: 'cat', body: { code } });
    expect(await verified(game, await ticketOf(config, 'cat'))).toBeNull();
  });
});

it('a game server holds four long polls at once, and its other requests are answered', async () => {
  const game = await met(freshConfig(), DUO);
  const { revision } = await roster(game);
  const line = `GET servers/${game.serverId}/roster?after=${revision}&wait=2`;
  const polls = Array.from({ length: 6 }, () => ask(line, { key: null, headers: game.headers }));
  const statuses = (await Promise.all(polls)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429, 429]);
  expect((await ask(line, { key: null, headers: game.headers })).status).toBe(200);
});

it('a viewer key reads the roster, holds four long polls, and changes nothing', async () => {
  const game = await met(freshConfig(), DUO);
  const made = { key: SERVER, body: { name: 'looks' } };
  const { key } = (await ask<{ readonly key: string }>('POST projects/keys', made)).body;
  const saved = () => actorAt('match', game.matchId).row<{ readonly steered?: object }>('match');
  const line = `GET servers/${game.serverId}/roster`;
  const read = await ask<GameRoster>(line, { key });
  expect([read.status, shown(read.body)]).toEqual([200, ['ann 0 here', 'bob 1 here']]);
  expect((await saved())?.steered).toBeUndefined();
  const polls = `${line}?after=${read.body.revision}&wait=1`;
  const all = await Promise.all(Array.from({ length: 6 }, () => ask(polls, { key })));
  const statuses = all.map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429, 429]);
  expect((await saved())?.steered).toBeUndefined();
  // The game itself is followed.
  await roster(game);
  expect((await saved())?.steered).toBeDefined();
});
