// What is saved although it is probably a mistake is said with the answer; beside security settings
// it is refused (decision 49).

import { describe, expect, it } from 'vitest';
import type { Build } from '../../src/fleet/build';
import type { Warning } from '../../src/common/shape';
import { ask, createLobby, freshConfig, SERVER } from './support';

interface Saved {
  readonly warnings: readonly Warning[];
}

const UNKNOWN = 'is unknown and has no effect';
const NO_BUILD = 'no build has this name, so games fail until one is saved';

const put = (path: string, body: object) => ask<Saved>(`PUT ${path}`, { key: SERVER, body });

describe('a config', () => {
  const body = {
    timeuot: 5,
    serverSettings: { gameBuild: 'defualt' },
    matchmaking: { modes: { duel: { playersPerTeams: 3 } } },
  };
  const warnings = [
    { path: 'timeuot', message: UNKNOWN, didYouMean: 'timeout' },
    {
      path: 'matchmaking.modes.duel.playersPerTeams',
      message: UNKNOWN,
      didYouMean: 'playersPerTeam',
    },
    { path: 'serverSettings.gameBuild', message: NO_BUILD, didYouMean: 'default' },
  ];

  it('with unknown fields and without its build is saved, and the answer says so', async () => {
    const name = freshConfig();
    const saved = await put(`lobby-configs/${name}`, body);
    expect([saved.status, saved.body.warnings]).toEqual([200, warnings]);
    const read = await ask<Saved>(`GET lobby-configs/${name}`, { key: SERVER });
    expect(read.body).not.toHaveProperty('warnings');
    expect(read.body).toMatchObject({ timeout: 300, serverSettings: { gameBuild: 'defualt' } });
    // An answer can be sent again, and says nothing of what was dropped.
    const again = await put(`lobby-configs/${name}`, saved.body);
    expect(again.body.warnings.map(({ path }) => path)).toEqual(['serverSettings.gameBuild']);
    await put('builds/defualt', {});
    expect((await put(`lobby-configs/${name}`, read.body)).body.warnings).toEqual([]);
    expect((await ask('DELETE builds/defualt', { key: SERVER })).status).toBe(200);
    const [first] = (
      await ask<{ items: readonly { readonly revision: number }[] }>(
        `GET lobby-configs/${name}/history`,
        { key: SERVER },
      )
    ).body.items;
    const line = `POST lobby-configs/${name}/history/${first?.revision}/restore`;
    expect((await ask<Saved>(line, { key: SERVER })).body.warnings).toEqual(warnings.slice(2));
  });

  it('among several is named by its place', async () => {
    const configs = [{ name: freshConfig() }, { name: freshConfig(), ...body }];
    const asked = { key: SERVER, body: { lobby_configs: configs } };
    const saved = await ask<Saved>('POST projects/settings', asked);
    expect([saved.status, saved.body.warnings]).toEqual([
      200,
      warnings.map((each) => ({ ...each, path: `lobby_configs[1].${each.path}` })),
    ]);
  });

  it('is checked for it before it is saved', async () => {
    const asked = { key: SERVER, body: { name: freshConfig(), config: body } };
    const checked = await ask<Saved>('POST admin/check-config', asked);
    expect(checked.body).toMatchObject({ issues: [], warnings });
  });
});

it('a build with unknown fields is saved, and the answer says so', async () => {
  const name = freshConfig();
  const body = { launch: { comand: './game' } };
  const warnings = [{ path: 'launch.comand', message: UNKNOWN, didYouMean: 'command' }];
  const asked = { key: SERVER, body: { name, build: body } };
  const checked = await ask<Saved>('POST admin/check-build', asked);
  expect(checked.body).toEqual({ issues: [], warnings });
  const saved = await ask<Saved & Build>(`PUT builds/${name}`, { key: SERVER, body });
  expect([saved.status, saved.body.warnings, saved.body.launch]).toEqual([200, warnings, {}]);
});

it.each([
  [
    'projects/settings',
    { playerAuht: 'token' },
    'playerAuht: is unknown; did you mean playerAuth?',
  ],
  [
    'projects/settings',
    { configs: [], playerTokens: { jwksURI: null } },
    'configs: is unknown; did you mean lobby_configs?; ' +
      'playerTokens.jwksURI: is unknown; did you mean jwksUrl?',
  ],
  [
    'projects/token-secrets',
    { secrets: 'x'.repeat(40) },
    'secrets: is unknown; did you mean secret?',
  ],
  ['players/ann/token', { ttl: 60, audience: 'x' }, 'audience: is unknown'],
])('beside security settings an unknown field is refused: %s %j', async (path, body, detail) => {
  const before = await ask<object>('GET projects/settings', { key: SERVER });
  const refused = await ask(`POST ${path}`, { key: SERVER, body });
  expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(refused.body.detail.split('; ').toSorted()).toEqual(detail.split('; ').toSorted());
  expect((await ask<object>('GET projects/settings', { key: SERVER })).body).toEqual(before.body);
});

it('the settings of a project can be sent as they were read', async () => {
  const read = await ask<object>('GET projects/settings', { key: SERVER });
  const saved = await ask<Saved>('POST projects/settings', { key: SERVER, body: read.body });
  const unknown = saved.body.warnings.filter(({ message }) => message === UNKNOWN);
  expect([saved.status, unknown]).toEqual([200, []]);
});

it('who queues for a mode that is not there is told which are', async () => {
  const config = freshConfig();
  await put(`lobby-configs/${config}`, { matchmaking: { modes: { duel: {}, ranked: {} } } });
  await createLobby(config, 'ann');
  const asked = { player: 'ann', body: { mode: 'Duel' } };
  const refused = await ask(`POST lobbies/${config}/me/matchmaking`, asked);
  expect([refused.body.code, refused.body.detail]).toEqual([
    'MODE_NOT_FOUND',
    `Config ${config} has no mode Duel; it has duel, ranked`,
  ]);
});
