// What happened, and why, as operators read it (record 0024).

import type { AttentionView } from '../../packages/js/src/attention-types';
import type { SearchSeen, Trends } from '../../packages/js/src/dashboard-types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { controlled } from '../support/simulated';
import type {
  Happening,
  MatchSummary,
  Match,
  PlayerSeen,
} from '../../packages/js/src/journal-types.ts';
import type { ConfigRevision } from '../../packages/js/src/admin-types.ts';
import { metrics } from '../../src/common/metrics';
import { report } from '../objects/servers';
import { actorAt } from '../support/actors';
import {
  ask,
  CLIENT,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

const fleet = controlled;
const asked = { key: SERVER };

afterEach(() => {
  vi.restoreAllMocks();
});

async function get<T>(path: string): Promise<T> {
  const { status, body } = await ask<T>(`GET ${path}`, asked);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function history(config: string, id: string): Promise<readonly Happening[]> {
  const path = `lobbies/${config}/${id}/history`;
  return (await get<{ readonly items: readonly Happening[] }>(path)).items;
}

function kinds(items: readonly Happening[]): readonly string[] {
  return items.map(({ kind }) => kind);
}

async function queue(config: string, player: string, state: object = {}): Promise<string> {
  const { id } = await createLobby(config, player, { state });
  await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  return id;
}

/** Ann and Bob in a match; answers its id. */
async function matched(config: string, mode: object = {}): Promise<string> {
  await saveConfig(config, { matchmaking: { modes: { duel: mode } } });
  await queue(config, 'ann', { mmr: 1500 });
  await queue(config, 'bob', { mmr: 1450 });
  const { matchId } = await until(
    () => mine(config, 'ann'),
    ({ matchId: id }) => id !== null,
  );
  return matchId ?? '';
}

describe('a match', () => {
  it('is read with who met, what the rules saw, and how it went on', async () => {
    const config = freshConfig();
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 100 }];
    const id = await matched(config, { rules });
    await until(
      () => mine(config, 'ann'),
      ({ server }) => server?.status === 'running',
    );
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'bob' });
    const match = await until(
      () => get<Match>(`matches/${id}`),
      ({ outcome }) => outcome === 'ended',
    );
    expect(match).toMatchObject({ id, config, mode: 'duel', reason: 'ended_by_host' });
    expect(match.rules).toEqual([{ rule: 'mmr within 100', values: [1500, 1450] }]);
    const all = match.teams.flatMap(({ lobbies }) => lobbies);
    const waits = all.map(({ waitedSeconds }) => waitedSeconds).toSorted((a, b) => a - b);
    expect(match.quality).toEqual({ gap: 50, waits: { p50: waits[0], max: waits[1] } });
    const players = all.flatMap((lobby) => lobby.players);
    expect(players).toEqual([
      { id: 'ann', role: null },
      { id: 'bob', role: null },
    ]);
    expect(kinds(match.history)).toEqual([
      'formed',
      'launching',
      ...kinds(match.history).filter((kind) => kind.startsWith('server_')),
      'ended',
    ]);
    expect(match.history.at(-1)?.by).toBe('player:bob');
    expect(match.runningAt).not.toBeNull();
    expect(match.server?.detail).toBeNull();
  });

  it('that failed says so in the list, with the reason and what the fleet said', async () => {
    vi.spyOn(fleet, 'inspect').mockResolvedValue({ state: 'launching', ports: [] });
    const config = freshConfig();
    const id = await matched(config);
    const { server } = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'in_game',
    );
    const launching = await get<{ readonly items: readonly MatchSummary[] }>(
      `matches?config=${config}&outcome=launching`,
    );
    expect(launching.items).toMatchObject([{ id, outcome: 'launching' }]);
    const hangs = await get<Match>(`matches/${id}`);
    expect(hangs).toMatchObject({ outcome: 'launching', runningAt: null });
    await report(server?.instance_id ?? '', { status: 'stopped', exit_code: 127, output: 'x' });
    const path = `matches?config=${config}&outcome=failed`;
    const { items } = await until(
      () => get<{ readonly items: readonly MatchSummary[] }>(path),
      (list) => list.items.length > 0,
    );
    expect(items).toMatchObject([{ id, reason: 'launch_failed', players: 2, short: false }]);
    const detail = 'The server ended before it ran: exit code 127; its last words: x';
    const match = await get<Match>(`matches/${id}`);
    expect(match).toMatchObject({ outcome: 'failed', detail, server: { exitCode: 127, detail } });
    const other = await get<{ readonly items: readonly MatchSummary[] }>(
      `matches?config=${config}&outcome=running`,
    );
    expect(other.items).toEqual([]);
    const { points } = await get<Trends>(`admin/trends?config=${config}&hours=1`);
    expect(points).toHaveLength(12);
    expect(points.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
    expect(points.reduce((sum, { matches }) => sum + matches, 0)).toBe(1);
    // Its searches have a number of their own, here and in /metrics.
    expect(points.reduce((sum, { noGame }) => sum + noGame, 0)).toBe(2);
    const { modes } = await get<AttentionView>('admin/attention');
    const hour = { ended: 2, unmatched: 0, noGame: 2 };
    expect(modes.find((each) => each.config === config)).toMatchObject({ hour });
    expect(metrics.text()).toMatch(
      new RegExp(`searches_ended_total\\{.*config="${config}".*"launch_failed"\\} 2`),
    );
    const [search] = await until(
      async () =>
        (await get<{ readonly items: readonly SearchSeen[] }>('admin/searches?player=ann')).items,
      (all) => all[0]?.config === config && all[0].ended?.noGame !== null,
    );
    expect(search?.ended).toMatchObject({ reason: 'matched', noGame: 'launch_failed' });
  });

  it('counts each end of a search, with its region and reason', async () => {
    const config = freshConfig();
    const id = await matched(config);
    const { waits: duels } = await get<Trends>(`admin/trends?config=${config}&hours=1`);
    const where = { config, mode: 'duel', region: 'us-east' };
    expect(duels).toMatchObject([{ ...where, ended: 2, unmatched: 0 }]);
    await saveConfig(config, { matchmaking: { modes: { alone: { timeout: 1 } } } });
    const gone = (player: string) => createLobby(config, player, { region: 'eu-west' });
    const search = (player: string) =>
      ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'alone' } });
    await gone('cat');
    await search('cat');
    await ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'cat' });
    await search('cat');
    await until(
      () => mine(config, 'cat'),
      ({ status }) => status === 'waiting',
    );
    await gone('dan');
    await search('dan');
    await ask(`DELETE lobbies/${config}/me`, { player: 'dan' });
    const labels = `project="dev",config="${config}",mode="alone",region="eu-west"`;
    const counted = (reason: string): string =>
      `muster_searches_ended_total{${labels},reason="${reason}"} 1`;
    await until(
      () => Promise.resolve(metrics.text()),
      (text) =>
        ['cancelled', 'timeout', 'player_left'].every((each) => text.includes(counted(each))),
    );
    expect(id).not.toBe('');
    expect(metrics.text()).toMatch(
      new RegExp(
        `searches_ended_total\\{project="dev",config="${config}",mode="duel".*matched"\\} 2`,
      ),
    );
    const { points } = await get<Trends>(`admin/trends?config=${config}&mode=alone&hours=1`);
    expect(points.reduce((sum, { unmatched }) => sum + unmatched, 0)).toBe(3);
    const { waits } = await get<Trends>(`admin/trends?config=${config}&hours=1`);
    expect(waits).toMatchObject([
      { config, mode: 'alone', region: 'eu-west', ended: 3, unmatched: 3 },
    ]);
    const { modes, fleets } = await get<AttentionView>('admin/attention');
    const lately = {
      hour: { ended: 3, unmatched: 3, noGame: 0 },
      before: { ended: 0, unmatched: 0, noGame: 0 },
    };
    expect(modes).toContainEqual({ config, mode: 'alone', ...lately });
    expect(fleets).toEqual([]);
  });

  it('is in a list that is read page by page, by time, build and region', async () => {
    const config = freshConfig();
    const first = await matched(config);
    await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'in_game',
    );
    for (const [player, region] of [
      ['cat', 'eu-west'],
      ['dan', 'eu-west'],
    ] as const) {
      await createLobby(config, player, { region });
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    const { matchId: second } = await until(
      () => mine(config, 'dan'),
      ({ status }) => status === 'in_game',
    );
    interface Page {
      readonly items: readonly MatchSummary[];
      readonly next: string | null;
    }
    const list = (query: string) => get<Page>(`matches?config=${config}&${query}`);
    const ids = ({ items }: Page) => items.map(({ id }) => id);
    const newest = await list('limit=1');
    expect(ids(newest)).toEqual([second]);
    expect(newest.items).toMatchObject([{ region: 'eu-west', build: 'default' }]);
    const older = await list(`limit=1&until=${newest.next}`);
    expect([ids(older), older.next]).toEqual([[first], null]);
    expect(ids(await list('region=eu-west'))).toEqual([second]);
    expect(ids(await list('build=default'))).toEqual([second, first]);
    expect(await list('build=other')).toEqual({ items: [], next: null });
    expect(ids(await list(`since=${newest.items[0]?.formedAt}`))).toEqual([second]);
    expect((await ask(`GET matches?until=yesterday`, asked)).status).toBe(400);
  });

  it('tells who declined', async () => {
    const config = freshConfig();
    const id = await matched(config, { matchConfirmation: { enabled: true } });
    await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'ann' });
    await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: 'bob' });
    const match = await get<Match>(`matches/${id}`);
    expect(match).toMatchObject({ outcome: 'failed', reason: 'declined', server: null });
    const [, confirmed, failed] = match.history;
    expect(confirmed).toMatchObject({ kind: 'confirmed', by: 'player:ann' });
    expect(failed).toMatchObject({ kind: 'failed', reason: 'declined', by: 'player:bob' });
    const lobby = await mine(config, 'ann');
    const told = await history(config, lobby.id);
    expect(kinds(told)).toEqual(['created', 'entered', 'match_found', 'confirmed', 'returned']);
    expect(told.at(-1)).toMatchObject({ reason: 'declined', matchId: id });
  });

  it('is ended by an operator for all', async () => {
    const config = freshConfig();
    const id = await matched(config);
    const ended = await ask(`POST admin/matches/${id}/end`, asked);
    expect(ended.status).toBe(200);
    await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'waiting',
    );
    const match = await get<Match>(`matches/${id}`);
    expect(match).toMatchObject({ outcome: 'ended', reason: 'ended_by_operator' });
    expect(match.history.at(-1)?.by).toMatch(/^operator:[0-9a-f]{8}$/);
    expect((await ask(`POST admin/matches/${id}/end`, asked)).status).toBe(404);
  });

  it('of nobody, or of another project, is not there', async () => {
    for (const id of [crypto.randomUUID(), 'x', '..']) {
      expect((await ask(`GET matches/${id}`, asked)).status).toBe(404);
    }
    const config = freshConfig();
    const id = await matched(config);
    for (const path of [`matches/${id}`, 'matches', 'players/ann', `admin/trends`]) {
      expect((await ask(`GET ${path}`, { key: CLIENT })).status, path).toBe(403);
    }
  });

  it('is remembered, smaller, after its object forgot all else', async () => {
    const config = freshConfig();
    const id = await matched(config);
    await ask(`POST admin/matches/${id}/end`, asked);
    await until(
      () => mine(config, 'bob'),
      ({ status }) => status === 'waiting',
    );
    const before = await get<Match>(`matches/${id}`);
    const match = actorAt('match', id);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + 11 * 60_000);
    await until(
      async () => {
        await match.ring();
        return match.rows('');
      },
      (rows) => rows.length === 1,
    );
    expect(await get<Match>(`matches/${id}`)).toMatchObject({ ...before, server: {} });
    vi.spyOn(Date, 'now').mockImplementation(() => now + 25 * 3_600_000);
    await match.ring();
    expect(await match.rows('')).toEqual([]);
  });
});

