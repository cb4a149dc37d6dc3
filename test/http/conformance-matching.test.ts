// What the specification says of searching and confirming as clients see it, through the front
// door (the tags name rows of docs/internals/conformance.md).

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import type { ServerPage } from '../../packages/js/src/admin-types.ts';
import type { TicketRow } from '../../src/objects/contracts/queue';
import { actorAt } from '../support/actors';
import { matchmade, party, playing, queue, statuses } from './parties';
import { listen } from './stream';
import { ask, createLobby, mine, SERVER, until } from './support';

describe('who comes together', () => {
  // shows: S6
  it('is of one config and one mode', async () => {
    const one = await matchmade({ duel: {}, brawl: {} });
    const two = await matchmade({ duel: {} });
    await party(one, 'duel', { ann: {} });
    await party(one, 'brawl', { bob: {} });
    await party(two, 'duel', { ann: {} });
    expect(await statuses(one, 'ann', 'bob')).toEqual(['in_queue', 'in_queue']);
    expect(await statuses(two, 'ann')).toEqual(['in_queue']);
    await party(one, 'brawl', { cat: {} });
    const [bob, cat] = [await playing(one, 'bob'), await playing(one, 'cat')];
    expect(bob.matchId).toBe(cat.matchId);
    expect(await statuses(one, 'ann')).toEqual(['in_queue']);
  });

  // shows: S43, S75, S90, D28
  it('passes every rule: one that rejects keeps them apart, and the search goes on', async () => {
    const rules = [
      { type: 'difference', field: 'mmr', maxDifference: 50 },
      { type: 'equals', field: 'map' },
      { type: 'expression', cel: 'a.partySize == b.partySize && a.metadata.rated' },
    ];
    const config = await matchmade({ duel: { rules } });
    const enter = async (player: string, state: object): Promise<void> => {
      await createLobby(config, player, { state, settings: { rated: true } });
      await queue(config, player);
    };
    await enter('ann', { mmr: 100, map: 'a' });
    await enter('far', { mmr: 900, map: 'a' });
    await enter('off', { mmr: 100, map: 'b' });
    expect(await statuses(config, 'ann', 'far', 'off')).toEqual(Array(3).fill('in_queue'));
    await enter('bob', { mmr: 120, map: 'a' });
    expect((await playing(config, 'bob')).matchId).toBe((await playing(config, 'ann')).matchId);
    expect(await statuses(config, 'far', 'off')).toEqual(['in_queue', 'in_queue']);
  });

  // shows: D13b
  it('is decided anew when a queued player changes state, with the wait kept', async () => {
    const rules = [{ type: 'equals', field: 'map' }];
    const config = await matchmade({ duel: { rules } });
    await party(config, 'duel', { ann: { map: 'a' } });
    await party(config, 'duel', { bob: { map: 'b' } });
    const before = await mine(config, 'bob');
    await ask(`PATCH lobbies/${config}/me`, { player: 'bob', body: { state: { note: 1 } } });
    expect((await mine(config, 'bob')).matchmaking?.startedAt).toBe(before.matchmaking?.startedAt);
    await ask(`PATCH lobbies/${config}/me`, { player: 'bob', body: { state: { map: 'a' } } });
    expect((await playing(config, 'bob')).matchId).toBe((await playing(config, 'ann')).matchId);
  });

  // shows: D14c
  it('is decided anew when the host of a queued lobby changes settings or region', async () => {
    const rules = [{ type: 'expression', cel: 'a.metadata.map == b.metadata.map' }];
    const config = await matchmade({ duel: { rules } });
    for (const [player, settings, region] of [
      ['ann', { map: 'a' }, 'us-east'],
      ['bob', { map: 'b' }, 'us-east'],
      ['cat', { map: 'c' }, 'us-east'],
      ['dan', { map: 'c' }, 'eu-west'],
    ] as const) {
      await createLobby(config, player, { settings, region });
      await queue(config, player);
    }
    const change = (player: string, body: object): ReturnType<typeof ask> =>
      ask(`PATCH lobbies/${config}/me/settings`, { player, body });
    expect(await statuses(config, 'ann', 'cat')).toEqual(['in_queue', 'in_queue']);
    await change('bob', { settings: { map: 'a' } });
    expect((await playing(config, 'bob')).matchId).toBe((await playing(config, 'ann')).matchId);
    await change('dan', { region: 'us-east' });
    expect((await playing(config, 'dan')).matchId).toBe((await playing(config, 'cat')).matchId);
  });

  // shows: D25c
  it('is told at once when a party can never fit: unmatchable', async () => {
    const teamComposition = { hunt: { killer: 1 }, prey: { runner: 3 } };
    const config = await matchmade({ hunt: { teamComposition } });
    const { code } = await createLobby(config, 'ann', { state: { role: 'killer' } });
    const body = { code, state: { role: 'killer' } };
    await ask(`POST lobbies/${config}/join`, { player: 'bob', body });
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    await queue(config, 'ann', 'hunt');
    expect(await stream.next('matchmaking_timeout')).toMatchObject({ reason: 'unmatchable' });
    expect((await stream.next('lobby_updated')).status).toBe('waiting');
    await stream.leave();
  });
});

