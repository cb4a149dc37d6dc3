import { later, type Later } from '../../../src/common/later';
import fc from 'fast-check';
import type * as z from 'zod';
import { describe, expect, it, vi } from 'vitest';
import * as bodies from '../../../src/http/wire/body';
import type { Reply } from '../../../src/lobby/refusals';
import { IMPORT } from '../../../src/http/operators/ratings';
import { AnyObject } from '../../../src/http/wire/fields';
import { LoginBody } from '../../../src/http/login/login';
import { ServersParams, StartServerBody, StatusBody } from '../../../src/http/operators/servers';
import { BrowseParams, CreateBody, JoinBody } from '../../../src/http/players/lobbies';
import { SettingsBody, StateBody } from '../../../src/http/players/me';
import { MAX_BODY_BYTES, MAX_SETTINGS_BYTES } from '../../../src/common/limits';
import { replied } from '../../support/replied';

function readBody<T>(request: Request, schema: z.ZodType<T>, by: Later): Promise<Reply<T>> {
  return replied(() => bodies.readBody(request, schema, by));
}

function post(body: BodyInit | null, headers: HeadersInit = {}): Request {
  return new Request('http://muster.test/', { method: 'POST', body, headers });
}

function streamOf(bytes: number, read: { count: number }): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream(
    {
      pull(controller): void {
        const size = Math.min(left, 1024);
        left -= size;
        read.count += size;
        controller.enqueue(new Uint8Array(size).fill(32));
        if (left === 0) {
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

async function refusedOf(body: unknown, schema: Parameters<typeof readBody>[1]): Promise<string> {
  const reply = await readBody(post(JSON.stringify(body)), schema, later);
  return reply.ok ? 'taken' : `${reply.refusal.code} ${reply.refusal.detail}`;
}

describe('reading a body', () => {
  // shows: D2b
  it.each([null, '', '  \n', '{}'])('takes %j as the empty object', async (text) => {
    expect(await readBody(post(text), AnyObject, later)).toEqual({ ok: true, value: {} });
  });

  it('takes half of a surrogate pair as U+FFFD, in keys and values, and all else as it is', async () => {
    const text = fc.string({ unit: 'binary' });
    const units = fc
      .array(fc.constantFrom(...'\\u\ud83d\ude00\ud800d8"a'.split('')))
      .map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.oneof(text, units), fc.oneof(text, units)),
        async (sent) => {
          const whole = Object.entries(sent).map((pair) => pair.map((each) => each.toWellFormed()));
          const value: unknown = Object.fromEntries(whole);
          expect(await readBody(post(JSON.stringify(sent)), AnyObject, later)).toEqual({
            ok: true,
            value,
          });
        },
      ),
    );
  });

  // shows: D2d
  it.each([
    ['{"a":', 'The body is not valid JSON (end of JSON input)'],
    ["{'a': 1}", 'The body is not valid JSON (at position 1)'],
    ['[1]', 'The body must be a JSON object'],
    ['"a"', 'The body must be a JSON object'],
    ['null', 'The body must be a JSON object'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'The body is nested deeper than 64 levels'],
  ])('refuses %j', async (text, detail) => {
    const refusal = { code: 'VALIDATION_ERROR', detail };
    expect(await readBody(post(text), AnyObject, later)).toEqual({ ok: false, refusal });
  });

  it('does not count brackets within strings as depth', async () => {
    const value = { a: `\\"${'['.repeat(100)}` };
    expect(await readBody(post(JSON.stringify(value)), AnyObject, later)).toEqual({
      ok: true,
      value,
    });
  });

  it('refuses what is not UTF-8', async () => {
    const reply = await readBody(post(new Uint8Array([0x7b, 0xff, 0x7d])), AnyObject, later);
    expect(reply).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR' } });
  });

  it('refuses an announced length beyond the limit without reading', async () => {
    const read = { count: 0 };
    const request = {
      headers: new Headers({ 'content-length': String(MAX_BODY_BYTES + 1) }),
      body: streamOf(MAX_BODY_BYTES + 1, read),
    } as unknown as Request;
    const reply = await readBody(request, AnyObject, later);
    expect(reply).toMatchObject({ ok: false, refusal: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(read.count).toBe(0);
  });

  it.each([undefined, '20'])(
    'waits for a body of announced length %j for ten seconds',
    async (length) => {
      vi.useFakeTimers();
      const never = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
      const request = {
        headers: new Headers(length === undefined ? {} : { 'content-length': length }),
        body: never,
        arrayBuffer: () => new Promise(() => {}),
      } as unknown as Request;
      let reply: unknown = null;
      const reading = readBody(request, AnyObject, later).then((value) => (reply = value));
      await vi.advanceTimersByTimeAsync(9_999);
      expect(reply).toBeNull();
      await vi.advanceTimersByTimeAsync(1);
      expect(reply).toMatchObject({ ok: false, refusal: { code: 'REQUEST_TIMEOUT' } });
      await reading;
      vi.useRealTimers();
    },
  );

  it('refuses a body that breaks off, and throws nothing that would be logged', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error('Network connection lost.')),
    });
    const request = { headers: new Headers(), body: broken } as unknown as Request;
    expect(await readBody(request, AnyObject, later)).toMatchObject({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR', detail: 'The body ended early' },
    });
  });

  it('stops reading at the limit when no length was announced', async () => {
    const read = { count: 0 };
    const body = streamOf(10 * MAX_BODY_BYTES, read);
    const request = { headers: new Headers(), body } as unknown as Request;
    const reply = await readBody(request, AnyObject, later);
    expect(reply).toMatchObject({ ok: false, refusal: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(read.count).toBeLessThanOrEqual(MAX_BODY_BYTES + 2048);
  });

  // shows: D5c
  it('takes a body of exactly the limit', async () => {
    const text = `{"a":"${'x'.repeat(MAX_BODY_BYTES - 8)}"}`;
    expect((await readBody(post(text), AnyObject, later)).ok).toBe(true);
    const more = await readBody(post(`${text} `), AnyObject, later);
    expect(more).toMatchObject({ ok: false, refusal: { code: 'PAYLOAD_TOO_LARGE' } });
  });
});

describe('a body with very many mistakes', () => {
  const line = '{"player":"p","mu":1,"sigma":1,"games":0,"plaver":1}\n';
  const read = (lines: string) => replied(() => bodies.readLines(post(lines), IMPORT.body, later));

  it('is refused with the first ones and their number, in an answer that is not larger', async () => {
    const reply = await read('{}\n'.repeat(10_000));
    const { issues = [], detail } = reply.ok ? expect.fail('accepted') : reply.refusal;
    expect(issues).toHaveLength(21);
    expect(detail).toMatch(/^line 1: player: is missing.*; and 39980 more$/);
  });

  // This took 17 seconds: each unknown field looked at all others.
  it('of unknown fields is refused at once', async () => {
    const before = performance.now();
    const reply = await read(line.repeat(1_100));
    expect(performance.now() - before).toBeLessThan(8_000);
    expect(reply).toMatchObject({ refusal: { code: 'VALIDATION_ERROR' } });
    const { issues = [] } = reply.ok ? expect.fail('accepted') : reply.refusal;
    expect(issues[19]).toEqual({
      path: 'line 20: plaver',
      message: 'is unknown; did you mean player?',
    });
    expect(issues[20]).toEqual({ path: '', message: 'and 1080 more' });
  });

  it('tells at most 20 unknown fields of one object', async () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 1]));
    expect(await refusedOf(fields, LoginBody)).toMatch(/; k18: is unknown; and 481 more$/);
  });
});

