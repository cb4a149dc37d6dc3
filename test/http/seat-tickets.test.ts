// Record 0022: each player of a started game has a ticket for its own seat, in its own view alone, and
// whoever has the published keys can tell without asking.

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import type { Seat } from '../../packages/js/src/identity-types.ts';
import type { LobbyView } from '../../src/lobby/view';
import { SEAT_TICKET_MS } from '../../src/objects/contracts/secrets';
import {
  ask,
  askUnder,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
  type Answered,
  type Problem,
} from './support';
import { actorAt } from '../support/actors';
import { met, type Met } from './met';
import { matchmade, party } from './parties';
import { listen } from './stream';

async function published(): Promise<JSONWebKeySet> {
  const { status, body, headers } = await ask<JSONWebKeySet>('GET /.well-known/jwks.json', {
    key: null,
  });
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  return body;
}

async function read(ticket: string | undefined, keys?: JSONWebKeySet): Promise<object> {
  const set = createLocalJWKSet(keys ?? (await published()));
  const { payload } = await jwtVerify(ticket ?? '', set, { typ: 'muster-seat+jwt' });
  return payload;
}

const at = (config: string, player: string): Promise<LobbyView> => mine(config, player);
const runs = ({ server }: LobbyView): boolean => server?.status === 'running';

async function started(config: string): Promise<LobbyView> {
  const { code } = await createLobby(config, 'ann');
  await joinLobby(config, 'ben', code);
  await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
  return until(() => at(config, 'ann'), runs);
}

describe('a direct start', () => {
  it('gives each player a ticket of its own', async () => {
    const config = freshConfig();
    const lobby = await started(config);
    const [ann, ben] = [lobby.server?.ticket, (await at(config, 'ben')).server?.ticket];
    const instance = lobby.server?.instance_id;
    const seat = {
      iss: 'muster',
      aud: instance,
      project: 'dev',
      match: null,
      lobby: lobby.id,
      team: null,
      team_name: null,
      role: null,
    };
    expect(await read(ann)).toMatchObject({ ...seat, sub: 'ann' });
    expect(await read(ben)).toMatchObject({ ...seat, sub: 'ben' });
    const { exp = 0, iat = 0 } = (await read(ann)) as { exp?: number; iat?: number };
    expect(exp - iat).toBe(SEAT_TICKET_MS / 1000);
    expect((await at(config, 'ann')).server?.ticket).toBe(ann);
  });

  it('shows it in the own view alone: not while browsing, nor to the server key', async () => {
    const config = freshConfig();
    const { id, server } = await started(config);
    const seen = [
      await ask(`GET lobbies/${config}`),
      await ask(`GET lobbies/${config}/${id}`, { key: SERVER }),
      await ask(`GET servers/${server?.instance_id}`),
      await ask(`GET servers/${server?.instance_id}`, { key: SERVER }),
      await ask(`GET servers?include_launching=true`, { key: SERVER }),
    ];
    for (const { status, body } of seen) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('ticket');
    }
    const kicked = await ask<LobbyView>(`DELETE lobbies/${config}/me`, { player: 'ben' });
    expect(JSON.stringify(kicked.body)).not.toContain('ticket');
  });

  it('brings it by the stream, each player its own, whatever names and states hold', async () => {
    const config = freshConfig();
    const state = { server: { ticket: 'no', updated_at: 'x' }, odd: '"server":{"ticket":"' };
    const { code } = await createLobby(config, 'ann', { settings: { café: state } });
    await joinLobby(config, 'ben', code);
    const streams = await Promise.all(['ann', 'ben'].map((player) => listen(config, player)));
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const shown = await Promise.all(streams.map((each) => each.next('lobby_updated', runs)));
    expect(await read(shown[0]?.server?.ticket)).toMatchObject({ sub: 'ann' });
    expect(await read(shown[1]?.server?.ticket)).toMatchObject({ sub: 'ben' });
    for (const [index, player] of ['ann', 'ben'].entries()) {
      const polled = await at(config, player);
      expect(shown[index]).toEqual(polled);
    }
    const before = shown[0]?.revision ?? 0;
    const [, ben] = streams;
    const patched = (async (): Promise<void> => {
      for (let step = 1; step <= 20; step += 1) {
        await ask(`PATCH lobbies/${config}/me`, { player: 'ann', body: { state: { step } } });
      }
    })();
    const steps: number[] = [];
    // Ben reads meanwhile: whoever falls far behind is sent the newest state as `connected`.
    while ((steps.at(-1) ?? 0) < before + 20) {
      steps.push((await ben?.next('lobby_updated'))?.revision ?? Infinity);
    }
    await patched;
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    await Promise.all(streams.map((each) => each.leave()));
  });

  it('gives one to who joins late, at once', async () => {
    const config = freshConfig();
    const { code } = await started(config);
    const late = await joinLobby(config, 'eve', code);
    const seat = { sub: 'eve', match: null, team: null, late: true };
    expect(await read(late.server?.ticket)).toMatchObject(seat);
    expect(await read((await at(config, 'ben')).server?.ticket)).toMatchObject({ late: false });
  });
});

