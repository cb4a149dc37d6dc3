import { describe, expect, it } from 'vitest';
import type { BuildPage } from '../../packages/js/src/admin-types.ts';
import type { Build } from '../../src/fleet/build';
import type { LobbyConfig } from '../../src/lobby/config';
import {
  ask,
  CLIENT,
  createLobby,
  freshConfig,
  SERVER,
  type Answered,
  type Problem,
} from './support';

const asked = { key: SERVER };

interface Settings {
  readonly lobby_configs: readonly LobbyConfig[];
}

function put<T = LobbyConfig>(name: string, body: object, headers = {}): Promise<Answered<T>> {
  return ask<T>(`PUT lobby-configs/${name}`, { ...asked, body, headers });
}

describe('one lobby config', () => {
  // shows: S53, S56, S58, D33b
  it('is saved with every default filled in, read, and removed', async () => {
    const name = freshConfig();
    const saved = await put(name, { timeout: 60, matchmaking: { modes: { duel: {} } } });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({
      id: expect.any(String),
      name,
      enabled: true,
      timeout: 60,
      serverSettings: { serverSize: 'small', gameBuild: null },
      hostLeaveBehavior: 'promote',
      heartbeat: false,
      customProperties: {},
    });
    expect(saved.body.matchmaking.modes['duel']).toMatchObject({ teams: 2, playersPerTeam: 1 });
    const read = await ask<LobbyConfig>(`GET lobby-configs/${name}`, asked);
    expect([read.status, { ...read.body, warnings: [] }]).toEqual([200, saved.body]);
    expect(read.headers.get('etag')).toMatch(/^"\d+"$/);
    const byId = await ask<LobbyConfig>(`GET lobby-configs/${saved.body.id}`, asked);
    expect(byId.body).toEqual(read.body);
    const list = await ask<Settings>('GET lobby-configs', asked);
    expect(list.body.lobby_configs).toContainEqual(read.body);
    const removed = await ask<object>(`DELETE lobby-configs/${name}`, asked);
    expect([removed.status, removed.body]).toEqual([200, { status: 'config_deleted', name }]);
    for (const method of ['GET', 'DELETE']) {
      const gone = await ask(`${method} lobby-configs/${name}`, asked);
      expect([gone.status, gone.body.code]).toEqual([404, 'CONFIG_NOT_FOUND']);
    }
  });

  it('is replaced as a whole, under its id', async () => {
    const name = freshConfig();
    const first = await put(name, { timeout: 60 });
    const second = await put(name, { heartbeat: true });
    expect([second.body.id, second.body.timeout]).toEqual([first.body.id, 300]);
    expect(second.body.revision).toBeGreaterThan(first.body.revision);
  });

  // shows: S67, S100, S234, S238, D33c
  it.each([
    [{ timeout: 0 }, 'timeout'],
    [{ inviteCodeConfig: { type: 'numeric', length: 17 } }, 'inviteCodeConfig.length'],
    [{ hostLeaveBehavior: 'explode' }, 'hostLeaveBehavior'],
    [
      {
        matchmaking: {
          modes: { ranked: { rules: [{ type: 'equals', field: 'a' }, { type: 'x' }] } },
        },
      },
      'matchmaking.modes.ranked.rules[1]',
    ],
    [
      { matchmaking: { modes: { ranked: { rules: [{ type: 'expression', cel: 'a +' }] } } } },
      'matchmaking.modes.ranked.rules[0].cel',
    ],
    [
      { matchmaking: { modes: { ranked: { useVersionFromState: 'version' } } } },
      'matchmaking.modes.ranked.useVersionFromState',
    ],
    [{ matchmaking: { modes: { ranked: { minTeams: 3 } } } }, 'matchmaking.modes.ranked.minTeams'],
  ])('that says %j is a 400 which says where, and saves nothing', async (body, where) => {
    const name = freshConfig();
    const { status, body: refused } = await put<Problem>(name, body);
    expect([status, refused.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.detail).toContain(where);
    expect((await ask(`GET lobby-configs/${name}`, asked)).status).toBe(404);
  });

  it('wants a name it can have', async () => {
    for (const name of ['a%2Fb', 'x'.repeat(65)]) {
      expect((await put<Problem>(name, {})).body.code).toBe('VALIDATION_ERROR');
    }
  });

  // shows: S62
  it('is seen at once by the next lobby', async () => {
    const name = freshConfig();
    expect((await createLobby(name, 'ann')).customProperties).toEqual({});
    await put(name, { customProperties: { season: 1 } });
    expect((await createLobby(name, 'bob')).customProperties).toEqual({ season: 1 });
    await put(name, { enabled: false, customProperties: { season: 2 } });
    expect((await createLobby(name, 'eve')).customProperties).toEqual({});
  });
});

describe('If-Match', () => {
  it('lets one of two editors win', async () => {
    const name = freshConfig();
    const { headers } = await put(name, {});
    const etag = headers.get('etag') ?? '';
    const won = await put(name, { timeout: 60 }, { 'if-match': etag });
    expect(won.status).toBe(200);
    expect(won.headers.get('etag')).not.toBe(etag);
    const lost = await put<Problem>(name, { timeout: 90 }, { 'if-match': etag });
    expect([lost.status, lost.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    const removal = await ask(`DELETE lobby-configs/${name}`, {
      ...asked,
      headers: { 'if-match': etag },
    });
    expect(removal.status).toBe(412);
    const settings = await ask('POST projects/settings', {
      ...asked,
      headers: { 'if-match': etag },
      body: { lobby_configs: [{ name }] },
    });
    expect(settings.status).toBe(412);
    const read = await ask<LobbyConfig>(`GET lobby-configs/${name}`, asked);
    expect([read.body.timeout, read.headers.get('etag')]).toEqual([60, won.headers.get('etag')]);
  });
});

describe('the project settings', () => {
  // shows: D33a
  it('save the configs that are given, and leave the others', async () => {
    const [one, two] = [freshConfig(), freshConfig()];
    await put(one, { timeout: 60 });
    const saved = await ask<Settings>('POST projects/settings', {
      ...asked,
      body: { lobby_configs: [{ name: two, timeout: 90 }] },
    });
    expect(saved.status).toBe(200);
    const timeouts = ({ lobby_configs }: Settings): object =>
      Object.fromEntries(lobby_configs.map(({ name, timeout }) => [name, timeout]));
    expect(timeouts(saved.body)).toMatchObject({ [one]: 60, [two]: 90 });
    const read = await ask<Settings>('GET projects/settings', asked);
    expect({ ...read.body, warnings: [] }).toEqual(saved.body);
    const unchanged = await ask<Settings>('POST projects/settings', asked);
    expect(unchanged.body.lobby_configs).toEqual(read.body.lobby_configs);
    const whole = await ask<Settings>('POST projects/settings', { ...asked, body: read.body });
    expect(timeouts(whole.body)).toEqual(timeouts(read.body));
  });

  // shows: D5d, D33c
  it('are all or nothing, and say where', async () => {
    const [one, two] = [freshConfig(), freshConfig()];
    const refused = async (configs: unknown): Promise<string> => {
      const body = { lobby_configs: configs };
      const answer = await ask('POST projects/settings', { ...asked, body });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      return answer.body.detail;
    };
    expect(await refused([{ name: one }, { name: two, timeout: -1 }])).toMatch(
      /^lobby_configs\[1\]\.timeout: /,
    );
    expect(await refused([{ name: one }, { name: one }])).toMatch(/^lobby_configs\[1\]\.name: /);
    expect(await refused([{}])).toMatch(/^lobby_configs\[0\]\.name: /);
    expect(await refused({})).toMatch(/^lobby_configs: /);
    expect(await refused([7])).toMatch(/^lobby_configs\[0\]: /);
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `${one}-${index}` }));
    expect(await refused(many)).toMatch(/20/);
    expect((await ask(`GET lobby-configs/${one}`, asked)).status).toBe(404);
  });
});

