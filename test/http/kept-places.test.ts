// A place that is kept is a taken place, and who loses it at once (decisions 69 and 70): by the front door.

import { describe, expect, it } from 'vitest';
import type { LobbyPage, Whereabouts } from '../../packages/js/src/types.ts';
import type { LobbyView } from '../../src/lobby/view';
import { party, playing } from './parties';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
  type Problem,
} from './support';

const QUICK = { create: { name: 'Quick', maxPlayers: 3 } };
const KEPT = {
  teams: 2,
  playersPerTeam: 2,
  minPlayersPerTeam: 1,
  timeout: 60,
  maxPartySize: 2,
  allowBackfill: true,
  reconnectSeconds: 60,
};

/** Cat hosts a lobby of two, with Dan; both are in a running game. */
async function game(mode: object = KEPT) {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes: { duel: mode } } });
  await party(config, 'duel', { ann: {}, bob: {} });
  const { id, code } = await party(config, 'duel', { cat: {}, dan: {} });
  await ask(`PATCH lobbies/${config}/me/settings`, { player: 'cat', body: { maxPlayers: 2 } });
  const { matchId } = await playing(config, 'dan');
  const join = (player: string) => ask(`POST lobbies/${config}/join`, { player, body: { code } });
  const quick = (player: string) =>
    ask<LobbyView>(`POST lobbies/${config}/quick-join`, { player, body: QUICK });
  const drops = (player: string) => ask(`DELETE lobbies/${config}/me`, { player });
  /** The places in this config: other tests leave some in theirs. */
  const where = async (player: string) => {
    const { lobbies, kept = [] } = (await ask<Whereabouts>('GET me', { player })).body;
    return { lobbies, kept: kept.filter((each) => each.config === config) };
  };
  return { config, id, code, matchId, join, quick, drops, where };
}

const refusalIn = ({ status, body }: { status: number; body: Problem }) => [status, body.code];

/** Whether the player has a seat in a team. */
async function isSeated(config: string, player: string): Promise<boolean> {
  const ticket = (await mine(config, player)).server?.ticket ?? '';
  const claims = JSON.parse(
    atob((ticket.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
  ) as { team: number | null };
  return claims.team !== null;
}

describe('a place that is kept', () => {
  it('is a taken place: in the list, for the code, and for quick joins', async () => {
    const { config, id, join, quick, drops, where } = await game();
    await drops('dan');
    expect(await mine(config, 'cat')).toMatchObject({ currentPlayers: 2, maxPlayers: 2 });
    const { body } = await until(
      () => ask<LobbyPage>(`GET lobbies/${config}`, { player: 'eve' }),
      (page) => page.body.lobbies.some((each) => each.id === id && each.players.length === 1),
    );
    expect(body.lobbies.find((each) => each.id === id)?.currentPlayers).toBe(2);
    expect(refusalIn(await join('eve'))).toEqual([400, 'LOBBY_FULL']);
    expect((await quick('eve')).body.id).not.toBe(id);
    expect((await where('dan')).lobbies).toEqual([]);
    expect((await join('dan')).status).toBe(200);
    expect(await isSeated(config, 'dan')).toBe(true);
    expect((await where('dan')).kept).toEqual([]);
  });

  it('is named to the player, with all that it takes to return', async () => {
    const { config, id, code, drops, where } = await game();
    const before = Date.now();
    await drops('dan');
    const { kept } = await until(
      () => where('dan'),
      (told) => told.kept.length > 0,
    );
    expect(kept).toEqual([{ id, config, code, mode: 'duel', until: kept[0]?.until }]);
    const until60 = Date.parse(kept[0]?.until ?? '') - before;
    expect(until60).toBeGreaterThan(59_000);
    expect(until60).toBeLessThan(70_000);
    // In another lobby, the old place is still there to go back to or not.
    await createLobby(config, 'dan');
    expect((await where('dan')).kept).toEqual([]);
  });

  it('is free once its time is over', async () => {
    const { config, join, drops, where } = await game({ ...KEPT, reconnectSeconds: 1 });
    await drops('dan');
    await until(
      () => mine(config, 'cat'),
      ({ currentPlayers }) => currentPlayers === 1,
    );
    await until(
      () => where('dan'),
      ({ kept }) => kept.length === 0,
    );
    expect((await join('eve')).status).toBe(200);
    expect(await isSeated(config, 'eve')).toBe(false);
  });

  it('holds against a smaller lobby', async () => {
    const { config, drops } = await game();
    await drops('dan');
    const body = { maxPlayers: 1 };
    const refused = await ask(`PATCH lobbies/${config}/me/settings`, {
      player: 'cat',
      body,
    });
    expect(refusalIn(refused)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('who is put out has no place', () => {
  it.each(['there', 'away'])(
    'kicked by the host while %s: back by the code, without the old seat',
    async (how) => {
      const { config, join, drops, where } = await game();
      if (how === 'away') {
        await drops('dan');
      }
      const kicked = await ask(`DELETE lobbies/${config}/me/players/dan`, { player: 'cat' });
      expect(kicked.status).toBe(200);
      expect((await mine(config, 'cat')).currentPlayers).toBe(1);
      expect((await where('dan')).kept).toEqual([]);
      expect((await join('dan')).status).toBe(200);
      expect(await isSeated(config, 'dan')).toBe(false);
      expect((await mine(config, 'cat')).currentPlayers).toBe(2);
    },
  );

  it.each(['there', 'away'])('banned while %s: the place goes to the next', async (how) => {
    const { config, matchId, drops } = await game();
    if (how === 'away') {
      await drops('dan');
    }
    await ask('PUT bans/dan', { key: SERVER, body: { config } });
    await until(
      () => mine(config, 'cat'),
      ({ currentPlayers }) => currentPlayers === 1,
    );
    await party(config, 'duel', { fay: {} });
    expect((await playing(config, 'fay')).matchId).toBe(matchId);
  });

  it('put out with the server key, in a mode that nobody fills', async () => {
    const { allowBackfill: _, reconnectSeconds: __, ...mode } = KEPT;
    const { config, id, join } = await game(mode);
    await ask(`DELETE lobbies/${config}/${id}/players/dan`, { key: SERVER });
    expect((await join('dan')).status).toBe(200);
    expect(await isSeated(config, 'dan')).toBe(false);
  });
});

describe('a quick join', () => {
  it.each(['left', 'was kicked'])('brings nobody back into a lobby that they %s', async (how) => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann', { maxPlayers: 3 });
    const quick = async () =>
      (await ask<LobbyView>(`POST lobbies/${config}/quick-join`, { player: 'bob', body: QUICK }))
        .body;
    expect((await quick()).id).toBe(id);
    await (how === 'left'
      ? ask(`DELETE lobbies/${config}/me`, { player: 'bob' })
      : ask(`DELETE lobbies/${config}/me/players/bob`, { player: 'ann' }));
    expect((await quick()).id).not.toBe(id);
    await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
    expect((await joinLobby(config, 'bob', code)).id).toBe(id);
  });

  it('puts nobody into a running match', async () => {
    const { allowBackfill: _, reconnectSeconds: __, ...mode } = KEPT;
    const { config, id, drops, quick } = await game(mode);
    await drops('dan');
    await until(
      () => ask<LobbyPage>(`GET lobbies/${config}`, { player: 'eve' }),
      (page) => page.body.lobbies.some((each) => each.id === id && each.currentPlayers === 1),
    );
    const { status, body } = await quick('eve');
    expect([status, body.status]).toEqual([200, 'waiting']);
  });
});