describe('a match', () => {
  it('says team and role of each, and none of who takes no place', async () => {
    const config = freshConfig();
    await saveConfig(config, {
      matchmaking: {
        modes: {
          hunt: {
            teamComposition: { hunters: { tank: 1, scout: 1 }, prey: { runner: 1 } },
            excludedFromQueue: ['spectator'],
            playersPerTeam: 2,
          },
        },
      },
    });
    const states = { ann: 'tank', ben: 'scout', eve: 'runner' };
    const { code } = await createLobby(config, 'ann', { state: { role: 'tank' } });
    for (const [player, role] of [
      ['ben', 'scout'],
      ['sam', 'spectator'],
    ]) {
      await ask(`POST lobbies/${config}/join`, {
        player: player ?? '',
        body: { code, state: { role } },
      });
    }
    await createLobby(config, 'eve', { state: { role: 'runner' } });
    for (const player of ['ann', 'eve']) {
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'hunt' } });
    }
    for (const [player, role] of Object.entries(states)) {
      const { server, matchId } = await until(() => at(config, player), runs);
      const [team, name] = player === 'eve' ? [1, 'prey'] : [0, 'hunters'];
      const seat = { sub: player, match: matchId, team, team_name: name, role };
      expect(await read(server?.ticket)).toMatchObject(seat);
    }
    const { server } = await at(config, 'sam');
    // Whoever changes the role later gets no place by it.
    await ask(`PATCH lobbies/${config}/me`, { player: 'sam', body: { state: { role: 'tank' } } });
    const nowhere = { sub: 'sam', team: null, team_name: null, role: null };
    expect(await read(server?.ticket)).toMatchObject(nowhere);
    expect(await read((await at(config, 'sam')).server?.ticket)).toMatchObject(nowhere);
  });
});