describe('a lobby', () => {
  it('tells who came, who was put out and by whom, and outlives itself', async () => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann');
    for (const player of ['bob', 'eve', 'zoe']) {
      await joinLobby(config, player, code);
    }
    await ask(`DELETE lobbies/${config}/me/players/bob`, { player: 'ann' });
    const body = { playerId: 'eve' };
    const kick = await ask(`POST admin/lobbies/${config}/${id}/kick`, { ...asked, body });
    expect(kick.status).toBe(200);
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    await ask(`DELETE lobbies/${config}/${id}`, asked);
    const told = await history(config, id);
    expect(told.map(({ kind, playerId, by }) => [kind, playerId, by?.split(':')[0]])).toEqual([
      ['created', 'ann', undefined],
      ['joined', 'bob', undefined],
      ['joined', 'eve', undefined],
      ['joined', 'zoe', undefined],
      ['kicked', 'bob', 'player'],
      ['kicked', 'eve', 'operator'],
      ['left', 'ann', undefined],
      ['host_changed', 'zoe', undefined],
      ['deleted', null, 'operator'],
    ]);
    const lobby = actorAt('lobby', id);
    await lobby.evict();
    expect(await history(config, id)).toEqual(told);
    const elsewhere = await ask(`GET lobbies/${freshConfig()}/${id}/history`, asked);
    expect(elsewhere.status).toBe(404);
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 25 * 3_600_000);
    // What it still owed when the clock was set on is asked for again.
    await until(
      async () => {
        await lobby.ring();
        return lobby.rows('');
      },
      (rows) => rows.length === 0,
    );
    expect((await ask(`GET lobbies/${config}/${id}/history`, asked)).status).toBe(404);
  });

  it('keeps the newest of what happened, and so many at most', async () => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann');
    for (let round = 0; round < 45; round += 1) {
      await joinLobby(config, 'bob', code);
      await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
    }
    const told = await history(config, id);
    expect(told.length).toBeGreaterThanOrEqual(64);
    expect(told.length).toBeLessThanOrEqual(72);
    expect(told.at(-1)?.kind).toBe('left');
    const times = told.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  it('is taken out of its queue by an operator', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const id = await queue(config, 'ann');
    const path = `POST admin/lobbies/${config}/${id}/leave-queue`;
    expect((await ask(path, asked)).status).toBe(200);
    expect((await mine(config, 'ann')).status).toBe('waiting');
    expect((await history(config, id)).at(-1)).toMatchObject({
      kind: 'left_queue',
      reason: 'cancelled',
    });
    expect((await ask(path, asked)).status).toBe(409);
  });
});

