// Ratings (record 0047): a result moves them once, and players show them.

import { describe, expect, it } from 'vitest';
import type { Match } from '../../packages/js/src/journal-types.ts';
import type { Attributes } from '../../src/lobby/attributes';
import type { RatedMatch } from '../../src/objects/contracts/ratings';
import type { MatchId, PlayerId } from '../../src/common/ids';
import { actorAt } from '../support/actors';
import { seatShare } from '../../src/objects/contracts/peers';
import { peersUnderTest } from '../support/peers';
import { met } from './met';
import {
  ask,
  CLIENT,
  createLobby,
  fetchRaw,
  freshConfig,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

const PROJECT = 'dev';

/** A field, and with it a ladder, that no other test has. */
function freshField(): string {
  return `f${crypto.randomUUID().replaceAll('-', '')}`;
}

function rated(field: string): object {
  return { rating: { field, system: 'openskill' } };
}

const WON = {
  teams: [
    { team: 0, rank: 1 },
    { team: 1, rank: 2 },
  ],
};

/** Ann and Ben have played, and the first of them has won. */
async function played(config: string, field: string) {
  const game = await met(config, rated(field));
  const line = `POST matches/${game.matchId}/result`;
  expect((await ask(line, { key: SERVER, body: WON })).status).toBe(200);
  const { body } = await until(
    () => ask<Match>(`GET matches/${game.matchId}`, { key: SERVER }),
    (read) => read.body.rating !== undefined,
  );
  return { ...game, rating: body.rating };
}

function attributesOf(player: string) {
  return ask<Attributes>(`GET players/${player}/attributes`, { key: SERVER });
}

describe('a rated mode', () => {
  it('gives new players the start, in keys that they cannot write', async () => {
    const [config, field] = [freshConfig(), freshField()];
    await saveConfig(config, { matchmaking: { modes: { duel: rated(field) } } });
    await createLobby(config, 'ann');
    const lobby = await mine(config, 'ann');
    expect(lobby.players[0]?.state).toEqual({ [field]: 1_000, [`${field}Uncertainty`]: 400 });
    for (const key of [field, `${field}Uncertainty`]) {
      const body = { state: { [key]: 9_999 } };
      const reply = await ask(`PATCH lobbies/${config}/me`, { player: 'ann', body });
      expect([reply.status, reply.body.code]).toEqual([403, 'FIELD_NOT_YOURS']);
    }
  });

  it.each([
    ['an unknown system', { field: 'mmr', system: 'elo' }],
    ['an unknown field', { field: 'mmr', system: 'openskill', scale: 2 }],
    ['a name that is no key', { field: 'm m r', system: 'openskill' }],
    ['a decay without a time', { field: 'mmr', system: 'openskill', decay: { sigma: 50 } }],
    [
      'a decay beyond a new player',
      { field: 'mmr', system: 'openskill', decay: { afterDays: 30, sigma: 401 } },
    ],
  ])('is refused with %s', async (_, rating) => {
    const body = { matchmaking: { modes: { duel: { rating } } } };
    const line = `PUT lobby-configs/${freshConfig()}`;
    expect((await ask(line, { key: SERVER, body })).body.code).toBe('VALIDATION_ERROR');
  });

  it('moves both players with a result, in the match, their records and their lobbies', async () => {
    const [config, field] = [freshConfig(), freshField()];
    const { rating, matchId } = await played(config, field);
    expect(rating?.field).toBe(field);
    expect(rating?.changes).toHaveLength(2);
    for (const change of rating?.changes ?? []) {
      const { id, before, uncertainty } = change;
      expect([before, uncertainty < 400]).toEqual([1_000, true]);
      const record = await until(
        () => attributesOf(id),
        ({ body }) => body.attributes[field] === change.rating,
      );
      expect(record.body.attributes[`${field}Uncertainty`]).toBe(uncertainty);
    }
    const [one, other] = (rating?.changes ?? []).map((change) => change.rating);
    expect(one).toBeGreaterThan(other ?? Infinity);
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    for (const player of ['ann', 'bob']) {
      const mmr = rating?.changes.find(({ id }) => id === player)?.rating;
      await until(
        () => mine(config, player),
        (lobby) => lobby.players[0]?.state?.[field] === mmr,
      );
    }
    // The backend replaces the record: the ladder still wins.
    const body = { attributes: { [field]: 5, tier: 'gold' } };
    await ask('PUT players/ann/attributes', { key: SERVER, body });
    const mmr = rating?.changes.find(({ id }) => id === 'ann')?.rating;
    expect((await attributesOf('ann')).body.attributes).toMatchObject({
      tier: 'gold',
      [field]: mmr,
    });
    expect(await actorAt('ratings', PROJECT, field).rows('rated:')).toHaveLength(1);
    expect(matchId).not.toBe('');
  });
});

it('of forty results at once takes one, and rates by it once', async () => {
  const [config, field] = [freshConfig(), freshField()];
  const { matchId, serverId, headers } = await met(config, rated(field));
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, score) => {
      const body = {
        teams: [
          { team: 0, score: score % 2 === 0 ? score + 100 : 0 },
          { team: 1, score: score % 2 === 0 ? 0 : score + 100 },
        ],
      };
      return score % 3 === 0
        ? ask<Match>(`POST servers/${serverId}/result`, { key: null, headers, body })
        : ask<Match>(`POST matches/${matchId}/result`, { key: SERVER, body });
    }),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 39 }, () => 409),
  ]);
  const taken = answers.find(({ status }) => status === 200)?.body.result;
  const { body: read } = await until(
    () => ask<Match>(`GET matches/${matchId}`, { key: SERVER }),
    ({ body }) => body.rating !== undefined,
  );
  expect(read.result).toEqual(taken);
  expect(read.history.filter(({ kind }) => kind === 'result')).toHaveLength(1);
  const winner = (taken?.teams[0]?.score ?? 0) > 0 ? 'ann' : 'bob';
  for (const { id, before, rating } of read.rating?.changes ?? []) {
    expect([id, before, rating > 1_000]).toEqual([id, 1_000, id === winner]);
    const record = await until(
      () => attributesOf(id),
      ({ body }) => body.attributes[field] !== undefined,
    );
    expect(record.body.attributes[field]).toBe(rating);
  }
  expect(await actorAt('ratings', PROJECT, field).rows('rated:')).toHaveLength(1);
});

