// Matches that a backend makes of lobbies and players (decision 76), through the API.

import { describe, expect, it } from 'vitest';
import type { Match, MatchSummary, PlayerSeen } from '../../packages/js/src/journal-types';
import type { LobbyView } from '../../src/lobby/view';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

interface Refused {
  readonly code: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

const MODES = {
  duel: {},
  pairs: { playersPerTeam: 2 },
  ranked: { rating: { field: 'mmr', system: 'openskill' } },
};

async function arena(modes: object = MODES): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes } });
  return config;
}

let refs = 0;

function make(config: string, body: object) {
  refs += 1;
  const whole = { config, mode: 'duel', ref: `made ${refs}`, ...body };
  return ask<Match & Refused>('POST matches', { key: SERVER, body: whole });
}

function playing(config: string, player: string): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    ({ status, server }) => status === 'in_game' && server?.status === 'running',
  );
}

interface Listed {
  readonly items: readonly MatchSummary[];
  readonly next: string | null;
}

function listed(query: string, isThere: (seen: Listed) => boolean): Promise<Listed> {
  const read = () => ask<Listed>(`GET matches?${query}`, { key: SERVER });
  return until(async () => (await read()).body, isThere);
}

describe('POST /matches', () => {
  it('brings named lobbies into one game, in the teams of the order, also one that searches', async () => {
    const config = await arena();
    const [a, b] = [await createLobby(config, 'ann'), await createLobby(config, 'ben')];
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ben', body: { mode: 'pairs' } });
    const teams = [{ name: 'red', lobbies: [b.id] }, { lobbies: [a.id] }];
    const { status, body } = await make(config, { teams, ref: 'final' });
    expect([status, body.made_by, body.ref]).toEqual([200, 'key', 'final']);
    expect(body.teams.map(({ name, lobbies }) => [name, lobbies[0]?.lobbyId])).toEqual([
      ['red', b.id],
      [null, a.id],
    ]);
    const shown = await Promise.all(['ann', 'ben'].map((player) => playing(config, player)));
    expect(shown.map(({ matchId }) => matchId)).toEqual([body.id, body.id]);
    const again = await make(config, { teams, ref: 'final' });
    expect([again.status, again.body.id]).toEqual([200, body.id]);
    const other = await make(config, { teams: teams.toReversed(), ref: 'final' });
    expect([other.status, other.body.code]).toEqual([409, 'REF_EXISTS']);
  });

  it('finds players in their lobbies, and makes one for a player without', async () => {
    const config = await arena();
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'ben', code);
    const teams = [{ players: ['ann', 'cid'] }, { players: ['ben', 'dan'] }];
    const { status, body } = await make(config, { mode: 'pairs', teams });
    expect(status).toBe(200);
    const players = body.teams.map(({ lobbies }) =>
      lobbies.flatMap((its) => its.players.map(({ id }) => id)),
    );
    expect(players.map((each) => each.toSorted())).toEqual([
      ['ann', 'cid'],
      ['ben', 'dan'],
    ]);
    const [ann, dan] = [await playing(config, 'ann'), await playing(config, 'dan')];
    expect([ann.players.length, dan.players.length, dan.isPrivate]).toEqual([2, 1, true]);
    expect(dan.server?.instance_id).toBe(ann.server?.instance_id);
  });

  it('names everybody who cannot be in it, and leaves all as they were', async () => {
    const config = await arena();
    const a = await createLobby(config, 'ann');
    const { code } = await createLobby(config, 'ben');
    await joinLobby(config, 'eve', code);
    await createLobby(config, 'cid');
    await ask(`POST lobbies/${config}/me/start`, { player: 'cid' });
    await ask(`PUT bans/dan`, { key: SERVER, body: { config, reason: 'cheats' } });
    const teams = [{ lobbies: [a.id, 'nowhere'] }, { players: ['cid', 'dan', 'ben'] }];
    const { status, body } = await make(config, { mode: 'pairs', teams });
    expect([status, body.code]).toEqual([409, 'MATCH_NOT_MADE']);
    expect(body.issues).toEqual([
      { path: 'teams[0].lobbies[1]', message: 'there is no such lobby' },
      { path: 'teams[1].players[1]', message: 'dan is banned' },
      { path: 'teams[1].players[0]', message: 'the lobby of cid cannot be in it: it is in_game' },
      { path: 'teams[1].players[2]', message: 'eve is in that lobby too, and is not named' },
      { path: 'teams', message: 'team 1 has 3 players and must have 2' },
    ]);
    expect((await mine(config, 'ann')).status).toBe('waiting');
    expect((await ask(`GET lobbies/${config}/me`, { player: 'dan' })).status).not.toBe(200);
    const split = await make(config, { teams: [{ lobbies: [a.id] }, { players: ['ben'] }] });
    expect(split.body.issues).toEqual([
      { path: 'teams[1].players[0]', message: 'eve is in that lobby too, and is not named' },
    ]);
  });

  it('refuses sizes that the mode does not have, and names that stand twice', async () => {
    const config = await arena();
    const one = await make(config, { teams: [{ players: ['ann'] }] });
    expect(one.body.issues).toEqual([{ path: 'teams', message: 'must be 2 teams' }]);
    const many = await make(config, { teams: [{ players: ['ann', 'ben'] }, { players: ['cid'] }] });
    expect(many.body.issues).toEqual([
      { path: 'teams', message: 'team 0 has 2 players and must have 1' },
    ]);
    const three = [{ players: ['ann', 'ben'] }, { players: ['cid'] }, { players: ['dan', 'eve'] }];
    const each = await make(config, { teams: three });
    expect(each.body.issues?.map(({ message }) => message)).toEqual([
      'must be 2 teams',
      'team 0 has 2 players and must have 1',
      'team 2 has 2 players and must have 1',
    ]);
    const twice = await make(config, { teams: [{ players: ['ann'] }, { players: ['ann'] }] });
    expect(twice.body.issues).toEqual([
      { path: 'teams[1].players[0]', message: 'is named twice, by itself or by its lobby' },
    ]);
    const gone = await make(config, { mode: 'no', teams: [{ players: ['ann'] }] });
    expect([gone.status, gone.body.code]).toEqual([400, 'MODE_NOT_FOUND']);
  });

  it('refuses a lobby of which nobody takes a place', async () => {
    const config = await arena({ duel: { excludedFromQueue: ['spectator'] } });
    const { id } = await createLobby(config, 'eve', { state: { role: 'spectator' } });
    const teams = [{ players: ['ann'] }, { lobbies: [id], players: ['ben'] }];
    const { body } = await make(config, { teams });
    expect(body.issues).toEqual([
      { path: 'teams[1].lobbies[0]', message: 'nobody of the lobby takes a place in the mode' },
    ]);
    const again = await make(config, { teams: [{ players: ['ann'] }, { players: ['ben'] }] });
    expect(again.status).toBe(200);
  });

  it('asks all to confirm, if it is to, and sends all back after a no', async () => {
    const config = await arena();
    const teams = [{ players: ['ann'] }, { players: ['ben'] }];
    await make(config, { teams, confirm: true });
    const found = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'match_found',
    );
    expect(found.matchmaking?.confirmation?.confirmed).toBe(false);
    await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: 'ben' });
    const back = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'waiting',
    );
    expect(back.returned?.reason).toBe('declined');
  });

  it('holds lobbies to the rules only where it is told to', async () => {
    const rules = [{ type: 'difference', field: 'skill', maxDifference: 10 }];
    const config = await arena({ duel: { rules } });
    await createLobby(config, 'ann', { state: { skill: 1 } });
    await createLobby(config, 'ben', { state: { skill: 50 } });
    const teams = [{ players: ['ann'] }, { players: ['ben'] }];
    const { body } = await make(config, { teams, rules: true });
    expect(body.issues).toEqual([
      { path: 'teams[1].players[0]', message: 'the rules keep it apart from teams[0].players[0]' },
    ]);
    await createLobby(config, 'cid', { state: { skill: 99 } });
    await ask(`POST lobbies/${config}/me/start`, { player: 'cid' });
    const more = [...teams, { players: ['cid'] }];
    const all = await make(config, { teams: more, rules: true });
    expect(all.body.issues?.map(({ message }) => message)).toEqual([
      'the lobby of cid cannot be in it: it is in_game',
      'must be 2 teams',
      'the rules keep it apart from teams[0].players[0]',
    ]);
    expect((await make(config, { teams })).status).toBe(200);
  });

  it('rates the match unless it is told not to', async () => {
    const config = await arena();
    const teams = [{ players: ['ann'] }, { players: ['ben'] }];
    const result = {
      teams: [
        { team: 0, rank: 1 },
        { team: 1, rank: 2 },
      ],
    };
    for (const rated of [false, true]) {
      const { body } = await make(config, { mode: 'ranked', teams, rated });
      await playing(config, 'ann');
      await ask(`POST matches/${body.id}/result`, { key: SERVER, body: result });
      await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
      const read = () => ask<Match>(`GET matches/${body.id}`, { key: SERVER });
      const { body: record } = await until(
        read,
        (seen) => seen.body.outcome === 'ended' && (!rated || seen.body.rating !== undefined),
      );
      expect(record.rating !== undefined).toBe(rated);
      await until(
        () => mine(config, 'ben'),
        ({ status }) => status === 'waiting',
      );
    }
  });
});

