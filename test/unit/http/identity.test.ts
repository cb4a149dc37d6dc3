// Record 0022, the pure parts: how secrets and keys follow each other, and the keys of an identity
// provider, by a clock of the test.

import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import {
  COOLDOWN_MS,
  FRESH_MS,
  jwksUrlProblem,
  keysAt,
  NoKeys,
  providerKeys,
} from '../../../src/http/identity/jwks';
import type { Fetch } from '../../../src/http/identity/outside';
import type { Lobby } from '../../../src/lobby/lobby';
import { seatOf } from '../../../src/lobby/view';
import {
  secretsAfter,
  MAX_TOKEN_SECRETS,
  NO_SECRETS,
  publicKeys,
} from '../../../src/objects/project/identity';
import {
  jwksOf,
  SEAT_TICKET_MS,
  signingKey,
  type ProjectSecrets,
  type SeatKey,
} from '../../../src/objects/contracts/secrets';

function secret(id: string) {
  return { id, secret: `secret ${id}`, createdAt: 0 };
}

function seat(kid: string): SeatKey {
  return { kid, x: `x ${kid}`, d: `d ${kid}`, createdAt: 0, retiredAt: null };
}

function withSeats(...kids: readonly string[]): ProjectSecrets {
  return secretsAfter(NO_SECRETS, { act: 'first seats', keys: kids.map(seat) }, 0);
}

describe('secrets', () => {
  it('are two at most, the newest first, and a change told twice is made once', () => {
    const add = (before: ProjectSecrets, id: string): ProjectSecrets =>
      secretsAfter(before, { act: 'add token', secret: secret(id), onlyFirst: false }, 0);
    const three = ['a', 'b', 'c'].reduce(add, NO_SECRETS);
    expect(three.tokens.map(({ id }) => id)).toEqual(['c', 'b']);
    expect(three.tokens).toHaveLength(MAX_TOKEN_SECRETS);
    expect([three.revision, add(three, 'c')]).toEqual([3, three]);
    const first = { act: 'add token', secret: secret('d'), onlyFirst: true } as const;
    expect(secretsAfter(three, first, 0)).toBe(three);
    expect(secretsAfter(three, { act: 'remove token', id: 'a' }, 0)).toBe(three);
    const left = secretsAfter(three, { act: 'remove token', id: 'c' }, 0);
    expect([left.revision, left.tokens.map(({ id }) => id)]).toEqual([4, ['b']]);
  });

  it('are no part of what everybody of the project may know', () => {
    const all = secretsAfter(
      withSeats('1', '2'),
      { act: 'add token', secret: secret('a'), onlyFirst: false },
      0,
    );
    const text = JSON.stringify([publicKeys(all), jwksOf(all.seats)]);
    expect(text).not.toContain('secret a');
    expect(text).not.toContain('d 1');
    expect(text).toContain('x 1');
  });
});

describe('seat keys', () => {
  it('follow each other: the next was there before, the old one stays for its tickets', () => {
    const before = withSeats('1', '2');
    expect(signingKey(before.seats)?.kid).toBe('1');
    const after = secretsAfter(before, { act: 'rotate seats', key: seat('3') }, 1_000);
    expect(signingKey(after.seats)?.kid).toBe('2');
    expect(jwksOf(after.seats).map(({ kid }) => kid)).toEqual(['2', '3', '1']);
    expect(secretsAfter(after, { act: 'rotate seats', key: seat('3') }, 2_000)).toBe(after);
    expect(secretsAfter(after, { act: 'first seats', keys: [seat('9')] }, 0)).toBe(after);
    const soon = secretsAfter(after, { act: 'rotate seats', key: seat('4') }, SEAT_TICKET_MS);
    expect(soon.seats.map(({ kid }) => kid)).toEqual(['1', '2', '3', '4']);
    const late = secretsAfter(after, { act: 'rotate seats', key: seat('4') }, 2 * SEAT_TICKET_MS);
    expect(late.seats.map(({ kid }) => kid)).toEqual(['2', '3', '4']);
  });
});

