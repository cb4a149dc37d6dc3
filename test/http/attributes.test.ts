// Attributes (decision 46): only the backend writes trusted keys, and lobbies show what it wrote.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../proof/sim/random';
import type { LobbyView } from '../../src/lobby/view';
import { actorAt } from '../support/actors';
import { seatShare } from '../../src/objects/contracts/peers';
import { tokenOf } from '../support/tokens';
import { ask, CLIENT, freshConfig, SERVER, until, type Answered } from './support';

interface Shown {
  readonly player: string;
  readonly attributes: Record<string, unknown>;
  readonly revision: number;
}

const DUEL = { teams: 2, playersPerTeam: 1, timeout: 600 };
const CLOSE = { ...DUEL, rules: [{ type: 'difference', field: 'mmr', maxDifference: 50 }] };

async function configOf(trusted: readonly string[] = ['mmr']): Promise<string> {
  const config = freshConfig();
  await save(config, trusted);
  return config;
}

async function save(config: string, trusted: readonly string[]): Promise<void> {
  const body = { trusted, matchmaking: { modes: { duel: CLOSE } } };
  const saved = await ask(`PUT lobby-configs/${config}`, { key: SERVER, body });
  expect(saved.status).toBe(200);
}

function say(player: string, attributes: object, method = 'PUT'): Promise<Answered<Shown>> {
  return ask<Shown>(`${method} players/${player}/attributes`, {
    key: SERVER,
    body: { attributes },
  });
}

function create(config: string, player: string, state: object | null = null) {
  const body = { name: 'den', state, maxPlayers: 4 };
  return ask<LobbyView>(`POST lobbies/${config}`, { player, body });
}

async function stateOf(config: string, player: string): Promise<unknown> {
  const { body } = await ask<LobbyView>(`GET lobbies/${config}/me`, { player });
  return body.players.find(({ id }) => id === player)?.state;
}

describe('a record', () => {
  it('is written, merged, read and erased, and its revision rises over an erasure', async () => {
    expect((await say('rec', { mmr: 1_200, tier: 'gold' })).body).toMatchObject({ player: 'rec' });
    const patched = await say('rec', { tier: null, wins: 3 }, 'PATCH');
    expect(patched.body.attributes).toEqual({ mmr: 1_200, wins: 3 });
    const read = await ask<Shown>('GET players/rec/attributes', { key: SERVER });
    expect(read.body).toEqual(patched.body);
    expect(read.headers.get('etag')).toBe(`"${patched.body.revision}"`);
    const gone = await ask<Shown>('DELETE players/rec/attributes', { key: SERVER });
    expect(gone.body).toMatchObject({ attributes: {}, revision: patched.body.revision + 1 });
    const share = actorAt('players', 'dev', seatShare('rec'));
    expect(await share.row('record:rec')).toBeUndefined();
    expect((await say('rec', { mmr: 1 })).body.revision).toBeGreaterThan(gone.body.revision);
  });

  it('is saved under If-Match only at that revision', async () => {
    const { revision } = (await say('etag', { mmr: 1 })).body;
    const asked = { key: SERVER, body: { attributes: { mmr: 2 } } };
    const stale = { ...asked, headers: { 'if-match': `"${revision - 1}"` } };
    expect((await ask('PUT players/etag/attributes', stale)).body.code).toBe('PRECONDITION_FAILED');
    const right = { ...asked, headers: { 'if-match': `"${revision}"` } };
    expect((await ask('PUT players/etag/attributes', right)).status).toBe(200);
  });

  it('has at most 2 KiB, after merging too, and needs the server key', async () => {
    expect((await say('big', { a: 'x'.repeat(3_000) })).status).toBe(400);
    expect((await say('big', { a: 'x'.repeat(1_500) })).status).toBe(200);
    expect((await say('big', { b: 'x'.repeat(1_500) }, 'PATCH')).status).toBe(400);
    const body = { attributes: { mmr: 1 } };
    const refused = await ask('PUT players/big/attributes', { key: CLIENT, player: 'big', body });
    expect(refused.body.code).toBe('FORBIDDEN');
  });

  it('is one of up to 500 that one call changes', async () => {
    const players = Array.from({ length: 500 }, (_, at) => ({
      id: `bulk-${at}`,
      attributes: { mmr: at },
    }));
    const all = await ask<{ players: Shown[] }>('POST players/attributes', {
      key: SERVER,
      body: { players },
    });
    expect([all.status, all.body.players.length]).toEqual([200, 500]);
    const one = await ask<Shown>('GET players/bulk-321/attributes', { key: SERVER });
    expect(one.body.attributes).toEqual({ mmr: 321 });
    const more = [...players, { id: 'bulk-500', attributes: {} }];
    const refused = await ask('POST players/attributes', { key: SERVER, body: { players: more } });
    expect(refused.status).toBe(400);
  });
});

