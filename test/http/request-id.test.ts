// What every answer has: an id of its request, by which it is found in the log, its place in the counts, and that
// browsers shall take it for what it says it is.

import { describe, expect, it, vi } from 'vitest';
import { createExecutionContext } from 'cloudflare:test';
import { requestIdOf } from '../../src/http/wire/requests';
import { serve, serveInBox } from '../../src/http/serve/serve';
import { metrics } from '../../src/common/metrics';
import type { Env } from '../../src/objects/placement/env';
import { placeUnder } from '../support/peers';
import { controlled } from '../support/simulated';
import { matchmade, playing } from './parties';
import {
  ask,
  CLIENT,
  createLobby,
  fetchRaw,
  freshConfig,
  mine,
  requestOf,
  SERVER,
  until,
} from './support';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function idFor(given: string | null, path = 'GET /health'): Promise<string | null> {
  const headers = given === null ? {} : { 'x-request-id': given };
  const request = requestOf(path, { key: null, headers });
  const answer = await serve(request, placeUnder({}, createExecutionContext()));
  return answer.headers.get('x-request-id');
}

describe('x-request-id', () => {
  it.each(['a', 'trace-7f.3:b_C', 'x'.repeat(128)])(
    'is the one that the caller sent: %s',
    async (id) => {
      expect(await idFor(id)).toBe(id);
    },
  );

  it('is made up for a request that brings none, another one each time', async () => {
    const [one, other] = [await idFor(null), await idFor(null)];
    expect(one).toMatch(UUID);
    expect(other).toMatch(UUID);
    expect(one).not.toBe(other);
  });

  it.each(['x'.repeat(129), 'two words', '{"event":"x"}', 'é', ''])(
    'is made up where the caller sent what cannot be one: %s',
    async (id) => {
      expect(await idFor(id)).toMatch(UUID);
    },
  );

  it('is on refusals and unknown paths too', async () => {
    expect(await idFor('mine', 'GET lobbies/arena/me')).toBe('mine');
    expect(await idFor('mine', 'GET /nothing-here')).toBe('mine');
  });

  it('is on the line of the log of a request that failed, given or made up', async () => {
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const ASSETS = {
      fetch: async (): Promise<Response> => {
        throw new Error('the disk of the files is gone');
      },
    };
    for (const given of ['mine', null]) {
      const headers = given === null ? {} : { 'x-request-id': given };
      const request = requestOf('GET /openapi.json', { key: null, headers });
      const answer = await serve(request, placeUnder({ ASSETS }, createExecutionContext()));
      expect(answer.status).toBe(500);
      const line = JSON.parse(String(lines.mock.lastCall?.[0])) as Record<string, string>;
      expect(line).toMatchObject({
        event: 'request_failed',
        level: 'error',
        path: '/openapi.json',
      });
      expect(line['requestId']).toBe(answer.headers.get('x-request-id'));
      expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
    }
    lines.mockRestore();
  });

  it('is beside the project, config and player of a call that failed', async () => {
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const around = placeUnder({}, createExecutionContext());
    const seat = (): never => {
      throw new Error('the seats are gone');
    };
    const place = { ...around, peers: { ...around.peers, seat } };
    const request = requestOf('GET lobbies/log-of-calls/me', { player: 'ann' });
    expect((await serve(request, place)).status).toBe(500);
    const about = { project: 'dev', config: 'log-of-calls', playerId: 'ann' };
    expect(JSON.parse(String(lines.mock.lastCall?.[0]))).toMatchObject({
      event: 'request_failed',
      ...about,
    });
    lines.mockRestore();
  });

  it('is on what a Worker answers itself where a box serves, and that counts too', async () => {
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const stub = { fetch: () => Promise.reject(new Error('it ended')) };
    const ended = { idFromName: (name: string) => name, get: () => stub };
    const asked = async (url: string, method = 'GET'): Promise<readonly unknown[]> => {
      const request = new Request(url, { method, headers: { 'x-request-id': 'mine' } });
      const box = ended as unknown as DurableObjectNamespace;
      const { status, headers } = await serveInBox(request, {} as Env, box);
      return [status, headers.get('x-request-id')];
    };
    const counted = 'muster_http_requests_total{method="PATCH",route="/lobbies/:config/me"';
    const before = metrics.text().includes(counted);
    expect(await asked('http://a`b/v3/lobbies/den/me')).toEqual([400, 'mine']);
    expect(await asked('http://muster.test/v3/lobbies/den/me', 'PATCH')).toEqual([500, 'mine']);
    expect(String(lines.mock.lastCall?.[0])).toContain('"requestId":"mine"');
    expect([before, metrics.text().includes(`${counted},status="500"} 1`)]).toEqual([false, true]);
    lines.mockRestore();
  });
});