describe('who joins a lobby during its match', () => {
  const stranger = { team: null, team_name: null, role: null, late: true };
  const claims = async (config: string, player: string): Promise<object> =>
    read((await until(() => at(config, player), runs)).server?.ticket);

  /** Ann and Abe against Bob and Bea. */
  async function plays(mode: object): Promise<string> {
    const config = await matchmade({ duo: { playersPerTeam: 2, ...mode } });
    await party(config, 'duo', { ann: {}, abe: {} });
    await party(config, 'duo', { bob: {}, bea: {} });
    await until(() => at(config, 'bob'), runs);
    return config;
  }

  // shows: D45a
  it('has no team: not by the id of a running duel, and not when the host makes room', async () => {
    const config = await matchmade({ duel: {} });
    await party(config, 'duel', { ann: {} });
    const { id } = await party(config, 'duel', { bob: {} });
    const { matchId } = await until(() => at(config, 'bob'), runs);
    const join = { player: 'eve', body: { lobbyId: id } };
    expect((await ask(`POST lobbies/${config}/join`, join)).status).toBe(200);
    expect(await claims(config, 'eve')).toMatchObject({ ...stranger, match: matchId });
    // Nor does it read who plays: the other lobby may be private.
    const stream = await listen(config, 'eve');
    const { server } = (await stream.next('connected')) ?? {};
    expect(await read(server?.ticket)).toMatchObject(stranger);
    expect(server).toEqual({ ...(await at(config, 'eve')).server, custom_data: {} });
    expect((await at(config, 'bob')).server?.custom_data).toMatchObject({ match_id: matchId });
    await ask(`DELETE lobbies/${config}/me/players/eve`, { player: 'bob' });
    const last = await stream.next('lobby_updated');
    expect([last?.currentPlayers, last?.server?.custom_data]).toEqual([1, {}]);
    await stream.leave();
    await ask(`POST lobbies/${config}/join`, join);
    const left = await ask<LobbyView>(`DELETE lobbies/${config}/me`, { player: 'eve' });
    expect(left.body.server?.custom_data).toEqual({});
    await ask(`POST lobbies/${config}/join`, join);
    const { code } = await at(config, 'ann');
    const room = { player: 'ann', body: { maxPlayers: 100 } };
    expect((await ask(`PATCH lobbies/${config}/me/settings`, room)).status).toBe(200);
    for (const friend of ['fay', 'flo', 'fox']) {
      const shown = await joinLobby(config, friend, code);
      expect(await read(shown.server?.ticket)).toMatchObject({ ...stranger, sub: friend });
    }
    expect(await claims(config, 'ann')).toMatchObject({ team: 0, late: false });
    expect(await claims(config, 'bob')).toMatchObject({ team: 1, late: false });
  });

  it('has the team again after leaving, unless the queue may have filled the place', async () => {
    for (const allowBackfill of [false, true]) {
      const config = await plays({ allowBackfill });
      const { code } = await at(config, 'bob');
      await ask(`DELETE lobbies/${config}/me`, { player: 'bea' });
      await joinLobby(config, 'bea', code);
      const again = allowBackfill ? stranger : { team: 1, late: false };
      expect(await claims(config, 'bea')).toMatchObject(again);
    }
  });

  // shows: D45a
  it('has a team by backfill, and takes no place of those that backfill fills', async () => {
    const config = await plays({ allowBackfill: true });
    const { code, matchId } = await at(config, 'bob');
    await ask(`DELETE lobbies/${config}/me`, { player: 'bea' });
    await joinLobby(config, 'eve', code);
    await party(config, 'duo', { cat: {} });
    expect(await claims(config, 'cat')).toMatchObject({ match: matchId, team: 1, late: false });
    expect(await claims(config, 'eve')).toMatchObject({ ...stranger, match: matchId });
  });

  // shows: D45b
  it('is refused in a mode without late join, until the game is over', async () => {
    const config = await plays({ lateJoin: false });
    const { code, allowLateJoin } = await at(config, 'ann');
    expect(allowLateJoin).toBe(false);
    await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { maxPlayers: 3 } });
    const join = { player: 'eve', body: { code } };
    const refused = await ask(`POST lobbies/${config}/join`, join);
    expect([refused.status, refused.body.code]).toEqual([400, 'LOBBY_NOT_ACCEPTING']);
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect((await joinLobby(config, 'eve', code)).allowLateJoin).toBe(true);
  });
});