describe('a seat', () => {
  const taken = { members: ['ann', 'old', '__proto__'], aside: ['sam'] };
  const places = { team: 1, teamName: 'prey', roles: { ann: 'runner' }, ...taken };
  const late = [
    { id: 'eve', cameDuring: 'ticket' },
    { id: 'old', cameDuring: 'an earlier ticket' },
  ];
  const lobby = {
    id: 'l',
    status: 'in_game',
    players: [{ id: 'ann' }, { id: 'sam' }, ...late, { id: '__proto__' }],
    part: { matchId: 'm', ticketId: 'ticket', places },
    game: { instanceId: 'i', block: { instance_id: 'i', status: 'running' } },
  } as unknown as Lobby;
  const where = { lobby: 'l', match: 'm', instance: 'i', late: false };
  const nowhere = { ...where, team: null, teamName: null, role: null };

  it('is of a member, while there is a game', () => {
    const inTeam = { ...nowhere, team: 1, teamName: 'prey' };
    expect(seatOf(lobby, 'ann')).toEqual({ ...inTeam, role: 'runner' });
    expect(seatOf(lobby, 'old')).toEqual(inTeam);
    expect(seatOf(lobby, 'eve')).toEqual({ ...nowhere, late: true });
    expect(seatOf(lobby, '__proto__')).toEqual(inTeam);
    expect(seatOf(lobby, 'sam')).toEqual(nowhere);
    expect(seatOf(lobby, 'stranger')).toBeNull();
    expect(seatOf({ ...lobby, status: 'matched' } as Lobby, 'ann')).toBeNull();
    expect(seatOf({ ...lobby, part: null } as Lobby, 'ann')).toEqual({ ...nowhere, match: null });
  });
});