describe('a ladder', () => {
  const duel = (at: number, winner: string, loser: string): RatedMatch => ({
    matchId: crypto.randomUUID() as MatchId,
    at,
    teams: [winner, loser].map((id, place) => ({
      rank: place + 1,
      players: [{ id: id as PlayerId, abandoned: false }],
    })),
  });

  it('rates a match once, also after it was evicted', async () => {
    const field = freshField();
    const ladder = () => peersUnderTest().ratings(PROJECT, field);
    const match = duel(1_000, 'kim', 'lou');
    await ladder().rate(match);
    const around = 'kim' as PlayerId;
    const kim = () => ladder().page({ limit: 1, offset: 0, around, season: null });
    const first = await kim();
    await ladder().rate(match);
    await actorAt('ratings', PROJECT, field).evict();
    await ladder().rate(match);
    expect(await kim()).toEqual(first);
    expect(first).toMatchObject({ value: { players: [{ player: 'kim', place: 1, games: 1 }] } });
  });
});

interface Page {
  readonly season: number;
  readonly total: number;
  readonly offset: number;
  readonly has_more: boolean;
  readonly players: readonly {
    readonly place: number;
    readonly player: string;
    readonly rating: number;
    readonly games: number;
  }[];
}

function linesOf(players: readonly object[]): string {
  return players.map((each) => `${JSON.stringify(each)}\n`).join('');
}

