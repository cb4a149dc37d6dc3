// The ICE servers of players: STUN by setting, a relay of one's own by its secret, Cloudflare's by its API, which stands
// in as a function in place of the network, and answers as its documentation shows.

import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { later } from '../../../src/common/later';
import { iceFor } from '../../../src/http/players/ice';
import type { Env } from '../../../src/objects/placement/env';

const HOUR = 3_600_000;
const ANN = { who: 'dev ann', isPlaying: true };
const STUN = { ICE_STUN: ' stun:a.example:3478, stun:b.example' };
const OWN = { ICE_TURN: 'turn:own.example:3478?transport=udp', ICE_TURN_SECRET: 's3cret' };
const RELAY = { username: 'u', credential: 'c' };

let keys = 0;

/** Settings with a key that no other test has, and a provider that answers by `answer`. */
function cloudflare(answer: () => Response | Promise<Response> = generated) {
  keys += 1;
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  const env = { ICE_CLOUDFLARE_KEY: `key-${keys}`, ICE_CLOUDFLARE_TOKEN: 'token' };
  const network = { answer };
  const fetcher = async (url: string, init: RequestInit): Promise<Response> => {
    asked.push({ url, init });
    return network.answer();
  };
  return { asked, env, fetcher, network };
}

function generated(): Response {
  const urls = [
    'turn:turn.cloudflare.com:3478?transport=udp',
    'turn:turn.cloudflare.com:53?transport=udp',
    'turns:turn.cloudflare.com:5349?transport=tcp',
  ];
  const stun = { urls: ['stun:stun.cloudflare.com:3478', 'stun:stun.cloudflare.com:53'] };
  return Response.json({ iceServers: [stun, { urls, ...RELAY }] }, { status: 201 });
}

function asks(env: object) {
  return { env: env as Env, background: () => {}, later };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the ICE servers', () => {
  it('are none without settings, and STUN alone for who plays nothing', async () => {
    const { env, fetcher, asked } = cloudflare();
    expect(await iceFor(asks({}), ANN, fetcher)).toEqual({ iceServers: [], ttl: 14_400 });
    const all = { ...STUN, ...OWN, ...env };
    expect(await iceFor(asks(all), { ...ANN, isPlaying: false }, fetcher)).toEqual({
      iceServers: [{ urls: ['stun:a.example:3478', 'stun:b.example'] }],
      ttl: 14_400,
    });
    expect(asked).toEqual([]);
  });

  it('have credentials for a relay of one’s own: an end, and its HMAC', async () => {
    vi.setSystemTime(1_790_000_000_500);
    const { iceServers } = await iceFor(asks(OWN), ANN);
    const [{ urls, username = '', credential } = { urls: [] }] = iceServers;
    expect(urls).toEqual(['turn:own.example:3478?transport=udp']);
    expect(username).toMatch(/^1790014400:[0-9a-f]{1,8}$/);
    expect(credential).toBe(createHmac('sha1', 's3cret').update(username).digest('base64'));
    const bob = await iceFor(asks(OWN), { ...ANN, who: 'dev bob' });
    expect(bob.iceServers[0]?.username).not.toBe(username);
    expect(await iceFor(asks({ ICE_TURN: OWN.ICE_TURN }), ANN)).toMatchObject({ iceServers: [] });
  });

  it('of Cloudflare are asked for once, whoever asks, and without the port that browsers refuse', async () => {
    const { env, fetcher, asked } = cloudflare();
    const all = Promise.all(Array.from({ length: 50 }, () => iceFor(asks(env), ANN, fetcher)));
    await vi.advanceTimersByTimeAsync(100);
    const [first, ...others] = await all;
    expect(first?.iceServers).toEqual([
      { urls: ['stun:stun.cloudflare.com:3478'] },
      {
        urls: [
          'turn:turn.cloudflare.com:3478?transport=udp',
          'turns:turn.cloudflare.com:5349?transport=tcp',
        ],
        ...RELAY,
      },
    ]);
    expect(others.every((each) => each.iceServers.length === 2)).toBe(true);
    expect(asked).toHaveLength(1);
    const [{ url, init } = { url: '', init: {} }] = asked;
    expect(url).toBe(
      `https://rtc.live.cloudflare.com/v1/turn/keys/${env.ICE_CLOUDFLARE_KEY}/credentials/generate-ice-servers`,
    );
    expect(init).toMatchObject({ method: 'POST', body: '{"ttl":14400}', redirect: 'manual' });
    expect(init.headers).toMatchObject({ authorization: 'Bearer token' });
  });

  it('say how long they are valid, and are made anew after an hour', async () => {
    const { env, fetcher, asked } = cloudflare();
    await iceFor(asks(env), ANN, fetcher);
    await vi.advanceTimersByTimeAsync(HOUR - 1_000);
    expect((await iceFor(asks(env), ANN, fetcher)).ttl).toBe(3 * 3_600 + 1);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await iceFor(asks(env), ANN, fetcher)).ttl).toBe(14_400);
    expect(asked).toHaveLength(2);
  });
});

describe('a provider', () => {
  const failing: readonly (readonly [string, () => Response | Promise<Response>])[] = [
    ['that is down', () => Promise.reject(new Error('refused'))],
    ['that refuses', () => new Response('no', { status: 403 })],
    ['that answers something else', () => Response.json({ iceServers: 'none' })],
  ];
  it.each(failing)('%s is left out, and not asked again at once', async (_, answer) => {
    const { env, fetcher, asked, network } = cloudflare(answer);
    const all = asks({ ...STUN, ...OWN, ...env });
    expect((await iceFor(all, ANN, fetcher)).iceServers).toHaveLength(2);
    expect((await iceFor(all, ANN, fetcher)).iceServers).toHaveLength(2);
    expect(asked).toHaveLength(1);
    network.answer = generated;
    await vi.advanceTimersByTimeAsync(10_001);
    expect((await iceFor(all, ANN, fetcher)).iceServers).toHaveLength(4);
  });

  it('that is slow is waited for a second and a half, and its answer serves the next', async () => {
    let answer: (response: Response) => void = () => {};
    const { env, fetcher, asked } = cloudflare(() => new Promise((resolve) => (answer = resolve)));
    const all = asks({ ...STUN, ...env });
    const slow = iceFor(all, ANN, fetcher);
    const other = iceFor(all, ANN, fetcher);
    let isDone = false;
    void slow.then(() => (isDone = true));
    await vi.advanceTimersByTimeAsync(1_400);
    expect(isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect((await slow).iceServers).toHaveLength(1);
    expect((await other).iceServers).toHaveLength(1);
    answer(generated());
    await vi.advanceTimersByTimeAsync(10);
    expect((await iceFor(all, ANN, fetcher)).iceServers).toHaveLength(3);
    expect(asked).toHaveLength(1);
  });

  it('that fails later leaves what is valid, until it is not', async () => {
    const { env, fetcher, network } = cloudflare();
    await iceFor(asks(env), ANN, fetcher);
    network.answer = () => Promise.reject(new Error('refused'));
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    const later2 = await iceFor(asks(env), ANN, fetcher);
    expect(later2.iceServers).toHaveLength(2);
    expect(later2.ttl).toBe(7_200);
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect((await iceFor(asks(env), ANN, fetcher)).iceServers).toEqual([]);
  });
});
