// Logins, the checks alone: answers as the providers' public documentation shows them, served by a function
// in place of the network. None of this was tried on the real services (docs/logins.md).

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseWith } from '../../../src/common/shape';
import { providerKeys } from '../../../src/http/identity/jwks';
import { PROVIDERS, type Means } from '../../../src/http/login/providers';

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

const NOW = Date.UTC(2026, 10, 23);
let asked: Asked[] = [];
let key: CryptoKey;
let jwk: JWK;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  key = pair.privateKey;
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256' };
});

/** Logs in with a network that answers in turn. */
async function login(
  name: string,
  given: object,
  token: string,
  answers: readonly (() => Response | Promise<Response>)[] = [],
) {
  asked = [];
  const provider = PROVIDERS.get(name);
  const settings = provider === undefined ? null : parseWith(provider.settings, given);
  if (provider === undefined || settings?.ok !== true) {
    throw new Error(JSON.stringify(settings));
  }
  const means: Means = {
    project: 'studio',
    now: NOW,
    fetch: async (url, init) => {
      asked.push({ url, init });
      const answer = answers[asked.length - 1];
      if (answer === undefined) {
        throw new Error('asked once too often');
      }
      return answer();
    },
    keys: async (url) => {
      asked.push({ url, init: {} });
      return providerKeys({ keys: [jwk] });
    },
  };
  return provider.identify(token, settings.value, means);
}

const says =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
const code = (reply: Awaited<ReturnType<typeof login>>) => (reply.ok ? null : reply.refusal.code);

describe('Steam', () => {
  const settings = { publisherKey: 'PUBLISHER', appId: 480, identity: 'muster' };
  const player = {
    result: 'OK',
    steamid: '76561197960287930',
    ownersteamid: '76561197960287930',
    vacbanned: false,
    publisherbanned: false,
  };
  const steam = (params: object) => says({ response: { params } });

  it('is asked with the publisher key, and tells the id', async () => {
    const found = await login('steam', settings, '14AB00', [steam(player)]);
    expect(found).toEqual({ ok: true, value: { subject: player.steamid, once: '14ab00' } });
    const url = new URL(asked[0]?.url ?? '');
    expect(url.origin + url.pathname).toBe(
      'https://partner.steam-api.com/ISteamUserAuth/AuthenticateUserTicket/v1/',
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      key: 'PUBLISHER',
      appid: '480',
      ticket: '14AB00',
      identity: 'muster',
    });
  });

  it('keeps out who is banned, VAC bans unless they are allowed', async () => {
    const vac = steam({ ...player, vacbanned: true });
    const publisher = steam({ ...player, publisherbanned: true });
    expect(code(await login('steam', settings, 'aa', [vac]))).toBe('BANNED');
    expect(code(await login('steam', settings, 'aa', [publisher]))).toBe('BANNED');
    const mild = { ...settings, allowVacBanned: true };
    expect(code(await login('steam', mild, 'aa', [vac]))).toBeNull();
    expect(code(await login('steam', mild, 'aa', [publisher]))).toBe('BANNED');
  });

  it('refuses tickets, and what is no ticket is not sent', async () => {
    const invalid = says({ response: { error: { errorcode: 101, errordesc: 'Invalid ticket' } } });
    expect(code(await login('steam', settings, 'aa', [invalid]))).toBe('LOGIN_REFUSED');
    expect(code(await login('steam', settings, 'aa&key=x'))).toBe('LOGIN_REFUSED');
    expect(asked).toEqual([]);
  });
});