describe('the endpoints of a ladder', () => {
  const names = Array.from({ length: 7 }, (_, index) => `p${index}`);
  const kept = names.map((player, index) => ({ player, mu: 20 + index, sigma: 2, games: 3 }));

  async function ladder() {
    const [config, field] = [freshConfig(), freshField()];
    await saveConfig(config, { matchmaking: { modes: { duel: rated(field) } } });
    const of = { config, mode: 'duel' };
    const where = new URLSearchParams(of).toString();
    const read = (more: object, key: string | undefined = SERVER) =>
      ask<Page>(`GET ratings?${new URLSearchParams({ ...of, ...more }).toString()}`, { key });
    const bring = (players: readonly object[] | string) =>
      ask<{ changed: number; detail: string }>(`POST ratings/import?${where}`, {
        key: SERVER,
        body: typeof players === 'string' ? players : linesOf(players),
      });
    const exported = async (after = '') =>
      (await fetchRaw(`GET ratings/export?${where}&after=${after}`, { key: SERVER })).text();
    return { of, read, bring, exported, field };
  }

  it('import once, export the same, and list the best first, also around a player', async () => {
    const { read, bring, exported, field } = await ladder();
    expect((await bring(kept)).body).toEqual({ changed: 7 });
    expect((await bring(kept)).body).toEqual({ changed: 0 });
    expect(await exported()).toBe(linesOf(kept));
    expect(await exported('p3')).toBe(linesOf(kept.slice(4)));
    expect(await exported('p6')).toBe('');
    const top = await read({ limit: 2 });
    expect(top.body).toMatchObject({ season: 1, total: 7, has_more: true });
    expect(top.body.players.map(({ place, player }) => [place, player])).toEqual([
      [1, 'p6'],
      [2, 'p5'],
    ]);
    const around = await read({ around: 'p3', limit: 3 });
    expect(around.body.players.map(({ player }) => player)).toEqual(['p4', 'p3', 'p2']);
    // An unrated player sees where a new one would stand: below all of these, who have 14 or more.
    const unrated = await read({ around: 'nobody', limit: 3 });
    expect(unrated.body).toMatchObject({ total: 7, offset: 6, has_more: false });
    expect(unrated.body.players.map(({ player }) => player)).toEqual(['p0']);
    const record = await until(
      () => attributesOf('p6'),
      ({ body }) => body.attributes[field] !== undefined,
    );
    expect(record.body.attributes[field]).toBe(top.body.players[0]?.rating);
  });

  it('hide ids from players, and refuse a season that does not run', async () => {
    const { of, read, bring } = await ladder();
    await bring(kept);
    const seen = await read({ limit: 1 }, CLIENT);
    expect(seen.body.players[0]?.player).toBe('p6');
    const settings = (publicPlayerIds: boolean) =>
      ask('POST projects/settings', { key: SERVER, body: { publicPlayerIds } });
    await settings(false);
    expect((await read({ limit: 1 }, CLIENT)).body.players[0]?.player).toBe('hidden-1');
    expect((await read({ limit: 1, around: 'p6' }, CLIENT)).body.players[0]?.player).toBe('p6');
    await settings(true);
    expect((await read({ mode: 'other' })).status).toBe(404);
    const body = { ...of, season: 2, factor: 0.5 };
    expect((await ask('POST ratings/seasons', { key: SERVER, body })).status).toBe(412);
  });

  it('export a ladder of more players than are read at once, each once', async () => {
    const { bring, exported } = await ladder();
    const many = Array.from({ length: 1_100 }, (_, index) => {
      return { player: `m${String(index).padStart(4, '0')}`, mu: 25, sigma: 5, games: 1 };
    });
    for (let at = 0; at < many.length; at += 550) {
      expect((await bring(many.slice(at, at + 550))).body).toEqual({ changed: 550 });
    }
    expect(await exported()).toBe(linesOf(many));
  });

  it.each([
    ['{"player":"p1","mu":"x","sigma":1,"games":0}', 'line 3: mu: must be a number'],
    [
      '{"player":"p1","mu":1,"sigma":0,"games":0}',
      'line 3: sigma: must be a number from 0.001 to 1000',
    ],
    [
      '{"player":"p1","mu":1001,"sigma":1,"games":0}',
      'line 3: mu: must be a number from -1000 to 1000',
    ],
    ['{"player":"p1","mu":1,"sigma":1}', 'line 3: games: is missing'],
    ['{"player":"p1","mu":1,"sigma":1,"games":0,"elo":3}', 'line 3: elo: is unknown'],
    ['{"player":"p1",', 'Line 3 is not valid JSON'],
    ['[1]', 'Line 3 must be a JSON object'],
    ['{"player":"p0","mu":1,"sigma":1,"games":0}', 'p0 is on two lines'],
  ])('refuse the line %s by its number, and change nothing', async (line, detail) => {
    const { bring, exported } = await ladder();
    const [first = {}] = kept;
    const refused = await bring(`${linesOf([first])}\r\n${line}\n`);
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toContain(detail);
    expect(await exported()).toBe('');
  });

  it('forget a player who is erased, also in seasons that are over', async () => {
    const { of, read, bring, exported, field } = await ladder();
    await bring(kept);
    const body = { ...of, season: 1, factor: 0.5 };
    await ask('POST ratings/seasons', { key: SERVER, body });
    await until(
      () => read({ season: 1 }),
      ({ status }) => status === 200,
    );
    await until(
      () => attributesOf('p3'),
      (record) => record.body.attributes[field] !== undefined,
    );
    const gone = await ask<Attributes>('DELETE players/p3/attributes', { key: SERVER });
    expect(gone.body.attributes).toEqual({});
    await until(exported, (lines) => !lines.includes('"p3"'));
    const past = await until(
      () => read({ season: 1 }),
      (page) => page.body.players.every(({ player }) => player !== 'p3'),
    );
    expect(past.body.players.map(({ player }) => player)).toEqual(
      names.map((name) => (name === 'p3' ? 'erased' : name)).toReversed(),
    );
    expect((await read({})).body.total).toBe(6);
    const without = await read({ around: 'p3' });
    expect(without.body.players.map(({ player }) => player)).not.toContain('p3');
    expect((await attributesOf('p3')).body.attributes).toEqual({});
    // A late word of the ladder brings nothing back, and a player who comes again is new.
    await bring([{ player: 'p3', mu: 25, sigma: 4, games: 0 }]);
    await until(
      () => attributesOf('p3'),
      (record) => record.body.attributes[field] === 1_624,
    );
  });

  it('show who was away as less certain, and who comes into a lobby is compared so', async () => {
    const { of, read, bring, field } = await ladder();
    const decay = { afterDays: 30, sigma: 50 };
    const rating = { field, system: 'openskill', decay };
    await saveConfig(of.config, { matchmaking: { modes: { duel: { rating } } } });
    const player = freshField();
    await bring([{ player, mu: 40, sigma: 80 / 48, games: 300 }]);
    await until(
      () => attributesOf(player),
      ({ body }) => body.attributes[field] === 2_680,
    );
    // As if that had been 65 days ago.
    const rows = [
      [actorAt('ratings', PROJECT, field), `player:${player}`],
      [actorAt('players', PROJECT, seatShare(player)), `record:${player}`],
    ] as const;
    for (const [actor, key] of rows) {
      const text = JSON.stringify(await actor.row(key));
      const old = text.replace(/"ratedAt":(\d+)/, (_, at: string) => {
        return `"ratedAt":${Number(at) - 65 * 86_400_000}`;
      });
      expect(old).not.toBe(text);
      await actor.put(key, JSON.parse(old));
      await actor.evict();
    }
    const { body } = await read({});
    expect(body.players).toMatchObject([{ player, rating: 2_680, uncertainty: 107 }]);
    const now = { [field]: 2_600, [`${field}Uncertainty`]: 107 };
    expect((await attributesOf(player)).body.attributes).toEqual(now);
    await createLobby(of.config, player);
    expect((await mine(of.config, player)).players[0]?.state).toEqual(now);
  });

  it('end a season once: its ladder stays readable, and players go back', async () => {
    const { of, read, bring } = await ladder();
    await bring(kept);
    const before = await read({});
    const body = { ...of, season: 1, factor: 0.5 };
    const end = () => ask('POST ratings/seasons', { key: SERVER, body });
    expect((await end()).status).toBe(200);
    const after = await until(
      () => read({}),
      (page) => page.body.season === 2 && page.body.players[0]?.games === 0,
    );
    expect((await end()).body).toMatchObject({ season: 2 });
    const past = await until(
      () => read({ season: 1 }),
      ({ status }) => status === 200,
    );
    expect(past.body.players).toEqual(before.body.players);
    expect(after.body.players.map(({ player }) => player)).toHaveLength(7);
    expect((await read({ season: 9 })).status).toBe(404);
    // The ladder of a season that is over has places only.
    const around = await read({ season: 1, around: 'p1' });
    expect([around.status, around.body]).toMatchObject([400, { detail: /^around: / }]);
    expect((await end()).body).toMatchObject({ season: 2 });
  });
});