describe('a lobby', () => {
  it('shows the record of who creates and who joins it', async () => {
    const config = await configOf();
    await say('host', { mmr: 1_200, secret: 1 });
    await say('guest', { mmr: 1_300 });
    const { status, body } = await create(config, 'host', { ready: true });
    expect([status, body.players[0]?.state]).toEqual([201, { ready: true, mmr: 1_200 }]);
    const joined = await ask<LobbyView>(`POST lobbies/${config}/join`, {
      player: 'guest',
      body: { lobbyId: body.id, code: '' },
      key: SERVER,
    });
    expect(joined.body.players[1]?.state).toEqual({ mmr: 1_300 });
    await until(
      async () => (await ask<{ lobbies: LobbyView[] }>(`GET lobbies/${config}`)).body,
      ({ lobbies }) => lobbies[0]?.players[0]?.state?.['mmr'] === 1_200,
    );
  });

  it.each([
    ['client', CLIENT],
    ['server', SERVER],
  ])('refuses a body with a trusted key, whole, with a %s key', async (_, key) => {
    const config = await configOf();
    const player = `cheat-${key.slice(0, 6)}`;
    const cheat = { state: { ready: true, mmr: 99_999 } };
    const founded = await ask(`POST lobbies/${config}`, {
      player,
      key,
      body: { name: 'x', ...cheat },
    });
    expect([founded.status, founded.body.code]).toEqual([403, 'FIELD_NOT_YOURS']);
    expect(founded.body.detail).toContain('mmr');
    // Nothing was claimed: the next one is no conflict.
    expect((await create(config, player)).status).toBe(201);
    const patched = await ask(`PATCH lobbies/${config}/me`, { player, key, body: cheat });
    expect([patched.status, patched.body.code]).toEqual([403, 'FIELD_NOT_YOURS']);
    expect(await stateOf(config, player)).toBeNull();
    const { body } = await create(config, `${player}-other`);
    const joining = { code: body.code, ...cheat };
    const joined = await ask(`POST lobbies/${config}/join`, {
      player: `${player}-3`,
      key,
      body: joining,
    });
    expect(joined.body.code).toBe('FIELD_NOT_YOURS');
  });

  it('is told of a change while it waits, and while it is queued: its ticket keeps its wait', async () => {
    const config = await configOf();
    await say('far', { mmr: 100 });
    await say('near', { mmr: 1_000 });
    for (const player of ['far', 'near']) {
      await create(config, player);
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    const before = await ask<LobbyView>(`GET lobbies/${config}/me`, { player: 'far' });
    expect(before.body.status).toBe('in_queue');
    await say('far', { mmr: 990 });
    await until(
      async () => (await ask<LobbyView>(`GET lobbies/${config}/me`, { player: 'far' })).body,
      ({ status }) => status === 'in_game',
    );
    expect(await stateOf(config, 'far')).toEqual({ mmr: 990 });
    // A match under way keeps the number it was made with, and its end brings the new one.
    await say('far', { mmr: 500 });
    expect(await stateOf(config, 'far')).toEqual({ mmr: 990 });
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'far' });
    await until(
      () => stateOf(config, 'far'),
      (state) => JSON.stringify(state) === '{"mmr":500}',
    );
  });

  it('forgets what a player wrote before the key was trusted, and learns what the backend says', async () => {
    const config = await configOf([]);
    await say('late', { mmr: 700 });
    await create(config, 'late', { mmr: 99_999 });
    expect(await stateOf(config, 'late')).toEqual({ mmr: 99_999 });
    await save(config, ['mmr']);
    const queued = await ask<LobbyView>(`POST lobbies/${config}/me/matchmaking`, {
      player: 'late',
      body: { mode: 'duel' },
    });
    expect(queued.body.players[0]?.state).toEqual({ mmr: 700 });
  });

  it('of a game that trusts nothing asks no record', async () => {
    const config = await configOf([]);
    await say('plain', { mmr: 1 });
    const { body } = await create(config, 'plain', { mmr: 5 });
    const row = await actorAt('lobby', body.id).row<object>('player:plain');
    expect(row).not.toHaveProperty('given');
    expect(await actorAt('lobby', body.id).row<object>('lobby')).not.toHaveProperty('claim');
    expect(await stateOf(config, 'plain')).toEqual({ mmr: 5 });
  });
});