describe('a provider that does not answer as it should logs nobody in', () => {
  const settings = { publisherKey: 'PUBLISHER', appId: 480 };
  const big = 'x'.repeat(70_000);
  const wrong: Readonly<Record<string, () => Response | Promise<Response>>> = {
    'an error': says({}, 500),
    'a refused key': () => new Response('<html>Forbidden</html>', { status: 403 }),
    'a redirect': () =>
      new Response(null, { status: 302, headers: { location: 'https://x.test' } }),
    'no JSON': () => new Response('OK'),
    'another form': says({ response: { params: { result: 'OK', steamid: 1 } } }),
    'no result': says({ response: { params: { steamid: '1' } } }),
    'an id that is none': says({
      response: {
        params: { result: 'OK', steamid: 'ann', vacbanned: false, publisherbanned: false },
      },
    }),
    'too much': says({ response: { params: { big } } }),
    'a broken connection': () => Promise.reject(new TypeError('reset')),
  };
  it.each(Object.keys(wrong))('%s', async (name) => {
    const answer = wrong[name] ?? says({});
    await expect(login('steam', settings, 'aa', [answer])).rejects.toThrow();
  });
});

interface Case {
  readonly settings: object;
  readonly issuer: string;
  readonly audience: string | string[];
  readonly keysAt: string;
}

const SIGNED: Readonly<Record<string, Case>> = {
  epic: {
    settings: { clientId: 'xyza7891' },
    issuer: 'https://api.epicgames.dev/auth/v1/oauth',
    audience: 'xyza7891',
    keysAt: 'https://api.epicgames.dev/auth/v1/oauth/jwks',
  },
  unity: {
    settings: { projectId: 'p-1' },
    issuer: 'https://player-auth.services.api.unity.com',
    audience: ['idd:d-1', 'envName:production', 'envId:e-1', 'upid:p-1'],
    keysAt: 'https://player-auth.services.api.unity.com/.well-known/jwks.json',
  },
  firebase: {
    settings: { projectId: 'my-game' },
    issuer: 'https://securetoken.google.com/my-game',
    audience: 'my-game',
    keysAt:
      'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
  },
  supabase: {
    settings: { url: 'https://abc.supabase.co' },
    issuer: 'https://abc.supabase.co/auth/v1',
    audience: 'authenticated',
    keysAt: 'https://abc.supabase.co/auth/v1/.well-known/jwks.json',
  },
};

describe.each(Object.entries(SIGNED))('%s', (name, { settings, issuer, audience, keysAt }) => {
  const signed = (claims: { issuer?: string; audience?: string | string[]; at?: number } = {}) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject('player-1')
      .setIssuer(claims.issuer ?? issuer)
      .setAudience(claims.audience ?? audience)
      .setExpirationTime((claims.at ?? NOW) / 1000 + 3600)
      .sign(key);

  it('names the subject of a good token, by the keys of the provider', async () => {
    const found = await login(name, settings, await signed());
    expect(found).toEqual({ ok: true, value: { subject: 'player-1' } });
    expect(asked.map(({ url }) => url)).toEqual([keysAt]);
  });

  it('refuses tokens of other games, issuers, signers and times', async () => {
    const stranger = await generateKeyPair('RS256');
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject('player-1')
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(NOW / 1000 + 3600)
      .sign(stranger.privateKey);
    const bad = [
      await signed({ audience: 'another-game' }),
      await signed({ issuer: 'https://evil.test' }),
      await signed({ at: NOW - 24 * 3600_000 }),
      forged,
      'not a token',
    ];
    for (const token of bad) {
      expect(code(await login(name, settings, token))).toBe('LOGIN_REFUSED');
    }
  });
});

describe('Nakama', () => {
  const secret = 'defaultencryptionkey-of-32-characters';
  const session = (signer: string, claims: object = { tid: 't', uid: 'u-1', usn: 'ann' }) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime(NOW / 1000 + 60)
      .sign(new TextEncoder().encode(signer));

  it('is verified with the encryption key of its sessions, and uid is the player', async () => {
    const found = await login('nakama', { encryptionKey: secret }, await session(secret));
    expect(found).toEqual({ ok: true, value: { subject: 'u-1' } });
    const wrong = [
      await session('another key of 32 characters ....'),
      await session(secret, { sub: 'u-1' }),
    ];
    for (const token of wrong) {
      expect(code(await login('nakama', { encryptionKey: secret }, token))).toBe('LOGIN_REFUSED');
    }
  });
});