describe('the id of a request', () => {
  const asked = { key: SERVER };

  async function queued(config: string, player: string): Promise<void> {
    await createLobby(config, player);
    const headers = { 'x-request-id': `of-${player}.${config}` };
    const line = `POST lobbies/${config}/me/matchmaking`;
    const answer = await ask(line, { player, body: { mode: 'duel' }, headers });
    expect(answer.status).toBe(200);
  }

  async function found(id: string): Promise<readonly object[]> {
    const { body } = await ask<{ readonly hits: readonly object[] }>(
      `GET admin/search?q=${encodeURIComponent(id)}`,
      asked,
    );
    return body.hits;
  }

  it('never looks to the SDK of the hosted service as if there were no lobby', async () => {
    const made = Array.from({ length: 5_000 }, () =>
      requestIdOf(new Request('http://muster.test')),
    );
    expect(made.filter((id) => id.includes('404'))).toEqual([]);
    const line = 'GET lobbies/arena/me';
    const headers = { 'x-request-id': 'from-a-404-proxy' };
    const refused = await ask(line, { player: 'ann', key: 'unknown', headers });
    expect([refused.status, refused.headers.get('x-request-id')]).toEqual([
      401,
      'from-a-404-proxy',
    ]);
    expect(JSON.stringify(refused.body)).not.toContain('404');
    const none = await ask(line, { player: 'nobody', headers });
    expect(none.body).toMatchObject({ requestId: 'from-a-404-proxy' });
  });

  it('stands in the body of an error', async () => {
    const headers = { 'x-request-id': 'mine' };
    const { body } = await ask('GET lobbies/arena/me', { player: 'nobody', headers });
    expect(body).toMatchObject({ code: 'LOBBY_NOT_FOUND', requestId: 'mine' });
    const made = await ask('GET lobbies/arena/me', { player: 'nobody' });
    const given = made.headers.get('x-request-id');
    expect(made.body).toMatchObject({ requestId: given });
    const head = await fetchRaw('HEAD lobbies/arena/me', { player: 'nobody' });
    expect([head.status, await head.text()]).toEqual([404, '']);
  });

  it('goes along from the search to the match, the launch and the log, and the search finds it', async () => {
    const lines = vi.spyOn(console, 'log').mockReturnValue(undefined);
    const config = await matchmade({ duel: { teams: 2, playersPerTeam: 1 } });
    await queued(config, 'ann');
    await queued(config, 'bob');
    const { matchId, server } = await playing(config, 'bob');
    const spec = controlled.specOf(server?.instance_id ?? '');
    expect(spec?.requestId).toBe(`of-ann.${config}`);
    const match = [{ kind: 'match', id: matchId }];
    expect(await found(`of-ann.${config}`)).toEqual(match);
    expect(await found(`of-bob.${config}`)).toEqual(match);
    expect(await found(`of-cat.${config}`)).toEqual([]);
    expect(await found(matchId ?? '')).toEqual(match);
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    const told = await until(
      async () =>
        lines.mock.calls
          .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
          .filter((line) => line['config'] === config),
      (logged) => logged.length === 2,
    );
    const about = { level: 'info', requestId: `of-ann.${config}`, matchId, build: 'default' };
    expect(told).toMatchObject([
      { event: 'server_started', ...about },
      { event: 'server_ended', ...about, reason: 'stopped' },
    ]);
    lines.mockRestore();
  });

  it('goes along from the order of a match to its launch', async () => {
    const config = await matchmade({ duel: { teams: 2, playersPerTeam: 1 } });
    await queued(config, 'ann');
    const headers = { 'x-request-id': `order.${config}` };
    const teams = [{ players: ['ann'] }, { players: ['bob'] }];
    const body = { config, mode: 'duel', ref: config, teams };
    expect((await ask('POST matches', { key: SERVER, body, headers })).status).toBe(200);
    const { server } = await playing(config, 'bob');
    const spec = controlled.specOf(server?.instance_id ?? '');
    expect(spec?.requestId).toBe(`order.${config}`);
  });

  it('stays with a search that goes on after another lobby declined', async () => {
    const duel = { teams: 2, playersPerTeam: 1, onDecline: 'requeue' };
    const config = await matchmade({ duel: { ...duel, matchConfirmation: { enabled: true } } });
    const answer = (player: string, line: 'POST' | 'DELETE') =>
      ask(`${line} lobbies/${config}/me/confirm-match`, { player });
    await queued(config, 'ann');
    for (const [player, line] of [
      ['bob', 'DELETE'],
      ['cat', 'POST'],
    ] as const) {
      await queued(config, player);
      await until(
        () => mine(config, player),
        ({ status }) => status === 'match_found',
      );
      await answer('ann', 'POST');
      await answer(player, line);
    }
    const { matchId, server } = await playing(config, 'cat');
    const spec = controlled.specOf(server?.instance_id ?? '');
    expect(spec?.requestId).toBe(`of-ann.${config}`);
    expect(await found(`of-ann.${config}`)).toContainEqual({ kind: 'match', id: matchId });
  });

  it('that the service made up is found as well', async () => {
    const config = await matchmade({ duel: { teams: 2, playersPerTeam: 1 } });
    await createLobby(config, 'ann');
    const line = `POST lobbies/${config}/me/matchmaking`;
    const { headers } = await ask(line, { player: 'ann', body: { mode: 'duel' } });
    await queued(config, 'bob');
    const { matchId } = await playing(config, 'ann');
    expect(await found(headers.get('x-request-id') ?? '')).toEqual([
      { kind: 'match', id: matchId },
    ]);
  });

  it('goes along with a start', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const headers = { 'x-request-id': 'of-start' };
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann', headers });
    const { server } = await playing(config, 'ann');
    const spec = controlled.specOf(server?.instance_id ?? '');
    expect(spec?.requestId).toBe('of-start');
  });
});

