// Record 0022: a project that wants player tokens believes nobody else, and one that does not is as
// it was. The clock of tokens is that of the service; keys of identity providers come from a stub.

import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { forged, tokenOf, type Made } from '../support/tokens';
import {
  ask,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  SERVER,
  until,
  type Answered,
  type Problem,
} from './support';
import { Stream } from './stream';

const SECRET = 'a secret of the studio, long enough to be one';
const PROVIDER = 'https://id.example.com/jwks.json';
const RULES = { issuer: null, audience: null, jwksUrl: null };

interface Minted {
  readonly token: string;
  readonly player: string;
  readonly expiresAt: string;
}

interface Secret {
  readonly id: string;
  readonly secret: string;
}

function settings(body: object): Promise<Answered<Problem>> {
  return ask('POST projects/settings', { key: SERVER, body });
}

async function secretOf(secret?: string): Promise<Secret> {
  const made = await ask<Secret>('POST projects/token-secrets', { key: SERVER, body: { secret } });
  expect(made.status).toBe(201);
  return made.body;
}

function me(
  token: string | null,
  headers: Record<string, string> = {},
): Promise<Answered<Problem>> {
  const carried = token === null ? {} : { authorization: `Bearer ${token}` };
  return ask('GET lobbies/none/me', { headers: { ...carried, ...headers } });
}

/** Let in: such a player is in no lobby. */
const IN = [404, 'LOBBY_NOT_FOUND'];
const MISSING = [401, 'PLAYER_TOKEN_MISSING'];
const INVALID = [401, 'PLAYER_TOKEN_INVALID'];
const EXPIRED = [401, 'PLAYER_TOKEN_EXPIRED'];

async function answers(token: string | null, headers?: Record<string, string>): Promise<unknown> {
  const { status, body } = await me(token, headers);
  return [status, body.code];
}

const made: Record<string, CryptoKey> = {};
const set: { keys: JWK[] } = { keys: [] };
let fetched = 0;
let provider: () => Promise<Response> = async () => Response.json(set);

beforeAll(async () => {
  for (const alg of ['EdDSA', 'ES256', 'RS256']) {
    const pair = await generateKeyPair(alg, { extractable: true });
    made[alg] = pair.privateKey;
    set.keys.push({ ...(await exportJWK(pair.publicKey)), kid: `key-${alg}`, alg });
  }
  vi.stubGlobal('fetch', () => {
    fetched += 1;
    return provider();
  });
  await settings({ playerAuth: 'token' });
  await secretOf(SECRET);
});

afterAll(() => {
  vi.unstubAllGlobals();
});

afterEach(async () => {
  await settings({ playerAuth: 'token', playerTokens: RULES });
});

