// What the specification says of a match once it is formed: its server, region and build, who
// leaves and who stays (the tags name rows of docs/internals/conformance.md).

import { describe, expect, it } from 'vitest';
import { matchmade, party, playing, queue, statuses } from './parties';
import { ask, createLobby, freshConfig, joinLobby, mine, SERVER, until } from './support';

describe('a match', () => {
  // shows: S77, S84, D36b
  it('tells its server who plays: match, mode, teams, states and settings', async () => {
    const teamComposition = { hunt: { killer: 1 }, prey: { runner: 2 } };
    const config = await matchmade({ hunt: { teamComposition } });
    const hunter = await party(config, 'hunt', { kim: { role: 'killer' } });
    const prey = await party(config, 'hunt', { ray: { role: 'runner' }, roy: { role: 'fill' } });
    const { matchId, server, ...lobby } = await playing(config, 'ray');
    expect(server).toMatchObject({ match_id: matchId, region: 'us-east' });
    expect(lobby.host).toBe('ray');
    expect(server?.custom_data).toEqual({
      match_id: matchId,
      matchmaking_mode: 'hunt',
      all_players: ['kim', 'ray', 'roy'],
      teams: [
        {
          team_id: 0,
          team_name: 'hunt',
          lobbies: [
            {
              lobby_id: hunter.id,
              lobby_name: 'of kim',
              host: 'kim',
              player_states: { kim: { role: 'killer' } },
            },
          ],
          roles: { kim: 'killer' },
        },
        {
          team_id: 1,
          team_name: 'prey',
          lobbies: [
            {
              lobby_id: prey.id,
              lobby_name: 'of ray',
              host: 'ray',
              player_states: { ray: { role: 'runner' }, roy: { role: 'fill' } },
            },
          ],
          roles: { ray: 'runner', roy: 'runner' },
        },
      ],
      match_configuration: expect.objectContaining({ teamComposition }),
      lobby_settings: { [hunter.id]: {}, [prey.id]: {} },
    });
  });

  it('tells its server what the sample of the hosted service reads, and no state as null', async () => {
    const config = await matchmade({ squad: { teams: 1, playersPerTeam: 2 } });
    const settings = { gameMode: 'siege', map: 'dunes' };
    const { id, code } = await createLobby(config, 'ann', { settings });
    await joinLobby(config, 'bob', code);
    await queue(config, 'ann', 'squad');
    const { server } = await playing(config, 'ann');
    expect(server?.custom_data).toMatchObject({
      teams: [{ lobbies: [{ player_states: { ann: {}, bob: {} } }] }],
      match_configuration: { players_per_team: 2, min_players_per_team: 2, timeout: 60 },
      lobby_settings: { ...settings, [id]: settings },
    });
  });

  it('tells its server the settings of several lobbies directly as well', async () => {
    const config = await matchmade({ duel: {} });
    const [ann, bob] = [{ gameMode: 'siege' }, { gameMode: 'race', map: 'dunes' }];
    const lobbies = [
      await createLobby(config, 'ann', { settings: ann }),
      await createLobby(config, 'bob', { settings: bob }),
    ];
    await queue(config, 'ann', 'duel');
    await queue(config, 'bob', 'duel');
    const { server } = await playing(config, 'ann');
    const settings = server?.custom_data['lobby_settings'] as Record<string, unknown>;
    expect(lobbies.map(({ id }) => settings[id])).toEqual([ann, bob]);
    expect(settings).toMatchObject({ gameMode: 'siege', map: 'dunes' });
  });

  // shows: S96
  it('runs in the region its lobbies like best', async () => {
    const config = await matchmade({ duel: {} });
    await party(config, 'duel', { ann: { regions: ['eu', 'us', 'asia'] } });
    await party(config, 'duel', { bob: { regions: ['sa', 'asia', 'eu'] } });
    expect((await playing(config, 'ann')).server?.region).toBe('eu');
  });

  // shows: S97
  it('does not form where the regions do not meet, though no rule speaks of them', async () => {
    const config = await matchmade({ duel: {} });
    await party(config, 'duel', { ann: { regions: ['eu'] } });
    await party(config, 'duel', { bob: { regions: ['us'] } });
    await party(config, 'duel', { cat: { regions: [] } });
    expect((await playing(config, 'cat')).matchId).toBe((await playing(config, 'ann')).matchId);
    expect(await statuses(config, 'bob')).toEqual(['in_queue']);
  });

  // shows: S57, S79, S99, S102, S249, D29a
  it('runs the build its state names, several at once; without one the config\u2019s', async () => {
    const [v1, v2] = [freshConfig(), freshConfig()];
    for (const name of [v1, v2]) {
      await ask(`PUT builds/${name}`, { key: SERVER, body: {} });
    }
    const rules = [{ type: 'equals', field: 'version' }];
    const duel = { rules, useVersionFromState: 'version' };
    const config = await matchmade({ duel }, { serverSettings: { gameBuild: v1 } });
    await party(config, 'duel', { a1: { version: v1 } });
    await party(config, 'duel', { a2: { version: v2 } });
    await party(config, 'duel', { b2: { version: v2 } });
    await party(config, 'duel', { b1: { version: v1 } });
    await party(config, 'duel', { c1: {} });
    await party(config, 'duel', { c2: {} });
    const built = async (player: string): Promise<string | null | undefined> =>
      (await playing(config, player)).server?.version_tag;
    expect([await built('a1'), await built('b2'), await built('c1')]).toEqual([v1, v2, v1]);
  });

  // shows: S101, S250, D29c
  it('fails when its build is not ready or was removed, and its players wait again', async () => {
    const build = freshConfig();
    const rules = [{ type: 'equals', field: 'version' }];
    const config = await matchmade({ duel: { rules, useVersionFromState: 'version' } });
    const changes = [
      () => ask(`PUT builds/${build}`, { key: SERVER, body: { status: 'not ready' } }),
      () => ask(`DELETE builds/${build}`, { key: SERVER }),
    ];
    for (const [round, change] of changes.entries()) {
      await change();
      const players = [`a${round}`, `b${round}`];
      for (const player of players) {
        await party(config, 'duel', { [player]: { version: build } });
      }
      for (const player of players) {
        const back = await until(
          () => mine(config, player),
          ({ status }) => status === 'waiting',
        );
        expect([back.server, back.matchId, back.matchmaking]).toEqual([null, null, null]);
      }
    }
  });

  // shows: S101, S118, D29a
  it('fails when nobody names a build and the config has none', async () => {
    const rules = [{ type: 'equals', field: 'version' }];
    const config = await matchmade({ duel: { rules, useVersionFromState: 'version' } });
    await party(config, 'duel', { ann: {} });
    await party(config, 'duel', { bob: {} });
    await until(
      () => statuses(config, 'ann', 'bob'),
      (both) => both.every((status) => status === 'waiting'),
    );
  });

  // shows: D31c
  it('goes on when a lobby leaves it; its server stops with the last one', async () => {
    const config = await matchmade({ duel: {} });
    await party(config, 'duel', { ann: {} });
    await party(config, 'duel', { bob: {} });
    const { server } = await playing(config, 'ann');
    await playing(config, 'bob');
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    const block = async (): Promise<{ status: string }> =>
      (await ask<{ status: string }>(`GET servers/${server?.instance_id}`)).body;
    expect([(await mine(config, 'bob')).status, (await block()).status]).toEqual([
      'in_game',
      'running',
    ]);
    await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
    await until(block, ({ status }) => status === 'stopped');
  });

  // shows: D31d
  it('is ended by the host of any lobby in it, for all of them', async () => {
    const config = await matchmade({ duel: {} });
    await party(config, 'duel', { ann: {} });
    await party(config, 'duel', { bob: {} });
    const { server } = await playing(config, 'ann');
    await playing(config, 'bob');
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'bob' });
    await until(
      () => statuses(config, 'ann', 'bob'),
      (both) => both.every((status) => status === 'waiting'),
    );
    await until(
      async () => (await ask<{ status: string }>(`GET servers/${server?.instance_id}`)).body,
      ({ status }) => status === 'stopped',
    );
  });

  // shows: S9, S123
  it('ends when its server stops by itself: every lobby waits again, players kept', async () => {
    const config = await matchmade({ duo: { playersPerTeam: 2 } });
    await party(config, 'duo', { ann: {}, 'ann-2': {} });
    await party(config, 'duo', { bob: {}, 'bob-2': {} });
    const { server } = await playing(config, 'ann');
    await ask(`DELETE servers/${server?.instance_id}`, { key: SERVER });
    for (const player of ['ann', 'bob']) {
      const back = await until(
        () => mine(config, player),
        ({ status }) => status === 'waiting',
      );
      expect([back.server, back.matchId, back.currentPlayers]).toEqual([null, null, 2]);
    }
    const late = { player: 'cat', body: { code: (await mine(config, 'ann')).code } };
    expect((await ask(`POST lobbies/${config}/join`, late)).status).toBe(200);
  });

  it('lets a player join late a lobby that plays it, unless it takes no late ones', async () => {
    const config = await matchmade({ duel: {} });
    const { code } = await party(config, 'duel', { ann: {} });
    await party(config, 'duel', { bob: {} });
    await playing(config, 'ann');
    expect((await joinLobby(config, 'cat', code)).status).toBe('in_game');
    const settings = { player: 'ann', body: { allowLateJoin: false } };
    await ask(`PATCH lobbies/${config}/me/settings`, settings);
    const late = await ask(`POST lobbies/${config}/join`, { player: 'dan', body: { code } });
    expect(late.body.code).toBe('LOBBY_NOT_ACCEPTING');
  });
});