describe('x-content-type-options', () => {
  it.each([
    ['GET /health', 200],
    ['GET /metrics', 200],
    ['GET lobbies/arena', 200],
    ['GET lobbies/arena/me', 404],
    ['GET lobbies/arena/me/events', 200],
    ['HEAD lobbies/arena', 200],
    ['OPTIONS lobbies/arena', 204],
    ['DELETE /health', 405],
    ['GET /nothing-here', 404],
    ['GET /v3/a%2fb', 400],
  ])('is on %s, %i', async (line, status) => {
    const key = line.endsWith('metrics') ? SERVER : CLIENT;
    const request = requestOf(line, { key, player: 'eve' });
    const place = placeUnder({}, createExecutionContext());
    const answer = await serve(request, place);
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([
      status,
      'nosniff',
    ]);
    await answer.body?.cancel();
  });
});

it('a method that strangers make up counts as other', async () => {
  for (const method of ['PROPFIND', 'MKCOL']) {
    const request = new Request('http://muster.test/health', { method });
    expect((await serve(request, placeUnder({}, createExecutionContext()))).status).toBe(405);
  }
  const counted = 'muster_http_requests_total{method="other",route="none",status="405"} 2';
  expect(metrics.text()).toContain(counted);
  expect(metrics.text()).not.toContain('MKCOL');
});