describe('a project that wants player tokens', () => {
  it('lets in whom a token names, with the id or without', async () => {
    const token = await tokenOf(SECRET);
    expect(await answers(token)).toEqual(IN);
    expect(await answers(token, { 'x-player-id': 'ann' })).toEqual(IN);
    expect(await answers(null, { 'x-player-token': token })).toEqual(IN);
    expect(await answers(token, { 'x-player-id': 'ben' })).toEqual(INVALID);
  });

  it('counts the subject as the player', async () => {
    const config = freshConfig();
    const headers = { 'x-player-token': await tokenOf(SECRET, { sub: 'zoë 7' }) };
    const body = { name: 'Den' };
    const lobby = await ask<LobbyView>(`POST lobbies/${config}`, { headers, body });
    expect(lobby.status).toBe(201);
    expect(lobby.body.host).toBe('zoë 7');
  });

  it('refuses an id alone, and a server key as well', async () => {
    expect(await answers(null, { 'x-player-id': 'ann' })).toEqual(MISSING);
    const asked = await ask('GET lobbies/none/me', { key: SERVER, player: 'ann' });
    expect(asked.body.code).toBe('PLAYER_TOKEN_MISSING');
  });

  it('bears clocks that are a minute apart', async () => {
    expect(await answers(await tokenOf(SECRET, { expiresIn: -50 }))).toEqual(IN);
    expect(await answers(await tokenOf(SECRET, { expiresIn: -70 }))).toEqual(EXPIRED);
    const soon = (seconds: number): Made => {
      return { claims: { nbf: Math.floor(Date.now() / 1000) + seconds } };
    };
    expect(await answers(await tokenOf(SECRET, soon(50)))).toEqual(IN);
    expect(await answers(await tokenOf(SECRET, soon(90)))).toEqual(INVALID);
  });

  it('refuses a token that has expired since it was found good', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const token = await tokenOf(SECRET, { expiresIn: 30 });
      expect(await answers(token)).toEqual(IN);
      vi.setSystemTime(Date.now() + 89_000);
      expect(await answers(token)).toEqual(IN);
      vi.setSystemTime(Date.now() + 2_000);
      expect(await answers(token)).toEqual(EXPIRED);
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes a token in the query of the stream, and nowhere else', async () => {
    const token = await tokenOf(SECRET);
    const stream = await ask(`GET lobbies/none/me?x-player-token=${token}`);
    expect(stream.body.code).toBe('PLAYER_TOKEN_MISSING');
    const wrong = await ask('GET lobbies/none/me/events?x-player-token=no');
    expect(wrong.body.code).toBe('PLAYER_TOKEN_INVALID');
  });

  it('verifies a token once', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const token = await tokenOf(SECRET, { sub: 'once' });
    for (let asked = 0; asked < 20; asked += 1) {
      expect(await answers(token)).toEqual(IN);
    }
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });

  it('leaves the other routes as they are', async () => {
    expect((await ask('GET lobbies/none')).status).toBe(200);
    expect((await ask('GET lobby-configs', { key: SERVER })).status).toBe(200);
  });
});

describe('a stream', () => {
  // Clocks are borne for a minute: two seconds are left.
  const soon = (sub: string): Promise<string> => tokenOf(SECRET, { sub, expiresIn: -58 });

  it('ends with its token, and says so', async () => {
    const config = freshConfig();
    const headers = { authorization: `Bearer ${await soon('ann')}` };
    const stream = new Stream(await fetchRaw(`GET lobbies/${config}/me/events`, { headers }));
    await stream.next('connected');
    await stream.ended();
    expect(stream.raw.endsWith(': token expired\n\n')).toBe(true);
    const again = await ask(`GET lobbies/${config}/me/events`, { headers });
    expect(again.body.code).toBe('PLAYER_TOKEN_EXPIRED');
  });

  it('ends with its token as a WebSocket, by a code of its own', async () => {
    const config = freshConfig();
    const query = `?x-player-token=${await soon('ben')}&x-player-id=ben`;
    const headers = { upgrade: 'websocket' };
    const { webSocket } = await fetchRaw(`GET lobbies/${config}/me/events${query}`, { headers });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    webSocket?.addEventListener('close', ({ code, reason }) => resolve([code, reason]));
    webSocket?.accept();
    expect(await promise).toEqual([4002, 'token expired']);
  });
});

describe('a stream that was opened by name', () => {
  it('ends when the project requires tokens, as events and as a WebSocket', async () => {
    await settings({ playerAuth: 'trust' });
    const path = `GET lobbies/${freshConfig()}/me/events`;
    const stream = new Stream(await fetchRaw(path, { player: 'ann' }));
    await stream.next('connected');
    const headers = { upgrade: 'websocket' };
    const { webSocket } = await fetchRaw(`${path}?x-player-id=ben`, { headers });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    webSocket?.addEventListener('close', ({ code, reason }) => resolve([code, reason]));
    webSocket?.accept();
    await settings({ playerAuth: 'token' });
    // At the next beat, or the one after it where another test's was late.
    await stream.ended();
    expect(stream.raw.endsWith(': token expired\n\n')).toBe(true);
    expect(await promise).toEqual([4002, 'token expired']);
    expect((await ask(path, { player: 'ann' })).body.code).toBe('PLAYER_TOKEN_MISSING');
  });
});