it('keeps trusted keys, whatever bodies players send', async () => {
  const config = await configOf(['mmr', 'tier']);
  await say('fuzz', { mmr: 1_000 });
  const { body } = await create(config, 'fuzz');
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = new Random(seed, 7);
    const keys = ['mmr', 'tier', 'MMR', 'ready', '__proto__'].filter(() => random.chance(0.4));
    const state = Object.fromEntries(keys.map((key) => [key, random.pick([1, null, 'x', []])]));
    const line = random.pick([`PATCH lobbies/${config}/me`, `POST lobbies/${config}/join`]);
    const key = random.pick([CLIENT, SERVER]);
    const sent = { state, ...(line.startsWith('POST') ? { code: body.code } : {}) };
    const player = 'fuzz';
    const { status } = await ask(line, {
      player,
      key,
      body: JSON.stringify(sent),
      headers: { 'content-type': 'application/json' },
    });
    const isForbidden = keys.includes('mmr') || keys.includes('tier');
    expect(status, `seed ${seed}`).toBe(isForbidden ? 403 : 200);
    expect(await stateOf(config, 'fuzz')).toMatchObject({ mmr: 1_000 });
    expect(await stateOf(config, 'fuzz')).not.toHaveProperty('tier');
  }
});

describe('a claim of a token', () => {
  const secret = 's'.repeat(40);
  const settings = (body: object) => ask('POST projects/settings', { key: SERVER, body });

  beforeAll(async () => {
    await ask('POST projects/token-secrets', { key: SERVER, body: { secret } });
    await settings({ playerAuth: 'token', trusted: ['tier'] });
  });

  afterAll(async () => {
    await settings({ playerAuth: 'trust', trusted: [] });
  });

  const as = async (sub: string, attributes: unknown) => ({
    headers: { authorization: `Bearer ${await tokenOf(secret, { sub, claims: { attributes } })}` },
  });

  it('wins over the record for the stay, in trusted keys of the config and the project', async () => {
    const config = await configOf();
    await say('claimer', { mmr: 1, tier: 'iron' });
    const mine = await as('claimer', { mmr: 2_000, other: 1 });
    const created = await ask<LobbyView>(`POST lobbies/${config}`, {
      ...mine,
      body: { name: 'c' },
    });
    expect(created.body.players[0]?.state).toEqual({ mmr: 2_000, tier: 'iron' });
    await say('claimer', { mmr: 3, tier: 'gold' });
    await until(
      async () => (await ask<LobbyView>(`GET lobbies/${config}/me`, mine)).body.players[0]?.state,
      (state) => JSON.stringify(state) === JSON.stringify({ mmr: 2_000, tier: 'gold' }),
    );
  });

  it('must be an object of a size that fits', async () => {
    for (const wrong of ['text', [1], { a: 'x'.repeat(3_000) }]) {
      const { body } = await ask('GET lobbies/none/me', await as('claimer', wrong));
      expect(body.code).toBe('PLAYER_TOKEN_INVALID');
    }
  });

  it('comes with a token that Muster creates', async () => {
    const config = await configOf();
    const minted = await ask<{ token: string }>('POST players/minted/token', {
      key: SERVER,
      body: { attributes: { mmr: 1_750 } },
    });
    const headers = { authorization: `Bearer ${minted.body.token}` };
    const created = await ask<LobbyView>(`POST lobbies/${config}`, {
      headers,
      body: { name: 'c' },
    });
    expect(created.body.players[0]?.state).toEqual({ mmr: 1_750 });
  });
});