describe('builds', () => {
  // shows: D34b
  it('begin with the default one', async () => {
    const { status, body } = await ask<{ builds: readonly Build[] }>('GET builds', asked);
    expect(status).toBe(200);
    expect(body.builds.find(({ name }) => name === 'default')).toMatchObject({ status: 'ready' });
  });

  // shows: D34a, D38a
  it('are saved, listed and removed', async () => {
    const name = freshConfig();
    const body = { label: '1.2', status: 'not ready', launch: { image: 'game:1.2' } };
    const saved = await ask<Build>(`PUT builds/${name}`, { ...asked, body });
    const image = { image: 'game:1.2' };
    const build = { name, version: 1, label: '1.2', status: 'not_ready', launch: image, ports: [] };
    expect([saved.status, saved.body]).toEqual([200, { ...build, warnings: [] }]);
    const list = await ask<{ builds: readonly Build[] }>('GET builds', asked);
    expect(list.body.builds).toContainEqual(build);
    const again = await ask<Build>(`PUT builds/${name}`, { ...asked, body: saved.body });
    expect(again.body).toEqual({ ...build, version: 2, warnings: [] });
    const removed = await ask<object>(`DELETE builds/${name}`, asked);
    expect([removed.status, removed.body]).toEqual([200, { status: 'build_deleted', name }]);
    const gone = await ask(`DELETE builds/${name}`, asked);
    expect([gone.status, gone.body.code]).toEqual([404, 'BUILD_NOT_FOUND']);
  });

  it('are read one by one, by name and in pages', async () => {
    const [one, two] = [freshConfig(), freshConfig()];
    const saved = await ask<Build>(`PUT builds/${one}`, { ...asked, body: {} });
    await ask(`PUT builds/${two}`, { ...asked, body: {} });
    const { warnings: _, ...build } = saved.body as Build & { readonly warnings: unknown };
    expect(await ask(`GET builds/${one}`, asked)).toMatchObject({ status: 200, body: build });
    expect((await ask(`GET builds/${one}`, asked)).body).not.toHaveProperty('warnings');
    const checked = await ask(`GET builds/${one}?check=true`, asked);
    expect(checked.body).toEqual({ ...build, warnings: [] });
    await ask(`PUT builds/${two}`, { ...asked, body: { launch: { fleet: 'elsewhere' } } });
    const without = await ask(`GET builds/${two}?check=true`, asked);
    expect(without.body).toMatchObject({
      warnings: [{ path: 'launch', message: 'There is no fleet elsewhere', didYouMean: null }],
    });
    // A check makes agents fetch images, and a viewer only reads.
    const made = { ...asked, body: { name: `viewer-of-${one}` } };
    const { key } = (await ask<{ readonly key: string }>('POST projects/keys', made)).body;
    const seen = await ask(`GET builds/${two}?check=true`, { key });
    expect([seen.status, 'warnings' in seen.body]).toEqual([200, false]);
    expect((await ask(`GET builds/${one}?check=soon`, asked)).status).toBe(400);
    const none = await ask(`GET builds/${freshConfig()}`, asked);
    expect([none.status, none.body.code]).toEqual([404, 'BUILD_NOT_FOUND']);
    expect((await ask('GET builds/constructor', asked)).status).toBe(404);
    expect((await ask(`GET builds/${one}`, { key: CLIENT })).status).toBe(403);
    const listed = async (query: string): Promise<BuildPage> => {
      return (await ask<BuildPage>(`GET builds${query}`, asked)).body;
    };
    const { builds: all, ...whole } = await listed('');
    expect(whole).toEqual({ total: all.length, limit: 200, offset: 0, has_more: false });
    const page = { total: 1, limit: 200, offset: 0, has_more: false };
    expect(await listed(`?name=${one}`)).toEqual({ builds: [build], ...page });
    expect(await listed('?name=nobody')).toEqual({ builds: [], ...page, total: 0 });
    expect(await listed('?limit=1&offset=1')).toEqual({
      builds: all.slice(1, 2),
      total: all.length,
      limit: 1,
      offset: 1,
      has_more: all.length > 2,
    });
    for (const wrong of ['limit=0', 'limit=201', 'offset=-1', 'limit=x']) {
      expect((await ask(`GET builds?${wrong}`, asked)).status).toBe(400);
    }
  });

  it('say where they are wrong', async () => {
    const { status, body } = await ask(`PUT builds/${freshConfig()}`, {
      ...asked,
      body: { status: 'soon', launch: { env: { 'a b': '1' } } },
    });
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.detail).toMatch(/status: .*launch\.env/);
    expect((await ask('DELETE builds/a%2Fb', asked)).status).toBe(400);
  });
});