describe('a project that trusts', () => {
  it('is what a project is unless it says otherwise, and looks at no token', async () => {
    await settings({ playerAuth: 'trust' });
    expect(await answers('no token at all', { 'x-player-id': 'ann' })).toEqual(IN);
    const token = await tokenOf(SECRET);
    expect(await answers(token)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('secrets', () => {
  it('sign what is minted, which the service takes back', async () => {
    const asked = { key: SERVER, body: { ttl: 120 } };
    const { status, body } = await ask<Minted>('POST players/ann%20b/token', asked);
    expect([status, body.player]).toEqual([200, 'ann b']);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(110_000);
    expect(await answers(body.token, { 'x-player-id': 'ann b' })).toEqual(IN);
    for (const ttl of [59, 86_401, 'long']) {
      const refused = await ask('POST players/ann/token', { key: SERVER, body: { ttl } });
      expect(refused.body.code).toBe('VALIDATION_ERROR');
    }
    const client = await ask('POST players/ann/token', {});
    expect(client.body.code).toBe('FORBIDDEN');
  });

  it('are two at once, so that a backend may change from one to the next', async () => {
    const one = await secretOf();
    const two = await secretOf();
    expect(one.secret).toMatch(/^[\w-]{43}$/);
    for (const { secret } of [one, two]) {
      expect(await answers(await tokenOf(secret))).toEqual(IN);
    }
    expect(await answers(await tokenOf(SECRET, { sub: 'new to this isolate' }))).toEqual(INVALID);
    const token = await tokenOf(one.secret, { sub: 'seen before' });
    expect(await answers(token)).toEqual(IN);
    const gone = await ask(`DELETE projects/token-secrets/${one.id}`, { key: SERVER });
    expect(gone.status).toBe(200);
    expect(await answers(token)).toEqual(INVALID);
    const again = await ask(`DELETE projects/token-secrets/${one.id}`, { key: SERVER });
    expect(again.body.code).toBe('NOT_FOUND');
    await secretOf(SECRET);
  });

  it('are shown in no answer after the one that makes them', async () => {
    const { secret, id } = await secretOf();
    await secretOf(SECRET);
    for (const route of ['projects/settings', 'lobby-configs', 'builds', 'servers']) {
      const told = await ask(`GET ${route}`, { key: SERVER });
      expect(JSON.stringify(told.body)).not.toContain(secret);
      expect(JSON.stringify(told.body)).not.toContain(SECRET);
    }
    const shown = await ask('GET projects/settings', { key: SERVER });
    expect(JSON.stringify(shown.body)).toContain(id);
  });

  it('are long', async () => {
    const short = { key: SERVER, body: { secret: 'x'.repeat(31) } };
    expect((await ask('POST projects/token-secrets', short)).body.code).toBe('VALIDATION_ERROR');
  });
});

describe('an identity provider', () => {
  const rules = { issuer: 'https://id.example.com', audience: null, jwksUrl: PROVIDER };
  const signed = (alg: string, made_: Made = {}): Promise<string> =>
    tokenOf(made[alg] as CryptoKey, {
      alg,
      header: { kid: `key-${alg}` },
      claims: { iss: rules.issuer },
      ...made_,
    });

  it('signs by EdDSA, ES256 and RS256, and is asked for its keys once', async () => {
    await settings({ playerTokens: rules });
    const before = fetched;
    for (const alg of ['EdDSA', 'ES256', 'RS256']) {
      expect([alg, await answers(await signed(alg))]).toEqual([alg, IN]);
      expect([alg, await answers(await signed(alg, { header: {} }))]).toEqual([alg, IN]);
    }
    expect(fetched - before).toBe(1);
  });

  it('is named by a URL that leads nowhere else, and with whom it speaks for', async () => {
    for (const jwksUrl of [
      'http://id.example.com/jwks.json',
      'https://10.0.0.1/jwks.json',
      'https://[fd00::1]/jwks.json',
      'https://0x7f.1/jwks.json',
      'https://169.254.169.254/latest',
      'https://ann:secret@id.example.com/',
      'ftp://localhost/jwks.json',
      'no url',
    ]) {
      const answer = await settings({ playerTokens: { ...rules, jwksUrl } });
      // Loopback by any spelling is this machine.
      const isOwn = jwksUrl.includes('0x7f');
      expect([jwksUrl, answer.status]).toEqual([jwksUrl, isOwn ? 200 : 400]);
    }
    const alone = await settings({ playerTokens: { jwksUrl: PROVIDER } });
    expect(alone.body.detail).toContain('issuer or audience');
    expect(
      (await settings({ playerTokens: { ...rules, jwksUrl: 'http://localhost:9/k' } })).status,
    ).toBe(200);
  });
});

describe('ids of players', () => {
  const seen = async (config: string, key?: string): Promise<string> =>
    JSON.stringify((await ask(`GET lobbies/${config}`, key === undefined ? {} : { key })).body);

  it('are hidden from who only looks, where the project wants that', async () => {
    const config = freshConfig();
    await settings({ playerAuth: 'trust' });
    const { code } = await createLobby(config, 'canary-ann');
    await joinLobby(config, 'canary-ben', code);
    const { body: started } = await ask<LobbyView>(`POST lobbies/${config}/me/start`, {
      player: 'canary-ann',
    });
    const server = `GET servers/${started.server?.instance_id}`;
    await ask(`POST servers/${started.server?.instance_id}/update`, {
      key: SERVER,
      body: { custom_data: { all_players: ['canary-ann'] } },
    });
    await until(
      () => seen(config),
      (text) => text.includes('canary-ben') && text.includes('all_players'),
    );
    await settings({ publicPlayerIds: false });
    const shown = await ask<{ lobbies: LobbyView[] }>(`GET lobbies/${config}`);
    expect(JSON.stringify(shown.body)).not.toContain('canary');
    expect(shown.body.lobbies[0]).toMatchObject({
      host: 'hidden-1',
      players: [
        { id: 'hidden-1', isHost: true },
        { id: 'hidden-2', isHost: false },
      ],
    });
    expect(await seen(config, SERVER)).toContain('canary-ann');
    expect(JSON.stringify((await ask(server)).body)).not.toContain('canary');
    expect(JSON.stringify((await ask(server, { key: SERVER })).body)).toContain('canary');
    const mine = await ask<LobbyView>(`GET lobbies/${config}/me`, { player: 'canary-ben' });
    expect(mine.body.host).toBe('canary-ann');
    await settings({ publicPlayerIds: true });
    expect(await seen(config)).toContain('canary-ann');
  });
});

describe('an attacker', () => {
  const rules = { issuer: 'studio', audience: 'game', jwksUrl: PROVIDER };
  const right = { iss: 'studio', aud: 'game' };
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: 'ann', exp: now + 600, ...right };

  it('is refused, however the token is made', async () => {
    await settings({ playerTokens: rules });
    const rsa = set.keys.find(({ kid }) => kid === 'key-RS256') as JWK;
    const pem = String(rsa.n);
    const foreign = await generateKeyPair('EdDSA');
    const hs = (changed: Made): Promise<string> => tokenOf(SECRET, { claims: right, ...changed });
    const another = (header: Record<string, unknown>): Promise<string> =>
      tokenOf('x'.repeat(32), { claims: right, header });
    const providers = (header: Record<string, unknown>): Promise<string> =>
      tokenOf(foreign.privateKey, { alg: 'EdDSA', claims: right, header });
    const foreignKey = await exportJWK(foreign.publicKey);
    const jwk = { kty: 'oct', k: btoa(SECRET) };
    const table: readonly (readonly [string, string, unknown])[] = [
      ['a good one', await hs({}), IN],
      ['a good one among audiences', await hs({ claims: { ...right, aud: ['x', 'game'] } }), IN],
      ['another secret', await tokenOf(`${SECRET}!`, { claims: right }), INVALID],
      ['expired', await hs({ expiresIn: -61 }), EXPIRED],
      [
        'expired, and signed by another',
        await tokenOf('x'.repeat(40), { expiresIn: -61 }),
        INVALID,
      ],
      ['no expiry', await hs({ expiresIn: null }), INVALID],
      ['no subject', forged({ alg: 'HS256' }, { exp: now + 600 }, 'AAAA'), INVALID],
      ['a subject that is no id', await hs({ sub: 'a\nb' }), INVALID],
      ['a subject too long', await hs({ sub: 'x'.repeat(129) }), INVALID],
      ['a wrong issuer', await hs({ claims: { ...right, iss: 'other' } }), INVALID],
      ['no issuer', await hs({ claims: { aud: 'game' } }), INVALID],
      ['a wrong audience', await hs({ claims: { ...right, aud: 'other' } }), INVALID],
      ['no audience', await hs({ claims: { iss: 'studio' } }), INVALID],
      ['alg none', forged({ alg: 'none' }, claims), INVALID],
      ['alg NONE', forged({ alg: 'NoNe' }, claims), INVALID],
      ['no alg', forged({}, claims, 'AAAA'), INVALID],
      ['an alg that is an object', forged({ alg: { toString: 'HS256' } }, claims, 'A'), INVALID],
      ['HS384 with the right secret', await hs({ alg: 'HS384' }), INVALID],
      ['HS512 with the right secret', await hs({ alg: 'HS512' }), INVALID],
      ['the public key as a secret', await tokenOf(pem, { claims: right }), INVALID],
      [
        'the public key as JSON as a secret',
        await tokenOf(JSON.stringify(rsa), { claims: right }),
        INVALID,
      ],
      [
        'a kid with a path',
        await tokenOf('', { claims: right, header: { kid: '../../dev/null' } }).catch(() =>
          forged({ alg: 'HS256', kid: '../../dev/null' }, claims),
        ),
        INVALID,
      ],
      ['a kid that is no text', forged({ alg: 'HS256', kid: ['a'] }, claims, 'AAAA'), INVALID],
      ['a kid of the prototype', await another({ kid: '__proto__' }), INVALID],
      ['an unknown kid of the provider', await providers({ kid: 'new' }), INVALID],
      ['the kid of another key', await providers({ kid: 'key-EdDSA' }), INVALID],
      ['a key it brings along', await providers({ jwk: foreignKey }), INVALID],
      ['a set of keys it names', await providers({ jku: 'https://evil.test/' }), INVALID],
      ['a symmetric key it brings along', await another({ jwk }), INVALID],
      [
        'a critical extension',
        forged({ alg: 'HS256', crit: ['x'], x: 1 }, claims, 'AAAA'),
        INVALID,
      ],
      ['a seat ticket', await hs({ header: { typ: 'muster-seat+jwt' } }), INVALID],
      [
        'a seat ticket by its media type',
        await hs({ header: { typ: 'application/MUSTER-seat+jwt' } }),
        INVALID,
      ],
      ['five parts', 'a.b.c.d.e', INVALID],
      ['two parts', 'a.b', INVALID],
      ['header that is not JSON', forged('{', claims, 'AAAA'), INVALID],
      ['claims that are no object', forged({ alg: 'HS256' }, '[]', 'AAAA'), INVALID],
      [
        'an expiry that is a text',
        await tokenOf(SECRET, {
          expiresIn: null,
          claims: { ...right, exp: '9' as unknown as number },
        }).catch(() => 'a.b.c'),
        INVALID,
      ],
      ['9 KiB', await hs({ claims: { ...right, more: 'x'.repeat(9_000) } }), INVALID],
      ['the signature cut off', (await hs({})).replace(/\.[^.]*$/, '.'), INVALID],
      [
        'another payload under a good signature',
        await swapped(await hs({}), await hs({ sub: 'ben' })),
        INVALID,
      ],
    ];
    const zeros = (bytes: number): string => 'A'.repeat(Math.ceil((bytes * 4) / 3));
    const [head = '', body = '', signature = ''] = (await hs({})).split('.');
    const provided = (alg: string): object => ({ alg, kid: `key-${alg}` });
    const crafted = (header: unknown, told: unknown = claims): readonly [string, unknown] => [
      forged(header, told, zeros(32)),
      INVALID,
    ];
    const more: readonly (readonly [string, string, unknown])[] = [
      ['ES256 with a signature of zeros', forged(provided('ES256'), claims, zeros(64)), INVALID],
      ['EdDSA with a signature of zeros', forged(provided('EdDSA'), claims, zeros(64)), INVALID],
      ['RS256 with a signature of zeros', forged(provided('RS256'), claims, zeros(256)), INVALID],
      ['RS256 without a signature', forged(provided('RS256'), claims), INVALID],
      [
        'PS256 with the key of RS256',
        forged({ alg: 'PS256', kid: 'key-RS256' }, claims, zeros(256)),
        INVALID,
      ],
      ['HS256 with the kid of a public key', await another({ kid: 'key-RS256' }), INVALID],
      ['a certificate that it brings along', await providers({ x5c: ['MIIB'] }), INVALID],
      ['a certificate that it names', await providers({ x5u: 'https://evil.test/' }), INVALID],
      ['hs256', ...crafted({ alg: 'hs256' })],
      ['two algs, the second none', ...crafted('{"alg":"HS256","alg":"none"}')],
      ['two algs, the first none', ...crafted('{"alg":"none","alg":"HS256"}')],
      ['a payload that is not encoded', ...crafted({ alg: 'HS256', b64: false, crit: ['b64'] })],
      ['a header that is null', ...crafted('null')],
      ['a header that is a list', ...crafted('[{"alg":"HS256"}]')],
      ['a header of the prototype', ...crafted('{"__proto__":{"alg":"none"}}')],
      ['a header of a thousand brackets', ...crafted('['.repeat(1_000))],
      ['claims that are null', ...crafted({ alg: 'HS256' }, 'null')],
      ['the signature of one byte less', `${head}.${body}.${signature.slice(0, -2)}`, INVALID],
      ['the signature of one byte more', `${head}.${body}.${signature}AA`, INVALID],
      ['the signature twice', `${head}.${body}.${signature}${signature}`, INVALID],
      ['nothing but dots', '..', INVALID],
      [
        'a list of issuers',
        await hs({ claims: { ...right, iss: ['studio'] as unknown as string } }),
        INVALID,
      ],
      ['no audience in a list', await hs({ claims: { ...right, aud: [] } }), INVALID],
      ['not yet', await hs({ claims: { ...right, nbf: now + 600 } }), INVALID],
    ];
    const found: unknown[] = [];
    for (const [name, token, expected] of [...table, ...more]) {
      const got = await answers(token);
      if (JSON.stringify(got) !== JSON.stringify(expected)) {
        found.push([name, got, expected]);
      }
    }
    console.log(
      `${table.length + more.length} tokens tried, ${found.length} answered otherwise than they should`,
    );
    expect(found).toEqual([]);
  });

  it('who brings unknown kids makes the service ask its provider no more than it would', async () => {
    await settings({ playerTokens: rules });
    await answers(await tokenOf(SECRET, { claims: right }));
    const before = fetched;
    for (let tried = 0; tried < 50; tried += 1) {
      await answers(forged({ alg: 'RS256', kid: `made up ${tried}` }, claims, 'AAAA'));
    }
    expect(fetched - before).toBeLessThanOrEqual(1);
  });
});

async function swapped(good: string, other: string): Promise<string> {
  const [header, , signature] = good.split('.');
  return [header, other.split('.')[1], signature].join('.');
}
