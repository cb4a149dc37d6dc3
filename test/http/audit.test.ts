// The audit list: who did what, on what, when, and what came of it.

import { expect, it } from 'vitest';
import type { AuditPage } from '../../packages/js/src/journal-types.ts';
import { ask, askUnder, createLobby, freshConfig, joinLobby, saveConfig, SERVER } from './support';

const server = { key: SERVER };

async function page(query = ''): Promise<AuditPage> {
  return (await ask<AuditPage>(`GET audit${query}`, server)).body;
}

/** Kind, thing and outcome of what was done since, oldest first. */
async function doneBy(act: () => Promise<unknown>) {
  const before = (await page('?limit=1')).items[0]?.at ?? '';
  await act();
  const { items } = await page();
  return items
    .filter(({ at }) => at > before)
    .map(({ kind, on, detail }) => [kind, on, detail])
    .toReversed();
}

it('has saves of configs, builds and settings, with the fields that changed', async () => {
  const config = freshConfig();
  const modes = { matchmaking: { modes: { duel: {} } } };
  const closed = { closed: { message: 'Patch day', until: null } };
  const done = await doneBy(async () => {
    await saveConfig(config, {});
    await saveConfig(config, { ...modes, ...closed });
    await ask(`DELETE lobby-configs/${config}`, server);
    await ask('PUT builds/canary', { ...server, body: { label: '1.0' } });
    await ask('PUT builds/canary', { ...server, body: { label: '1.1' } });
    await ask('DELETE builds/canary', server);
    await ask('POST projects/settings', { ...server, body: closed });
    await ask('POST projects/settings', { ...server, body: { closed: false } });
  });
  expect(done).toEqual([
    ['config_saved', config, 'new'],
    ['config_saved', config, 'matchmaking, closed'],
    ['config_deleted', config, null],
    ['build_saved', 'canary', 'new'],
    ['build_saved', 'canary', 'label'],
    ['build_deleted', 'canary', null],
    ['settings_saved', null, 'closed'],
    ['settings_saved', null, 'closed'],
  ]);
});

it('has kicks, bans, ends, restarts, stops and attributes, and none that were refused', async () => {
  const config = freshConfig();
  const { id, code } = await createLobby(config, 'ann');
  await joinLobby(config, 'bob', code);
  const started = await ask<{ instance_id: string }>('POST servers/start', server);
  const { instance_id: instance } = started.body;
  const lobby = `admin/lobbies/${config}/${id}`;
  const done = await doneBy(async () => {
    await ask(`POST ${lobby}/kick`, { ...server, body: { playerId: 'eve' } });
    await ask(`POST ${lobby}/kick`, { ...server, body: { playerId: 'bob' } });
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    await ask(`POST ${lobby}/end-game`, server);
    await ask(`DELETE lobbies/${config}/${id}`, server);
    await ask(`DELETE lobbies/${config}/${id}`, server);
    await ask(`POST servers/${instance}/restart`, { ...server, body: { version: 99 } });
    await ask(`POST servers/${instance}/restart`, { ...server, body: {} });
    await ask(`DELETE servers/${instance}`, server);
    await ask(`DELETE servers/${instance}`, server);
    await ask('PUT bans/mal', { ...server, body: { config, reason: 'Aimbot' } });
    await ask('DELETE bans/mal', server);
    await ask('DELETE bans/mal', server);
    await ask('PATCH players/ann/attributes', { ...server, body: { attributes: { mmr: 9 } } });
    await ask('DELETE players/ann/attributes', server);
  });
  expect(done).toEqual([
    ['kicked', 'bob', config],
    ['game_ended', id, config],
    ['lobby_deleted', id, config],
    ['server_restarted', instance, 'build default'],
    ['server_stopped', instance, 'build default'],
    ['banned', 'mal', `from ${config}, Aimbot`],
    ['unbanned', 'mal', 'from everywhere'],
    ['attributes_deleted', 'ann', null],
  ]);
});

it('has the end of a season, and imports of ratings that change something', async () => {
  const config = freshConfig();
  const rating = { field: 'audited', system: 'openskill' };
  await saveConfig(config, { matchmaking: { modes: { duel: { rating } } } });
  const body = { config, mode: 'duel', season: 1, factor: 0.5 };
  const lines = '{"player":"ann","mu":25,"sigma":5,"games":3}\n';
  const done = await doneBy(async () => {
    await ask(`POST ratings/import?config=${config}&mode=duel`, { ...server, body: lines });
    await ask(`POST ratings/import?config=${config}&mode=duel`, { ...server, body: lines });
    await ask('POST ratings/seasons', { ...server, body: { ...body, season: 7 } });
    await ask('POST ratings/seasons', { ...server, body });
  });
  expect(done).toEqual([
    ['ratings_imported', config, 'mode duel, 1 changed'],
    ['season_ended', config, 'season 1, factor 0.5'],
  ]);
});

it('never has a secret, nor what the service did by itself', async () => {
  const secret = 'a secret of the backend that has enough characters';
  const done = await doneBy(async () => {
    const added = await ask<{ id: string }>('POST projects/token-secrets', {
      ...server,
      body: { secret },
    });
    await ask(`DELETE projects/token-secrets/${added.body.id}`, server);
    const steam = { publisherKey: 'f'.repeat(32), appId: 480, identity: 'muster' };
    await ask('PUT projects/logins/steam', { ...server, body: steam });
    // Makes the project's first seat keys.
    await ask('GET /.well-known/jwks.json?project=dev');
    await ask('POST projects/seat-keys', server);
  });
  const id = expect.any(String);
  expect(done).toEqual([
    ['secrets_changed', id, 'add token'],
    ['secrets_changed', id, 'remove token'],
    ['secrets_changed', 'steam', 'set login'],
    ['secrets_changed', null, 'rotate seats'],
  ]);
  expect(JSON.stringify(await page())).not.toMatch(/enough characters|ffffffff/);
});

it('names the key, and is filtered by who, what and on what, in pages', async () => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('a_key'));
  const key = { project: 'dev', kind: 'server', sha256: new Uint8Array(digest).toHex() };
  const API_KEYS = JSON.stringify([{ ...key, name: 'alice' }]);
  const config = freshConfig();
  for (let save = 0; save < 3; save += 1) {
    await saveConfig(config, {});
  }
  await askUnder({ API_KEYS }, `PUT lobby-configs/${config}`, { key: 'a_key', body: {} });
  const of = `kind=config_saved&on=${config}`;
  const all = await page(`?${of}`);
  expect(all.items.map(({ by }) => by === 'operator:alice')).toEqual([true, false, false, false]);
  expect(all.items[3]?.by).toMatch(/^operator:[0-9a-f]{8}$/);
  expect((await page(`?by=operator:alice&on=${config}`)).items).toEqual(all.items.slice(0, 1));
  const first = await page(`?${of}&limit=3`);
  const second = await page(`?${of}&limit=3&until=${first.next}`);
  expect([...first.items, ...second.items]).toEqual(all.items);
  expect([all.next, second.next]).toEqual([null, null]);
  expect((await ask('GET audit?kind=nothing', server)).status).toBe(400);
  expect((await ask('GET audit')).status).toBe(403);
});