describe('PlayFab', () => {
  const settings = { titleId: 'A1B2', secretKey: 'SECRET' };
  const title = says({ code: 200, status: 'OK', data: { EntityToken: 'of the title' } });
  const entity = (Type: string) =>
    says({
      code: 200,
      status: 'OK',
      data: { Entity: { Id: '174812ABF712', Type, TypeString: Type } },
    });

  it('validates the token as the title', async () => {
    const found = await login('playfab', settings, 'of ann', [
      title,
      entity('title_player_account'),
    ]);
    expect(found).toEqual({ ok: true, value: { subject: '174812ABF712' } });
    expect(asked.map(({ url }) => url)).toEqual([
      'https://a1b2.playfabapi.com/Authentication/GetEntityToken',
      'https://a1b2.playfabapi.com/Authentication/ValidateEntityToken',
    ]);
    expect(asked.map(({ init }) => new Headers(init.headers).get('x-secretkey'))).toEqual([
      'SECRET',
      null,
    ]);
    expect(new Headers(asked[1]?.init.headers).get('x-entitytoken')).toBe('of the title');
    expect(asked[1]?.init.body).toBe('{"EntityToken":"of ann"}');
  });

  it('logs in players alone, and says when it is the title that is refused', async () => {
    const expired = says({ code: 401, error: 'EntityTokenExpired', errorCode: 1336 }, 401);
    for (const answer of [entity('title'), entity('character'), expired]) {
      expect(code(await login('playfab', settings, 'x', [title, answer]))).toBe('LOGIN_REFUSED');
    }
    await expect(login('playfab', settings, 'x', [expired])).rejects.toThrow('secret key');
  });
});

describe('Discord', () => {
  const settings = { clientId: '1', clientSecret: 'SECRET' };

  it('exchanges the code, and gives the access token back, which the Activity needs', async () => {
    const answers = [
      says({
        access_token: '6qrZcUqja7812RVdnEKjpzOL4CvHBFG',
        token_type: 'Bearer',
        expires_in: 604800,
      }),
      says({ id: '80351110224678912', username: 'Nelly' }),
    ];
    const found = await login('discord', settings, 'the-code', answers);
    const accessToken = '6qrZcUqja7812RVdnEKjpzOL4CvHBFG';
    expect(found).toEqual({ ok: true, value: { subject: '80351110224678912', accessToken } });
    const form = new URLSearchParams('client_id=1&client_secret=SECRET');
    form.append('grant_type', 'authorization_code');
    form.append('code', 'the-code');
    expect(asked[0]?.init.body).toEqual(form);
    expect(new Headers(asked[1]?.init.headers).get('authorization')).toBe(`Bearer ${accessToken}`);
  });

  it('refuses a code that Discord refuses', async () => {
    const refused = says({ error: 'invalid_grant' }, 400);
    expect(code(await login('discord', settings, 'x', [refused]))).toBe('LOGIN_REFUSED');
  });
});

describe('a device', () => {
  it('is always the same player, and the id does not tell its secret', async () => {
    const device = crypto.randomUUID() + crypto.randomUUID();
    const [one, again, other] = [
      await login('anonymous', {}, device),
      await login('anonymous', {}, device),
      await login('anonymous', {}, `${device}x`),
    ];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(JSON.stringify(one)).not.toContain(device);
    expect(code(await login('anonymous', {}, 'short'))).toBe('LOGIN_REFUSED');
  });
});

describe('settings', () => {
  it.each([...PROVIDERS.keys()])('of %s refuse what they do not know', (name) => {
    const provider = PROVIDERS.get(name);
    expect(parseWith(provider?.settings as never, { misspelt: 1 }).ok).toBe(false);
  });

  it('name only addresses that a tenant may make the service ask', () => {
    const steam = PROVIDERS.get('steam');
    const given = { publisherKey: 'x', appId: 1, url: 'https://10.0.0.1' };
    expect(parseWith(steam?.settings as never, given)).toMatchObject({
      refusal: [{ path: 'url', message: 'must have a host name, not an address' }],
    });
  });

  it('are of no provider that is none', () => {
    expect([PROVIDERS.get('toString'), PROVIDERS.get('')]).toEqual([undefined, undefined]);
  });
});
