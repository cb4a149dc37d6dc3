// What only the dashboard asks, and the live view of a project.

import type { Overview } from '../../packages/js/src/dashboard-types';
import { describe, expect, it } from 'vitest';
import type { Readings } from '../../src/http/operators/readings';
import type { Preview } from '../../packages/js/src/dashboard-types';
import type { Issue } from '../../src/common/shape';
import { WAIT_BINS } from '../../src/common/limits';
import { Stream } from './stream';
import { ask, createLobby, fetchRaw, freshConfig, saveConfig, SERVER, until } from './support';

interface Snapshot<View extends keyof Readings> {
  readonly at: number;
  readonly data: Readings[View];
}

async function watch(query: string): Promise<Stream> {
  return new Stream(await fetchRaw(`GET admin/events?${query}`, { key: SERVER }));
}

/** The first snapshot of that view that fits. */
async function seen<View extends keyof Readings>(
  view: View,
  query: string,
  fits: (data: Readings[View]) => boolean,
): Promise<Readings[View]> {
  const stream = await watch(`view=${view}&${query}`);
  const told = await stream.next('snapshot', (snapshot) =>
    fits((snapshot as unknown as Snapshot<View>).data),
  );
  await stream.leave();
  return (told as unknown as Snapshot<View>).data;
}

async function queue(config: string, player: string, state: object): Promise<string> {
  const { id } = await createLobby(config, player, { state });
  await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  return id;
}

const DUEL = {
  timeout: 600,
  rules: [
    { type: 'difference', field: 'mmr', maxDifference: 100 },
    { type: 'equals', field: 'map' },
    { type: 'expression', cel: 'a.partySize == b.partySize' },
  ],
};

describe('checking a config', () => {
  const check = async (config: object): Promise<readonly Issue[]> => {
    const asked = { key: SERVER, body: { name: 'arena', config } };
    const answer = await ask<{ issues: readonly Issue[] }>('POST admin/check-config', asked);
    expect(answer.status).toBe(200);
    return answer.body.issues;
  };

  it('says all that a save would be refused for, where it is, and saves nothing', async () => {
    const rules = [
      { type: 'difference', field: '', maxDifference: 1 },
      { type: 'expression', cel: 'a.x +' },
    ];
    const issues = await check({ timeout: 0, matchmaking: { modes: { duel: { rules } } } });
    expect(issues.map(({ path }) => path)).toEqual([
      'timeout',
      'matchmaking.modes.duel.rules[0].field',
      'matchmaking.modes.duel.rules[1].cel',
    ]);
    expect((await ask('GET lobby-configs/arena', { key: SERVER })).status).toBe(404);
  });

  it('finds nothing wrong with what can be saved', async () => {
    expect(await check({ matchmaking: { modes: { duel: DUEL } } })).toEqual([]);
  });

  it('is for the server key alone', async () => {
    expect((await ask('POST admin/check-config', { body: {} })).status).toBe(403);
  });

  it('answers a save that is refused with the same issues', async () => {
    const asked = { key: SERVER, body: { timeout: 0 } };
    const { body } = await ask<{ issues: readonly Issue[] }>('PUT lobby-configs/arena', asked);
    expect(body.issues).toEqual([{ path: 'timeout', message: 'must be at least 1' }]);
  });
});

describe('previewing a match', () => {
  const preview = async (a: object, b: object, mode: object = DUEL): Promise<Preview> => {
    const answer = await ask<Preview>('POST admin/preview', { key: SERVER, body: { mode, a, b } });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('matches two that fit', async () => {
    const state = { mmr: 1000, map: 'ice' };
    expect(await preview({ state }, { state: { ...state, mmr: 1100 } })).toMatchObject({
      refused: { a: null, b: null },
      matchesNow: true,
      passInSeconds: 0,
      rules: [{ passes: true }, { passes: true }, { passes: true }],
    });
  });

  it('says which rules reject, by what values, and when waiting will help', async () => {
    const found = await preview(
      { state: { mmr: 1000, map: 'ice' }, waitSeconds: 60 },
      { state: { mmr: 1150, map: 'ice' } },
    );
    expect(found.rules[0]).toEqual({
      index: 0,
      type: 'difference',
      passes: false,
      because: 'mmr within 100: 150 apart, 110 allowed now',
    });
    // 100 x (1 + wait / 600) reaches 150 at 300 s (spec: Rule semantics 3).
    expect([found.matchesNow, found.passInSeconds]).toEqual([false, 240]);
  });

  it('says never when no waiting will help', async () => {
    const found = await preview({ state: { mmr: 1, map: 'ice' } }, { state: { mmr: 1 } });
    expect(found).toMatchObject({ matchesNow: false, passInSeconds: null });
    expect(found.rules[1]).toMatchObject({ passes: false, because: 'same map: ice and missing' });
  });

  it('takes a player whom nothing has rated as a new one, as the queue does', async () => {
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 100 }];
    const mode = { rating: { field: 'mmr', system: 'openskill' }, rules };
    const found = await preview({ state: { mmr: 1050 } }, {}, mode);
    expect(found.rules[0]?.because).toBe('mmr within 100: 50 apart, 100 allowed now');
    expect(found.matchesNow).toBe(true);
    expect((await preview({ state: { mmr: 1050 } }, {}, { rules })).matchesNow).toBe(false);
  });

  it('tells rules from sizes: they pass, and are too few', async () => {
    const mode = { teams: 2, playersPerTeam: 5, maxPartySize: 5 };
    const found = await preview({ players: 3 }, { players: 4 }, mode);
    expect(found).toMatchObject({
      matchesNow: false,
      passInSeconds: 0,
      players: 7,
      matchPlayers: 10,
    });
    expect(await preview({ players: 5 }, { players: 5 }, mode)).toMatchObject({ matchesNow: true });
  });

  it('says why a lobby cannot even queue', async () => {
    const found = await preview({ players: 2 }, {});
    expect(found.refused.a).toMatch(/at most 1 may queue together/);
    expect([found.refused.b, found.matchesNow, found.rules]).toEqual([null, false, []]);
  });

  it('refuses a mode that is wrong, and says where', async () => {
    const body = { mode: { teams: 0 }, a: {}, b: {} };
    const answer = await ask<{ issues: unknown }>('POST admin/preview', { key: SERVER, body });
    expect([answer.status, answer.body.issues]).toEqual([
      400,
      [{ path: 'mode.teams', message: 'must be at least 1' }],
    ]);
  });
});