describe('the create body', () => {
  // shows: S153, S154, S156
  it('fills in the defaults of the specification', async () => {
    expect(await readBody(post('{"name":"Den","other":1}'), CreateBody, later)).toEqual({
      ok: true,
      value: {
        name: 'Den',
        region: 'us-east',
        isPrivate: false,
        allowLateJoin: true,
        settings: {},
        state: null,
        forceFresh: false,
      },
    });
  });

  it('reads null at the top as absent, and keeps null within state', async () => {
    const body = { name: 'Den', region: null, settings: null, state: { ready: null } };
    expect(await readBody(post(JSON.stringify(body)), CreateBody, later)).toMatchObject({
      ok: true,
      value: { region: 'us-east', settings: {}, state: { ready: null } },
    });
  });

  // shows: D3c, D5b
  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'Den', maxPlayers: 0 }, 'maxPlayers'],
    [{ name: 'Den', maxPlayers: 101 }, 'maxPlayers'],
    [{ name: 'Den', maxPlayers: 2.5 }, 'maxPlayers'],
    [{ name: 'Den', maxPlayers: '4' }, 'maxPlayers'],
    [{ name: 'Den', isPrivate: 'yes' }, 'isPrivate'],
    [{ name: 'Den', settings: [] }, 'settings'],
    [{ name: 'Den', state: 'ready' }, 'state'],
    [{ name: 'Den', settings: { a: 'x'.repeat(MAX_SETTINGS_BYTES) } }, 'settings'],
    [{ name: 'Den', state: { a: '\u20ac'.repeat(6_000) } }, 'state'],
  ])('refuses %# and names the field', async (body, field) => {
    expect(await refusedOf(body, CreateBody)).toMatch(new RegExp(`^VALIDATION_ERROR ${field}: .+`));
  });

  it('keeps a key named __proto__ as any other', async () => {
    const reply = await readBody(post('{"state":{"__proto__":1}}'), StateBody, later);
    expect(reply.ok && Object.keys(reply.value.state)).toEqual(['__proto__']);
  });
});