describe('a player', () => {
  it('is found with its lobby and its matches', async () => {
    const config = freshConfig();
    const id = await matched(config);
    const seen = await get<PlayerSeen>('players/ann');
    const lobby = await mine(config, 'ann');
    const place = { config, lobbyId: lobby.id, lobbyStatus: lobby.status, streaming: false };
    expect(seen.places).toContainEqual(place);
    expect(seen.matches[0]).toMatchObject({ id, config, players: 2 });
    expect(await get<PlayerSeen>('players/nobody%20of%20note')).toEqual({
      id: 'nobody of note',
      places: [],
      matches: [],
      attributes: {},
      bans: [],
    });
  });
});

describe('a config', () => {
  it('is had back as it was, and the history goes on', async () => {
    const config = freshConfig();
    await saveConfig(config, { timeout: 100 });
    await saveConfig(config, { timeout: 200 });
    const path = `lobby-configs/${config}/history`;
    type Items = { readonly items: readonly ConfigRevision[] };
    const [second, first] = (await get<Items>(path)).items;
    expect([first?.config?.timeout, second?.config?.timeout]).toEqual([100, 200]);
    expect(first?.key).toMatch(/^[0-9a-f]{8}$/);
    await ask(`DELETE lobby-configs/${config}`, asked);
    const restore = await ask(`POST ${path}/${first?.revision}/restore`, asked);
    expect([restore.status, Reflect.get(restore.body, 'timeout')]).toEqual([200, 100]);
    const { items } = await get<Items>(path);
    expect(items.map((each) => each.config?.timeout ?? null)).toEqual([100, null, 200, 100]);
    expect((await ask(`POST ${path}/1/restore`, asked)).status).toBe(404);
    expect((await ask(`GET lobby-configs/never/history`, asked)).status).toBe(404);
  });

  it('is remembered in 50 revisions', async () => {
    const config = freshConfig();
    for (let round = 1; round <= 53; round += 1) {
      await saveConfig(config, { timeout: round });
    }
    const path = `lobby-configs/${config}/history`;
    const { items } = await get<{ readonly items: readonly ConfigRevision[] }>(path);
    expect(items).toHaveLength(50);
    expect([items[0]?.config?.timeout, items.at(-1)?.config?.timeout]).toEqual([53, 4]);
  });
});

describe("a queue's journal", () => {
  it('is JSON lines of what its pool was asked and answered', async () => {
    const config = freshConfig();
    await matched(config, { rules: [{ type: 'difference', field: 'mmr', maxDifference: 60 }] });
    const path = `GET admin/journal?config=${config}&mode=duel`;
    const read = async (): Promise<readonly { readonly k: string }[]> => {
      const text = await (await fetchRaw(path, asked)).text();
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly k: string });
    };
    const lines = await until(read, (found) => found.some(({ k }) => k === 'formed'));
    expect(lines.map(({ k }) => k)).toEqual([
      'journal',
      'anew',
      'enter',
      'enter',
      'match',
      'formed',
      'commit',
    ]);
    const quality = { gap: 50, waits: { p50: expect.any(Number), max: expect.any(Number) } };
    expect(lines.find(({ k }) => k === 'formed')).toMatchObject({ quality });
    expect((await fetchRaw(`GET admin/journal?config=${config}&mode=none`, asked)).status).toBe(
      400,
    );
  });
});