describe('the live view', () => {
  it('wants the server key, in its header', async () => {
    expect((await ask('GET admin/events?view=overview')).status).toBe(403);
    const query = `view=overview&api-key=${SERVER}`;
    expect((await ask(`GET admin/events?${query}`, { key: null })).status).toBe(401);
  });

  it.each(['view=nothing', 'view=queue&config=x', 'view=lobbies', 'view=lobbies&config=a/b'])(
    'refuses %s',
    async (query) => {
      expect((await ask(`GET admin/events?${query}`, { key: SERVER })).status).toBe(400);
    },
  );

  it('shows the project at once, and again when it has changed', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: DUEL } } });
    const stream = await watch('view=overview');
    const of = (data: Overview): Overview['configs'][number] | undefined =>
      data.configs.find(({ name }) => name === config);
    const first = await stream.next('snapshot');
    expect(of((first as unknown as Snapshot<'overview'>).data)).toEqual({
      name: config,
      saved: true,
      enabled: true,
      closed: null,
      census: { byStatus: {}, players: 0, matches: 0, privates: 0, privateIds: [] },
      modes: [
        { name: 'duel', stats: { playersSearching: 0, lobbiesInQueue: 0, avgWaitSeconds: 0 } },
      ],
    });
    const hidden = await createLobby(config, 'hidden', { isPrivate: true });
    await queue(config, 'ann', { mmr: 1, map: 'ice' });
    const later = await stream.next('snapshot', (snapshot) => {
      const now = of((snapshot as unknown as Snapshot<'overview'>).data);
      return now?.census.byStatus.in_queue === 1 && now.census.privates === 1;
    });
    const data = of((later as unknown as Snapshot<'overview'>).data);
    expect(data?.census.privateIds).toEqual([hidden.id]);
    expect(data?.modes[0]?.stats.playersSearching).toBe(1);
    await stream.leave();
  });

  it('shows configs that are only used, not saved', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const overview = await seen('overview', '', ({ configs }) =>
      configs.some(({ name }) => name === config),
    );
    expect(overview.configs.find(({ name }) => name === config)?.saved).toBe(false);
  });

  it('shows a config that comes into use while the page is open', async () => {
    const config = freshConfig();
    const stream = await watch('view=overview');
    await stream.next('snapshot');
    await createLobby(config, 'ann');
    await stream.next('snapshot', (snapshot) =>
      (snapshot as unknown as Snapshot<'overview'>).data.configs.some(
        ({ name, census }) => name === config && census.byStatus.waiting === 1,
      ),
    );
    await stream.leave();
  });

  it('shows a lobby, and that it is gone', async () => {
    const config = freshConfig();
    const { id } = await createLobby(config, 'ann', { state: { mmr: 7 } });
    const stream = await watch(`view=lobby&config=${config}&lobby=${id}`);
    const first = (await stream.next('snapshot')) as unknown as Snapshot<'lobby'>;
    expect(first.data.lobby?.players[0]?.state).toEqual({ mmr: 7 });
    await ask(`DELETE lobbies/${config}/${id}`, { key: SERVER });
    const gone = (await stream.next('snapshot')) as unknown as Snapshot<'lobby'>;
    expect(gone.data.lobby).toBe(null);
    await stream.leave();
  });

  it('lists the lobbies of a config by status', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: DUEL } } });
    const { id } = await createLobby(config, 'ann');
    await queue(config, 'bob', { mmr: 1, map: 'ice' });
    const { page } = await seen(
      'lobbies',
      `config=${config}&status=waiting`,
      ({ census }) => census.byStatus.in_queue === 1,
    );
    expect(page.lobbies.map((lobby) => lobby.id)).toEqual([id]);
  });

  it('explains why a ticket waits, rule by rule', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: DUEL } } });
    const eldest = await queue(config, 'a', { mmr: 1000, map: 'ice' });
    await queue(config, 'b', { mmr: 3000, map: 'ice' });
    await queue(config, 'c', { mmr: 5000, map: 'sun' });
    const { report, saved } = await seen(
      'queue',
      `config=${config}&mode=duel`,
      (data) => data.report.oldest.length === 3,
    );
    expect(saved).toBe(true);
    expect(report.oldest.map(({ lobbyId }) => lobbyId)[0]).toBe(eldest);
    expect(report.oldest[0]).toMatchObject({ players: 1, state: { mmr: 1000 }, taken: false });
    expect(report.explanation).toMatchObject({
      ticketId: report.oldest[0]?.id,
      lobbyId: eldest,
      others: 2,
      eligible: 0,
      rules: [
        { rejects: 2, rejectsAlone: 1, nearest: { gap: 2000 } },
        { rejects: 1, rejectsAlone: 0 },
        { rejects: 0, rejectsAlone: 0 },
      ],
    });
    expect(report.waits).toHaveLength(WAIT_BINS.length + 1);
    expect(report.waits.reduce((sum, count) => sum + count, 0)).toBe(3);
    const other = report.oldest[2]?.id ?? '';
    const chosen = await seen('queue', `config=${config}&mode=duel&ticket=${other}`, () => true);
    expect(chosen.report.explanation).toMatchObject({
      ticketId: other,
      rules: [{ rejects: 2 }, { rejects: 2, rejectsAlone: 0 }, { rejects: 0 }],
    });
  });

  it('shows the matches a queue has formed', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: DUEL } } });
    const ids = [
      await queue(config, 'a', { mmr: 1000, map: 'ice' }),
      await queue(config, 'b', { mmr: 1001, map: 'ice' }),
    ];
    const matchId = await until(
      async () =>
        (await ask<{ matchId: string | null }>(`GET lobbies/${config}/me`, { player: 'a' })).body
          .matchId,
      (id) => id !== null,
    );
    const { report } = await seen(
      'queue',
      `config=${config}&mode=duel`,
      (data) => data.report.recent.length === 1,
    );
    expect(report.recent[0]).toMatchObject({
      matchId,
      kind: 'new',
      full: true,
      region: 'us-east',
      lobbies: 2,
      players: 2,
      lobbyIds: ids,
    });
    expect([report.oldest, report.explanation]).toEqual([[], null]);
  });

  it('shows configs and builds, and servers', async () => {
    const config = freshConfig();
    await saveConfig(config, { timeout: 5 });
    const project = await seen('project', '', ({ configs }) => config in configs);
    expect(project.configs[config]?.timeout).toBe(5);
    expect(project.builds['default']?.status).toBe('ready');
    const started = await ask<{ instance_id: string }>('POST servers/start', { key: SERVER });
    const { page } = await seen('servers', '', ({ page: { servers } }) =>
      servers.some(({ instance_id: id }) => id === started.body.instance_id),
    );
    expect(page.total).toBeGreaterThan(0);
  });

  it('shows the servers of a build by how they are, and stops all that live', async () => {
    const asked = { key: SERVER };
    await ask('PUT builds/season', { ...asked, body: {} });
    const body = { version_tag: 'season', region: 'eu-west' };
    await ask('POST servers/start', { ...asked, body });
    await ask('POST servers/start', { ...asked, body: { ...body, region: 'us-east' } });
    await ask('POST servers/start', asked);
    const running = { state: 'running', build: 'season', fleet: 'fleet', count: 1 };
    const query = 'build=season&region=eu-west&fleet=fleet&state=running';
    const { page, groups } = await seen(
      'servers',
      query,
      (now) =>
        now.page.total === 1 &&
        now.groups.filter(({ build, state }) => build === 'season' && state === 'running')
          .length === 2,
    );
    expect(page).toMatchObject({ total: 1, servers: [{ region: 'eu-west' }] });
    expect(groups.filter(({ build }) => build === 'season')).toEqual(
      expect.arrayContaining([
        { ...running, region: 'eu-west' },
        { ...running, region: 'us-east' },
      ]),
    );
    const stopped = await ask('POST admin/servers/stop', { ...asked, body: { build: 'season' } });
    expect(stopped.body).toEqual({ stopped: 2, left: 0 });
    await seen('servers', 'build=season', (now) => now.page.total === 0);
    const all = await seen('servers', 'state=all&build=season', (now) => now.page.total === 2);
    expect(all.page.servers.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
    expect(all.groups.find(({ build }) => build === 'default')?.state).toBe('running');
  });
});
