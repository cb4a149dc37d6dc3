// A mode whose matcher is the game's own (record 0107), through the API.

import { describe, expect, it } from 'vitest';
import type { Match, TicketChanges } from '../../packages/js/src/journal-types';
import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, mine, saveConfig, SERVER, until } from './support';

const OUTSIDE = { matcher: 'external' };

async function arena(mode: object = {}): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes: { duel: { ...OUTSIDE, ...mode } } } });
  return config;
}

async function searching(config: string, player: string, state: object = {}): Promise<LobbyView> {
  await createLobby(config, player, { state });
  await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  return mine(config, player);
}

async function tickets(config: string, after = '', wait = 0): Promise<TicketChanges> {
  const query = `after=${after}&wait=${wait}`;
  const asked = await ask<TicketChanges>(`GET queues/${config}/duel/tickets?${query}`, {
    key: SERVER,
  });
  expect(asked.status).toBe(200);
  return asked.body;
}

const lobbies = ({ tickets: all }: TicketChanges) => all.map(({ lobbyId }) => lobbyId);

let refs = 0;

function make(config: string, teams: readonly object[], more: object = {}) {
  refs += 1;
  const body = { config, mode: 'duel', ref: `own ${refs}`, teams, ...more };
  return ask<Match & { code?: string }>('POST matches', { key: SERVER, body });
}

const is = (config: string, player: string, status: string) =>
  until(
    () => mine(config, player),
    (lobby) => lobby.status === status,
  );

describe('GET /queues/{config}/{mode}/tickets', () => {
  it('says who waits, and then what came and went, as soon as there is any news', async () => {
    const config = await arena();
    const a = await searching(config, 'ann', { mmr: 1510, regions: ['eu-west', 'us-east'] });
    const first = await tickets(config);
    expect(first.whole).toBe(true);
    expect(first.tickets).toMatchObject([
      {
        lobbyId: a.id,
        since: a.matchmaking?.startedAt,
        players: [{ id: 'ann', roles: [] }],
        state: { mmr: 1510 },
        regions: ['eu-west', 'us-east'],
      },
    ]);
    const asked = tickets(config, first.next, 20);
    const b = await searching(config, 'ben');
    const second = await asked;
    expect([second.whole, lobbies(second), second.gone]).toEqual([false, [b.id], []]);
    await ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'ann' });
    const third = await tickets(config, second.next, 20);
    expect([third.tickets, third.gone]).toEqual([[], [first.tickets[0]?.id]]);
    const none = await tickets(config, third.next);
    expect([none.tickets, none.gone, none.next]).toEqual([[], [], third.next]);
    // Who knows another log begins again.
    const again = await tickets(config, 'another.7');
    expect([again.whole, lobbies(again)]).toEqual([true, [b.id]]);
  });

  it('is refused in a mode that matches by its rules, or is none', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const read = (mode: string) => ask(`GET queues/${config}/${mode}/tickets`, { key: SERVER });
    expect((await read('duel')).body.code).toBe('INVALID_STATE');
    expect((await read('trio')).body.code).toBe('MODE_NOT_FOUND');
  });
});

describe('a mode with matcher: external', () => {
  it('matches nobody by itself, and says so', async () => {
    const config = await arena();
    await searching(config, 'ann');
    await searching(config, 'ben');
    const lobby = await until(
      () => mine(config, 'ann'),
      ({ matchmaking }) => matchmaking?.queueStats?.wait !== undefined,
    );
    expect(lobby.status).toBe('in_queue');
    expect(lobby.matchmaking?.queueStats?.wait?.because).toBe("the game's own matcher is asked");
  });

  it('takes those who are matched from the queue, all or nobody', async () => {
    const config = await arena();
    const [a, b] = [await searching(config, 'ann'), await searching(config, 'ben')];
    const c = await searching(config, 'cid');
    const teams = [{ lobbies: [a.id] }, { lobbies: [b.id] }];
    const made = await make(config, teams);
    expect(made.status).toBe(200);
    await Promise.all(['ann', 'ben'].map((player) => is(config, player, 'in_game')));
    const left = await until(
      () => tickets(config),
      (page) => page.tickets.length === 1,
    );
    expect(lobbies(left)).toEqual([c.id]);
    const twice = await make(config, [{ lobbies: [a.id] }, { lobbies: [c.id] }]);
    expect(twice.body.code).toBe('MATCH_NOT_MADE');
    expect((await mine(config, 'cid')).status).toBe('in_queue');
  });

  it('confirms as the mode says, and who accepted searches on, with the wait so far', async () => {
    const confirms = { matchConfirmation: { enabled: true }, onDecline: 'requeue' };
    const config = await arena(confirms);
    const [a, b] = [await searching(config, 'ann'), await searching(config, 'ben')];
    await createLobby(config, 'cid');
    await make(config, [{ lobbies: [a.id] }, { lobbies: [b.id] }]);
    await is(config, 'ann', 'match_found');
    await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'ann' });
    await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: 'ben' });
    const back = await is(config, 'ann', 'in_queue');
    expect(back.matchmaking?.startedAt).toBe(a.matchmaking?.startedAt);
    await is(config, 'ben', 'waiting');
    const waiting = await until(
      () => tickets(config),
      (page) => page.tickets.length === 1,
    );
    expect(lobbies(waiting)).toEqual([a.id]);
    // Who has not searched does not search on.
    await make(config, [{ players: ['cid'] }, { players: ['ann'] }]);
    await is(config, 'cid', 'match_found');
    await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'cid' });
    await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: 'ann' });
    expect((await is(config, 'cid', 'waiting')).returned?.reason).toBe('declined');
  });

  it('fills open places by its rules', async () => {
    const config = await arena({ allowBackfill: true, minTeams: 1 });
    const a = await searching(config, 'ann');
    expect((await make(config, [{ lobbies: [a.id] }])).status).toBe(200);
    const { matchId } = await is(config, 'ann', 'in_game');
    await searching(config, 'ben');
    expect((await is(config, 'ben', 'in_game')).matchId).toBe(matchId);
  });
});