describe('a match that a backend made', () => {
  it('is listed with those of the queue, by its ref too, and of each of its players', async () => {
    const config = await arena();
    for (const player of ['ann', 'ben']) {
      await createLobby(config, player);
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    const ref = `listed ${config}`;
    const { body } = await make(config, {
      teams: [{ players: ['cid'] }, { players: ['dan'] }],
      ref,
    });
    const { items } = await listed(`config=${config}`, (seen) => seen.items.length === 2);
    const its = items.find(({ id }) => id === body.id);
    expect(its).toMatchObject({ mode: 'duel', players: 2, short: false, made_by: 'key', ref });
    const formed = items.filter(({ id }) => id !== body.id);
    expect(formed).toHaveLength(1);
    expect(formed[0]).not.toHaveProperty('made_by');
    expect(formed[0]).not.toHaveProperty('ref');
    const byRef = await listed(`ref=${encodeURIComponent(ref)}`, () => true);
    expect(byRef.items.map(({ id }) => id)).toEqual([body.id]);
    const { body: dan } = await ask<PlayerSeen>('GET players/dan', { key: SERVER });
    const last = dan.matches.find(({ id }) => id === body.id);
    expect([last?.made_by, last?.ref, last?.config]).toEqual(['key', ref, config]);
  });

  it('is listed as failed if no game came of it', async () => {
    const config = await arena({ pairs: { playersPerTeam: 2, minPlayersPerTeam: 1 } });
    const teams = [{ players: ['ann'] }, { players: ['ben', 'bea'] }];
    const { body } = await make(config, {
      mode: 'pairs',
      teams,
      build: 'none',
      ref: `fails ${config}`,
    });
    const { items } = await listed(
      `config=${config}&outcome=failed`,
      (seen) => seen.items.length > 0,
    );
    expect(items).toMatchObject([
      { id: body.id, outcome: 'failed', reason: 'launch_failed', short: true, ref: body.ref },
    ]);
  });
});
