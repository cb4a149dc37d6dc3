// Ratings (record 0047): a result moves them once, and players show them.

import { describe, expect, it } from 'vitest';
import type { MatchView } from '../../src/http/operators/told';
import type { Attributes } from '../../src/lobby/attributes';
import type { RatedMatch } from '../../src/objects/ratings/contract';
import type { MatchId, PlayerId } from '../../src/common/ids';
import { actorAt } from '../support/actors';
import { peersUnderTest } from '../support/peers';
import { met } from './met';
import { ask, createLobby, freshConfig, mine, saveConfig, SERVER, until } from './support';

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
    () => ask<MatchView>(`GET matches/${game.matchId}`, { key: SERVER }),
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
    const first = await ladder().read('kim' as PlayerId);
    await ladder().rate(match);
    await actorAt('ratings', PROJECT, field).evict();
    await ladder().rate(match);
    expect(await ladder().read('kim' as PlayerId)).toEqual(first);
    expect(first).toMatchObject({ place: 1, games: 1 });
  });
});
