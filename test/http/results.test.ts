// Results of matches (decision 47): reported once, by the game server or the backend, and shown to the lobbies.

import { describe, expect, it } from 'vitest';
import type { Match, PlayerSeen } from '../../packages/js/src/journal-types.ts';
import type { MatchRecord } from '../../src/objects/contracts/reports';
import { actorAt } from '../support/actors';
import { launched, met, type Met } from './met';
import {
  ask,
  createLobby,
  freshConfig,
  mine,
  SERVER,
  until,
  type Answered,
  type Problem,
} from './support';

const SCORES = {
  teams: [
    { team: 0, score: 13, players: [{ id: 'ann', score: 21 }] },
    { team: 1, score: 7 },
  ],
};

function byServer<T = Match>({ serverId, headers }: Met, body: object): Promise<Answered<T>> {
  return ask<T>(`POST servers/${serverId}/result`, { key: null, headers, body });
}

function byBackend<T = Match>({ matchId }: Met, body: object): Promise<Answered<T>> {
  return ask<T>(`POST matches/${matchId}/result`, { key: SERVER, body });
}

describe('a result', () => {
  it('is taken once from the game server, and both lobbies and the match show it', async () => {
    const config = freshConfig();
    const game = await met(config);
    const first = await byServer(game, SCORES);
    expect([first.status, first.body.result]).toMatchObject([200, SCORES]);
    for (const player of ['ann', 'bob']) {
      const { lastResult } = await until(
        () => mine(config, player),
        (lobby) => lobby.lastResult !== undefined,
      );
      expect(lastResult).toMatchObject({ matchId: game.matchId, teams: SCORES.teams });
    }
    const again = await byBackend(game, SCORES);
    expect([again.status, again.body.result]).toEqual([200, first.body.result]);
    const other = await byServer<Problem>(game, {
      teams: [
        { team: 0, rank: 2 },
        { team: 1, rank: 1 },
      ],
    });
    expect([other.status, other.body.code]).toEqual([409, 'RESULT_EXISTS']);
    const read = await ask<Match>(`GET matches/${game.matchId}`, { key: SERVER });
    expect(read.body.result).toEqual(first.body.result);
    expect(read.body.history.filter(({ kind }) => kind === 'result')).toHaveLength(1);
    const { body } = await ask<{ lobbies: readonly object[] }>(`GET lobbies/${config}`);
    expect(body.lobbies.some((lobby) => 'lastResult' in lobby)).toBe(false);
  });

  it('is in the one answer that has all of a player: with attributes and bans', async () => {
    const game = await met(freshConfig());
    const attributes = { mmr: 1_200 };
    await ask('PUT players/ann/attributes', { key: SERVER, body: { attributes } });
    await ask('PUT bans/ann', { key: SERVER, body: { config: 'elsewhere', reason: 'noise' } });
    await byServer(game, {
      teams: [SCORES.teams[0], { team: 1, score: 7, players: [{ id: 'bob', abandoned: true }] }],
    });
    const seen = async (player: string) => {
      const { body } = await ask<PlayerSeen>(`GET players/${player}`, { key: SERVER });
      return { ...body, matches: body.matches.filter(({ id }) => id === game.matchId) };
    };
    expect(await seen('ann')).toMatchObject({
      attributes,
      bans: [{ config: 'elsewhere', reason: 'noise' }],
      matches: [{ result: { rank: 1, score: 21, abandoned: false, outcome: 'won' } }],
    });
    expect(await seen('bob')).toMatchObject({
      attributes: {},
      bans: [],
      matches: [{ result: { rank: 2, score: 7, abandoned: true, outcome: 'lost' } }],
    });
    const listed = await ask<{ items: readonly object[] }>('GET matches', { key: SERVER });
    expect(listed.body.items.some((item) => 'result' in item)).toBe(false);
    await ask('DELETE bans/ann', { key: SERVER });
    await ask('DELETE players/ann/attributes', { key: SERVER });
  });

  it('is taken when only the record is left, until the match is forgotten', async () => {
    const config = freshConfig();
    const game = await met(config);
    const match = actorAt('match', game.matchId);
    const past = (): Promise<MatchRecord | undefined> => match.row<MatchRecord>('past');
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    await until(past, (record) => record !== undefined);
    expect(await match.row('match')).toBeUndefined();
    await match.evict();
    const result = { ...SCORES, data: { map: 'dunes', laps: { best: 61, all: 5 } } };
    // The game server that the match stopped reports late.
    const first = await byServer(game, result);
    expect([first.status, first.body.result]).toMatchObject([200, result]);
    const shows = await Promise.all(
      ['ann', 'bob'].map((player) =>
        until(
          () => mine(config, player),
          (lobby) => lobby.lastResult !== undefined,
        ),
      ),
    );
    for (const { lastResult } of shows) {
      expect(lastResult).toMatchObject(SCORES);
      expect(lastResult).not.toHaveProperty('data');
    }
    await match.evict();
    // A serializer may write keys in any order.
    const data = { laps: { all: 5, best: 61 }, map: 'dunes' };
    const again = await byBackend(game, { data, ...SCORES });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.body.history.filter(({ kind }) => kind === 'result')).toHaveLength(1);
    expect((await byBackend<Problem>(game, SCORES)).body.code).toBe('RESULT_EXISTS');
    await match.put('past', { ...(await past()), endedAt: 0 });
    await match.evict();
    await match.ring();
    expect((await byBackend<Problem>(game, result)).body.code).toBe('NOT_FOUND');
    expect((await byServer<Problem>(game, result)).body.code).toBe('NOT_FOUND');
  });

  it('is refused until the server runs, and of a match that never got a game', async () => {
    const game = await launched(freshConfig());
    const early = await byServer<Problem>(game, SCORES);
    expect([early.status, early.body.code]).toEqual([409, 'INVALID_STATE']);
    const stopped = { key: null, headers: game.headers, body: { status: 'stopped', exit_code: 1 } };
    await ask(`POST servers/${game.serverId}/status`, stopped);
    await until(
      () => ask<Match>(`GET matches/${game.matchId}`, { key: SERVER }),
      ({ body }) => body.outcome === 'failed',
    );
    expect((await byBackend<Problem>(game, SCORES)).body.code).toBe('INVALID_STATE');
  });

  it('is kept by a match that ends after it', async () => {
    const config = freshConfig();
    const game = await met(config);
    const first = await byServer(game, SCORES);
    const stopped = { key: null, headers: game.headers, body: { status: 'stopped', exit_code: 0 } };
    expect((await ask(`POST servers/${game.serverId}/status`, stopped)).status).toBe(200);
    const read = await until(
      () => ask<Match>(`GET matches/${game.matchId}`, { key: SERVER }),
      ({ body }) => body.outcome === 'ended',
    );
    expect(read.body.result).toEqual(first.body.result);
    expect((await byServer(game, SCORES)).status).toBe(200);
  });

  it.each([
    [{ teams: [{ team: 0, score: 1 }] }, 'each of the match'],
    [
      {
        teams: [
          { team: 0, score: 1 },
          { team: 0, score: 2 },
        ],
      },
      'each of the match',
    ],
    [
      {
        teams: [
          { team: 0, score: 1 },
          { team: 7, score: 2 },
        ],
      },
      'each of the match',
    ],
    [
      {
        teams: [
          { team: 0, score: 1 },
          { team: 1, rank: 2 },
        ],
      },
      'all have a rank',
    ],
    [{ teams: [{ team: 0 }, { team: 1 }] }, 'all have a rank'],
    [
      {
        teams: [
          { team: 0, rank: 1, score: 2 },
          { team: 1, rank: 2, score: 1 },
        ],
      },
      'a team has a rank or a score',
    ],
    [{ teams: [{ team: 0 }, { team: 1, rank: 1, score: 2 }] }, 'a team has a rank or a score'],
    [
      {
        teams: [
          { team: 0, rank: 1, players: [{ id: 'zoe' }] },
          { team: 1, rank: 2 },
        ],
      },
      'no player zoe',
    ],
    [{ teams: [], data: { a: 'x'.repeat(17_000) } }, 'bytes'],
  ])('that does not fit the match is refused: %#', async (result, why) => {
    const game = await met(freshConfig());
    const { status, body } = await byBackend<Problem>(game, result);
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.detail).toContain(why);
  });

  it('needs the token of a server that runs a match, or the server key', async () => {
    const config = freshConfig();
    const game = await met(config);
    const forged = { ...game, headers: { authorization: `Bearer ${'0'.repeat(64)}` } };
    expect((await byServer<Problem>(forged, SCORES)).body.code).toBe('UNAUTHORIZED');
    const unknown = {
      ...game,
      matchId: game.matchId.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
    };
    expect((await byBackend<Problem>(unknown, SCORES)).body.code).toBe('NOT_FOUND');
    await createLobby(freshConfig(), 'solo');
    const started = await ask<{ instance_id: string }>('POST servers/start', {
      key: SERVER,
      body: {},
    });
    const serverId = started.body.instance_id;
    const saved = await actorAt('server', serverId).row<{ token: string }>('instance');
    const alone = { ...game, serverId, headers: { authorization: `Bearer ${saved?.token}` } };
    expect((await byServer<Problem>(alone, SCORES)).body.code).toBe('INVALID_STATE');
  });
});
