// A game that a host starts, in a config whose starts have matches (decision 81): by the front door.

import { describe, expect, it } from 'vitest';
import type { GameRoster, Match } from '../../packages/js/src/journal-types.ts';
import type { VotedResult } from '../../packages/js/src/result-types.ts';
import type { LobbyView } from '../../src/lobby/view';
import { listen } from './stream';
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

const NAMES = ['ann', 'bob', 'eve'] as const;

/** The players are in a game of ann's lobby, which she hosts or a server runs. */
async function started(serverSettings: object, settings: object = {}) {
  const config = freshConfig();
  await saveConfig(config, { serverSettings });
  const { code } = await createLobby(config, 'ann', { settings });
  const streams = [await listen(config, 'ann')];
  for (const player of NAMES.slice(1)) {
    await joinLobby(config, player, code);
    streams.push(await listen(config, player));
  }
  const start = await ask<LobbyView>(`POST lobbies/${config}/me/start`, { player: 'ann' });
  const { matchId, server } = start.body;
  const id = server?.instance_id ?? '';
  const tells = <T = Problem>(path: string, body: object) => {
    const headers = { authorization: `Bearer ${server?.host_token}` };
    return ask<T>(`POST servers/${id}/${path}`, { key: null, headers, body });
  };
  const votes = (player: string, body: object) => {
    const line = `POST lobbies/${config}/me/matches/${matchId}/result`;
    return ask<VotedResult & Problem>(line, { player, body });
  };
  const record = async () => (await ask<Match>(`GET matches/${matchId}`, { key: SERVER })).body;
  const ends = async () => {
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    await Promise.all(streams.map((stream) => stream.leave()));
  };
  return { config, code, matchId, id, tells, votes, record, ends };
}

const TEAMS = [
  { name: 'red', players: ['ann'] },
  { players: ['bob', 'zoe'] },
  { players: ['zoe'] },
];
const WON = {
  teams: [
    { team: 0, rank: 2 },
    { team: 1, rank: 1 },
  ],
};

describe('a game that a host starts, where it has a match', () => {
  it('is voted on by its players, and none of them is put out of the vote by the host', async () => {
    const settings = { hosting: 'players', results: 'majority' };
    const { config, matchId, tells, votes, record, ends } = await started(settings);
    expect(matchId).not.toBeNull();
    await tells('status', { status: 'running' });
    await until(
      () => mine(config, 'bob'),
      ({ server }) => server?.status === 'running',
    );
    await ask(`DELETE lobbies/${config}/me/players/eve`, { player: 'ann' });
    const won = { teams: [{ team: 0 }] };
    expect((await tells<Match>('result', won)).status).toBe(200);
    expect((await votes('bob', { teams: [{ team: 0 }], data: {} })).body).toEqual({
      isTaken: false,
      players: 3,
      voted: 2,
      same: 1,
    });
    await ask('PUT bans/eve', { key: SERVER, body: { config } });
    await until(
      () => votes('bob', { teams: [{ team: 0 }], data: {} }),
      ({ body }) => body.players === 2,
    );
    expect((await votes('bob', won)).body).toMatchObject({ isTaken: true, same: 2 });
    const shown = await until(
      () => mine(config, 'ann'),
      ({ lastResult }) => lastResult !== undefined,
    );
    expect(shown.lastResult).toMatchObject({ matchId, teams: [{ team: 0 }] });
    await ends();
    const { outcome, mode } = await until(record, (match) => match.outcome === 'ended');
    expect([outcome, mode]).toEqual(['ended', '']);
  });

  it('has the teams that the settings name; whom none names has no place', async () => {
    const { config, id, record, ends } = await started({ matchOnStart: true }, { teams: TEAMS });
    const path = `servers/${id}`;
    const { teams } = await until(record, ({ outcome }) => outcome === 'running');
    const members = teams.map(({ name, lobbies }) => [
      name,
      lobbies.flatMap(({ players }) => players.map((each) => each.id)),
    ]);
    expect(members).toEqual([
      ['red', ['ann', 'eve']],
      [null, ['bob']],
    ]);
    const roster = await ask<GameRoster>(`GET ${path}/roster`, { key: SERVER });
    expect(roster.body).toMatchObject({
      open: [],
      players: [
        { id: 'ann', team: 0, status: 'here' },
        { id: 'bob', team: 1, status: 'here' },
      ],
    });
    expect((await mine(config, 'bob')).server).toMatchObject({ custom_data: { teams: TEAMS } });
    const result = await ask<Match>(`POST matches/${(await record()).id}/result`, {
      key: SERVER,
      body: { ...WON, teams: WON.teams.map((team) => ({ ...team, players: [] })) },
    });
    expect(result.status).toBe(200);
    const kicked = await ask(`POST ${path}/places`, { key: SERVER, body: { kick: 'bob' } });
    expect(kicked.status).toBe(200);
    await until(
      () => mine(config, 'ann'),
      ({ players }) => players.every((each) => each.id !== 'bob'),
    );
    await ends();
  });

  it('takes late players without a place, and gives theirs back to who drops out', async () => {
    const { config, code, id, ends } = await started({ matchOnStart: true });
    await joinLobby(config, 'joe', code);
    await ask(`DELETE lobbies/${config}/me`, { player: 'eve' });
    await joinLobby(config, 'eve', code);
    const { body } = await ask<GameRoster>(`GET servers/${id}/roster`, { key: SERVER });
    expect(body.players.map((each) => [each.id, each.team, each.status])).toEqual([
      ['ann', 0, 'here'],
      ['bob', 0, 'here'],
      ['eve', 0, 'here'],
    ]);
    await ends();
  });

  it('has none where the config says so, nor where nothing needs one', async () => {
    const settings = { hosting: 'players', results: 'majority', matchOnStart: false };
    for (const each of [settings, { hosting: 'players' }, {}]) {
      const { matchId, ends } = await started(each);
      expect(matchId).toBeNull();
      await ends();
    }
  });
});
