// What players say of their match: its result, where most of them must say the same (record 0075), and how they are connected.

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Match } from '../../packages/js/src/journal-types.ts';
import type { VotedResult } from '../../packages/js/src/result-types.ts';
import { eventually } from '../support/eventually';
import { hostedMatch } from './hosted-match';
import { met } from './met';
import { ask, createLobby, freshConfig, saveConfig, SERVER, until, type Problem } from './support';

afterEach(() => {
  vi.useRealTimers();
});

async function played(players: readonly string[], settings: object = {}, mode: object = {}) {
  const config = freshConfig();
  const serverSettings = { results: 'majority', ...settings };
  const { matchId, tells, leave } = await hostedMatch(config, players, serverSettings, mode);
  const votes = (player: string, body: object) =>
    ask<VotedResult & Problem>(`POST lobbies/${config}/me/matches/${matchId}/result`, {
      player,
      body,
    });
  const record = async () => (await ask<Match>(`GET matches/${matchId}`, { key: SERVER })).body;
  const over = async () => {
    await tells('status', { status: 'stopped' });
    await until(record, ({ outcome }) => outcome === 'ended');
    await leave();
  };
  return { config, tells, votes, record, over };
}

describe('a result that most players must report', () => {
  const won = (team: number) => ({
    teams: [0, 1].map((each) => ({ team: each, rank: each === team ? 1 : 2 })),
  });

  it('is taken once more than half say the same, in whatever order; the host has one vote', async () => {
    const { tells, votes, record, over } = await played(['ann', 'bob', 'eve', 'joe']);
    const host = await tells<Match>('result', won(0));
    expect([host.status, host.body.result]).toEqual([200, undefined]);
    const teams = won(1).teams.toReversed();
    expect((await votes('bob', { teams })).body).toEqual({
      isTaken: false,
      players: 4,
      voted: 2,
      same: 1,
    });
    // Who says it twice has said it once.
    expect((await votes('bob', won(1))).body).toEqual({
      isTaken: false,
      players: 4,
      voted: 2,
      same: 1,
    });
    expect((await votes('ann', { ...won(0), data: null })).body).toMatchObject({
      voted: 2,
      same: 1,
    });
    expect((await votes('eve', won(0))).body).toMatchObject({ voted: 3, same: 2 });
    expect((await votes('zoe', won(0))).body.code).toBe('NOT_FOUND');
    expect((await votes('eve', { teams: [{ team: 7, rank: 1 }] })).body.code).toBe(
      'VALIDATION_ERROR',
    );
    // Another word replaces the first.
    expect((await votes('eve', won(1))).body).toMatchObject({ voted: 3, same: 2, isTaken: false });
    expect((await record()).result).toBeUndefined();
    const last = { teams: won(1).teams.map((team) => ({ ...team, players: [] })) };
    expect((await votes('joe', last)).body).toEqual({
      isTaken: true,
      players: 4,
      voted: 4,
      same: 3,
    });
    expect((await record()).result?.teams[0]).toMatchObject({ team: 0, rank: 2 });
    expect((await votes('bob', won(1))).body.isTaken).toBe(true);
    expect((await votes('ann', won(0))).body.code).toBe('RESULT_EXISTS');
    await over();
  });

  it('comes to nothing a minute after the end, which the history says', async () => {
    const { votes, record, over } = await played(['ann', 'bob']);
    await votes('ann', won(0));
    await over();
    expect((await votes('bob', won(1))).body).toEqual({
      isTaken: false,
      players: 2,
      voted: 2,
      same: 1,
    });
    expect((await record()).history.at(-1)?.kind).not.toBe('no_result');
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    const late = await votes('bob', won(0));
    expect([late.status, late.body.code]).toEqual([409, 'INVALID_STATE']);
    const { history, result, votes: tally } = await record();
    expect(history.at(-1)).toMatchObject({
      kind: 'no_result',
      detail: '1 of 2 players said the same',
    });
    expect([result, tally]).toEqual([undefined, { players: 2, voted: 2, same: 1 }]);
    vi.useRealTimers();
    const backend = await ask<Match>(`POST matches/${(await record()).id}/result`, {
      key: SERVER,
      body: won(1),
    });
    expect(backend.body.result?.teams).toEqual(won(1).teams);
    expect((await record()).history.at(-1)?.kind).toBe('result');
  });

  it('is asked of nobody where the config does not say so: then the host is believed', async () => {
    const { config, tells, votes, record, over } = await played(['ann', 'bob']);
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const asked = async () => (await votes('ann', won(0))).body.code;
    await eventually('it is not found', async () => (await asked()) === 'NOT_FOUND');
    expect((await record()).result).toBeUndefined();
    expect((await tells<Match>('result', won(1))).body.result?.teams).toEqual(won(1).teams);
    await over();
  });

  it('is asked of nobody if a game server runs the match, which is believed', async () => {
    const config = freshConfig();
    const serverSettings = { results: 'majority' };
    const { matchId, serverId, headers } = await met(config);
    await saveConfig(config, { serverSettings, matchmaking: { modes: { duel: {} } } });
    const path = `POST lobbies/${config}/me/matches/${matchId}/result`;
    const vote = await ask(path, { player: 'ann', body: won(0) });
    expect([vote.status, vote.body.code]).toEqual([404, 'NOT_FOUND']);
    const body = won(1);
    const told = await ask<Match>(`POST servers/${serverId}/result`, { key: null, headers, body });
    expect(told.body.result?.teams).toEqual(won(1).teams);
  });
});