describe('the keys of an identity provider', () => {
  let asked: string[] = [];
  let answer: () => Response | Promise<Response> = () => Response.json({ keys: [] });
  let logged: MockInstance;
  let set: { keys: JWK[] };
  let init: Parameters<Fetch>[1] | null = null;

  let url = '';
  let background: Promise<unknown>[] = [];

  /** The keys for a request. Each test has a provider of its own. */
  function keys(kid: string, now: number) {
    const fetch: Fetch = async (to, given) => {
      asked.push(to);
      init = given;
      return answer();
    };
    return keysAt(url, kid, now, {
      env: { PROVIDERS: { fetch } },
      background: (work) => background.push(work),
    });
  }

  beforeEach(async () => {
    asked = [];
    background = [];
    logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    url = `https://${crypto.randomUUID()}.example.com/jwks.json`;
    const { publicKey } = await generateKeyPair('EdDSA', { extractable: true });
    set = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] };
    answer = () => Response.json(set);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('are asked for once, then after ten minutes', async () => {
    for (const now of [0, 1, FRESH_MS - 1]) {
      expect(await keys('one', now)).toHaveLength(1);
    }
    expect(asked).toEqual([url]);
    await keys('one', FRESH_MS);
    expect(asked).toHaveLength(2);
    expect(init?.redirect).toBe('manual');
  });

  it('are asked for anew for a key that is not there, and not again for 30 s', async () => {
    await keys('one', 0);
    for (let at = 1; at < 20; at += 1) {
      await keys(`made up ${at}`, COOLDOWN_MS + at);
    }
    expect(asked).toHaveLength(2);
  });

  it('count for an hour while the provider is silent', async () => {
    await keys('one', 0);
    answer = () => Promise.reject(new Error('down'));
    expect(await keys('one', FRESH_MS)).toHaveLength(1);
    expect(await keys('one', 59 * 60_000)).toHaveLength(1);
    await expect(keys('one', 60 * 60_000)).rejects.toThrow(NoKeys);
    expect(logged.mock.calls.flat()).toContainEqual(expect.stringContaining('"error":"down"'));
    answer = () => Response.json(set);
    expect(await keys('one', 61 * 60_000)).toHaveLength(1);
  });

  it('are waited for by those who ask while they come the first time', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    const all = Promise.all(Array.from({ length: 20 }, () => keys('one', 0)));
    resolve(Response.json(set));
    expect((await all).every((found) => found.length === 1)).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('still come for those who wait when the one who fetches them leaves', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    void keys('one', 0);
    // What is not in the background ends with its request.
    expect(background).toHaveLength(1);
    resolve(Response.json(set));
    await background[0];
    expect(await keys('one', 1)).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('are looked for ever more seldom by those who wait', async () => {
    vi.useFakeTimers();
    answer = () => new Promise(() => undefined);
    void keys('one', 0);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const waits = expect(keys('one', 0)).rejects.toThrow(NoKeys);
    await vi.advanceTimersByTimeAsync(10_000);
    await waits;
    expect(timers.mock.calls.length).toBeLessThan(10);
    timers.mockRestore();
  });

  it('are waited for by nobody else once the provider has failed to answer', async () => {
    answer = () => Promise.reject(new Error('down'));
    await expect(keys('one', 0)).rejects.toThrow(NoKeys);
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    const tries = keys('one', COOLDOWN_MS);
    await expect(keys('made up', COOLDOWN_MS)).rejects.toThrow(NoKeys);
    resolve(Response.json(set));
    expect(await tries).toHaveLength(1);
    expect(await keys('one', COOLDOWN_MS)).toHaveLength(1);
  });

  it.each([
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://x/' } })],
    ['a page', () => new Response('<html>')],
    ['too much', () => new Response(' '.repeat(70_000))],
    ['too many keys', () => Response.json({ keys: Array.from({ length: 33 }, () => ({})) })],
    ['no set', () => Response.json([])],
  ])('are none where there is %s', async (_name, given) => {
    answer = given;
    await expect(keys('one', 0)).rejects.toThrow(NoKeys);
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it('are those of use: others, and private halves, are passed over', async () => {
    const rsa = await generateKeyPair('RS256', { extractable: true });
    const ec = await generateKeyPair('ES256', { extractable: true });
    const found = await providerKeys({
      keys: [
        { kty: 'oct', k: 'AAAA', kid: 'secret' },
        { ...(await exportJWK(rsa.privateKey)), kid: 'rsa' },
        { ...(await exportJWK(ec.publicKey)), kid: 'ec', use: 'sig' },
        { ...(await exportJWK(ec.publicKey)), kid: 'for encryption', use: 'enc' },
        { ...(await exportJWK(rsa.publicKey)), kid: 'other', alg: 'RS512' },
        { kty: 'EC', crv: 'P-256', x: 'no', y: 'point', kid: 'broken' },
        null,
        'text',
      ],
    });
    expect(found.map(({ kid, alg }) => [kid, alg])).toEqual([
      ['rsa', 'RS256'],
      ['ec', 'ES256'],
    ]);
    expect(found.every(({ key }) => key.type === 'public')).toBe(true);
  });

  it.each([
    ['https://id.example.com/keys', null],
    ['http://localhost:8080/keys', null],
    ['http://127.0.0.1/keys', null],
    ['http://[::1]:9/keys', null],
    ['http://id.example.com/keys', 'must be https'],
    ['https://192.168.0.1/', 'must have a host name'],
    ['https://2130706433.example/', null],
    ['https://3232235521/', 'must have a host name'],
    ['https://[fe80::1]/', 'must have a host name'],
    ['https://a:b@id.example.com/', 'must have no user'],
    ['https://id.example.com/#x', 'must have no user'],
    ['file:///etc/passwd', 'must be https'],
    [`https://id.example.com/${'x'.repeat(600)}`, 'must be a URL'],
  ])('%s', (url, problem) => {
    const found = jwksUrlProblem(url);
    if (problem === null) {
      expect(found).toBeNull();
    } else {
      expect(found).toContain(problem);
    }
  });
});
