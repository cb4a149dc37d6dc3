import { afterEach, describe, expect, it, vi } from 'vitest';
import { ifRevisionOf } from '../../../src/http/operators/configs';
import { Signer } from '../../../src/common/signed';
import { withCors } from '../../../src/http/wire/origin';
import { decodeParams, checkedName, signedLobbyOf } from '../../../src/http/wire/paths';
import { failure, problem } from '../../../src/http/wire/problem';
import { Refused } from '../../../src/http/wire/answer';
import type { Reply } from '../../../src/lobby/refusals';
import type { Env } from '../../../src/objects/placement/env';
import { replied } from '../../support/replied';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a refusal', () => {
  // shows: S103, D3a
  it('becomes the error body of the specification, with its code', async () => {
    const response = problem({ code: 'LOBBY_FULL', detail: 'It holds 2 of 2 players' });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      error: 'Lobby is full',
      detail: 'It holds 2 of 2 players',
      status: 400,
      code: 'LOBBY_FULL',
    });
  });

  it('tells in whole seconds when to come back', () => {
    const limited = problem({ code: 'RATE_LIMITED', detail: 'slow down', retryAfter: 0.2 });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('is what a thrown refusal answers', async () => {
    const refused = new Refused({ code: 'NOT_HOST', detail: 'no' });
    const response = failure(refused, new Request('http://muster.test/'));
    expect(await response.json()).toMatchObject({ status: 403, code: 'NOT_HOST' });
  });
});

describe('a thrown error', () => {
  const request = new Request('http://muster.test/v3/lobbies/x/me/events?api-key=SECRET');

  // shows: D3g, D7b
  it('shows nothing of itself, and is logged without the query', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const about = { project: 'studio', config: 'x', playerId: 'ann' };
    const response = failure(new Error('the inner message'), request, about);
    const text = await response.text();
    expect([response.status, JSON.parse(text).code]).toEqual([500, 'INTERNAL']);
    expect(text).not.toMatch(/inner|404|not found/i);
    const line = String(log.mock.calls[0]?.[0]);
    expect(JSON.parse(line)).toMatchObject({
      event: 'request_failed',
      ...about,
      method: 'GET',
      path: '/v3/lobbies/x/me/events',
      message: 'the inner message',
    });
    expect(line).not.toContain('SECRET');
  });

  it.each([{ retryable: true }, { overloaded: true }])(
    'is a 503 when it passes: %j',
    async (flags) => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const response = failure(Object.assign(new Error('x'), flags), request);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' });
    },
  );
});

describe('storage that takes no writes', () => {
  it.each([
    ['database or disk is full: SQLITE_FULL', 'STORAGE_FULL'],
    ['disk I/O error: SQLITE_IOERR_WRITE', 'UNAVAILABLE'],
  ])('is a 503 with a line of its own in the log: %s', async (message, code) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = failure(new Error(message), new Request('http://muster.test/v3/lobbies/x'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ code });
    const line = String(log.mock.calls[0]?.[0]);
    expect(JSON.parse(line)).toMatchObject({ event: 'storage_failed', message });
  });
});

describe('paths', () => {
  it('decodes, or refuses', async () => {
    const raw = { config: 'a%20b', id: '%E2%82%AC' };
    expect(decodeParams(raw, false)).toEqual({ config: 'a b', id: '\u20ac' });
    expect(await replied(() => decodeParams({ config: '%E0%A4%A' }, false))).toMatchObject({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR' },
    });
  });

  it('reads a plus as a space in a config, and in form style everywhere', () => {
    const raw = { config: 'a+b', playerId: 'c+d%2Be' };
    expect(decodeParams(raw, false)).toEqual({ config: 'a b', playerId: 'c+d+e' });
    expect(decodeParams(raw, true)).toEqual({ config: 'a b', playerId: 'c d+e' });
  });

  // shows: D1c
  it.each(['a', 'Ranked_2v2', 'a b.c-d', 'x'.repeat(64)])('takes the name %j', (name) => {
    expect(checkedName('config', name)).toBe(name);
  });

  // shows: D1c
  it.each(['', 'a/b', 'caf\u00e9', 'a\n', 'x'.repeat(65), '__proto__'])(
    'refuses the name %j',
    async (name) => {
      const reply = await replied(() => checkedName('config', name));
      expect(reply).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR' } });
      expect(!reply.ok && reply.refusal.detail).toMatch(/^config: /);
    },
  );

  it('knows the id of a lobby, in either case, under the key that made it', () => {
    const env = { ID_KEY: 'a key' } as Env;
    const id = new Signer('a key').id('lobby').toUpperCase();
    expect(id).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/);
    expect(signedLobbyOf(env, id)).toBe(id.toLowerCase());
    for (const key of ['another key', 'a key ']) {
      const other = { ID_KEY: key } as Env;
      expect(signedLobbyOf(other, id)).toBeNull();
    }
    const rotated = { ID_KEY: 'a key', API_KEYS: '[]' } as Env;
    expect(signedLobbyOf(rotated, id)).not.toBeNull();
    expect(signedLobbyOf({ API_KEYS: 'a key' } as Env, id)).not.toBeNull();
    expect(signedLobbyOf({} as Env, id)).toBeNull();
    expect(signedLobbyOf(env, 'me')).toBeNull();
  });
});

describe('If-Match', () => {
  const revision = (value: string | null): Promise<Reply<number | null>> => {
    const headers: HeadersInit = value === null ? {} : { 'if-match': value };
    return replied(() => ifRevisionOf(new Request('http://muster.test/', { headers })));
  };

  it.each([
    [null, null],
    ['*', null],
    ['"7"', 7],
    ['W/"7"', 7],
  ])('%j insists on %j', async (header, value) => {
    expect(await revision(header)).toEqual({ ok: true, value });
  });

  it.each(['7', '"x"', '"1", "2"'])('%j matches nothing', async (header) => {
    expect(await revision(header)).toMatchObject({ refusal: { code: 'PRECONDITION_FAILED' } });
  });
});

describe('CORS', () => {
  const from = (origin: string | null, listed?: string): Headers => {
    const headers: HeadersInit = origin === null ? {} : { origin };
    const env = (listed === undefined ? {} : { CORS_ORIGINS: listed }) as Env;
    return withCors(new Response(), new Request('http://muster.test/', { headers }), env, false)
      .headers;
  };

  it('lets any origin read, unless some are listed', () => {
    expect(from('https://game.test').get('access-control-allow-origin')).toBe('*');
    const listed = from('https://game.test', 'https://a.test, https://game.test');
    expect(listed.get('access-control-allow-origin')).toBe('https://game.test');
    expect(listed.get('vary')).toBe('origin');
    const other = from('https://other.test', 'https://game.test');
    expect(other.get('access-control-allow-origin')).toBeNull();
    expect(other.get('vary')).toBe('origin');
  });
});

it.each([
  ['The body is not valid JSON', { path: '', message: 'The body is not valid JSON' }],
  ['x-player-id: is missing', { path: 'x-player-id', message: 'is missing' }],
  ['a.b[1].c: must be: so', { path: 'a.b[1].c', message: 'must be: so' }],
])('a validation error always has issues: %s', async (detail, issue) => {
  const body: unknown = await problem({ code: 'VALIDATION_ERROR', detail }).json();
  expect(body).toMatchObject({ detail, issues: [issue] });
});