describe('who has a vote', () => {
  const won = (team: number) => ({
    teams: [0, 1].map((at) => ({ team: at, rank: at === team ? 1 : 2 })),
  });
  const four = ['ann', 'bob', 'eve', 'joe'];
  const out = (config: string, player: string) =>
    until(
      () => ask(`GET lobbies/${config}/me`, { player }),
      ({ status }) => status === 404,
    );

  it('is not for the host to say: its token puts nobody out unless the config says so', async () => {
    const { tells, votes, over } = await played(['ann', 'bob']);
    const refused = await tells<Problem>('places', { kick: 'bob' });
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    await tells('result', won(0));
    expect((await votes('bob', won(1))).body).toMatchObject({
      isTaken: false,
      players: 2,
      same: 1,
    });
    await over();
  });

  it('keeps whom the host puts out, where the config lets it', async () => {
    const { config, tells, votes, record, over } = await played(four, { hostSteers: true });
    for (const kick of ['bob', 'eve']) {
      expect((await tells('places', { kick })).status).toBe(200);
      await out(config, kick);
    }
    await tells('result', won(0));
    for (const player of ['bob', 'eve']) {
      expect((await votes(player, won(1))).body).toMatchObject({ isTaken: false, players: 4 });
    }
    expect((await votes('joe', won(1))).body).toMatchObject({ isTaken: true, same: 3 });
    expect((await record()).result?.teams[1]).toEqual({ team: 1, rank: 1 });
    await over();
  });

  it.each([
    ['whose places are kept', { allowBackfill: true, reconnectSeconds: 60 }],
    ['whose places are filled', { allowBackfill: true }],
    ['whose places nobody fills', {}],
  ])('loses who leaves before the first report, in a game %s', async (_title, mode) => {
    const { config, votes, over } = await played(four, {}, mode);
    await ask(`DELETE lobbies/${config}/me`, { player: 'joe' });
    // A word that is none begins no voting.
    await until(
      () => votes('joe', { teams: [] }),
      ({ body }) => body.code === 'NOT_FOUND',
    );
    expect((await votes('bob', won(0))).body).toMatchObject({ players: 3, voted: 1, same: 1 });
    // Who leaves later keeps it.
    await ask(`DELETE lobbies/${config}/me`, { player: 'eve' });
    expect((await votes('ann', won(0))).body).toMatchObject({ players: 3, same: 2, isTaken: true });
    await over();
  });

  it('loses who is banned', async () => {
    const { config, votes, over } = await played(four);
    await ask('PUT bans/joe', { key: SERVER, body: { config } });
    const { body } = await until(
      () => votes('bob', won(0)),
      (vote) => vote.body.players === 3,
    );
    expect(body).toMatchObject({ voted: 1, isTaken: false });
    await over();
  });

  it('loses who is banned after a player has put them out', async () => {
    const { config, tells, votes, over } = await played(four, { hostSteers: true });
    expect((await tells('places', { kick: 'bob' })).status).toBe(200);
    await out(config, 'bob');
    expect((await votes('joe', won(0))).body).toMatchObject({ players: 4, voted: 1 });
    await createLobby(config, 'bob');
    await ask('PUT bans/bob', { key: SERVER, body: { config } });
    await until(
      () => votes('joe', won(0)),
      (vote) => vote.body.players === 3,
    );
    await over();
  });
});

describe('how two players are connected', () => {
  it('is shown to operators as a player of the match said last', async () => {
    const config = freshConfig();
    const { matchId } = await met(config);
    const path = `POST lobbies/${config}/me/matches/${matchId}/links`;
    const say = (player: string, body: object) => ask(path, { player, body });
    const record = async () => (await ask<Match>(`GET matches/${matchId}`, { key: SERVER })).body;
    expect(await record()).not.toHaveProperty('links');
    expect((await say('ann', { to: 'bob', isRelayed: false, ms: 38 })).status).toBe(200);
    await say('ann', { to: 'bob', isRelayed: true, ms: 90 });
    await say('bob', { to: 'ann', isRelayed: true, ms: 91 });
    for (const [player, to] of [
      ['ann', 'zoe'],
      ['zoe', 'ann'],
    ] as const) {
      expect((await say(player, { to, isRelayed: true, ms: 1 })).body.code).toBe('NOT_FOUND');
    }
    expect((await say('ann', { to: 'bob', ms: -1 })).body.code).toBe('VALIDATION_ERROR');
    expect((await record()).links).toEqual([
      { from: 'bob', to: 'ann', isRelayed: true, ms: 91 },
      { from: 'ann', to: 'bob', isRelayed: true, ms: 90 },
    ]);
  });
});