describe('a search', () => {
  // shows: S13, S107, S191
  it('matches a compatible lobby within about 100 ms of its entering', async () => {
    const config = await matchmade({ duel: {} });
    const waits: number[] = [];
    /** How long any other news takes on this machine now. */
    const others: number[] = [];
    // A busy machine may make one wait; it does not make all of them.
    for (let round = 0; round < 5; round += 1) {
      const player = `a${round}`;
      await party(config, 'duel', { [player]: {} });
      await createLobby(config, `b${round}`);
      const stream = await listen(config, player);
      await stream.next('connected');
      const before = performance.now();
      const changed = ask(`PATCH lobbies/${config}/me`, {
        player,
        body: { state: { ready: true } },
      });
      await stream.next('lobby_updated', ({ status }) => status === 'in_queue');
      others.push(performance.now() - before);
      await changed;
      const from = performance.now();
      const entered = queue(config, `b${round}`);
      await stream.next('lobby_updated', ({ status }) => status === 'matched');
      waits.push(performance.now() - from);
      await entered;
      await stream.leave();
    }
    console.log(`matched after ${waits.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    expect(Math.min(...waits)).toBeLessThan(100 + 10 * Math.min(...others));
  });

  // shows: S7, S15, S16, S17, S111
  it('of forty lobbies at once makes twenty matches: nobody twice, one server each', async () => {
    const config = await matchmade({ duel: {} });
    const players = Array.from({ length: 40 }, (_, index) => `p${index}`);
    await Promise.all(players.map((player) => createLobby(config, player)));
    await Promise.all(players.map((player) => queue(config, player)));
    const lobbies = await Promise.all(players.map((player) => playing(config, player)));
    const byMatch = Map.groupBy(lobbies, ({ matchId }) => matchId);
    expect([...byMatch.values()].map((group) => group.length)).toEqual(Array(20).fill(2));
    for (const group of byMatch.values()) {
      expect(new Set(group.map(({ server }) => server?.instance_id)).size).toBe(1);
    }
    const line = 'GET servers?limit=100&include_launching=true';
    const launched = async (): Promise<number> => {
      const { body } = await ask<ServerPage>(line, { key: SERVER });
      return body.servers.filter(({ name }) => name.startsWith(`${config} `)).length;
    };
    // The list hears of a server up to a second after it was launched.
    expect(await until(launched, (count) => count >= 20)).toBe(20);
  });

  // shows: S14, S243
  it('is swept within 60 s, and the sweep finds a pair that every event has missed', async () => {
    const rules = [{ type: 'equals', field: 'map' }];
    const config = await matchmade({ duel: { rules } });
    await party(config, 'duel', { ann: { map: 'a' } });
    const bob = await party(config, 'duel', { bob: { map: 'b' } });
    const queue = actorAt('queue', 'dev', config, 'duel');
    const alarm = (await queue.alarmAt()) ?? Infinity;
    expect(alarm - Date.now()).toBeLessThanOrEqual(60_000);
    for (const [key, row] of await queue.rows<TicketRow>('ticket:')) {
      if (row.ticket.lobbyId === bob.id) {
        await queue.put(key, { ...row, ticket: { ...row.ticket, state: { map: 'a' } } });
      }
    }
    // On a box it lets go of its memory only once nothing of it is under way.
    await until(
      async () => {
        await queue.evict();
        await queue.ring();
        return mine(config, 'bob');
      },
      ({ status }) => status !== 'in_queue',
    );
    expect((await playing(config, 'bob')).matchId).toBe((await playing(config, 'ann')).matchId);
  });
});

describe('confirmation', () => {
  const confirmed = { playersPerTeam: 2, matchConfirmation: { enabled: true } };

  async function found(): Promise<string> {
    const config = await matchmade({ duo: confirmed });
    await party(config, 'duo', { ann: {}, 'ann-2': {} });
    await party(config, 'duo', { bob: {}, 'bob-2': {} });
    for (const player of ['ann', 'bob']) {
      await until(
        () => mine(config, player),
        ({ status }) => status === 'match_found',
      );
    }
    return config;
  }

  const confirm = (config: string, player: string): ReturnType<typeof ask<LobbyView>> =>
    ask<LobbyView>(`POST lobbies/${config}/me/confirm-match`, { player });

  // shows: S114, S115, S146
  it('is given by any player of a lobby, for the whole party', async () => {
    const config = await found();
    const { body } = await confirm(config, 'ann-2');
    expect(body.matchmaking?.confirmation?.confirmed).toBe(true);
    expect((await mine(config, 'ann')).matchmaking?.confirmation?.confirmed).toBe(true);
    expect((await mine(config, 'bob')).matchmaking?.confirmation?.confirmed).toBe(false);
    const again = await confirm(config, 'ann');
    expect([again.status, again.body.status]).toEqual([200, 'match_found']);
    await confirm(config, 'bob-2');
    expect((await playing(config, 'ann')).matchId).toBe((await playing(config, 'bob')).matchId);
  });

  // shows: D15e
  it('is declined by a player who leaves, is kicked or is deleted with the lobby', async () => {
    const goings = [
      (config: string) => ask(`DELETE lobbies/${config}/me`, { player: 'ann-2' }),
      (config: string) => ask(`DELETE lobbies/${config}/me/players/ann-2`, { player: 'ann' }),
      async (config: string) => {
        const { id } = await mine(config, 'ann');
        return ask(`DELETE lobbies/${config}/${id}`, { key: SERVER });
      },
    ];
    for (const going of goings) {
      const config = await found();
      await confirm(config, 'bob');
      expect((await going(config)).status).toBe(200);
      const bob = await until(
        () => mine(config, 'bob'),
        ({ status }) => status === 'waiting',
      );
      expect([bob.matchmaking, bob.matchId, bob.currentPlayers]).toEqual([null, null, 2]);
    }
  });
});