describe('a rotation', () => {
  it('restarts nothing: the next key signs, and was known before; old tickets hold', async () => {
    const config = freshConfig();
    const old = (await started(config)).server?.ticket;
    const before = await published();
    const kid = decodeProtectedHeader(old ?? '').kid;
    expect(before.keys.map((each) => each.kid)).toEqual([kid, expect.any(String)]);
    const next = before.keys[1]?.kid;
    const rotated = await ask<JSONWebKeySet>('POST projects/seat-keys', { key: SERVER });
    expect(rotated.status).toBe(201);
    expect(rotated.body.keys.map((each) => each.kid)).toEqual([next, expect.any(String), kid]);
    const fresh = (await at(config, 'ann')).server?.ticket;
    expect(decodeProtectedHeader(fresh ?? '').kid).toBe(next);
    // A game server that read the keys before it knows the new one, offline.
    expect(await read(fresh, before)).toMatchObject({ sub: 'ann' });
    expect(await read(old)).toMatchObject({ sub: 'ann' });
    expect(JSON.stringify(rotated.body)).not.toContain('"d"');
  });

  it('ends with the tickets of the old key', async () => {
    const old = (await published()).keys[0]?.kid;
    await ask('POST projects/seat-keys', { key: SERVER });
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + SEAT_TICKET_MS - 1_000);
      await ask('POST projects/seat-keys', { key: SERVER });
      expect(JSON.stringify(await published())).toContain(old);
      vi.setSystemTime(Date.now() + 3 * 60_000);
      await ask('POST projects/seat-keys', { key: SERVER });
      expect(JSON.stringify(await published())).not.toContain(old);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the published keys', () => {
  it('do not tell whether there is such a project', async () => {
    const path = 'GET /.well-known/jwks.json?project';
    const sha256 = '0'.repeat(64);
    const API_KEYS = JSON.stringify([{ project: 'held', kind: 'client', sha256 }]);
    const shown = async (name: string): Promise<readonly [number, string[], JSONWebKeySet]> => {
      const { status, headers, body } = await askUnder<JSONWebKeySet>(
        { API_KEYS },
        `${path}=${name}`,
        { key: null },
      );
      const told = [...headers].filter(([header]) => header !== 'x-request-id');
      return [status, told.map(String), body];
    };
    const [real, made] = [await shown('held'), await shown('made-up')];
    expect(made.slice(0, 2)).toEqual(real.slice(0, 2));
    const form = ({ keys }: JSONWebKeySet): unknown[] =>
      keys.map(({ x, kid, ...rest }) => [rest, x?.length, kid?.replaceAll(/[^-]/g, '.')]);
    expect(form(made[2])).toEqual(form(real[2]));
    // Keys that can be used, stay what they are, and are of that name alone.
    await createLocalJWKSet(made[2])({ alg: 'EdDSA', kid: String(made[2].keys[0]?.kid) });
    expect(await shown('made-up')).toEqual(made);
    expect((await shown('made-up-2'))[2]).not.toEqual(made[2]);
    const none = await ask(`${path}=${'x'.repeat(65)}`, { key: null });
    expect(none.body.code).toBe('NOT_FOUND');
  });
});

describe('a game server that cannot verify tickets', () => {
  const asked = (game: Met, ticket: unknown): Promise<Answered<Seat & Problem>> =>
    ask(`POST servers/${game.serverId}/seats`, {
      key: null,
      headers: game.headers,
      body: { ticket },
    });

  it('asks Muster for the seat, and gets what the ticket says', async () => {
    const config = freshConfig();
    const game = await met(config, { teamComposition: { a: { tank: 1 }, b: { scout: 1 } } });
    const ticket = (await mine(config, 'bob')).server?.ticket;
    const { status, body } = await asked(game, ticket);
    const { sub: player, ...said } = (await read(ticket)) as Record<string, unknown>;
    const { match, lobby, team, team_name, role, late } = said;
    expect(status).toBe(200);
    expect(body).toEqual({ player, match, lobby, team, team_name, role, late });
    expect(body).toMatchObject({ player: 'bob', match: game.matchId, late: false });
  });

  it('is refused a ticket of another server, one that was changed, an old one, and none', async () => {
    const [config, other] = [freshConfig(), freshConfig()];
    const game = await met(config);
    const elsewhere = await met(other);
    const ticket = (await mine(config, 'ann')).server?.ticket ?? '';
    const [head, , signature] = ticket.split('.');
    const claims = JSON.stringify({ sub: 'eve', aud: game.serverId, project: 'dev', exp: 9e9 });
    const forged = [head, btoa(claims).replaceAll('=', ''), signature].join('.');
    for (const bad of [(await mine(other, 'ann')).server?.ticket, forged, 'no.ticket.atall', '…']) {
      const { status, body } = await asked(game, bad);
      expect([bad, status, body.code]).toEqual([bad, 403, 'FORBIDDEN']);
    }
    for (const bad of [undefined, null, 7, '', 'x'.repeat(5_000)]) {
      const { status, body } = await asked(game, bad);
      expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    const strange = await asked({ ...game, headers: elsewhere.headers }, ticket);
    expect([strange.status, strange.body.code]).toEqual([401, 'UNAUTHORIZED']);
    const made = await asked({ ...game, serverId: 'made-up' }, ticket);
    expect([made.status, made.body.code]).toEqual([404, 'SERVER_NOT_FOUND']);
    vi.useFakeTimers({ now: Date.now() + SEAT_TICKET_MS + 1_000, toFake: ['Date'] });
    try {
      expect((await asked(game, ticket)).body.detail).toContain('expired');
    } finally {
      vi.useRealTimers();
    }
  });

  it('of a direct start asks too', async () => {
    const config = freshConfig();
    const lobby = await started(config);
    const serverId = lobby.server?.instance_id ?? '';
    const saved = await actorAt('server', serverId).row<{ readonly token: string }>('instance');
    const headers = { authorization: `Bearer ${saved?.token}` };
    const { body } = await asked({ serverId, headers, matchId: '' }, lobby.server?.ticket);
    expect(body).toMatchObject({ player: 'ann', match: null, team: null, lobby: lobby.id });
  });
});