describe('the join body', () => {
  it.each([
    [{ code: 'MEOW-7K2QXD' }, { by: 'code', code: 'MEOW-7K2QXD' }],
    [{ inviteCode: ' MEOW-7K2QXD ' }, { by: 'code', code: 'MEOW-7K2QXD' }],
    [
      { code: 'A', inviteCode: 'A' },
      { by: 'code', code: 'A' },
    ],
    [
      { code: '', lobbyId: 'l' },
      { by: 'id', lobbyId: 'l' },
    ],
    [
      { code: null, lobbyId: 'l' },
      { by: 'id', lobbyId: 'l' },
    ],
  ])('reads %j', async (body, target) => {
    const reply = await readBody(post(JSON.stringify(body)), JoinBody, later);
    expect(reply).toEqual({ ok: true, value: { target, state: null } });
  });

  it.each([{}, { code: '' }, { code: 'A', lobbyId: 'l' }, { code: 'A', inviteCode: 'B' }])(
    'refuses %j',
    async (body) => {
      expect(await refusedOf(body, JoinBody)).toBe(
        'VALIDATION_ERROR needs either code or lobbyId, and not both',
      );
    },
  );
});

describe('other bodies', () => {
  it('keeps only what a settings patch names', async () => {
    const reply = await readBody(post('{"maxPlayers":8,"host":"me"}'), SettingsBody, later);
    expect(reply).toEqual({ ok: true, value: { maxPlayers: 8 } });
  });

  it('wants a state', async () => {
    expect(await refusedOf({}, StateBody)).toBe(
      'VALIDATION_ERROR state: is missing: it must be an object',
    );
    expect(await refusedOf({ state: null }, StateBody)).toMatch(/state/);
  });

  it.each([59, 86_401, 1.5])('refuses a server ttl of %d', async (ttl) => {
    expect(await refusedOf({ ttl }, StartServerBody)).toMatch(/^VALIDATION_ERROR ttl: /);
  });

  it('says which port of a report is wrong', async () => {
    const port = { name: 'game', host: 'h', external_port: 1, internal_port: 2, protocol: 'udp' };
    const body = { status: 'running', network_ports: [port, { ...port, external_port: 70_000 }] };
    expect(await refusedOf(body, StatusBody)).toMatch(/network_ports\[1\]\.external_port: /);
    expect(await refusedOf({ status: 'lost' }, StatusBody)).toMatch(/status: must be one of/);
  });
});

describe('queries', () => {
  const browse = (query: string): Promise<Reply<unknown>> =>
    replied(() => bodies.readQuery(new URL(`http://muster.test/?${query}`), BrowseParams));

  it('defaults, and reads empty parameters as absent', async () => {
    const value = { region: null, status: null, places: 0, limit: 50, offset: 0 };
    expect(await browse('')).toEqual({ ok: true, value });
    expect(await browse('region=&status=&limit=&offset=&api-key=x')).toEqual({ ok: true, value });
  });

  it('reads all of them; of a repeated one the first counts', async () => {
    expect(await browse('region=eu-west&status=in_game&limit=100&offset=5&limit=7')).toEqual({
      ok: true,
      value: { region: 'eu-west', status: 'in_game', places: 0, limit: 100, offset: 5 },
    });
  });

  // shows: D3c
  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=ten',
    'limit=1.5',
    'offset=-1',
    'status=gone',
  ])('refuses %s and names it', async (query) => {
    const detail = expect.stringMatching(new RegExp(`^${query.split('=')[0]}: `)) as string;
    const issues = [{ path: query.split('=')[0] }];
    const refusal = { code: 'VALIDATION_ERROR', detail, issues };
    expect(await browse(query)).toMatchObject({ ok: false, refusal });
  });

  it('pages servers by the same bounds', async () => {
    const url = new URL('http://muster.test/?limit=101');
    expect(await replied(() => bodies.readQuery(url, ServersParams))).toMatchObject({ ok: false });
  });
});
